#!/bin/sh
# Installs stacks from the directory of this script, or removes it:
#
#     install.sh [PREFIX]
#     install.sh uninstall [PREFIX]
#
# PREFIX is an absolute path, by default /usr/local. DESTDIR in the environment is put before all paths.
#
# The file share/stacks/installed below PREFIX lists the created files and directories. Uninstalling removes only these;
# directories that existed before stay, even if they are empty. Installing removes the files of an earlier installation
# that this one does not have.
#
# Uses only what BusyBox has too, because the download is for any Linux.
set -euf
umask 022

usage='Usage: install.sh [uninstall] [PREFIX]'

# fail STATUS MESSAGE
fail() {
    echo "install.sh: $2" >&2
    exit "$1"
}

action=install
if [ "${1:-}" = uninstall ]; then
    action=uninstall
    shift
fi
case $# in
0) prefix=/usr/local ;;
1) prefix=$1 ;;
*) fail 64 "too many arguments. $usage" ;;
esac
case $prefix in
-h | --help)
    echo "$usage"
    exit
    ;;
# A relative path may be a misspelled action, which must not become a directory.
/*) ;;
*) fail 64 "“$prefix” is not an absolute path. $usage" ;;
esac
while [ "$prefix" != "${prefix%/}" ]; do prefix=${prefix%/}; done
destination=${DESTDIR:-}
record=$prefix/share/stacks/installed

# Creates a directory and its parents, and records those that did not exist.
make_directory() {
    [ -d "$destination$1" ] && return
    make_directory "$(dirname "$1")"
    mkdir "$destination$1"
    made="$1/
$made"
}

# Copies the file or link $1 of the source below PREFIX.
put() {
    target=$destination$prefix/$1
    make_directory "$(dirname "$prefix/$1")"
    if [ -h "$source/$1" ]; then
        rm -f "$target"
        ln -s "$(readlink "$source/$1")" "$target"
        return
    fi
    # Under another name first, because a running program cannot be written to.
    cp "$source/$1" "$target.new"
    # Whatever the umask was when the archive was unpacked.
    if [ -x "$source/$1" ]; then chmod 755 "$target.new"; else chmod 644 "$target.new"; fi
    mv -f "$target.new" "$target"
}

if [ $action = uninstall ]; then
    if [ ! -f "$destination$record" ]; then
        fail 66 "stacks is not installed below $destination$prefix. Name the directory where it is. $usage"
    fi
    list=$(cat "$destination$record")
    printf '%s\n' "$list" | while IFS= read -r path; do
        case $path in
        */) rmdir "$destination$path" 2> /dev/null || true ;;
        *) rm -f "$destination$path" ;;
        esac
    done
    exit
fi

source=$(cd "$(dirname "$0")" && pwd)
[ -f "$source/bin/stacks" ] || fail 66 "$source has no bin/stacks. Unpack the whole archive"
parent=$destination$prefix
while [ -n "$parent" ] && [ ! -d "$parent" ]; do
    case $parent in
    */*) parent=${parent%/*} ;;
    *) parent=. ;;
    esac
done
[ -w "${parent:-/}" ] || fail 73 "cannot write below ${parent:-/}. Be root, or name another directory: install.sh ~/.local"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
made=
# Directories of an earlier installation are still ours.
if [ -f "$destination$record" ]; then made=$(grep '/$' "$destination$record" || true); fi
# Not one of ours: the root of a package.
[ -z "$destination" ] || mkdir -p "$destination"
files=$(cd "$source" && find bin libexec share ! -type d 2> /dev/null | LC_ALL=C sort)
# Only newlines separate the names.
IFS='
'
for file in $files; do put "$file"; done
make_directory "$(dirname "$record")"
# Directories come last, the deepest first.
{
    for file in $files; do printf '%s\n' "$prefix/$file"; done
    printf '%s\n%s\n' "$record" "$made"
} | sed '/^$/d' > "$work/installed"
if [ -f "$destination$record" ]; then
    grep -v '/$' "$destination$record" | grep -vxF -f "$work/installed" | while IFS= read -r path; do
        rm -f "$destination$path"
    done
fi
cp "$work/installed" "$destination$record"
chmod 644 "$destination$record"
# Shows that it runs, and whether its helper does. Elsewhere than at its place, it is being packaged.
if [ -z "$destination" ]; then "$prefix/bin/stacks" --version; fi
