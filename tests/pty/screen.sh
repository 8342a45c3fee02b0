#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# On a real terminal: it starts, follows the terminal's size, obeys keys.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

sim() {
	term_start "$1" "$RBTOP" --sim "$2"
}

sim 80x24 cpus=4,rate=1000
check 'shows the rings' term_shows 'CPU 3'
check 'shows totals' term_shows 'rings 4 .*rec/s'
check 'takes the alternate screen' [ "$(term_flag alternate_on)" = 1 ]
check 'hides the cursor' [ "$(term_flag cursor_flag)" = 0 ]

term_resize 40x10
check '40x10 has the essentials' term_shows 'used .*lost'
check '40x10 has rings' term_shows 'CPU 0'
term_resize 39x10
check '39x10 says what it needs' term_shows 'too small: needs 40x10'
term_resize 300x80
check '300x80 uses the width' term_shows '^.\{280\}'
term_resize 80x24
check '80x24 again' term_shows 'CPU 3'

term_keys h
check 'h opens help' term_shows 'Keys of Rings'
term_keys Escape
check 'Esc closes it' term_hides 'Keys of Rings'
term_keys F1
check 'F1 opens help' term_shows 'Keys of Rings'
term_keys 5
check 'a digit opens its screen' term_shows '^TIME'
term_keys Tab Tab
check 'Tab goes round' term_shows '^   CPU 3'
term_keys BTab BTab
check 'Shift-Tab goes back' term_shows '^TIME'
term_keys 1 Enter
check 'Enter opens the detail' term_shows '. Ring '
term_keys Escape
check 'Esc closes the detail' term_hides '. Ring '
term_keys Escape Escape
check 'Esc never quits' term_shows 'CPU 3'
term_keys Escape Down Enter
check 'a key that follows Esc at once is obeyed' term_shows '‹ 2 of 4 ›'
term_keys Escape
check 'and so is Esc' term_hides '‹ 2 of 4 ›'

term_keys p
check 'p freezes' term_shows FROZEN
term_keys p
check 'p goes on' term_hides FROZEN
term_keys d 0.5
check 'd asks for the delay' term_shows 'delay in seconds (now 1): 0.5'
term_keys Enter
check 'the delay changes' term_shows '0\.5s  [0-9][0-9]:'
term_keys d nonsense Enter
check 'a bad delay is refused' term_shows 'nonsense'

# What TERM=screen sends for button 1 at column 42, row 3.
term_keys -l "$(printf '\033[M J#')"
check 'a click on a tab opens it' term_shows '^TIME'
term_keys 1
term_keys -l "$(printf '\033[99;5X')"
check 'an unknown sequence does nothing' term_shows 'CPU 3'

# every_key SCREEN: press each key there; SCREEN is the keys that open it
every_key() {
	press_every_key "$1"
	term_keys 1 C-l
	term_shows 'CPU 3' && [ "$(term_flag alternate_on)" = 1 ]
}
sim 80x24 cpus=4,rate=1000
term_shows 'CPU 3' >/dev/null
check 'every key once does not end it' every_key ''

# sim_in DIRECTORY SIZE SPEC [OPTION...]
sim_in() {
	# shellcheck disable=SC2016
	term_start "$2" sh -c 'cd "$1" && shift && exec "$RBTOP" --sim "$@"' \
		sh "$1" "$3" "${@:4}"
}

mkdir "$tmp/flames"
sim_in "$tmp/flames" 80x24 cpus=4,rate=1000,chain=8 -d 60
term_keys 3
check 'functions stand there long before the delay is over' \
	term_shows '[0-9]% [ku] [a-z_]\{4\}'
term_keys v
check 'v opens the flame view' term_shows '^.all$'
term_keys Down Enter
check 'Enter zooms' term_shows ' zoom [a-z]'
term_resize 40x10
check '40x10 has the box chosen' term_shows '%  [a-z].* samples\|%  [a-z]'
term_resize 200x60
check '200x60 has the legend' term_shows ' kernel  user  JIT '
term_resize 80x24
term_keys F
check 'F writes files' term_shows './rbtop-.*\.svg written'
written() {
	grep -q '^<svg\|^<?xml' "$tmp"/flames/rbtop-*.svg &&
		grep -q '^[^;]*;.* [0-9]*$' "$tmp"/flames/rbtop-*.folded
}
check 'an SVG and folded stacks' written
term_keys Escape
check 'Esc zooms out' term_hides ' zoom '
term_keys Escape
check 'then it leaves' term_shows ' by symbol, dso, event '
term_keys b Down Down Enter Enter
check 'b and Enter narrow to a comm' term_shows ' only comm '
term_keys z
check 'z starts afresh' term_shows 'were reset'

