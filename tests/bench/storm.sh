#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The storm: a system call tracepoint with period 1 while dd makes millions of
# them.  A bare loop, rbtop, perf record and perf top in turn on one machine.
#
#	tests/bench/storm.sh [ROUNDS [COUNT]]
#
# Per tool and ring size: records lost in percent, CPU seconds per million
# records kept, peak memory in MiB; a line per run, then the medians.  For
# rbtop, samples + reported + pending is checked against the event's own count.
set -u
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-3} count=${2:-3000000}
rbtop=${RBTOP:-build/rbtop}
tools=${BENCH_DIR:-$(dirname "$rbtop")/tests/bench}
tmp=$(mktemp -d) out=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$tmp" "$out"' EXIT
results=$tmp/results
dd=(dd if=/dev/zero of=/dev/null bs=1 count="$count" status=none)
event=raw_syscalls:sys_enter

# row TOOL PAGES LOSS% CPU_PER_MILLION RSS_MIB
row() {
	printf '%-12s %5s %9.4f %9.4f %7.1f\n' "$@" | tee -a "$results"
}

run_bare() {
	"$tools/cpuof" "$tmp/cpu" "$tools/bare" "$1" "${dd[@]}" >"$tmp/out"
	row bare "$1" $(jq -s '.[0] as $o | .[1] as $c |
		$o.loss * 100, $o.cpu_per_million, $c.maxrss_kib / 1024' \
		"$tmp/out" "$tmp/cpu")
}

run_rbtop() {
	"$tools/cpuof" "$tmp/cpu" "$rbtop" -b -d 3600 --format json -a \
		-e $event -c 1 -m "$1" -- "${dd[@]}" >"$tmp/out" || return
	row rbtop "$1" $(jq -s '.[0].total as $t | .[1] as $c |
		($t.lost + $t.lost_pending) as $l |
		100 * $l / ($t.samples + $l), $c.cpu / ($t.samples / 1e6),
		$c.maxrss_kib / 1024' "$tmp/out" "$tmp/cpu")
	jq -e '[.rings[] |
		([.events[] | select(.name != "side-band").count] | add)
			as $count |
		([.events[] | select(.name == "side-band").lost] | add)
			as $side |
		.samples + .lost + .lost_pending - $side - $count] |
		all(. == 0)' "$tmp/out" >"$tmp/equation" ||
		echo "  rbtop -m $1: samples + lost differ from the count:" \
			"$(jq -c '[.rings[] | {samples, lost, lost_pending,
			events}]' "$tmp/out")"
}

# perf's own account of its samples; what should have come, dd tells.
run_record() {
	"$tools/cpuof" "$tmp/cpu" perf record -q -B -o "$out/data" -e $event \
		--exclude-perf -c 1 -a -m "$1" -- "${dd[@]}" \
		>/dev/null 2>"$tmp/err" || return
	perf report -i "$out/data" --stats 2>/dev/null |
		awk '/^ *SAMPLE events:/ { if (!s) s = $3 }
		     /^ *LOST_SAMPLES events:/ { l = $3 }
		     END { printf "{\"samples\":%d,\"lost\":%d}\n", s, l }' \
		>"$tmp/out"
	rm -f "$out/data"
	row perf-record "$1" $(jq -s --argjson n "$count" '.[0] as $o |
		.[1] as $c | (2 * $n) as $want |
		([0, 100 * ($want - $o.samples) / $want] | max),
		$c.cpu / ($o.samples / 1e6), $c.maxrss_kib / 1024' \
		"$tmp/out" "$tmp/cpu")
}

run_top() {
	mkfifo "$tmp/stdin" && exec 9<>"$tmp/stdin"
	timeout -s INT 15 "$tools/cpuof" "$tmp/cpu" perf top --stdio -a -d 1 \
		-e $event -c 1 -m "$1" <"$tmp/stdin" >"$tmp/out" 2>&1 &
	sleep 3
	"${dd[@]}"
	wait $!
	exec 9>&-
	rm "$tmp/stdin"
	lost=$(grep -ao 'lost: [0-9]*/[0-9]* drop: [0-9]*/[0-9]*' "$tmp/out" |
		tail -n 1 | awk -F'[ /]' '{ print $3 + $6 }')
	row perf-top "$1" $(jq --argjson n "$count" --argjson l "${lost:-0}" \
		'100 * $l / (2 * $n), .cpu / 6, .maxrss_kib / 1024' "$tmp/cpu")
}

printf '%-12s %5s %9s %9s %7s\n' tool -m 'lost %' cpu-s/M MiB
for ((round = 0; round < rounds; round++)); do
	for pages in 1 4 16 128; do
		run_bare $pages
		run_rbtop $pages
		run_record $pages
	done
	[ "${TOP:-1}" = 0 ] || run_top 128
done
echo "medians of $rounds:"
sort -k1,1 -k2,2n "$results" | awk '
	function median(a, n,    i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && a[j - 1] > a[j]; j--) {
				t = a[j]; a[j] = a[j - 1]; a[j - 1] = t
			}
		return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
	}
	function flush() {
		if (n)
			printf "%-12s %5s %9.4f %9.4f %7.1f\n", tool, pages,
				median(loss, n), median(cpu, n), median(rss, n)
		n = 0
	}
	$1 != tool || $2 != pages { flush(); tool = $1; pages = $2 }
	{ n++; loss[n] = $3; cpu[n] = $4; rss[n] = $5 }
	END { flush() }'
