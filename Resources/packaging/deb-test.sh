#!/bin/sh
# Tests the Debian packages of the two programs: deb-test.sh STACKS CONNECTOR. Installs, runs and removes it in a Debian that has only the essential
# packages, and therefore no Swift. Needs root.
set -eu

package=$1
connector=$2
failures=0

# expect DESCRIPTION COMMAND...: runs the command and reports whether it succeeds.
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

# Runs a command in the minimal Debian, with only PATH, HOME and LANG set.
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp/home LANG=C.UTF-8 "$@"; }

# Lists all files except those that the system changes itself.
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

expect 'lintian finds no errors and no warnings' lintian --fail-on error,warning "$package" "$connector"
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(sed -n 's/^\(deb\|URIs:\)[^h]*\(http[^ ]*\).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    grep -v security | head -1)
echo "deb-test: making a minimal Debian $release"
debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} > "$work/debootstrap.log" 2>&1 || {
    tail -5 "$work/debootstrap.log" >&2
    echo 'deb-test: cannot make a minimal Debian, see above' >&2
    exit 1
}
# Programs find their own path in /proc, and terminals in /dev/pts.
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
[ -c "$root/dev/ptmx" ] && rm "$root/dev/ptmx"
ln -s pts/ptmx "$root/dev/ptmx"
mkdir "$root/tmp/home"
cp "$package" "$root/tmp/stacks.deb"
files > "$work/before"
expect 'the package installs' inside dpkg -i /tmp/stacks.deb
expect 'the installed files match their checksums' inside dpkg --verify stacks
expect 'it prints its version' prints "$(dpkg-deb -f "$package" Version | sed 's/-[^-]*$//')" inside stacks --version
expect 'it finds a book in a catalog' prints 'The Stand' inside stacks search stand /usr/share/stacks/catalog.json
expect 'it finds the bundled catalog' prints 'Fight Club' inside stacks search ''
expect 'it adds a favourite' inside stacks favourites add 978-0307947307
expect 'it draws on a terminal' prints 'Fight Club' \
    inside TERM=xterm-256color sh -c '(sleep 1; printf q) | script -qec stacks /dev/null'
expect 'the package is removed' inside dpkg -P stacks
files > "$work/after"
expect 'no file is left' diff "$work/before" "$work/after"

# The other package has libraries, which the mirror has.
inside dpkg -i /tmp/stacks.deb > /dev/null 2>&1
printf 'Title,Author\nEmma,Jane Austen\n' > "$root/tmp/books.csv"
expect 'without the other package it says what opens a CSV file' prints 'install stacks-connect' \
    inside sh -c 'stacks search "" /tmp/books.csv 2>&1'
cp "$connector" "$root/tmp/stacks-connect.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
expect 'the other package installs with its libraries' \
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /tmp/stacks-connect.deb
expect 'it opens a CSV file' prints 'Jane Austen' inside stacks search '' /tmp/books.csv
expect 'both packages are removed' inside dpkg -P stacks-connect stacks
expect 'their programs are gone' inside sh -c '! ls /usr/bin/stacks /usr/libexec/stacks'
[ "$failures" = 0 ]
