#!/bin/sh
# Installs or uninstalls a built program, and the one that reads catalogs that are not JSON:
# install.sh install|uninstall PROGRAM [CONNECTOR].
#
# Reads PREFIX, an absolute path, and DESTDIR from the environment. The file share/stacks/installed lists the created
# files and directories. Uninstalling removes only these; directories that existed before stay, even if they are empty.
# Installing removes the files of an earlier installation that this one does not have.
set -eu
umask 022
cd "$(dirname "$0")/../.."

action=$1
program=$2
connector=${3:-}
destination=${DESTDIR:-}
record=$PREFIX/share/stacks/installed

# Creates a directory and its parents, and records those that did not exist.
make_directory() {
    [ -d "$destination$1" ] && return
    make_directory "$(dirname "$1")"
    mkdir "$destination$1"
    made="$1/
$made"
}

# put MODE FILE PATH: installs a file and records it.
put() {
    make_directory "$(dirname "$PREFIX/$3")"
    install -m "$1" "$2" "$destination$PREFIX/$3"
    files="$PREFIX/$3
$files"
}

# link TARGET PATH: makes a symbolic link and records it.
link() {
    make_directory "$(dirname "$PREFIX/$2")"
    ln -sfn "$1" "$destination$PREFIX/$2"
    files="$PREFIX/$2
$files"
}

case $action in
install)
    made= files=
    # Directories of an earlier installation are still ours.
    if [ -f "$destination$record" ]; then made=$(grep '/$' "$destination$record" || true); fi
    mkdir -p "$destination/"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # Symbols are half of the program, and only debuggers need them.
    strip -o "$work/stacks" "$program"
    python3 Resources/packaging/manual.py --stacks "$program" --doc "$PREFIX/share/doc/stacks" "$work/man"
    gzip -9n "$work/man"/*
    for shell in bash zsh fish; do
        python3 Resources/packaging/completions.py --stacks "$program" $shell > "$work/$shell"
    done
    put 755 "$work/stacks" bin/stacks
    if [ -n "$connector" ]; then
        strip -o "$work/stacks-connect" "$connector"
        put 755 "$work/stacks-connect" libexec/stacks/stacks-connect
    fi
    put 644 Resources/catalog.json share/stacks/catalog.json
    put 644 Resources/targets.json share/stacks/targets.json
    for page in "$work/man"/*; do
        name=${page##*/} section=${page%.gz}
        put 644 "$page" "share/man/man${section##*.}/$name"
    done
    put 644 "$work/bash" share/bash-completion/completions/stacks
    put 644 "$work/zsh" share/zsh/site-functions/_stacks
    put 644 "$work/fish" share/fish/vendor_completions.d/stacks.fish
    put 644 Resources/packaging/stacks.desktop share/applications/stacks.desktop
    # The guide is beside the installed README.
    sed 's,(Resources/guide/,(guide/,g' README.md > "$work/README.md"
    put 644 "$work/README.md" share/doc/stacks/README.md
    put 644 CHANGELOG.md share/doc/stacks/CHANGELOG.md
    # The program reads the guide, and programs may not need files in share/doc.
    for page in Resources/guide/*.md; do put 644 "$page" "share/stacks/guide/${page##*/}"; done
    link ../../stacks/guide share/doc/stacks/guide
    # Directories come last, the deepest first.
    printf '%s%s\n%s\n' "$files" "$record" "$made" | sed '/^$/d' > "$work/installed"
    if [ -f "$destination$record" ]; then
        grep -v '/$' "$destination$record" | grep -vxF -f "$work/installed" | while IFS= read -r path; do
            rm -f "$destination$path"
        done
    fi
    put 644 "$work/installed" share/stacks/installed
    ;;
uninstall)
    if [ ! -f "$destination$record" ]; then
        echo "install.sh: stacks is not installed below $destination$PREFIX. Set PREFIX and DESTDIR" >&2
        exit 66
    fi
    list=$(cat "$destination$record")
    printf '%s\n' "$list" | while IFS= read -r path; do
        case $path in
        */) rmdir --ignore-fail-on-non-empty "$destination$path" 2>/dev/null || true ;;
        *) rm -f "$destination$path" ;;
        esac
    done
    ;;
*)
    echo "install.sh: unknown action “$action”. Actions: install, uninstall" >&2
    exit 64
    ;;
esac
