#!/bin/sh
# Uploads the files in a directory as the draft of the release of their version: release.sh DIRECTORY. The tag of the
# version has to exist. Uses gh, whose token is in GH_TOKEN.
set -eu
cd "$(dirname "$0")/../.."

version=$(basename "$1"/stacks-*-linux-*.tar.gz | cut -d- -f2)
notes=$(mktemp)
trap 'rm -f "$notes"' EXIT
awk -v head="## [$version]" 'index($0, "## [") == 1 { inside = index($0, head) == 1; next } inside' CHANGELOG.md > "$notes"
gh release create "$version" --draft --verify-tag --title "stacks $version" --notes-file "$notes" "$1"/*
