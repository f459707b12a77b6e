#!/bin/sh
# Makes the pictures of the README and the guide: stacks in xterm on a virtual screen. Needs Xvfb, xterm, xdotool, ImageMagick and
# python3.
#
#     screens.sh STACKS BOOKS_CSV [SERVER]
#
# BOOKS_CSV is books.csv of goodbooks-10k; see reader.py. SERVER is a name of the config file for a catalog in ClickHouse;
# without it, its picture stays as it is.
set -eu
stacks=$1 books=$2 server=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
home=$(mktemp -d)
display=:97
Xvfb $display -screen 0 1700x1100x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
trap 'kill $screen 2>/dev/null; rm -rf "$home"' EXIT
export DISPLAY=$display
sleep 1

python3 "$here/reader.py" "$books" "$home"
mkdir -p "$home/.config/stacks"
[ -z "$server" ] || cp "${XDG_CONFIG_HOME:-$HOME/.config}/stacks/config.toml" "$home/.config/stacks/"
printf '\n[reading]\ngoal = 12\n' >> "$home/.config/stacks/config.toml"
export HOME="$home" XDG_CONFIG_HOME="$home/.config"
catalog=$home/goodbooks.json
"$stacks" import "$home/reader.csv" --catalog "$catalog"
"$stacks" log 978-1416509646 "$catalog" --started "$(date -d '12 days ago' +%F)" --page 120 --on "$(date -d yesterday +%F)"

# take NAME GEOMETRY THEME QUERY KEY...
take() {
    name=$1 geometry=$2 theme=$3 query=$4
    shift 4
    xterm -tn xterm-256color -u8 -fa 'DejaVu Sans Mono' -fs 11 -geometry "$geometry" -b 8 +sb -bg black -fg gray90 \
        -xrm 'XTerm*allowTitleOps: false' -ti vt340 -xrm 'XTerm*numColorRegisters: 256' -e "$stacks" "$catalog" --no-resume --theme "$theme" --query "$query" &
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

# both NAME GEOMETRY QUERY KEY...: takes the picture in both themes.
both() {
    screen_name=$1 size=$2 shown=$3
    shift 3
    for colours in dark light; do take "$screen_name-$colours" "$size" $colours "$shown" "$@"; done
}

series='series:earthsea | series:dune | series:"thursday next"'
both browse 132x36 "$series" S s 1 0 G
both lists 120x30 '' L j j
both jump 120x30 '' f l e space g u
both reading 120x40 '' percent
python3 "$here/covers.py" "$home"
catalog=$home/classics.json
both covers 124x30 '' c c
[ -z "$server" ] || { catalog=$server; take servers 130x28 dark '' s t g s k j j t slash k i n g Return 1 0 0 0 G; }
