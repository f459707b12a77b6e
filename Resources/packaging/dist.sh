#!/bin/sh
# Makes all files of a release in a new directory, and prints their paths: dist.sh STACKS CONNECTOR DIRECTORY.
set -eu
umask 022

packaging=$(dirname "$0")
rm -rf "$3"
sh "$packaging/archive.sh" "$1" "$2" "$3"
sh "$packaging/deb.sh" "$1" "$2" "$3"
cd "$3"
tar --extract --file stacks-*.tar.gz --to-stdout --wildcards '*/stacks.spdx.json' > "$(basename stacks-*.tar.gz .tar.gz).spdx.json"
sha256sum -- stacks* > SHA256SUMS
printf '%s\n' "$PWD"/*.spdx.json "$PWD/SHA256SUMS"
