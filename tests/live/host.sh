#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every ring of perf, bpftrace and a program of the tests is listed, with the
# same figures as its owner reads.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

needs_bpf
mapfile -t cpus < <(online_cpus)
cpu_list=$(IFS=,; echo "${cpus[*]}")

# The sizes in /proc are those of the rows, each as often.
now_same_sizes() {
	local sizes

	sizes=$(mapped_sizes "$1" | paste -sd,)
	[ -n "$sizes" ] && look &&
		row_is "$1" "(map(select(.size > 0).size) | sort) == [$sizes]"
}

# perf record may map rings for events of BPF programs later than the others.
same_sizes() {
	soon now_same_sizes "$1"
}

# Whether process $1 maps $2 rings or more.
settled() {
	[ "$(mapped_sizes "$1" | wc -l)" -ge "$2" ]
}

# with_rings COUNT COMMAND...: run it in the background, and wait until it maps
# COUNT rings.
with_rings() {
	local count=$1

	shift
	background "$@"
	soon settled "$last_pid" "$count"
}

# Process $1 has one ring of $2 pages per CPU, for which the filter $3 is true.
one_a_cpu() {
	row_is "$1" "map(select(.size == $2 * $page_size)) |
		(map(.cpu) | sort) == [$cpu_list] and all(.[]; $3)"
}