sim_in "$tmp/flames" 80x24 cpus=4,rate=1000,chain=8
term_shows 'CPU 3' >/dev/null
check 'every key in Hot does not end it' every_key 3
check 'every key in Flame does not end it' every_key '3 v'
sim_in "$tmp/flames" 80x24 cpus=4,rate=1000
term_shows 'CPU 3' >/dev/null
check 'every key in Samples does not end it' every_key 2

mkdir "$tmp/snapshots"
sim_in "$tmp/snapshots" 80x24 cpus=4,rate=1000,aux=64K,snapshot=1
term_keys 4
check '4 opens AUX' term_shows '^   RING.* LAST STOP '
check 'no head before tracing was stopped' term_shows 'CPU 0 .* never '
term_keys r
check 'r stops tracing and reads it' term_shows 'CPU 0 .*[0-9][nums]* ago '
check 'what that cost is shown' \
	term_shows 'tracing stopped for [0-9.]*[num]*s)'
term_keys s
check 's takes a snapshot' term_shows 'snapshot 1: '
check 'AUX lists it' term_shows '  1 .* key .* done '
kill -USR2 "$(term_flag pane_pid)"
check 'SIGUSR2 takes one too' term_shows 'snapshot 2: '
check 'which says so' term_shows '  2 .* SIGUSR2 .* done '
term_resize 40x10
check '40x10 has the heads' term_shows 'CPU 0 .* ago'
term_resize 200x60
check '200x60 has all columns' term_shows ' ITRACE HW-ID RECORDS STATE'
check 'there is a file of each' \
	eval '[ "$(find "$tmp/snapshots" -name "rbtop-*.data" | wc -l)" = 2 ]'
sim 80x24 cpus=4,rate=1000,aux=1M,auxrate=3M
term_keys 4
check 'full trace shows its fill' term_shows 'CPU 0 .* [0-9.]*% .*M '
check 'head and tail' term_shows 'CPU 0: head [0-9]*, tail [0-9]*'
term_keys s
check 's says why there is no snapshot' term_shows 'no simulated ring keeps'
term_keys Down
check 'the next key takes that away' term_hides 'no simulated ring keeps'
check 'every key in AUX does not end it' every_key 4
sim 80x24 cpus=2
term_keys 4
check 'without AUX rings it says what traces' term_shows '-e intel_pt//u'

sim 80x24 cpus=300,rate=10
check '300 rings: the first' term_shows 'CPU 0'
term_keys End
check '300 rings: the last' term_shows 'CPU 299'
term_keys Home
check '300 rings: the first again' term_shows 'CPU 0 '
term_keys / 2 5 7 Enter
check '300 rings: found' term_shows 'CPU 257'

term_start 80x24 env LC_ALL=C "$RBTOP" --sim cpus=2
check 'ASCII where the locale has no UTF-8' term_shows 'CPU 1'
only_ascii() {
	! term_screen | LC_ALL=C grep '[^ -~]'
}
check 'and nothing else' only_ascii
term_start 80x24 "$RBTOP" --ascii --sim cpus=2
check '--ascii' term_shows 'CPU 1'
check 'is ASCII' only_ascii
term_keys 3 v
check 'so is the flame view' term_shows '^.all$'
check 'all of it' only_ascii

has_colour() {
	term_tmux capture-pane -p -e | grep -q "$(printf '\033')\[[0-9;]*3[0-7]"
}
no_colour() {
	! has_colour
}
term_start 80x24 "$RBTOP" --sim cpus=2
term_shows 'CPU 1' >/dev/null
check 'colours' wait_until has_colour
has_background() {
	term_tmux capture-pane -p -e | grep -q "$(printf '\033')\[[0-9;]*4[0-7].*CPU 0"
}
check 'a background under the row of the cursor' wait_until has_background
term_start 80x24 env NO_COLOR=1 "$RBTOP" --sim cpus=2
term_shows 'CPU 1' >/dev/null
check 'none with NO_COLOR' no_colour
term_start 80x24 "$RBTOP" --scheme mono --sim cpus=2
term_shows 'CPU 1' >/dev/null
check 'none with --scheme mono' no_colour

mouse_is() {
	[ "$(term_flag mouse_any_flag)" = "$1" ]
}
term_start 80x24 "$RBTOP" --sim cpus=2
term_shows 'CPU 1' >/dev/null
check 'the mouse is taken' wait_until mouse_is 1
term_start 80x24 "$RBTOP" --no-mouse --sim cpus=2
term_shows 'CPU 1' >/dev/null
check 'but not with --no-mouse' mouse_is 0

