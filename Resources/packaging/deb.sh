#!/bin/sh
# Makes Debian packages of the two programs in a directory, and prints their paths: deb.sh STACKS CONNECTOR DIRECTORY.
#
# The maintainer is DEBFULLNAME and DEBEMAIL, as in Debian's own tools.
set -eu
umask 022
cd "$(dirname "$0")/../.."
. Resources/packaging/source-date.sh

program=$1
connector=$2
mkdir -p "$3"
target=$(cd "$3" && pwd)
version=$("$program" --version | sed -n 1p)
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-stacks authors} <${DEBEMAIL:-stacks@example.org}>"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/stacks
install -d "$root/usr"
sh Resources/packaging/stage.sh "$root/usr" "$program" "$connector"
# dpkg installs, zsh has a separate directory for packages, and the helper is a package of its own.
rm "$root/usr/install.sh"
install -d "$root/usr/share/zsh/vendor-completions" "$work/stacks-connect/usr"
mv "$root/usr/share/zsh/site-functions/_stacks" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
mv "$root/usr/libexec" "$work/stacks-connect/usr/"

licences() { python3 Resources/packaging/licences/licences.py "$@"; }

# Writes what the package $1 says of itself into the directory $doc.
document() {
    printf 'stacks (%s-1) unstable; urgency=medium\n\n  * See changelog.gz for the changes.\n\n -- %s  %s\n' \
        "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" > "$doc/changelog.Debian"
    gzip -9n "$doc/changelog" "$doc/changelog.Debian"
    licences copyright "$1" > "$doc/copyright"
}

# Packs the files below $root as the package $1, and prints its path.
pack() {
    (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums)
    find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    package=$target/$1_$version-1_$architecture.deb
    dpkg-deb --root-owner-group --build "$root" "$package" > /dev/null
    echo "$package"
}

# The size of the files below $root in KiB, as dpkg-gencontrol counts it: on each file system the same.
size() {
    find "$root/usr" -printf '%y %s\n' | awk '{ sum += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print sum }'
}

doc=$root/usr/share/doc/stacks
mv "$doc/CHANGELOG.md" "$doc/changelog"
document stacks
install -D -m 644 Resources/packaging/lintian-overrides "$root/usr/share/lintian/overrides/stacks"

mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" <<CONTROL
Package: stacks
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(size)
Recommends: stacks-connect, xdg-utils
Suggests: ncurses-term
Built-Using: $(licences built-using stacks)
Section: text
Priority: optional
Description: browser for catalogs of books in the terminal
 stacks shows the books of a JSON file, of any size and in many formats, as a
 scrolling list with the details of the current book beside it. It searches as
 you type, sorts, and counts by author or subject. It keeps your favourites,
 shelves, reading status, ratings and notes separate from the catalog.
 .
 Commands for scripts search books, export them as JSON, CSV, BibTeX or
 CSL-JSON, and import user data from Goodreads.
CONTROL
pack stacks

# The packages of the libraries that it is linked to.
libraries=$(objdump -p "$connector" | sed -n 's/^ *NEEDED *//p' | while read -r name; do
    dpkg -S "*/$name" | sed -n '1s/:.*//p'
done | LC_ALL=C sort -u | sed 's/$/, /' | tr -d '\n')
root=$work/stacks-connect
doc=$root/usr/share/doc/stacks-connect
install -d "$doc" "$root/DEBIAN"
install -m 644 CHANGELOG.md "$doc/changelog"
document stacks-connect
install -D -m 644 Resources/packaging/lintian-overrides-connect "$root/usr/share/lintian/overrides/stacks-connect"
cat > "$root/DEBIAN/control" <<CONTROL
Package: stacks-connect
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(size)
Depends: ${libraries}bibutils
Enhances: stacks
Built-Using: $(licences built-using stacks-connect)
Section: text
Priority: optional
Description: catalogs that are not JSON, for stacks
 stacks shows catalogs of books in the terminal. With this package it opens
 CSV files, SQLite databases, calibre libraries, MARC 21, MARCXML, MODS, OPDS,
 BibTeX, RIS and EndNote files, too, compressed or not, and all of these on web
 servers, feeds of OPDS and the content server of calibre.
CONTROL
pack stacks-connect
