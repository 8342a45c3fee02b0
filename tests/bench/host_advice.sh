#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whether the sizes that rbtop --host recommends are right: an owner with a ring
# that is too small is watched, runs again with the recommended size, which must
# lose nothing, and then with halves of it until one loses; the smallest that
# lost nothing is compared.
#
#	tests/bench/host_advice.sh [WORKLOAD...]
#
# WORKLOAD is storm, bursts, sleeper, bpftrace or stacks; by default all.  A
# line per run: workload, pages, records lost, advice.  Then a line with the
# ratio of the recommended size and the smallest that lost nothing.
set -u
rbtop=${RBTOP:-build/rbtop}
owner=${OWNER:-build/tests/live/host_owner}
seconds=${SECONDS_EACH:-6}
cpu=$(($(nproc) - 1))
tmp=$(mktemp -d -p /dev/shm)
pids=()
trap 'stop; rm -rf "$tmp"' EXIT

stop() {
	local pid

	for pid in "${pids[@]}"; do
		kill -INT "$pid" 2>/dev/null
	done
	sleep 0.3
	for pid in "${pids[@]}"; do
		kill -KILL "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	pids=()
}

begin() {
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	pids+=($!)
}

copy() {
	begin taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=1
}

# dd in bursts of $1 blocks every $2 seconds
bursts() {
	begin taskset -c "$cpu" bash -c "while :; do
		dd if=/dev/zero of=/dev/null bs=1 count=$1; sleep $2; done"
}

# start_WORKLOAD PAGES: starts the owner, whose pid is in $who, and its load

start_storm() {
	begin perf record -C "$cpu" -m "$1" -e raw_syscalls:sys_enter \
		-o "$tmp/data"
	who=${pids[-1]}
	sleep 1
	copy
}

start_bursts() {
	begin perf record -C "$cpu" -m "$1" -e raw_syscalls:sys_enter \
		-o "$tmp/data"
	who=${pids[-1]}
	sleep 1
	bursts 5000 0.3
}

# 2000 records of 40 bytes each 50 ms, drained then
start_sleeper() {
	mkfifo "$tmp/in" 2>/dev/null
	"$owner" <"$tmp/in" >"$tmp/out" 2>"$tmp/err" &
	who=$!
	pids+=("$who")
	{
		echo "open 0 $1"
		echo "on 0"
		while sleep 0.05; do
			echo "fault 2000"
			echo "drain 0"
		done
	} >"$tmp/in" 2>/dev/null &
	pids+=($!)
}

start_bpftrace() {
	BPFTRACE_PERF_RB_PAGES=$1 begin bpftrace -e \
		'tracepoint:raw_syscalls:sys_enter /comm == "dd"/ {
			printf("%d %d\n", pid, nsecs) }'
	who=${pids[-1]}
	sleep 2
	bursts 1000 0.3
}

start_stacks() {
	begin perf record -C "$cpu" -m "$1" -F 999 -e cpu-clock:u \
		--call-graph dwarf,4096 -o "$tmp/data"
	who=${pids[-1]}
	sleep 1
	begin taskset -c "$cpu" perl -e '1 while 1'
}

# once WORKLOAD PAGES: what was lost is in $lost, what is advised in $advised
once() {
	"start_$1" "$2"
	sleep 0.5
	"$rbtop" --host -b -n "$seconds" -d 1 -p "$who" --format json \
		>"$tmp/ticks"
	lost=$(tail -n 1 "$tmp/ticks" |
		jq '[.rings[].lost // 0] | add')
	# of the ring with most losses
	advice=$(tail -n 1 "$tmp/ticks" | jq -c '[.rings[] |
		select(.size > 0)] | max_by(.lost).advice')
	advised=$(jq -r '.pages // 0' <<<"$advice")
	stop
	rm -f "$tmp"/data*
	printf '%-9s %6d pages %9d lost: %s\n' "$1" "$2" "$lost" \
		"$(jq -r '.text // "-"' <<<"$advice")"
}

measure() {
	local first=$2 pages

	once "$1" "$first"
	pages=$advised
	[ "$pages" -gt 0 ] || return
	local recommended=$pages smallest=0
	while [ "$pages" -gt 0 ]; do
		once "$1" "$pages"
		if [ "$lost" -gt 0 ]; then
			break
		fi
		smallest=$pages
		pages=$((pages / 2))
	done
	if [ $smallest -eq 0 ]; then
		echo "$1: $recommended recommended, and it lost"
	else
		echo "$1: $recommended recommended," \
			"$smallest held: ratio $((recommended / smallest))"
	fi
}

[ $# -gt 0 ] || set -- storm bursts sleeper bpftrace stacks
for workload; do
	case $workload in
	storm) measure storm "${FROM:-16}" ;;
	bursts) measure bursts "${FROM:-8}" ;;
	sleeper) measure sleeper "${FROM:-4}" ;;
	bpftrace) measure bpftrace "${FROM:-2}" ;;
	stacks) measure stacks "${FROM:-4}" ;;
	esac
done