# In tmux, of a terminal that reports clicks as xterm does (SGR).
click() {
	term_keys -l "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$1" "$2" "$1" "$2")"
}
click_around() {
	term_shows 'Help' || return
	click 17 3 && term_shows '^ *▲*TIME' || return	# the tab of Samples
	click 5 3 && term_shows 'CPU 3' || return
	click 10 8 && click 10 8			# the fourth row, twice
	term_shows '› Ring' && term_shows '4 of 4' || return
	term_keys Escape && term_shows '^ › RING▲' || return
	click 12 4 && term_shows '▼SIZE\|SIZE[▼▲]'		# a header
}
clicks() {
	local socket=$tmp/inner.sock status

	term_start 80x24 env -u TMUX tmux -S "$socket" -f "$tmp/tmux.conf" \
		new-session "$RBTOP --sim cpus=4"
	term_shows 'CPU 3' || return
	tmux -S "$socket" set -g mouse "$1" && tmux -S "$socket" set -g status off
	click_around
	status=$?
	tmux -S "$socket" kill-server
	return "$status"
}
check 'clicks on tabs, rows and headers in tmux' clicks off
check 'the same with the mouse of tmux on' clicks on

# Where terminfo knows only the older reports, in which columns from 96 on are no
# UTF-8, SGR is asked for too.
sgr_is() {
	[ "$(term_flag mouse_sgr_flag)" = "$1" ]
}
sgr_clicks() {
	local line at

	term_start 160x24 env TERM="$1" "$RBTOP" --sim cpus=4
	term_shows 'CPU 3' && wait_until sgr_is 1 && mouse_is 1 || return
	line=$(term_screen | grep -m 1 'LOST/S')
	line=${line%%LOST/S*}
	at=$((${#line} + 2))
	[ "$at" -gt 95 ] && click "$at" 4 && term_shows '[▼▲]LOST/S\|LOST/S[▼▲]' &&
		click 17 3 && term_shows '^ *▲*TIME'
}
sgr_ends() {
	harness --sim cpus=1
	term_shows 'CPU 0' && wait_until sgr_is 1 && term_keys q &&
		terminal_is_sane && sgr_is 0
}
for term in screen-256color tmux-256color; do
	if tput -T "$term" cup 0 0 >"$tmp/cup" 2>&1; then
		check "SGR clicks with TERM=$term" sgr_clicks "$term"
	else
		skip "SGR clicks with TERM=$term" 'terminfo does not have it'
	fi
done
check 'no reports after the end' sgr_ends

# As under sudo: the setup is saved in another user's home.
saved_for_its_owner() {
	term_shows 'saved in' &&
		[ "$(stat -c %u:%a "$XDG_CONFIG_HOME" "$XDG_CONFIG_HOME/rbtop" \
		"$XDG_CONFIG_HOME/rbtop/rbtoprc" | tr '\n' ' ')" = \
		'65534:700 65534:700 65534:600 ' ]
}
if [ "$(id -u)" -eq 0 ]; then
	chown 65534 "$tmp"
	sim 80x24 cpus=4,rate=1000
	term_shows 'CPU 3' >/dev/null
	term_keys F2 Down Space Enter
	check "root leaves a user's setup to the user" saved_for_its_owner
	chown 0 "$tmp"
else
	skip "root leaves a user's setup to the user" 'needs root'
fi

saved_with_the_key() {
	term_shows 'saved in' && grep -q '^units = Ki$' "$rc" &&
		grep -q '^to_end = F11$' "$rc"
}
rc=$tmp/rc
printf '[screen]\nunits = Ki\n[keys]\nto_end = F9\n' >"$rc"
term_start 80x24 "$RBTOP" --config "$rc" --sim cpus=4,rate=1000
check 'the rc file sets units' term_shows 'CPU 3  *128Ki '
term_keys F2 End
check 'the rc file sets keys' term_shows 'to_end  *F9 '
term_keys Enter F11
check 'Setup sets keys' term_shows 'to_end  *F11 '
term_keys F10
check 'F10 saves them' saved_with_the_key
term_keys F2 End Enter F12
check 'another key is set' term_shows 'to_end  *F12 '
term_keys Escape
check 'Esc in Setup asks first' term_shows 'Esc again discards them'
term_keys Escape
check 'Esc again discards' term_shows 'settings are as before'
check 'it does not write the rc file' grep -q '^to_end = F11$' "$rc"

finish
