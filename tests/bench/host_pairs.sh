#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whether rbtop --host, ten times per second, slows down the owners that it
# watches: perf record -a of every system call while dd makes COUNT of them,
# with and without it in turn.
#
#	tests/bench/host_pairs.sh [PAIRS [COUNT]]
#
# A line per pair: system calls per second, and samples that perf wrote, of
# each; then medians, the spread of both, and the number of pairs in which the
# watched one was slower.
set -u
pairs=${1:-10} count=${2:-1000000}
rbtop=${RBTOP:-build/rbtop}
tmp=$(mktemp -d) out=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$tmp" "$out"' EXIT

# once NAME: add a line "CALLS_PER_SECOND SAMPLES" to $tmp/NAME
once() {
	perf record -a -e raw_syscalls:sys_enter -c 1 -m 128 -o "$out/data" -- \
		dd if=/dev/zero of=/dev/null bs=1 count="$count" \
		2>"$tmp/err" >/dev/null || { cat "$tmp/err" >&2; exit 1; }
	awk -v count="$count" '
		/copied/ { for (i = 1; i <= NF; i++)
				if ($(i + 1) == "s,") seconds = $i }
		/samples\)/ { gsub(/[(~]/, ""); samples = $(NF - 2) }
		END { printf "%.0f %s\n", 2 * count / seconds, samples }' \
		"$tmp/err" >>"$tmp/$1"
	rm -f "$out"/data*
}

watched() {
	local watch

	"$rbtop" --host -b -d 0.1 --format json >/dev/null &
	watch=$!
	sleep 0.5
	once watched
	kill -TERM $watch
	wait $watch
}

for ((pair = 0; pair < pairs; pair++)); do
	if ((pair % 2)); then
		watched
		once alone
	else
		once alone
		watched
	fi
	paste <(tail -n 1 "$tmp/alone") <(tail -n 1 "$tmp/watched")
done
paste "$tmp/alone" "$tmp/watched" | jq -Rrs '
	def median: sort | .[length / 2 | floor];
	def spread: (max - min) / median * 100 | floor;
	[split("\n")[] | select(. != "") | [splits("[ \t]+") | tonumber? // 0]]
	| map(.[0]) as $a | map(.[2]) as $w |
	"alone \($a | median) calls/s (spread \($a | spread) %), " +
	"watched \($w | median) (spread \($w | spread) %): " +
	"\(($w | median) / ($a | median) * 1000 | round / 10) %, slower in " +
	"\([range($a | length) | select($w[.] < $a[.])] | length) " +
	"of \($a | length) pairs"'
