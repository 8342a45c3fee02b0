#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A terminal that is not read does no harm: drawing waits, the rings are
# drained, and signals end rbtop.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

# A stopped server could not be told to end.
emulator=
trap 'status=$?; kill -CONT $emulator 2>/dev/null; term_end
	(exit "$status"); tap_exit' EXIT

# 50,000 records per second fill these rings in three seconds: if readers
# stopped as long as the screen, records would be lost.  A reader does not wait
# that long for a busy CPU.
sim=(--sim 'cpus=2,rate=50000,size=8M')
watched=("${sim[@]}")

# A stopped terminal emulator reads nothing: many pictures per second soon fill
# the kernel's buffer for it.
stuck() {
	harness -d 0.02 "${watched[@]}" || return
	term_shows 'CPU [0-9]' || return
	pid=$(rbtop_pid)
	emulator=$(term_flag pid)
	kill -STOP "$emulator"
	wait_until is_blocked
}

# spent TID: how often a thread of rbtop has slept; 0: it has ended.
spent() {
	local nr

	nr=$(sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' \
		"/proc/$pid/task/$1/status" 2>/dev/null)
	echo "${nr:-0}"
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

spent_by_others() {
	local tid sum=0

	for tid in "/proc/$pid/task"/*; do
		tid=${tid##*/}
		[ "$tid" = "$pid" ] || sum=$((sum + $(spent "$tid")))
	done
	echo $sum
}

others_spent() {
	[ "$(spent_by_others)" -gt "$1" ]
}

# For longer than a ring can hold.
others_run() {
	local before

	before=$(spent_by_others)
	sleep 4
	wait_until others_spent $((before + 20)) && return
	echo "switches of the other threads: $before, then $(spent_by_others)"
	return 1
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
		timeout 3 bash -c 'while :; do :; done' &
	done
	sleep 3
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

# The same with live rings: busy CPUs fill them in about 1.2 s.
if "$RBTOP" -b -n 1 -d 0.1 -a >/dev/null 2>&1; then
	term_end
	watched=(-a -e cpu-clock -F 4000 -m 128)
	check 'live: the screen waits for its terminal' stuck
	check 'live: the CPUs are kept busy meanwhile' keep_busy
	check 'live: and nothing is lost' nothing_was_lost
	watched=("${sim[@]}")
else
	skip 'live rings' 'the kernel does not let us watch all CPUs'
fi

for signal in TERM:143 INT:130 HUP:129; do
	check "blocked again, for SIG${signal%:*}" stuck
	check 'it ends' ends_all_the_same "${signal%:*}" "${signal#*:}"
	check 'and leaves a sane terminal' sane_when_read_again
done

# The same by ^S: nothing is written until ^Q, or until rbtop is ended.
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
