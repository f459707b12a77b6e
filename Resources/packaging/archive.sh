#!/bin/sh
# Makes the archive for those without a checkout in a directory, and prints its path:
# archive.sh STACKS CONNECTOR DIRECTORY.
set -eu
umask 022
cd "$(dirname "$0")/../.."
. Resources/packaging/source-date.sh

program=$1
connector=$2
mkdir -p "$3"
target=$(cd "$3" && pwd)
version=$("$program" --version | sed -n 1p)
architecture=$(uname -m)
name=stacks-$version-linux-$architecture
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/$name
mkdir "$tree"
sh Resources/packaging/stage.sh "$tree" "$program" "$connector"

licences() { python3 Resources/packaging/licences/licences.py --stacks "$program" --connector "$connector" "$@"; }
licences --full copyright > "$tree/share/doc/stacks/copyright"
licences spdx > "$tree/share/doc/stacks/stacks.spdx.json"
licences needs > "$work/needs"
sed -e "/@NEEDS@/r $work/needs" -e '/@NEEDS@/d' -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/" \
    Resources/packaging/README.in > "$tree/README"
install -m 644 LICENSE "$tree/LICENSE"

# Everything that tar and gzip would take from this machine and moment is given.
tar --create --directory "$work" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -n > "$target/$name.tar.gz"
echo "$target/$name.tar.gz"
