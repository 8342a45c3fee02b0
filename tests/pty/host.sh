#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Host screen on a real terminal.  The owner is another rbtop, whose rings
# are read from the kernel or, with fewer privileges, from /proc.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

"$RBTOP" -b -n 600 -e cpu-clock:u -- sleep 600 >"$tmp/owner" 2>&1 &
owner=$!
trap 'status=$?; kill "$owner" 2>/dev/null; term_end
	(exit "$status"); tap_exit' EXIT
wait_until [ -s "$tmp/owner" ]
kill -0 "$owner" ||
	skip_all "no ring can be opened here: $(tail -n 1 "$tmp/owner")"

term_start 80x24 "$RBTOP" --host
check '--host opens on its screen' term_shows ' OWNER .* FILL'
check 'which is the sixth' term_shows ' 6 Host '
check 'totals are those of the machine' term_shows '^rings [0-9]* *owners [0-9]'
term_keys F4
term_keys -l "$owner"
term_keys Enter
check 'a filter by owner' term_shows "filter \"$owner\": [0-9]* of [0-9]"
check 'the owner is listed' term_shows "rbtop  *$owner "
term_keys F6
check 'F6 picks what to sort by' term_shows 'Sort by'
term_keys Down Down Enter
check 'a column is sorted by' term_shows 'RING[▲▼]'
term_keys Enter
check 'Enter opens the detail' term_shows "^rbtop\[$owner\]"
term_keys NPage
check 'who holds it' term_shows "$owner  *rbtop  *has it mapped"
term_keys Home
term_shows "^rbtop\[$owner\].*‹ 1 of [0-9]* ›" >/dev/null
others=$(term_screen | sed -n 's/.*‹ \([0-9]*\) of \([0-9]*\) ›.*/\2/p')
if [ "$others" = 1 ]; then
	skip 'Right goes to what the filter lists' 'there is one CPU'
else
	term_keys Right
	check 'Right goes to what the filter lists' \
		term_shows "^rbtop\[$owner\].*‹ 2 of $others ›"
	term_keys Left
fi
term_resize 40x10
check '40x10 has the ring' term_shows "^rbtop\[$owner\]"
term_keys Escape
check '40x10 has the owner' term_shows '  rbtop '
term_resize 200x60
check '200x60 has more columns' term_shows ' PINNED USER'
term_resize 80x24
term_keys 1
check 'the other screens say why they are empty' \
	term_shows 'rbtop --host opens no event'
term_keys 6 Enter
check 'back to the detail' term_shows "^rbtop\[$owner\]"

kill "$owner"
wait "$owner"
check 'an owner that is gone leaves its last figures' \
	term_shows 'gone: last figures'
term_keys Escape
check 'and a row that says so' term_shows '× rbtop '

term_start 80x24 "$RBTOP" --host --readonly --ascii
check '--readonly changes nothing' term_shows ' OWNER \|There are none now\|There are no rings'
only_ascii() {
	! term_screen | LC_ALL=C grep '[^ -~]'
}
check '--ascii' only_ascii

term_start 80x24 "$RBTOP" --host
term_shows ' OWNER \|There are none now\|There are no rings' >/dev/null
every_key() {
	press_every_key 6
	term_keys 6 C-l
	term_shows 'OWNER \|There are none now\|There are no rings' &&
		[ "$(term_flag alternate_on)" = 1 ]
}
check 'every key does not end it' every_key

# tmux scrolls once when it ends: what is looked for is not in the first line
term_start 80x24 "$RBTOP" --host -- sh -c 'echo first; echo its output; exit 5'
check 'a command ends' term_shows 'ended, exit status 5: final figures'
term_keys 5
check 'and its output is in the Log' term_shows 'output *its output'
term_keys q
check 'and on the terminal afterwards' term_shows '^its output'

term_start 80x24 "$RBTOP" --host -- "$RBTOP" -b -n 2 -d 1 -a -e cpu-clock -m 1
term_shows 'ended, exit status 0: final figures' >/dev/null
term_keys q
check 'what it lost stays on the terminal' \
	term_shows '^lost [^ ]*, perf rings 0,.*, gone [1-9]'
term_start 80x24 "$RBTOP" -- true
term_shows 'ended, exit status 0' >/dev/null
term_keys q
check 'as do totals of its own rings' term_shows '^total  *[0-9]'

# It may have to write a file at its end, and prints what it does.
term_start 80x24 "$RBTOP" --host -- sh -c "trap 'echo ending; sleep 1.5
	: >$tmp/finished; exit' TERM; while :; do sleep 0.1; done"
term_shows 'rings of sh' >/dev/null
term_keys q
finished() {
	for _ in $(seq 100); do
		[ -e "$tmp/finished" ] && return
		sleep 0.1
	done
	return 1
}
check 'a command that is ended may finish' finished

term_start 80x24 "$RBTOP" --sim cpus=2
term_shows 'CPU 1' >/dev/null
term_keys 6
check 'the sixth screen of anything else, too' \
	term_shows 'polled every '
check 'with the totals of all rings of the machine' \
	term_shows '\(^\| \)owners [0-9]'
term_keys 1
check 'and those of its own beside these' term_shows '^rings 2 '
term_keys q

finish
