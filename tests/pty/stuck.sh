#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A terminal that nobody reads costs nothing: the picture waits, the rings are
# drained, and signals end rbtop.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

# 100,000 records per second fill these rings in less than a second: if the
# readers stopped for as long as the screen, records would be lost.
watched=(--sim cpus=2,rate=100000,size=4M)

# A stopped terminal emulator reads nothing: many pictures a second soon fill
# what the kernel holds for it.
stuck() {
	harness -d 0.02 "${watched[@]}" || return
	term_shows 'CPU [0-9]' || return
	pid=$(rbtop_pid)
	emulator=$(term_flag pid)
	kill -STOP "$emulator"
	wait_until is_blocked
}

# How often a thread of rbtop has slept.
spent() {
	awk '/^voluntary_ctxt_switches/ { print $2 }' "/proc/$pid/task/$1/status"
}

sleeps() {
	grep -q '^State:.S' "/proc/$pid/task/$pid/status"
}

# The first thread draws the screen.  A thread that only waits for a busy CPU
# does not sleep.
is_blocked() {
	local before

	before=$(spent "$pid")
	sleeps || return
	sleep 0.3
	sleeps && [ "$(spent "$pid")" = "$before" ]
}

others_run() {
	local tid before=0 after=0

	for tid in $(ls "/proc/$pid/task"); do
		[ "$tid" = "$pid" ] || before=$((before + $(spent "$tid")))
	done
	sleep 2
	for tid in $(ls "/proc/$pid/task"); do
		[ "$tid" = "$pid" ] || after=$((after + $(spent "$tid")))
	done
	echo "switches of the other threads: $before, then $after"
	[ "$after" -gt $((before + 20)) ]
}

# nothing_was_lost: on a screen drawn after the terminal emulator resumed
nothing_was_lost() {
	kill -CONT "$emulator"
	term_keys 5
	term_shows '^TIME' || return
	term_keys 1
	term_shows 'rings [0-9]' && ! screen_has 'used .*lost [1-9]'
}

keep_busy() {
	for _ in $(seq "$(nproc)"); do
		timeout 1.5 bash -c 'while :; do :; done' &
	done
	sleep 1.5
}

ends_all_the_same() {
	kill -s "$1" "$pid"
	wait_until [ -s "$tmp/status" ] || return
	echo "status $(cat "$tmp/status"), not $2"
	[ "$(cat "$tmp/status")" = "$2" ]
}

sane_when_read_again() {
	kill -CONT "$emulator"
	terminal_is_sane
}

check 'the screen waits for its terminal' stuck
check 'the readers do not' others_run
check 'and nothing is lost' nothing_was_lost

# The same with live rings: busy CPUs fill these in half a second.
if "$RBTOP" -b -n 1 -d 0.1 -a >/dev/null 2>&1; then
	term_end
	watched=(-a -e cpu-clock -F 4000 -m 32)
	check 'live: the screen waits for its terminal' stuck
	check 'live: the CPUs are kept busy meanwhile' keep_busy
	check 'live: and nothing is lost' nothing_was_lost
	watched=(--sim cpus=2,rate=100000,size=4M)
else
	skip 'live rings' 'the kernel does not let us watch all CPUs'
fi

for signal in TERM:143 INT:130 HUP:129; do
	check "blocked again, for SIG${signal%:*}" stuck
	check 'it ends' ends_all_the_same "${signal%:*}" "${signal#*:}"
	check 'and leaves a sane terminal' sane_when_read_again
done

# ^S does it too: no byte goes out until ^Q, or until rbtop is to end.
stopped_by_key() {
	harness -d 0.02 "${watched[@]}" || return
	term_shows 'CPU 1' || return
	pid=$(rbtop_pid)
	term_keys C-s
	wait_until is_blocked
}
check 'blocked by ^S' stopped_by_key
check 'it ends too' ends_all_the_same TERM 143
check 'and leaves a sane terminal' terminal_is_sane

finish
