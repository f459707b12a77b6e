# shellcheck shell=sh
# Sets SOURCE_DATE_EPOCH, which dates all files that are given away, to the time of the last commit unless it is set;
# therefore the same sources make the same packages. Sourced by the scripts that make them.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || stat -c %Y CHANGELOG.md)}
# Names and dates are in no language of the machine either.
LC_ALL=C.UTF-8
TZ=UTC
export SOURCE_DATE_EPOCH LC_ALL TZ