if command -v perf >/dev/null; then
	n=${#cpus[@]}
	check "perf record -a -m 16" with_rings "$n" \
		perf record -a -m 16 -e cpu-clock -o "$tmp/a"
	a=$last_pid
	check "perf record of two events, -m 64" with_rings "$n" \
		perf record -a -m 64 -e sched:sched_switch,cpu-clock \
		-o "$tmp/b"
	b=$last_pid
	background sleep infinity
	watched=$last_pid
	check "perf record -t, -m 8" with_rings "$n" \
		perf record -t "$watched" -m 8 -e task-clock -o "$tmp/c"
	c=$last_pid
	check "perf record --per-thread" with_rings 1 \
		perf record --per-thread -t "$watched" -m 4 -e page-faults \
		-o "$tmp/d"
	d=$last_pid
	check "perf record --overwrite" with_rings "$n" \
		perf record --overwrite -a -m 32 -e cpu-clock -o "$tmp/e"
	e=$last_pid
	for pid in "$a" "$b" "$c" "$d" "$e"; do
		check "all rings of $(tr '\0' ' ' <"/proc/$pid/cmdline" |
			sed "s|-o .*||")" same_sizes "$pid"
	done
	check "-a: one a CPU, named, of half their size as watermark" \
		one_a_cpu "$a" 16 '.watermark == .size / 2 and
			.events[0].name == "cpu-clock" and .overwrite == false'
	check "as many, for the events that share one" one_a_cpu "$b" 64 \
		'(.events | map(.name)) as $names |
		 ($names | index("cpu-clock") and
			   index("sched:sched_switch"))'
	check "of a thread: the thread beside the CPU" one_a_cpu "$c" 8 \
		"all(.events[]; .tid == $watched)"
	check "and alone" row_is "$d" "map(select(.size == 4 * $page_size)) |
		length == 1 and all(.[]; .cpu == null and .tid == $watched and
			.events[0].name == \"page-faults\")"
	check "of an overwrite ring nothing waits to be drained" \
		one_a_cpu "$e" 32 '.overwrite == true'
	stop "$a" "$b" "$c" "$d" "$e" "$watched"
else
	skip "perf" "it is not installed"
fi

if command -v bpftrace >/dev/null &&
   BPFTRACE_PERF_RB_PAGES=32 background bpftrace -e \
	'interval:ms:200 { printf("%d\n", cpu); }' &&
   bpftrace=$last_pid &&
   soon settled "$bpftrace" "${#cpus[@]}"; then
	check "bpftrace's rings" same_sizes "$bpftrace"
	check "are BPF's output, one a CPU" one_a_cpu "$bpftrace" 32 \
		'(.events | map(.name) | index("bpf-output")) and .map != null'
	stop "$bpftrace"
else
	skip "bpftrace" "it is not installed, or does not run here"
fi

check "another rbtop" with_rings ${#cpus[@]} \
	"$RBTOP" -b -a -e cpu-clock -m 8 -d 60
rbtop=$last_pid
check "rbtop's rings" same_sizes "$rbtop"
check "are as any" one_a_cpu "$rbtop" 8 '(.self | not) and
	any(.events[]; .name == "cpu-clock")'
stop "$rbtop"

# A program whose figures are known.

owner own taskset -c "${cpus[0]}" "$host_owner"
own=${owner_pid[own]}

# figures RING FILTER: the row has the figures that the owner reads of RING;
# $head, $tail, $count, $lost and $id are bound in FILTER.
figures() {
	local head tail count lost id

	tell own read "$1" || return
	read -r head tail count lost id _ <<<"$answer"
	look || return
	row_is "$own" "$head as \$head | $tail as \$tail | $count as \$count |
		$lost as \$lost | $id as \$id |
		map(select(any(.events[]; .id == \$id))) |
		length == 1 and (.[0] | $2)"
}

for pages in 1 2 8 128; do
	size=$((pages * page_size))
	for watermark in 0 1000 4096; do
		name="$pages pages, watermark $watermark"
		check "$name: opened" tell own open 0 $pages \
			watermark=$watermark cpu="${cpus[0]}"
		check "$name: written" tell own on 0
		check "$name: written" tell own fault 70
		check "$name: drained" tell own drain 0
		check "$name: written on" tell own fault 33
		check "$name: stands still" tell own off 0
		want=$watermark
		[ $watermark -gt 0 ] || want=$((size / 2))
		check "$name: all figures are the owner's" figures 0 \
			".size == $size and .watermark == $want and
			 .cpu == ${cpus[0]} and .head == \$head and
			 .tail == \$tail and .used == \$head - \$tail and
			 (.fill - .used / .size | fabs) < 1e-6 and
			 .events[0].name == \"page-faults:u\" and
			 .events[0].state == \"off\" and
			 .events[0].count == \$count and
			 .events[0].lost == \$lost and \$head > 0 and
			 .crossings == (\$head / $want | floor)"
	done
done

# Write lines "FROM UNTIL HEAD TAIL" to $tmp/seen: the positions of the owner's
# ring that rbtop read between these times.
seen() {
	jq -r --argjson pid "$own" '.host as $host | .time as $time |
		.rings[] | select(.owner.pid == $pid and .known) |
		[$time - $host.whole_age, $time, .head, .tail] | @tsv' \
		"$tmp/ticks" >"$tmp/seen"
}

seen_often() {
	seen && [ "$(wc -l <"$tmp/seen")" -ge 8 ]
}

# Heads and tails move while rbtop polls.
watched_run() {
	local status=0

	tell own open 0 16 && tell own on 0 || return
	echo run 0 "$tmp/run" >&"${owner_in[own]}"
	soon test -s "$tmp/run" || return
	background_to "$tmp/ticks" "$RBTOP" --host -b -d 0.3 --format json
	soon seen_often || status=1
	end_watch "$last_pid"
	tell own enough && seen && return "$status"
}

# jq prints times to 1e-6 s or better.
between() {
	watched_run || return
	awk -v least=1e-5 '
	NR == FNR { before[NR] = $1 / 1e9; head[NR] = $2; tail[NR] = $3
		    after[NR] = $4 / 1e9; n = NR; next }
	{
		since = $1 - least
		until = $2 + least
		if (since < after[1] || until > before[n])
			print "not of the run:", $0
		for (low = 1; low < n && after[low + 1] < since; low++)
			;
		for (high = low; high < n && before[high] < until; high++)
			;
		looks++
		if ($3 < head[low] || $3 > head[high] ||
		    $4 < tail[low] || $4 > tail[high] || $4 > $3)
			print "not between:", $0, head[low], head[high],
				tail[low], tail[high]
	}
	END { print looks + 0, "looks" }' "$tmp/run" "$tmp/seen" >"$tmp/between"
	cat "$tmp/between"
	! grep -q not "$tmp/between"
}
check "while it runs, head and tail lie between the owner's reads" between
tap_comment <"$tmp/between"

# Figures that polling can only bound are marked as bounds.  A gap is known only
# if data waited, which the next lines need not have seen.
bounds_are_labelled() {
	local name

	"$RBTOP" --host -b -n 2 -d 0.2 --format openmetrics >"$tmp/metrics"
	for name in peak_ratio drains undrained_seconds worst_gap_seconds; do
		grep -E "^# HELP rbtop_host_ring_$name .*lower bound" \
			"$tmp/metrics" && continue
		[ $name = worst_gap_seconds ] &&
			! grep -q "^# HELP rbtop_host_ring_$name " \
				"$tmp/metrics" && continue
		echo "not $name"
		return 1
	done
	! grep -E '^# HELP rbtop_host_ring_(crossings|size).*lower bound' \
		"$tmp/metrics"
}
check "bounds are labelled as bounds" soon bounds_are_labelled

# One row, whatever its owner does with the ring.

tell own off 0
rm -f "$tmp/ticks"
true &
wait $!
refuse 1 "a process that has ended is no all-clear" \
	"$RBTOP" --host -b -n 1 -p $!
check "it says so" grep -qx 'rbtop: -p [0-9]*: there is no such process' "$tmp/err"
background_to "$tmp/watch" "$RBTOP" --host -b -d 0.25 -p "$own" --format json \
	--textfile "$tmp/ticks"
watch=$last_pid
# becomes FILTER: true for the owner's rings, in one of the next ticks
becomes() {
	soon row_is "$own" "$1"
}
check "a ring" becomes 'length == 1'
id=$(tail -n 1 "$tmp/ticks" | jq '.rings[0].ring')
check "is mapped with another size" tell own remap 0 8
check "and stays the row it was" becomes "length == 1 and
	(.[0] | .ring == $id and .size == 8 * $page_size and .remapped == 1)"
check "a second event" tell own open 1 2
check "comes with a ring of its own" becomes 'length == 2'
check "and is redirected into the first's" tell own move 1 0
check "which both share then" becomes "length == 1 and
	(.[0] | .ring == $id and (.events | length) == 2)"
check "its descriptor is closed" tell own close 0
check "and the other's" tell own close 1
check "the mapping alone is a ring still" becomes "length == 1 and
	(.[0] | .ring == $id and .size == 8 * $page_size and .mapped)"
check "unmapped" tell own unmap 0
check "it is gone" becomes 'length == 0'
check "with its last figures" last "any(.rings[]; .ring == $id and .gone and
	.size == 8 * $page_size)"
stop "$watch"
check "the watch had no complaint" test ! -s "$tmp/watch.err"

finish
