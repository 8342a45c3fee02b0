#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Home and End, as terminals of all kinds send them, whatever TERM says.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

# goes SEQUENCE RING: the keys after Esc go to that ring
goes() {
	term_keys -l "$(printf '\033%s' "$1")"
	term_shows "^ *$2 "
}

for term in xterm linux screen rxvt vt100 vt220; do
	if ! tput -T "$term" cup 0 0 >"$tmp/cup" 2>&1; then
		skip "TERM=$term" 'terminfo does not have it'
		continue
	fi
	term_start 80x24 env TERM="$term" "$RBTOP" --sim cpus=40
	check "TERM=$term: starts" term_shows '^ *CPU 0 '
	while read -r home end; do
		check "TERM=$term: Esc $end is End" goes "$end" 'CPU 39'
		check "TERM=$term: Esc $home is Home" goes "$home" 'CPU 0'
	done <<-'END'
		[1~ [4~
		[7~ [8~
		[H [F
		OH OF
	END
	term_keys J
	check "TERM=$term: a key without a use says so" \
		term_shows 'no key J here; h shows the keys'
	term_keys q
done

term_start 80x24 "$RBTOP" --sim cpus=2
term_shows '^ *CPU 0 ' >/dev/null
term_keys o
check 'o says what it would do' \
	term_shows 'press o again to pause the output of CPU 0'
term_keys Escape
check 'Esc cancels it' term_shows '^cancelled'
term_keys o o
check 'o twice pauses' term_shows '^ *P *CPU 0 '
term_keys o
check 'once resumes' term_hides '^ *P *CPU 0 '
term_keys e
check 'e says what it would do' \
	term_shows 'press e again to disable the events of all rings'
term_keys e
check 'e twice disables' term_shows '^ *D *CPU 0 '
term_keys e
check 'once enables' term_hides '^ *D *CPU 0 '
term_keys w
check 'w says why it cannot record' term_shows 'simulated rings cannot be'
term_keys f
check 'f says the units and what is in force' term_shows 'rate (now [0-9]* Hz):'
check 'above the prompt' term_shows '^samples per second (Hz), or c and events'
term_keys Escape
term_keys P
check 'P sorts by the rate' term_shows ' B/S[^ ]\|[^ ]B/S '
term_keys '<'
check '< picks what to sort by' term_shows 'Sort by'

finish
