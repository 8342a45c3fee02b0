#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Terminal types, sizes, locales and colour schemes: on each screen of a frozen
# frame, what is shown is what a redraw of the whole screen shows, so nothing
# is left over or torn; title and tabs are in their rows, so nothing was too
# wide and nothing scrolled; in the C locale all is ASCII.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

# Function keys differ between terminal types: Setup gets a letter.
printf '[keys]\nsetup = Y\n' >"$tmp/rc"

# asked TEXT: press d and type TEXT: once it shows, all keys before were obeyed
asked() {
	term_keys d "$1"
	wait_until eval "term_screen | tail -n 1 | grep -q ': $1'"
}

# Without the last row, which shows the prompt.
picture() {
	term_screen | head -n -1
}

# Title and tabs are the first and the third row, and rows have no odd bytes.
is_in_place() {
	head -n 1 <<<"$1" | grep -q '^ *rbtop' &&
		sed -n 3p <<<"$1" | grep -q 'Rings\| 1 ' &&
		{ [ "$locale" != C ] || ! LC_ALL=C grep -q '[^ -~]' <<<"$1"; } &&
		! grep -q $'\xef\xbf\xbd' <<<"$1"
}

# look KEY...: the screen that the keys open is the same once it is redrawn
look() {
	local before after

	term_keys "$@"
	asked 1 || return
	before=$(picture)
	term_keys Escape C-l
	asked 2 || return
	after=$(picture)
	term_keys Escape
	if [ "$before" != "$after" ]; then
		echo "$* ($size): - is before, + after a redraw"
		diff -u <(echo "$before") <(echo "$after")
		return 1
	fi
	is_in_place "$after" || {
		echo "$* ($size): out of place"
		echo "$after"
		return 1
	}
}

# The title ends with the clock, in the last column.
title_fills() {
	[ "$(term_screen | head -n 1 | wc -m)" -eq $(($1 + 1)) ]
}

# walk SIZE KEYS...: resize, and look at screens
walk() {
	local keys

	size=$1
	shift
	term_resize "$size"
	wait_until title_fills "${size%x*}" || return
	for keys; do
		# shellcheck disable=SC2086
		look $keys || return
	done
}

# The last row is the key bar again, below the view.
has_key_bar() {
	term_screen | tail -n 1 | grep -q 'Help *. Quit'
}

too_small() {
	size=20x5
	term_resize $size
	wait_until eval 'term_screen | grep -q "too small"' &&
		[ "$(term_screen | grep -c .)" -le 2 ]
}

cell() {
	walk 80x24 1 2 3 4 5 6 '1 Enter' 'Escape h' 'Escape Y' &&
		too_small &&
		walk 40x10 1 3 h 'Escape Y' 'Escape 1 Enter' &&
		walk 200x60 2 4 h 'Escape 1' &&
		wait_until has_key_bar
}

for scheme in default light colour-blind high-contrast mono; do
	for term in xterm xterm-256color screen-256color tmux-256color linux \
		vt100 rxvt; do
		for locale in C C.UTF-8; do
			name="$term, $locale, $scheme"
			if ! infocmp "$term" >/dev/null 2>&1; then
				skip "$name" 'terminfo has no such type'
				continue
			fi
			term_start 80x24 env -u COLORTERM TERM="$term" \
				LC_ALL="$locale" "$RBTOP" --config "$tmp/rc" \
				--scheme "$scheme" \
				--sim cpus=4,rate=1000,aux=64K
			term_shows 'CPU 3' >/dev/null
			term_keys p
			term_shows FROZEN >/dev/null
			check "$name" cell
		done
	done
done

# shellcheck disable=SC2016
term_start 80x24 env TERM=dumb sh -c '"$RBTOP" --sim cpus=1; exec sleep 1000'
check 'dumb: says that it cannot be used' term_shows 'TERM=dumb: the cursor'

finish
