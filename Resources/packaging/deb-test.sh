#!/bin/sh
# Tests the Debian packages of the two programs: deb-test.sh STACKS CONNECTOR. Installs, runs and removes them in a
# minimal Debian. Needs root.
set -eu
# shellcheck source-path=SCRIPTDIR source=minimal-system.sh
. "$(dirname "$0")/minimal-system.sh"

package=$1
connector=$2

expect 'lintian finds no errors and no warnings' lintian --fail-on error,warning "$package" "$connector"
make_debian
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
    inside stacks search '' /tmp/books.csv
cp "$connector" "$root/tmp/stacks-connect.deb"
allow_network
expect 'the other package installs with its libraries' \
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /tmp/stacks-connect.deb
expect 'it opens a CSV file' prints 'Jane Austen' inside stacks search '' /tmp/books.csv
expect 'both packages are removed' inside dpkg -P stacks-connect stacks
expect 'their programs are gone' inside sh -c '! ls /usr/bin/stacks /usr/libexec/stacks'
[ "$failures" = 0 ]
