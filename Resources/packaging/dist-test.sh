#!/bin/sh
# Makes the files of a release from two clones of this checkout, in two directories, one after the other, and compares
# them byte by byte: dist-test.sh DIRECTORY. The files are then in DIRECTORY.
set -eu
umask 022
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -z "$(git status --porcelain)" ] || echo 'dist-test: changes that are not committed are left out' >&2

# make_in DIRECTORY: clones this checkout there and makes the files.
make_in() {
    git clone --quiet . "$1"
    echo "dist-test: building in $1"
    make -C "$1" dist > "$work/log" 2>&1 || {
        tail -20 "$work/log" >&2
        exit 1
    }
}

make_in "$work/one"
# All that may differ between two people: the path, the time, the language, the time zone, and who may read new files.
(
    umask 077
    export LC_ALL=C TZ=Pacific/Auckland
    make_in "$work/another/place"
)
first=$work/one/.build/dist
second=$work/another/place/.build/dist
if ! diff -r "$first" "$second"; then
    for result in "$first" "$second"; do
        mkdir "$result/unpacked"
        tar -xzf "$result"/stacks-*.tar.gz -C "$result/unpacked"
    done
    diff -r "$first/unpacked" "$second/unpacked" || true
    # The unstripped programs tell which function differs.
    trap - EXIT
    echo "dist-test: FAILED: two clones do not make the same files. Compare the programs in $work: nm -nS" >&2
    exit 1
fi
rm -rf "$1"
mkdir -p "$(dirname "$1")"
cp -r "$first" "$1"
echo 'dist-test: both clones make the same files:'
cat "$1/SHA256SUMS"
