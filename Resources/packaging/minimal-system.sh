# shellcheck shell=sh
# Sourced by the tests of the packages and the archive: a Debian that has only the essential packages, and therefore no
# Swift, in the directory $root. $failures counts the expectations that failed. Needs root.

failures=0
work=$(mktemp -d)
root=$work/root
test=$(basename "$0" .sh)
# On any way out, also for a directory of another system.
trap 'umount "$work"/*/dev/pts "$work"/*/proc 2>/dev/null || true; rm -rf "$work"' EXIT

# expect DESCRIPTION COMMAND...: runs the command and reports whether it succeeds.
expect() {
    what=$1
    shift
    if "$@" > "$work/output" 2>&1; then
        echo "$test: $what"
    else
        echo "$test: FAILED: $what" >&2
        sed 's/^/    /' "$work/output" >&2
        failures=$((failures + 1))
    fi
}

# prints TEXT COMMAND...: runs the command, and succeeds if it prints the text.
prints() {
    expected=$1
    shift
    "$@" > "$work/printed" 2>&1 || true
    cat "$work/printed"
    grep -qF -- "$expected" "$work/printed"
}

# Runs a command in the system, with only PATH, HOME and LANG set.
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp/home LANG=C.UTF-8 "$@"
}

# Makes what programs need besides files: their own path in /proc, and terminals in /dev/pts.
mount_devices() {
    mkdir -p "$root/proc" "$root/dev/pts" "$root/tmp/home"
    mount -t proc proc "$root/proc"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    if [ -c "$root/dev/ptmx" ]; then rm "$root/dev/ptmx"; fi
    ln -s pts/ptmx "$root/dev/ptmx"
}

# Makes the Debian of this machine's release.
make_debian() {
    # shellcheck disable=SC1091
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mirror=$(sed -n 's/^\(deb\|URIs:\)[^h]*\(http[^ ]*\).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* \
        2> /dev/null | grep -v security | head -1)
    echo "$test: making a minimal Debian $release"
    debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} > "$work/debootstrap.log" 2>&1 || {
        tail -5 "$work/debootstrap.log" >&2
        echo "$test: cannot make a minimal Debian, see above" >&2
        exit 1
    }
    mount_devices
}

# Lets apt-get in the Debian reach the mirror as it does here.
allow_network() {
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
}

# Lists all files except those that the system changes itself.
files() {
    find "$root" -xdev -path "$root/var/lib/dpkg" -prune -o -path "$root/var/log" -prune -o -path "$root/tmp" -prune \
        -o -path "$root/proc" -prune -o -path "$root/dev" -prune -o -print | LC_ALL=C sort
}
