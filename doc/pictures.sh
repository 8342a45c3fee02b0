#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# pictures.sh DIRECTORY: README's and screens.txt's pictures of rbtop, made
# under tmux from a simulated kernel: DIRECTORY/NAME.svg in colour, at 100
# columns, and DIRECTORY/NAME.txt, at 80.
#
# pictures.sh --into DIRECTORY FILE...: put the NAME.txt from there into FILEs:
# each picture with the command below it, which begins with "rbtop - simulated"
# and ends before the line that names doc/NAME.svg.
#
# With RBTOP=/path/of/rbtop.  "make pictures" does both.

here=$(cd "$(dirname "$0")" && pwd)

into() {
	local from=$1 file

	shift
	for file; do
		awk -v from="$from" '
			function out(path, line) {
				while ((getline line <path) > 0)
					print line
				close(path)
			}
			/^rbtop - simulated/ { inside = 1 }
			inside && match($0, /doc\/[a-z]*\.svg/) {
				name = substr($0, RSTART + 4, RLENGTH - 8)
				out(from "/" name ".txt")
				inside = 0
			}
			!inside
		' "$file" >"$file.new" && cat "$file.new" >"$file" || return
		rm -f "$file.new"
	done
}

if [ "${1:-}" = --into ]; then
	shift
	into "$@"
	exit
fi
[ $# = 1 ] || { echo "usage: ${0##*/} DIRECTORY" >&2; exit 2; }
out=$(cd "$1" && pwd) || exit
: "${RBTOP:?says which rbtop}"
export LC_ALL=C.UTF-8
unset TMUX NO_COLOR
tmp=$(mktemp -d "${TMPDIR:-/tmp}/rbtop-pictures.XXXXXX") || exit
trap 'terminal kill-server 2>/dev/null; rm -rf "$tmp"' EXIT

terminal() {
	tmux -L "rbtop-pictures-$$" -f "$tmp/tmux.conf" "$@"
}
cat >"$tmp/tmux.conf" <<'TMUX'
set -g remain-on-exit on
set -g default-terminal screen-256color
TMUX

# shows PATTERN: wait until it is on the screen
shows() {
	local end=$((SECONDS + 60))

	until terminal capture-pane -p | grep -q -e "$1"; do
		if [ "$SECONDS" -ge "$end" ]; then
			echo "not on the screen: $1" >&2
			terminal capture-pane -p >&2
			return 1
		fi
		sleep 0.1
	done
}

# watch SPEC SCREEN PATTERN: rbtop on the simulated kernel, frozen when PATTERN
# is on the screen of key SCREEN
watch() {
	spec=$1
	terminal kill-server 2>/dev/null
	while terminal list-sessions >/dev/null 2>&1; do
		sleep 0.1
	done
	terminal new-session -d -x 100 -y 24 env XDG_CONFIG_HOME="$tmp" \
		TZ=UTC "$RBTOP" --sim "$spec" || return
	shows 'q Quit' && terminal send-keys "$2" && shows "$3" &&
		terminal send-keys p && shows FROZEN
}

# shape COLUMNS ROWS: the terminal has that size, and rbtop has drawn there
shape() {
	local end=$((SECONDS + 60)) before=

	terminal resize-window -x "$1" -y "$2"
	screen=
	until [ -n "$screen" ] && [ "$screen" = "$before" ] &&
		grep -q "^.\{$(($1 - 6))\}q Quit\$" <<<"$screen"; do
		[ "$SECONDS" -lt "$end" ] || return
		sleep 0.2
		before=$screen
		screen=$(terminal capture-pane -p)
	done
}

# picture NAME TITLE ROWS: of what is on the screen
picture() {
	local name=$1 title=$2 rows=$3

	shape 80 "$rows" || return
	{
		sed 's/ *$//' <<<"$screen" | cat -s
		printf '\n    $ rbtop --sim %s\n' "$spec"
	} >"$out/$name.txt"
	shape 100 "$rows" || return
	terminal capture-pane -p -e | "$here/ansi_svg.py" 100 \
		"$title: rbtop --sim $spec" >"$out/$name.svg"
}

# When tens of thousands are lost all is in full swing.
watch cpus=6,rate=1000,skew=32,reader=slow 1 'lost !\([3-9][0-9]\.\|[1-9][0-9][0-9]k\)' &&
	picture rings 'Rings, three of which lose records' 15 &&
	terminal send-keys Enter && shows '› Ring' &&
	picture ring 'A ring that loses records' 25 &&
	watch cpus=4,events=1,chain=12 3 'weight [0-9.]*[0-9][0-9]k' &&
	picture hot 'The functions that fill the rings' 16 &&
	terminal send-keys v && shows '› Flame' &&
	picture flame 'The same as a flame view' 16
