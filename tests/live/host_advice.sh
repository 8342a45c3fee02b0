#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The sizes that are recommended are true: applied, nothing is lost, and they
# are at most four times the smallest that holds.  How much comes between two
# drains is said to the owners, so that how fast the machine is does not matter.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

needs_bpf
record=40	# bytes, of the owner's records
seconds=1
owner own "$host_owner"
own=${owner_pid[own]}

# Of the ring that lost most: $advice
take_advice() {
	cp "$tmp/ticks" "$tmp/tick"
	jq -c '[.rings[] | select((.gone | not) and .lost != null)] |
		max_by(.lost)' "$tmp/tick" >"$tmp/row"
	advice=$(jq -c .advice "$tmp/row")
}

# watched TEST COMMAND...: what is advised of the ring that is watched, while
# COMMAND runs again and again until there were looks enough for TEST to be
# true of $advice.  How many fall into one run is for the machine to say.
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

# "So far" is said of what few looks saw.
advised_for_good() {
	advised && ! grep -q 'so far' <<<"$advice"
}

# Records lost by the owner's ring, by its own count
lost() {
	tell own read 0
	cut -d' ' -f4 <<<"$answer"
}

# holds PAGES WORKLOAD OPTION...: with so many pages nothing is lost
holds() {
	local pages=$1 workload=$2 rest=true

	shift 2
	tell own open 0 "$pages" "$@" && tell own on 0 && $workload || return
	[ "$(lost)" -eq 0 ]
}

# loses PAGES WORKLOAD OPTION...: watched, with so many pages
loses() {
	local pages=$1 workload=$2 rest=looked

	shift 2
	tell own open 0 "$pages" "$@" && tell own on 0 &&
		watched advised_for_good "$workload" || return
	[ "$(lost)" -gt 0 ]
}

# smallest FAULTS: pages that hold what so many page faults write
smallest() {
	local pages=1

	while [ $((pages * page_size)) -le $(($1 * record)) ]; do
		pages=$((pages * 2))
	done
	echo $pages
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
		test "$pages" -le $((4 * least))
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

# Looks, if there are any, fall between two drains.
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

# Records that the ring cannot hold, whose owner sleeps.
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
# The kernel takes stacks of less than 64K.
if [ "$scale" -eq 1 ]; then
	check "records larger than the ring are lost" loses 1 stacks stack=8192
	check "which is said, and what they take" jq -e '.text |
		test("do not fit") and test("8\\.")' <<<"$advice"
	check "a size is recommended" advised &&
		check "that holds them" \
			holds "$(advised)" drained_stacks stack=8192
fi

# Nothing lost: for a minute at least no ring is said to be too large.
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

# Records whose number no event counts, so that their size is read.

program=$host_tools/host_owner_bpf
[ -x "$program" ] || { skip "BPF" "$program is not built"; finish; }
# The last may be unplugged by others.
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
# A look has to fall on records that wait, to find how large they are.
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
