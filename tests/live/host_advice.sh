#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recommended sizes are right: with them nothing is lost, and they are at most
# four times the smallest size that is enough.  The owners are told how much to
# write between two drains.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

needs_bpf
record=40	# bytes, of the owner's records
seconds=1
owner own "$host_owner"
own=${owner_pid[own]}

# $advice: that of the ring that lost most
take_advice() {
	cp "$tmp/ticks" "$tmp/tick"
	jq -c '[.rings[] | select((.gone | not) and .lost != null)] |
		max_by(.lost)' "$tmp/tick" >"$tmp/row"
	advice=$(jq -c .advice "$tmp/row")
}

# watched TEST COMMAND...: run COMMAND again and again, until there were passes
# enough for TEST to be true of $advice, which is the advice for the ring.  The
# number of passes in one run depends on the machine.
watched() {
	local ready=$1 watch times

	shift
	rm -f "$tmp/ticks"
	background_to "$tmp/watch" "$RBTOP" --host -b -d 0.2 -p "$pid" \
		--format json --textfile "$tmp/ticks"
	watch=$last_pid
	soon holds_for_last 'any(.rings[]; .known)'
	for ((times = 0; times < 20; times++)); do
		"$@" && looked || times=20
		take_advice
		$ready && break
	done
	stop "$watch"
	jq '.host | "\(.passes) passes, every \(.interval) s"' "$tmp/tick" |
		tap_comment
	tap_comment <<<"$advice"
	[ "$times" -lt 20 ]
}

advised() {
	jq -re '.pages // empty' <<<"$advice"
}

# Advice from few passes says "so far".
advised_for_good() {
	advised && ! grep -q 'so far' <<<"$advice"
}

# Records lost by the owner's ring, by its own count.
lost() {
	tell own read 0
	cut -d' ' -f4 <<<"$answer"
}

# holds PAGES WORKLOAD OPTION...: with that many pages nothing is lost.
holds() {
	local pages=$1 workload=$2 rest=true

	shift 2
	tell own open 0 "$pages" "$@" && tell own on 0 && $workload || return
	[ "$(lost)" -eq 0 ]
}

# loses PAGES WORKLOAD OPTION...: watched, with that many pages.
loses() {
	local pages=$1 workload=$2 rest=looked

	shift 2
	tell own open 0 "$pages" "$@" && tell own on 0 &&
		watched advised_for_good "$workload" || return
	[ "$(lost)" -gt 0 ]
}

# smallest FAULTS: the pages that hold the records of that many page faults.
smallest() {
	local pages=1

	while [ $((pages * page_size)) -le $(($1 * record)) ]; do
		pages=$((pages * 2))
	done
	echo $pages
}

# Of a fast machine, what comes while a reader waits for a CPU may be more than
# the owner is told to let wait.
small_enough() {
	[ "$1" -le $((4 * $2)) ] ||
		jq -e '.text | test("may wait for a CPU")' <<<"$advice"
}

# true_advice NAME PAGES FAULTS WORKLOAD OPTION...
true_advice() {
	local name=$1 pages=$2 faults=$3 workload=$4 least

	shift 4
	least=$(smallest $((faults * scale)))
	pid=$own
	check "$name: $pages pages lose" loses "$pages" "$workload" "$@"
	check "$name: a size is recommended" advised || return
	pages=$(advised)
	check "$name: $pages pages hold" holds "$pages" "$workload" "$@"
	check "$name: and are at most four times the $least that would do" \
		small_enough "$pages" "$least"
}

even() {
	tell own gaps 0 $seconds $((1500 * scale))
}

bursts() {
	local few=$((40 * scale))

	tell own gaps 0 $seconds $few $few $((3000 * scale)) $few $few $few
}

mixed() {
	tell own gaps 0 $seconds $((300 * scale)) $((1200 * scale)) \
		$((700 * scale))
}

# Passes, if any, are between two drains.
slow() {
	local round part

	for round in 1 2; do
		for part in 1 2 3; do
			tell own fault $((400 * scale)) && $rest || return
		done
		tell own drain 0 || return
	done
}

true_advice "even gaps" 2 1500 even
true_advice "bursts" 2 3000 bursts
true_advice "woken by 4096 bytes" 4 1200 mixed watermark=4096
true_advice "woken by each record" 2 1200 mixed events=1
true_advice "a slow owner" 4 1200 slow

