#!/bin/sh
# Tests the archive: archive-test.sh ARCHIVE. Unpacks, runs, installs and removes it in a minimal Debian, and in a system
# that has nothing but BusyBox, neither a C library nor a database of terminals but one entry. Needs root.
set -eu
# shellcheck source-path=SCRIPTDIR source=minimal-system.sh
. "$(dirname "$0")/minimal-system.sh"

archive=$1
name=$(basename "$archive" .tar.gz)
version=$(echo "$name" | cut -d- -f2)

# Tries in the system what needs no library.
try() {
    cp "$archive" "$root/tmp/"
    printf 'Title,Author\nEmma,Jane Austen\n' > "$root/tmp/books.csv"
    files > "$work/before"
    expect "$1: it unpacks" inside tar -xzf "/tmp/$name.tar.gz" -C /tmp
    expect "$1: it runs without being installed" prints 'Fight Club' inside "/tmp/$name/bin/stacks" search ''
    expect "$1: it installs" prints "$version" inside "/tmp/$name/install.sh" '/opt/my books'
    expect "$1: it prints its version" prints "$version" inside '/opt/my books/bin/stacks' --version
    expect "$1: it adds a favourite" inside '/opt/my books/bin/stacks' favourites add 978-0307947307
    expect "$1: it says that the helper lacks libraries" prints 'stacks-connect cannot start' \
        inside '/opt/my books/bin/stacks' search '' /tmp/books.csv
    mv "$root/opt/my books/libexec/stacks/stacks-connect" "$root/tmp/"
    expect "$1: it says that the helper is missing" prints 'install stacks-connect' \
        inside '/opt/my books/bin/stacks' search '' /tmp/books.csv
    mv "$root/tmp/stacks-connect" "$root/opt/my books/libexec/stacks/"
    expect "$1: it installs again over a running program" inside sh -c "
        sleep 10 | '/opt/my books/bin/stacks' search '' - > /dev/null & pid=\$!
        '/tmp/$name/install.sh' '/opt/my books' && kill \$pid"
    expect "$1: it is removed" inside "/tmp/$name/install.sh" uninstall '/opt/my books'
    files > "$work/after"
    expect "$1: no file is left" diff "$work/before" "$work/after"
}

make_debian
try 'minimal Debian'
allow_network
expect 'minimal Debian: it installs in the default directory' inside "/tmp/$name/install.sh"
inside apt-get update > /dev/null 2>&1
expect 'minimal Debian: man is installed' \
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends man-db
# A minimal Debian leaves out man pages of packages, and its manpath all of them.
expect 'minimal Debian: man shows the page' prints 'browse a catalog of books in the terminal' inside man -P cat stacks
packages=$(sed -n 's/^    \([a-z0-9.+-]*\): .*/\1/p' "$root/tmp/$name/README")
# shellcheck disable=SC2086
expect 'minimal Debian: the libraries that the README names are installed' \
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages
expect 'minimal Debian: the helper opens a CSV file' prints 'Jane Austen' inside stacks search '' /tmp/books.csv

root=$work/busybox
mkdir -p "$root/bin" "$root/usr/bin" "$root/dev" "$root/lib/terminfo/x" "$root/opt"
cp /bin/busybox "$root/bin/"
for command in $(busybox --list); do
    [ "$command" = busybox ] || ln -s busybox "$root/bin/$command"
done
ln -s ../../bin/busybox "$root/usr/bin/env"
cp /lib/terminfo/x/xterm-256color "$root/lib/terminfo/x/"
mount_devices
try BusyBox
# The terminal is of this machine, because BusyBox has no program that makes one.
draw="chroot '$root' /usr/bin/env -i HOME=/tmp/home TERM=xterm-256color LANG=C.UTF-8 /tmp/$name/bin/stacks"
expect 'BusyBox: it draws on a terminal' prints 'Fight Club' \
    sh -c '(sleep 1; printf q) | script -qec "$1" /dev/null' sh "$draw"
[ "$failures" = 0 ]
