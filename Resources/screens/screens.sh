#!/bin/sh
# Makes the pictures of the README: stacks in xterm on a virtual screen. Needs Xvfb, xterm, xdotool and ImageMagick.
#
#     screens.sh STACKS CATALOG [SERVER]
#
# SERVER is a name of the config file for a catalog in ClickHouse; without it, its picture stays as it is.
set -eu
stacks=$1 catalog=$2 server=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
home=$(mktemp -d)
display=:97
Xvfb $display -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
trap 'kill $screen 2>/dev/null; rm -rf "$home"' EXIT
export DISPLAY=$display
sleep 1

[ -z "$server" ] || { mkdir -p "$home/.config/stacks"; cp "${XDG_CONFIG_HOME:-$HOME/.config}/stacks/config.toml" "$home/.config/stacks/"; }

# picture NAME GEOMETRY THEME KEY...
picture() {
    name=$1 geometry=$2 theme=$3
    shift 3
    HOME=$home XDG_CONFIG_HOME=$home/.config xterm -tn xterm-256color -u8 -fa 'DejaVu Sans Mono' -fs 11 -geometry "$geometry" -b 8 +sb -bg black -fg gray90 \
        -xrm 'XTerm*allowTitleOps: false' -e "$stacks" "$catalog" --no-resume --theme "$theme" &
    terminal=$!
    sleep 2
    for key in "$@"; do
        xdotool key "$key"
        sleep 0.1
    done
    sleep 1
    import -window "$(xdotool search --class xterm | tail -1)" -define png:exclude-chunks=date,time "$here/$name.png"
    kill $terminal
    wait $terminal 2>/dev/null || true
}

picture browse 150x34 dark j j j t j j t j j j j j
picture search 110x30 light slash w a r Return j s
[ -z "$server" ] || catalog=$server
[ -z "$server" ] || picture servers 130x28 dark s t g s k j j t slash k i n g Return 1 0 0 0 G
