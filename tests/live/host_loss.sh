#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An owner's losses, before it can know them, and afterwards: pending and
# reported are those that the kernel counted, and those that the owner reads in
# the end.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

needs_bpf
owner own "$host_owner"
own=${owner_pid[own]}
tell own open 0 1 && tell own read 0
read -r _ _ _ _ id _ <<<"$answer"

# loss FILTER: true for the row of the owner's ring.
loss() {
	look && row_is "$own" \
		"map(select(any(.events[]; .id == $id)))[0] | $1"
}

# The losses of its events, by the kernel's count.
lost_of() {
	tell own read "$1"
	cut -d' ' -f4 <<<"$answer"
}

tell own on 0
tell own fault $((1000 * scale))
tell own off 0
lost=$(lost_of 0)
check "a full ring loses" test "$lost" -gt $((800 * scale))
check "all of it pending" loss ".lost == $lost and .lost_pending == $lost and
	.lost_reported == 0 and (.warnings | index(\"pending\"))"
tell own drain 0
check "and still so when it is drained" loss ".lost_pending == $lost"
tell own on 0
tell own fault 3
tell own off 0
check "the next record brings word of it" loss ".lost == $lost and
	.lost_pending == 0 and .lost_reported == $lost and
	(.warnings | index(\"pending\") | not)"
tell own drain 0
check "to its owner as well" \
	test "$(cut -d' ' -f2 <<<"$answer")" -eq "$lost"

# Two events that share a ring.
tell own open 1 0
tell own move 1 0
tell own on 0
tell own on 1
tell own fault $((500 * scale))
tell own off 0
tell own off 1
both=$(($(lost_of 0) + $(lost_of 1)))
check "two events of one ring lose together" loss ".lost == $both and
	.lost_reported == $lost and .lost_pending == $both - $lost and
	(.events | length) == 2 and ([.events[].lost] | add) == .lost"

# Paused: records are lost.
tell own drain 0
tell own pause 0 1
check "a paused ring is warned of" loss \
	'.paused and (.warnings | index("paused"))'
tell own on 0
tell own fault 10
tell own off 0
tell own pause 0 0
check "and no longer when it goes on" loss \
	'(.paused | not) and (.warnings | index("paused") | not)'

# Woken, but not drained.
tell own open 2 8 watermark=4096
tell own read 2
read -r _ _ _ _ id _ <<<"$answer"
tell own on 2
tell own fault 150
tell own off 2
undrained() {
	row_is "$own" "map(select(any(.events[]; .id == $id)))[0] |
		 .woken and .undrained >= 5 and
		 (.warnings | index(\"undrained\")) and
		 .verdict == \"reader late\""
}
rm "$tmp/ticks"
background_to "$tmp/ticks" "$RBTOP" --host -b -d 0.5 --format json
watch=$last_pid
check "data that waits after a wakeup is warned of" soon undrained
end_watch "$watch"
check "and not before" jq -es "[.[].rings[] |
	select(any(.events[]; .id == $id))] | length > 1 and
	all(.[]; .undrained >= 5 or (.warnings | index(\"undrained\") | not))" \
	"$tmp/ticks"
dismiss own

# perf record, stopped while its target runs.
command -v perf >/dev/null || { skip perf "it is not installed"; finish; }

owner load taskset -c "$(online_cpus | head -n 1)" "$host_owner"
load=${owner_pid[load]}
tell load fault 1
background perf record -p "$load" -e page-faults:u -c 1 -m 2 \
	-o "$tmp/perf.data"
perf=$last_pid
perf_row() {
	look && row_is "$perf" "map(select(.size == 2 * $page_size and
		.head > 0 and any(.events[]; .name == \"page-faults:u\"))) | $1"
}
# It maps its rings before it enables the events.
counts() {
	tell load fault 20 && perf_row 'length > 0'
}
check "perf record of a process" soon counts
kill -STOP "$perf"
check "is stopped" soon grep -q '^State:[[:space:]]*T' "/proc/$perf/status"
tell load fault $((5000 * scale))
check "stopped under load it has lost what it does not know of" perf_row \
	"length == 1 and (.[0] | .lost_pending > $((4000 * scale)) and
		.lost == .lost_pending + .lost_reported and
		([.events[].lost] | add) == .lost)"
kill -CONT "$perf"
check "when it goes on, it drains" soon perf_row \
	'length > 0 and all(.[]; .used == 0)'
tell load fault 5
check "and is told" soon perf_row 'length == 1 and
	(.[0] | .lost_pending == 0 and .lost_reported == .lost and
		.lost_reported > 0)'
row=$(tail -n 1 "$tmp/ticks" | jq -c "[.rings[] | select(.owner.pid == $perf and
	.head > 0 and any(.events[]; .name == \"page-faults:u\"))][0]")
kill -INT "$perf"
wait "$perf" 2>/dev/null
perf script -D -i "$tmp/perf.data" 2>/dev/null | tr -d '\000' >"$tmp/dump"
reported=$(awk -F'lost:' '/PERF_RECORD_LOST:/{ sum += $2 } END { print sum + 0 }' \
	"$tmp/dump")
check "the sum of its LOST records is what was shown" \
	test "$reported" -eq "$(jq .lost_reported <<<"$row")"
samples=$(grep -c 'PERF_RECORD_SAMPLE' "$tmp/dump")
check "and its samples and losses make the count that was shown" \
	test $((samples + reported)) -eq "$(jq '[.events[] |
		select(.name == "page-faults:u").count] | add' <<<"$row")"

# Totals do not fall when an owner ends.  Of ftrace's buffers, which others may
# have left, it is not known who was told of what.
owner brief "$host_owner"
brief=${owner_pid[brief]}
tell brief open 0 1
tell brief on 0
tell brief fault $((1000 * scale))
tell brief off 0
rm "$tmp/ticks"
background_to "$tmp/ticks" "$RBTOP" --host --kind perf,bpf -b -d 0.5 --format json
watch=$last_pid
check "an owner that loses" soon row_is "$brief" \
	'any(.[]; .lost > 800)'
dismiss brief
check "ends" until_last "any(.rings[]; .owner.pid == $brief and .gone)"
end_watch "$watch"
check "the sums do not fall when an owner ends" jq -se '
	[.[].total | select(.lost != null)] | length > 1 and
	all(("lost_reported", "lost", "bytes", "wakeups", "drains") as $key |
		map(.[$key]); . == sort) and
	all(.lost == .lost_reported + .lost_pending) and .[-1].lost > 800' \
	"$tmp/ticks"
check "which are then said to be at least" last ".total.at_least and
	any(.rings[]; .owner.pid == $brief and .gone and .at_least)"

# The command line of an owner whose rings are too small, with another size.
storm='dd if=/dev/zero of=/dev/null bs=1 count=4000000'
background perf record -m 1 -a -c 1 -e '{raw_syscalls:sys_enter}' \
	-o "$tmp/storm.data" -- $storm
perf=$last_pid
command_known() {
	tail -n 1 "$tmp/storm" | jq -re "[.rings[] | .advice.command as \$run |
		select(.owner.pid == $perf and \$run) |
		\"\(.advice.pages)\t\(\$run)\"][0] // empty" >"$tmp/remedy"
	[ -s "$tmp/remedy" ]
}
background_to "$tmp/storm" "$RBTOP" --host -b -d 0.2 --format json
watch=$last_pid
check "the command to run instead is known" soon command_known
stop "$watch" "$perf"
IFS=$'\t' read -r pages run <"$tmp/remedy"
check "it is the owner's, with the advised size" test "$run" = "perf record \
-m $pages -a -c 1 -e '{raw_syscalls:sys_enter}' -o $tmp/storm.data -- $storm"

# One whose output is read slowly.  It has a thread more, so what it can read at
# most is not known.
slowly() {
	while head -c 65536 | grep -q ''; do
		sleep 0.02
	done
}
background dd if=/dev/zero of=/dev/null bs=1
load=$last_pid
background_to "$tmp/slow" "$RBTOP" --host -b -d 0.5 --format json
watch=$last_pid
mkfifo "$tmp/pipe"
slowly <"$tmp/pipe" &
background_to "$tmp/pipe" perf record -o - -m 16 -a -e raw_syscalls:sys_enter
perf=$last_pid
blocked() {
	tail -n 1 "$tmp/slow" | jq -e "any(.rings[];
		.owner.pid == $perf and .verdict == \"reader too slow\" and
		.output_wait > 0.5 and .advice.pages == null and
		(.advice.text | test(\"waits for its output\")))"
}
tells_output() {
	tail -n 1 "$tmp/slow" | jq -e 'any(.rings[]; .output_wait != null)'
}
if soon tells_output; then
	check "it is the output that perf waits for" soon blocked
else
	skip "perf that waits for its output" "the kernel does not tell"
fi
stop "$watch" "$load" "$perf"

finish
