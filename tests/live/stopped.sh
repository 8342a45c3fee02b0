#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# After it was stopped, rbtop attributes the losses to that time.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

event=syscalls:sys_enter_read

# on one CPU: if many rings lose records, there is one line for all of them
cpu=$(online_cpus | head -n 1)
may -C "$cpu" -e "$event" || skip_all "$(why)"
command -v taskset >/dev/null || skip_all "taskset is not installed"

timeout 200 taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=1 2>"$tmp/dd" &
load=$!
"$RBTOP" -b -d 0.5 -C "$cpu" -m 1 -e "$event" >"$tmp/ticks" 2>"$tmp/err" &
rbtop=$!
soon test -s "$tmp/ticks"
kill -STOP "$rbtop"
sleep 2
kill -CONT "$rbtop"

check "it says for how long it was stopped" soon \
	grep -E 'rbtop was stopped for (1\.[5-9]|[2-9]|[1-9][0-9])' "$tmp/ticks"
check "and what was lost meanwhile" soon grep -E \
	"CPU $cpu lost [0-9,]+ records while rbtop was stopped" \
	"$tmp/ticks"
size=$(stat -c %s "$tmp/ticks")
grown() {
	[ "$(stat -c %s "$tmp/ticks")" -gt "$size" ]
}
check "it goes on" soon grown
kill "$rbtop" "$load"
wait

# A fast clock becomes slower if rbtop hardly runs, but not if it was stopped.
"$RBTOP" -b -d 0.5 -C "$cpu" -F 21000 >"$tmp/fast" 2>"$tmp/err" &
rbtop=$!
soon grep -q '21000 Hz$' "$tmp/fast"
kill -STOP "$rbtop"
sleep 4
kill -CONT "$rbtop"
sleep 3
stays() {
	tail -n 20 "$tmp/fast" | grep -q ': cpu-clock 21000 Hz$'
}
check "a fast clock keeps its frequency after a stop" stays
for task in /proc/"$rbtop"/task/*; do
	if grep -q rbtop-watch "$task/comm"; then
		taskset -p -c "$cpu" "${task##*/}" >/dev/null
		chrt -i -p 0 "${task##*/}"
	fi
done
lowered() {
	grep -qE 'could hardly run for [0-9]+s: frequency lowered from 21000 to 5000' \
		"$tmp/fast"
}
# A thread of the idle class runs at the latest when the loads end; if it ran
# before, they start again.
starved() {
	local loads i

	for _ in 1 2 3 4 5; do
		loads=()
		for i in 1 2 3 4 5 6 7 8; do
			timeout 6 taskset -c "$cpu" \
				bash -c 'while :; do :; done' &
			loads+=($!)
		done
		wait "${loads[@]}"
		sleep 1
		lowered && return
	done
	return 1
}
check "it becomes slower if rbtop hardly runs" starved
check "and the title says so" soon grep -q ': cpu-clock 5000 Hz$' "$tmp/fast"
kill "$rbtop"
wait

finish
