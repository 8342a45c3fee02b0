#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Owners that write anything to the positions of their rings: figures are the
# kernel's, and a wrong tail is reported.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

needs_bpf
size=$((8 * page_size))

# A ring of the user nobody, if that can run the program; otherwise root's.
as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
"${as_nobody[@]}" test -x "$host_owner" 2>/dev/null || as_nobody=()
owner hostile "${as_nobody[@]}" "$host_owner"
pid=${owner_pid[hostile]}
tell hostile open 0 8 || skip_all "$answer"
tell hostile on 0

# always FILTER: true for the rows of the owner in each tick, as an array.
always() {
	jq -se "[.[].rings[] | select(.owner.pid == $pid)] | $1" "$tmp/ticks" \
		>"$tmp/jq" || { head -n 40 "$tmp/jq"; return 1; }
}

# Wait until it was seen often enough.
warned_often() {
	always 'map(select(.warnings | index("bad tail"))) | length > 5'
}

echo scribble 0 >&"${owner_in[hostile]}"
background_to "$tmp/ticks" "$RBTOP" --host -b -d 0.4 --format json
watch=$last_pid
check "garbage in the positions is warned of" soon warned_often
end_watch "$watch"
check "its owner goes on" tell hostile enough
# 1e9 bytes/s would be a fault per thousand cycles: impossible.
check "garbage in all positions is no rate" always \
	'length > 5 and all(.[]; .bytes_per_s == null or
		(.bytes_per_s >= 0 and .bytes_per_s < 1e9))'
check "nor a total that falls" always \
	'[.[].bytes] | . == sort and .[-1] < 1e9'
check "nor another ring" always 'all(.[]; .remapped == 0)'
check "nor a fill that cannot be" always \
	'all(.[]; .fill >= 0 and .fill <= 1 and .used <= .size and
		.peak <= 1)'
check "the machine's rate is none of it" jq -se \
	'all(.[].total.bytes_per_s; . == null or . < 1e9)' "$tmp/ticks"
tell hostile off 0
tell hostile read 0
head=${answer%% *}
look
check "the head is the kernel's" row_is "$pid" ".[0].head == $head"

# A reader's bug: the tail is ahead of the head, and the kernel computes room
# modulo size.
tell hostile open 1 8
tell hostile read 1
read -r _ _ _ _ id _ <<<"$answer"

# ring FILTER: true for that ring
ring() {
	look && row_is "$pid" \
		"map(select(any(.events[]; .id == $id)))[0] | $1"
}

tell hostile on 1
tell hostile fault 100
tell hostile off 1
tell hostile tail 1 4096
check "a tail beyond the head leaves room up to it" ring \
	".used == $size - 4096 and (.warnings | index(\"bad tail\"))"
tell hostile tail 1 8
check "one just beyond it leaves none" ring \
	".used == $size - 8 and .fill > 0.99"
tell hostile on 1
tell hostile fault 100
tell hostile off 1
check "and that is so: all is lost" ring '.lost >= 100'
tell hostile tail 1 0
check "a right one is no warning" ring \
	'.used == 0 and (.warnings | index("bad tail") | not)'

program=$host_tools/host_owner_bpf
if [ -x "$program" ]; then
	owner bpf "$program" 2
	pid=${owner_pid[bpf]}
	tell bpf ring 30 20
	tell bpf consumer ring 4096
	tell bpf ring 10 20
	tell bpf refused
	check "a consumer beyond the producer bars its BPF ring buffer" \
		test "$answer" -eq 10
	look
	check "which is shown full" row_is "$pid" \
		'map(select(.map == "owner_ring"))[0] | .fill == 1 and
			.head == 30 * 32 and (.warnings | index("bad tail"))'
fi

finish