# Records that the ring cannot hold, since their owner sleeps.
stacks() {
	local i

	for i in 1 2 3 4; do
		tell own fault 100 && $rest || return
	done
}
drained_stacks() {
	local i

	for i in 1 2 3 4 5 6 7 8; do
		tell own fault 2 && tell own drain 0 || return
	done
}
pid=$own
# The kernel accepts stacks below 64K.
if [ "$scale" -eq 1 ]; then
	check "records larger than the ring are lost" loses 1 stacks stack=8192
	check "which is said, and what they take" jq -e '.text |
		test("do not fit") and test("8\\.")' <<<"$advice"
	check "a size is recommended" advised &&
		check "that holds them" \
			holds "$(advised)" drained_stacks stack=8192
fi

# A command's own rings, and no others.
host_perf() {
	"$RBTOP" --host -b --format json -- "${perf[@]}" \
		>"$tmp/ticks" 2>"$tmp/err"
}
only_perf() {
	jq -se 'all(.[].rings[]; .owner.comm == "perf") and
		(.[-1] | .total.lost == 0 and (.rings | length) > 0)' \
		"$tmp/ticks"
}
gate() {
	local want=$1 status=0

	shift
	"$RBTOP" --host --fail-on lost "$@" >"$tmp/text" 2>"$tmp/err" ||
		status=$?
	[ $status -eq "$want" ] && return
	echo "status $status"
	cat "$tmp/err"
	return 1
}
perf=(perf record -a -m 512 -o "$tmp/perf.data" -e context-switches sleep 2)
if "${perf[@]}" 2>/dev/null; then
	check "a command's rings are shown" host_perf
	check "and no others" only_perf
	check "its output is kept" grep -q 'perf record: Captured' "$tmp/err"
	check "nothing lost" gate 0 -- "${perf[@]}"
	check "how near it came" grep \
		'^fullest: CPU [0-9]* of perf ([0-9]*, gone), .* at its peak$' \
		"$tmp/text"
	perf=(perf record -a -m 1 -c 1 -o "$tmp/perf.data"
	      -e raw_syscalls:sys_enter
	      dd if=/dev/zero of=/dev/null bs=1 count=1000000)
	check "a loss in a child of the command" gate 3 -- \
		sh -c '"$@"; exit 0' sh "${perf[@]}"
	check "has its remedy" grep -q \
		'failed on lost: .* of perf ([0-9]*); \(grow to\|try\|keep watching:.*\) -m ' "$tmp/err"
	check "the command's own failure comes first" gate 7 -- \
		sh -c '"$@"; exit 7' sh "${perf[@]}"
	"${perf[@]}" 2>/dev/null &
	check "an alarm: it ends at the first loss" gate 3
	wait "$!"
	"$RBTOP" --host --fail-on lost >/dev/null 2>&1 &
	watch=$!
	sleep 2
	kill "$watch"
	status=0
	wait "$watch" || status=$?
	# of all programs, which may lose records, or not say whether they do
	check "a signal is not the result of --fail-on" \
		grep -qx '[013]' <<<"$status"
	status=0
	timeout 2 "$RBTOP" --host --fail-on lost -- sleep 60 \
		>/dev/null 2>&1 || status=$?
	check "but of a command that it ends" test "$status" -eq 124
else
	skip "a command's rings" "perf record does not run"
fi

# Nothing lost: for at least a minute no ring is reported as too large.
quiet() {
	tell own gaps 0 $seconds 10
}
check "a ring that is hardly used holds" holds 64 quiet
tell own open 0 64 && tell own on 0
fits() {
	jq -e '.text | startswith("fits")' <<<"$advice"
}
check "watched" watched fits quiet
check "is not said to be too large" jq -e '.pages == null and
	(.text | startswith("fits so far"))' <<<"$advice"
dismiss own

# The number of these records is not counted by an event, so that their size is
# read.

program=$host_tools/host_owner_bpf
[ -x "$program" ] || { skip "BPF" "$program is not built"; finish; }
# Other tests may unplug the last one.
cpu=$(online_cpus | head -n 1)
output() {
	local round

	for ((round = 0; round < 60; round++)); do
		tell bpf perf "$cpu" $((600 * scale)) 120 || return
		written=$((written + 600 * scale))
		tell bpf drain perf || return
		drained=$((drained + ${answer% *}))
	done
}
owner bpf "$program" 2
pid=${owner_pid[bpf]}
tell bpf refused
written=0
drained=0
# A pass has to find waiting records, to learn their size.
check "a perf buffer" watched advised_for_good output
check "loses" test "$drained" -lt "$written"
check "a size is recommended" advised
pages=$(advised)
dismiss bpf
owner bpf "$program" "${pages:-1}"
tell bpf refused
written=0
drained=0
check "$pages pages" output
check "hold" test "$drained" -eq "$written"
# 600 x 136 bytes
check "and are at most four times those that would do" \
	test "$pages" -le $((4 * 32))

finish
