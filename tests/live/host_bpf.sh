#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The perf buffer and the BPF ring buffers of a libbpf program have the same
# figures as the program itself reads.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

program=$host_tools/host_owner_bpf
[ -x "$program" ] || skip_all "$program is not built (no libbpf)"
needs_bpf
mapfile -t cpus < <(online_cpus)
cpu=${cpus[-1]}
last=$((${#cpus[@]} - 1))	# its ring among those of the perf buffer

for pages in 2 16; do
	owner bpf "$program" $pages
	pid=${owner_pid[bpf]}
	check "a perf buffer of $pages pages a CPU" tell bpf refused || finish
	check "its records" tell bpf perf "$cpu" 40 24
	check "are looked at" look
	tell bpf read perf "$last"
	read -r head tail <<<"$answer"
	check "a ring a CPU" row_is $pid \
		"map(select(.kind == \"perf\")) | length == ${#cpus[@]} and
		 all(.[]; .size == $pages * $page_size and
			.events[0].name == \"bpf-output\" and
			.map == \"owner_perf\")"
	check "that of CPU $cpu as its owner has it" row_is $pid \
		"map(select(.kind == \"perf\" and .cpu == $cpu)) |
		 length == 1 and (.[0] | .head == $head and .tail == $tail and
			.head > 0 and .wakeup_events == 1 and .woken)"
	check "drained" tell bpf drain perf
	check "to the record" test "$answer" = '40 0'
	look
	check "nothing waits" row_is $pid "map(select(.cpu == $cpu)) |
		.[0].used == 0 and .[0].tail == $head"
	dismiss bpf
done

owner bpf "$program" 2
pid=${owner_pid[bpf]}
tell bpf refused
written=$((1000 * scale))
tell bpf perf "$cpu" $written 200
look
check "what a perf buffer loses is pending" row_is $pid \
	"map(select(.kind == \"perf\" and .cpu == $cpu)) | .[0] |
	 .lost_pending > $((900 * scale)) and .lost == .lost_pending and
	 (.warnings | index(\"pending\"))"
lost=$(tail -n 1 "$tmp/ticks" | jq ".rings[] |
	select(.owner.pid == $pid and .cpu == $cpu and .kind == \"perf\").lost")
tell bpf drain perf
records=${answer% *}
check "and the records that were kept make it whole" \
	test $((records + lost)) -eq $written
tell bpf perf "$cpu" 1 24
tell bpf drain perf
check "libbpf is told of as many" test "$answer" = "1 $lost"
look
check "then none is pending" row_is $pid \
	"map(select(.kind == \"perf\" and .cpu == $cpu)) | .[0] |
	 .lost_reported == $lost and .lost_pending == 0"

# libbpf's perf buffers wake their reader at each record by default; that is told
# after five seconds
owner often "$program" 256
"$RBTOP" --host -b -d 0.5 -n 16 --format json >"$tmp/often" &
watch=$!
while kill -0 "$watch" 2>/dev/null; do
	tell often perf "$cpu" 2000 24
	tell often drain perf
done
check "a reader that is woken at each record is woken too often" \
	jq -se "any(.[].rings[]; .owner.pid == ${owner_pid[often]} and
		.cpu == $cpu and .verdict == \"woken too often\" and
		.wakeups_per_s > 5000)" "$tmp/often"
check "the others are not" jq -se "all(.[].rings[];
	.verdict != \"woken too often\" or
	(.owner.pid == ${owner_pid[often]} and .cpu == $cpu))" "$tmp/often"
dismiss often

# ring_row MAP FILTER
ring_row() {
	row_is $pid "map(select(.kind == \"bpf\" and .map == \"$1\")) |
		length == 1 and (.[0] | $2)"
}

tell bpf ring 30 20
tell bpf big 10 100
tell bpf read ring
read -r producer consumer <<<"$answer"
look
check "a BPF ring buffer" ring_row owner_ring \
	"(.size == 65536 and .head == $producer and .tail == $consumer and
	  .used == 30 * 32 and .lost == null and .watermark == null)"
check "and the other" ring_row owner_big_ring \
	"(.size == 524288 and .used == 10 * 112)"
check "with the programs that use it" ring_row owner_ring \
	'[.programs[].name] == ["owner_ring_emit", "owner_ring_trac"] and
	 all(.programs[]; .id > 0)'
check "and those that use the perf buffer" row_is $pid \
	'map(select(.kind == "perf")) | all(.[];
		[.programs[].name] == ["owner_perf_emit"])'
stats=$(</proc/sys/kernel/bpf_stats_enabled)
if echo 1 2>/dev/null >/proc/sys/kernel/bpf_stats_enabled; then
	tell bpf ring 30 20
	look
	echo "$stats" >/proc/sys/kernel/bpf_stats_enabled
	check "and how often they ran while that was counted" \
		ring_row owner_ring \
		'.programs[0] | .runs == 30 and .run_ns > 0'
	tell bpf read ring
	producer=${answer% *}
else
	skip "how often programs run" "kernel.bpf_stats_enabled is read-only"
fi
tell bpf drain ring
look
check "drained" ring_row owner_ring ".used == 0 and .tail == $producer"
tell bpf refused
refused=$answer
tell bpf ring 4000 20
tell bpf refused
check "one that is full refuses" test "$answer" -gt "$refused"
look
check "and is shown full" ring_row owner_ring '.fill > 0.99 and .fill <= 1'
check "which is warned of, since nobody counts what it lost" \
	ring_row owner_ring '.warnings == ["full"] and .lost == null and
	.wakeups == null and .crossings == null'
check "in no sum" last '.total.uncounted >= 2'
ticks --host -n 3 -d 0.3
check "nor is it said to fit" ring_row owner_ring '.advice == null or
	(.advice.pages == null and (.advice.text | test("fits|shrink") | not))'

# Either it is counted, or a line says why it cannot be.
tell bpf refused
before=$answer
rm -f "$tmp/ticks"
background_to "$tmp/watch" "$RBTOP" --host --ringbuf-drops -b -d 0.2 \
	--format json --textfile "$tmp/ticks"
watch=$last_pid
check "losses are asked for" soon holds_for_last \
	'any(.rings[]; .map == "owner_ring" and .known)'
tell bpf ring 10 20
if holds_for_last '.host.uncounted == null' >/dev/null; then
	tell bpf refused
	check "and counted" soon holds_for_last "any(.rings[];
		.map == \"owner_ring\" and .lost == $((answer - before)))"
else
	check "why not is said in a line" last '.host.uncounted |
		test("^drops cannot be counted: the kernel refuses .*ftrace")'
	check "and none is known" ring_row owner_ring \
		'.lost == null and .lost_bytes == null'
	tap_comment <<<"$(jq .host.uncounted "$tmp/ticks")"
fi
stop "$watch"
dismiss bpf
look
check "none is left when its owner has ended" row_is $pid 'length == 0'

finish
