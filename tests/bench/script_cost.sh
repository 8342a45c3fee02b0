#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The cost of a line of samples: user and system CPU time of all processes
# except the storm's own, per line of output.  A tracepoint storm of dd, in
# turn:
#
#	rbtop	rbtop -b --format script
#	perf	perf record, then perf script, by way of a file in memory
#
#	tests/bench/script_cost.sh [ROUNDS [COUNT]]
#
# A line per run, then the medians of microseconds per line.
set -u
rounds=${1:-5} count=${2:-400000}
rbtop=${RBTOP:-build/rbtop}
event=${EVENT:-raw_syscalls:sys_enter}
tmp=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$tmp"' EXIT
dd=(dd if=/dev/zero of=/dev/null bs=1 count="$count" status=none)
TIMEFORMAT='%U %S'

run_bare() {
	"${dd[@]}"
}

run_rbtop() {
	"$rbtop" -b --format script --decode 10000000 -d 1 -m 4096 \
		-e "$event" -c 1 -- "${dd[@]}" >"$tmp/rbtop.out" 2>"$tmp/err"
}

run_perf() {
	perf record -q -B -N -m 4096 -e "$event" -c 1 -o "$tmp/data" -- \
		"${dd[@]}" >"$tmp/err" 2>&1
	perf script -i "$tmp/data" >"$tmp/perf.out" 2>>"$tmp/err"
	rm -f "$tmp/data"
}

# cpu TOOL: print the seconds used
cpu() {
	{ time "run_$1"; } 2>&1 | awk 'END { print $1 + $2 }'
}

for ((round = 0; round < rounds; round++)); do
	bare=$(cpu bare)
	for tool in rbtop perf; do
		all=$(cpu $tool)
		lines=$(grep -vc '^#' "$tmp/$tool.out")
		echo "$tool $all $bare $lines" | awk '{
			printf "%-6s %8d lines %6.2f us a line\n", $1, $4,
				($2 - $3) / $4 * 1e6 }' | tee -a "$tmp/results"
	done
done
echo "medians of $rounds:"
for tool in rbtop perf; do
	grep "^$tool " "$tmp/results" | sort -n -k4 |
		awk -v n="$rounds" 'NR == int((n + 1) / 2) {
			print $1, $4, "us a line" }'
done
