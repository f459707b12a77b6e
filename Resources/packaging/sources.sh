#!/bin/sh
# Downloads the source packages of what is linked into the programs under a licence that asks for them, into the
# directory of a release: sources.sh DIRECTORY. Adds them to its SHA256SUMS.
set -eu
umask 022

packages=$(python3 "$(dirname "$0")/licences/licences.py" sources)
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The same places as for packages, without a change of the system's own list.
mkdir "$work/parts" "$work/lists"
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ ! -f "$list" ] ||
        sed 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$list" > "$work/parts/${list##*/}"
done
source_get() {
    apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" \
        -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root "$@"
}
source_get update
for package in $packages; do source_get source --download-only "$package"; done
sha256sum -- *_* *.spdx.json *.tar.gz | sort -u -k 2 > SHA256SUMS
cat SHA256SUMS
