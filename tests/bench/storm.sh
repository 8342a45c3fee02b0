#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The storm: a system call tracepoint with period 1 while dd makes millions of
# them.  A bare loop, rbtop, perf record and perf top in turn on one machine.
#
#	[PAGES="1 128"] tests/bench/storm.sh [ROUNDS [COUNT]]
#
# Per tool and ring size: records lost in percent, CPU seconds per million
# records kept, peak memory in MiB; a line per run, then the medians.  For
# rbtop, samples + reported + pending is checked against the event's own count.
#
# rbtop-rings and rbtop-hot are rbtop on a terminal (in tmux) with that screen
# open, the former without decoding: their CPU time is that of the reader
# threads only, and a line below has that of the others.  At the end the memory
# after HOT_SECONDS (60) of storm with the Hot screen open.
set -u
rounds=${1:-3} count=${2:-3000000}
rbtop=${RBTOP:-build/rbtop}
tools=${BENCH_DIR:-$(dirname "$rbtop")/tests/bench}
tmp=$(mktemp -d) out=$(mktemp -d -p /dev/shm)
tmux=(true)
screens=0
trap 'screen_close; rm -rf "$tmp" "$out"' EXIT
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
		$t.lost as $l |
		100 * $l / ($t.samples + $l), $c.cpu / ($t.samples / 1e6),
		$c.maxrss_kib / 1024' "$tmp/out" "$tmp/cpu")
	jq -e '[.rings[] |
		([.events[] | select(.name != "side-band").count] | add)
			as $count |
		([.events[] | select(.name == "side-band").lost] | add)
			as $side |
		.samples + .lost - $side - $count] |
		all(. == 0)' "$tmp/out" >"$tmp/equation" ||
		echo "  rbtop -m $1: samples + lost differ from the count:" \
			"$(jq -c '[.rings[] | {samples, lost, lost_reported,
			lost_pending, events}]' "$tmp/out")"
}

screen_close() {
	"${tmux[@]}" kill-server 2>/dev/null
}

# screen_open KEY PAGES [OPTION...]: rbtop on a terminal, its pid in $pid
screen_open() {
	local key=$1 pages=$2 n

	shift 2
	# a server that is still ending would get the next session
	screens=$((screens + 1))
	tmux=(tmux -L "rbtop-storm-$$-$screens" -f /dev/null)
	"${tmux[@]}" new-session -d -x 100 -y 24 env -u TMUX \
		XDG_CONFIG_HOME="$tmp" "$rbtop" -a -e $event -c 1 \
		-m "$pages" "$@" || return
	for ((n = 0; n < 100; n++)); do
		"${tmux[@]}" capture-pane -p | grep -q 'CPU 0' && break
		sleep 0.1
	done
	"${tmux[@]}" send-keys "$key"
	pid=$("${tmux[@]}" display-message -p '#{pane_pid}')
	sleep 2
}

# thread_cpu: seconds that readers, the resolver and all others have used
thread_cpu() {
	local task

	for task in "/proc/$pid/task"/*; do
		echo "$(<"$task/comm") $(<"$task/schedstat")"
	done 2>/dev/null | awk '
		{ cpu[$1 ~ /^rbtop-re/ ? $1 : "others"] += $2 / 1e9 }
		END { print cpu["rbtop-reader"] + 0, cpu["rbtop-resolver"] + 0,
			cpu["others"] + 0 }'
}

# memory FIELD: of rbtop, in MiB
memory() {
	awk -v field="$1:" '$1 == field { print $2 / 1024 }' \
		"/proc/$pid/status"
}

# The losses at the top of the screen, including pending ones.
screen_lost() {
	"${tmux[@]}" capture-pane -p | awk '
		function number(text) {
			gsub(/[!>]/, "", text)
			sub(/k$/, "e3", text)
			sub(/M$/, "e6", text)
			sub(/G$/, "e9", text)
			return text + 0
		}
		NR <= 3 {
			for (i = 1; i < NF; i++)
				if ($i == "lost")
					lost = number($(i + 1))
		}
		END { print lost + 0 }'
}

# run_screen NAME KEY PAGES [OPTION...]
run_screen() {
	local name=$1 pages=$3 before after lost

	shift
	screen_open "$@" || return
	before=$(thread_cpu) lost=$(screen_lost)
	"${dd[@]}"
	sleep 2
	after=$(thread_cpu)
	echo "$before $after $lost $(screen_lost)" |
		awk -v million="$count" '
			{ m = 2 * million / 1e6
			  print ($8 - $7) / (2 * million) * 100,
				($4 - $1) / m, ($5 - $2) / m, ($6 - $3) / m }' \
		>"$tmp/screen"
	read -r lost readers resolver others <"$tmp/screen"
	row "$name" "$pages" "$lost" "$readers" "$(memory VmHWM)"
	printf '%33s resolver %.4f, others %.4f\n' '' "$resolver" "$others"
	screen_close
}

run_hot_memory() {
	local seconds=${HOT_SECONDS:-60}

	screen_open 3 128 -g || return
	timeout "$seconds" dd if=/dev/zero of=/dev/null bs=1 status=none
	echo "after $seconds s with the Hot screen open and callchains:" \
		"RSS $(memory VmRSS) MiB, at most $(memory VmHWM)"
	screen_close
}

# perf's own number of samples; dd knows how many there should be.
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
	for pages in ${PAGES:-1 4 16 128}; do
		run_bare $pages
		run_rbtop $pages
		run_screen rbtop-rings 1 $pages --decode 0
		run_screen rbtop-hot 3 $pages
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
run_hot_memory
