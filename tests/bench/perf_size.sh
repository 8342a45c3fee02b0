#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Is the -m that rbtop names for perf record large enough, and not too large?
# Five loads; per load, what rbtop says of its own rings, then perf record with
# that size twice, with a quarter and with an eighth of it:
#
#	storm	a process that makes system calls, one CPU
#	storms	one per CPU: perf has to share
#	bursts	40,000 system calls at once, three times per second
#	switch	context switches between two processes
#	clock	call chains at 10 kHz on busy CPUs
#
#	tests/bench/perf_size.sh [LOAD ...]
#
# A line per run: the records that perf lost, chunks and samples.
set -u
rbtop=${RBTOP:-build/rbtop}
tmp=$(mktemp -d)
load=
stop_load() {
	[ "$load" ] && kill -- -"$load" && wait "$load"
	load=
} 2>/dev/null
trap 'stop_load; rm -rf "$tmp"' EXIT

calls() {
	dd if=/dev/zero of=/dev/null bs=1 status=none "$@"
}

switches() {
	while :; do
		perf bench sched pipe -l 100000
	done
}

run_load() {
	local cpu

	case $1 in
	storm) calls ;;
	storms)
		for ((cpu = 0; cpu < $(nproc); cpu++)); do
			calls &
		done
		wait ;;
	bursts)
		while :; do
			calls count=40000
			sleep 0.3
		done ;;
	switch) switches ;;
	clock)
		for ((cpu = 0; cpu < $(nproc); cpu++)); do
			while :; do :; done &
		done
		wait ;;
	esac
} >/dev/null 2>&1

events() {
	case $1 in
	switch) echo "-e sched:sched_switch" ;;
	clock) echo "-e cpu-clock -F 10000 -g" ;;
	*) echo "-e raw_syscalls:sys_enter" ;;
	esac
}

# lost PAGES EVENTS: what perf record of 4 seconds loses
lost() {
	sync
	perf record -q -m "$1" -o "$tmp/data" -a $2 sleep 4 >/dev/null 2>&1
	perf report -i "$tmp/data" --stats 2>/dev/null | awk -v m="$1" '
		$1 == "LOST" { chunks = $3 }
		$1 == "LOST_SAMPLES" { samples += $3 }
		END { printf "  perf record -m %-5d lost %d chunks, " \
			"%d samples\n", m, chunks, samples }'
	rm -f "$tmp/data"
}

set -m
for name in ${*:-storm storms bursts switch clock}; do
	run_load "$name" &
	load=$!
	sleep 1
	"$rbtop" -b -a $(events "$name") -n 7 2>/dev/null >"$tmp/out"
	advice=$(sed -n 's/.*; for the same events: //p' "$tmp/out" | tail -1)
	pages=$(sed -n 's/.*record -m \([0-9]*\).*/\1/p' <<<"$advice")
	echo "$name: ${advice:-no advice}"
	for m in $pages $pages $((pages / 4)) $((pages / 8)); do
		[ "$m" -gt 0 ] && lost "$m" "$(events "$name")"
	done
	stop_load
done
