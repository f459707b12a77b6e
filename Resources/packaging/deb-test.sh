#!/bin/sh
# Holds the Debian package against what it promises: deb-test.sh PACKAGE. It is installed, run and removed in a Debian
# that has nothing but the essential packages, and so neither Swift nor anything else to help it; that needs root.
set -eu

package=$1
failures=0

# expect WHAT COMMAND...: says whether the command does what is expected of it.
expect() {
    what=$1
    shift
    if "$@" > "$work/output" 2>&1; then
        echo "deb-test: $what"
    else
        echo "deb-test: FAILED: $what" >&2
        sed 's/^/    /' "$work/output" >&2
        failures=$((failures + 1))
    fi
}

# Runs in the small Debian, with no environment but the path and a home.
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp/home LANG=C.UTF-8 "$@"; }

# All files there are, but those in which the system keeps its own records.
files() {
    find "$root" -xdev -path "$root/var/lib/dpkg" -prune -o -path "$root/var/log" -prune -o -path "$root/tmp" -prune \
        -o -path "$root/proc" -prune -o -path "$root/dev" -prune -o -print | LC_ALL=C sort
}

prints() {
    expected=$1
    shift
    "$@" | grep -F -- "$expected"
}

work=$(mktemp -d)
root=$work/root
trap 'umount "$root/dev/pts" "$root/proc" 2>/dev/null || true; rm -rf "$work"' EXIT

expect 'lintian finds no errors and no warnings' lintian --fail-on error,warning "$package"
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(sed -n 's/^\(deb\|URIs:\)[^h]*\(http[^ ]*\).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    grep -v security | head -1)
echo "deb-test: making a minimal Debian $release"
debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} > "$work/debootstrap.log" 2>&1 || {
    tail -5 "$work/debootstrap.log" >&2
    echo 'deb-test: there is no minimal Debian to install in, see above' >&2
    exit 1
}
# A program finds its own path in the one, and terminals in the other.
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
[ -c "$root/dev/ptmx" ] && rm "$root/dev/ptmx"
ln -s pts/ptmx "$root/dev/ptmx"
mkdir "$root/tmp/home"
cp "$package" "$root/tmp/stacks.deb"
files > "$work/before"
expect 'it installs' inside dpkg -i /tmp/stacks.deb
expect 'what is installed has its checksums' inside dpkg --verify stacks
expect 'it says its version' prints "$(dpkg-deb -f "$package" Version | sed 's/-[^-]*$//')" inside stacks --version
expect 'it finds a book in its catalog' prints 'The Stand' inside stacks search stand /usr/share/stacks/catalog.json
expect 'it finds its catalog itself' prints 'Fight Club' inside stacks search ''
expect 'it makes a favourite' inside stacks favourites add 978-0307947307
expect 'it draws on a terminal' prints 'Fight Club' \
    inside TERM=xterm-256color sh -c '(sleep 1; printf q) | script -qec stacks /dev/null'
expect 'it is removed' inside dpkg -P stacks
files > "$work/after"
expect 'nothing is left' diff "$work/before" "$work/after"
[ "$failures" = 0 ]
