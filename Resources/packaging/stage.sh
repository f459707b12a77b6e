#!/bin/sh
# Lays out in a directory all that is installed below a prefix, and install.sh beside it:
# stage.sh DIRECTORY STACKS [CONNECTOR].
#
# This is the one list of what is installed: `make install`, the Debian packages and the archive take it from here.
set -eu
umask 022

tree=$(cd "$1" && pwd)
program=$(realpath "$2")
connector=${3:+$(realpath "$3")}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# put MODE FILE PATH: copies a file into the tree.
put() { install -D -m "$1" "$2" "$tree/$3"; }

# Symbols are half of the program, and only debuggers need them. They and the compiler's hashes of the modules are all in
# it that depends on the directory of the build, but for the length of its path, which `make dist` keeps the same. GNU
# strip would drop the RELRO segment with the hashes; it is only for
# a toolchain without llvm-objcopy.
reduce() {
    if command -v llvm-objcopy > /dev/null; then
        llvm-objcopy --strip-all --remove-section=.swift_modhash "$1" "$work/${1##*/}"
    else
        strip -o "$work/${1##*/}" "$1"
    fi
}

reduce "$program"
put 755 "$work/${program##*/}" bin/stacks
if [ -n "$connector" ]; then
    reduce "$connector"
    put 755 "$work/${connector##*/}" libexec/stacks/stacks-connect
fi
put 644 Resources/catalog.json share/stacks/catalog.json
put 644 Resources/targets.json share/stacks/targets.json
python3 Resources/packaging/manual.py --stacks "$program" "$work/man"
gzip -9n "$work/man"/*
for page in "$work/man"/*; do
    section=${page%.gz}
    put 644 "$page" "share/man/man${section##*.}/${page##*/}"
done
completion() { python3 Resources/packaging/completions.py --stacks "$program" "$1" > "$work/$1"; }
completion bash
put 644 "$work/bash" share/bash-completion/completions/stacks
completion zsh
put 644 "$work/zsh" share/zsh/site-functions/_stacks
completion fish
put 644 "$work/fish" share/fish/vendor_completions.d/stacks.fish
put 644 Resources/packaging/stacks.desktop share/applications/stacks.desktop
# The guide is beside the installed pages.
for page in README.md CHANGELOG.md; do
    sed 's,(Resources/guide/,(guide/,g' $page > "$work/$page"
    put 644 "$work/$page" share/doc/stacks/$page
done
# The program reads the guide, and programs may not need files in share/doc.
for page in Resources/guide/*.md; do put 644 "$page" "share/stacks/guide/${page##*/}"; done
ln -sfn ../../stacks/guide "$tree/share/doc/stacks/guide"
put 755 Resources/packaging/install.sh install.sh
