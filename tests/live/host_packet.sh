#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Rings of packet captures: what they hold and what they drop is what their owner
# is told, to the packet, whatever their version, and with the advised size the
# same burst is held.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

needs_bpf
owner own "$host_tools/host_owner_packet"
own=${owner_pid[own]}
# blocks must be whole pages
[ "$page_size" -eq 4096 ] || skip_all "the owner's blocks have 4 KiB"
tell own open 3 4 || skip_all "no AF_PACKET: $answer"

# shows FILTER: true for the row of the owner's ring.
shows() {
	look && row_is "$own" "length == 1 and (.[0] | $1)"
}

# The same of an rbtop that watches, in a later pass.
watched() {
	looked && row_is "$own" "length == 1 and (.[0] | $1)"
}

# drops N: the owner is told that N packets were dropped, of $sent
drops() {
	tell own stats || return
	[ "$answer" = "$sent $1" ] || { echo "told: $answer"; return 1; }
}

# packets VERSION SLOTS HELD: a ring that holds HELD packets
packets() {
	local version=$1 slots=$2 held=$3 size

	size=$((slots * (version == 3 ? 4096 : 2048)))
	tell own open "$version" "$slots"
	check "V$version: empty" shows ".kind == \"packet\" and
		.event == \"packet lo\" and .size == $size and .used == 0 and
		.lost == 0 and .locked == $size and .mapped"
	sent=$((held / 2))
	tell own send "$sent"
	check "V$version: half full" soon shows ".used == $size / 2 and .lost == 0"
	sent=$((held + 77))
	tell own send $((sent - held / 2))
	check "V$version: full" shows ".fill == 1 and .lost == 77"
	check "V$version: as the owner is told" drops 77
	tell own drain
	check "V$version: all were held" test "$answer" -eq "$held"
	check "V$version: drained" shows ".used == 0 and .lost == 0"
}

# Files that are only paths, as anyone may have, do not stand for perf events and
# sockets, whether they are seen before the real ones or after them: processes
# are looked at in the order of their pids, here those of a namespace.
beside_paths() {
	tmp=$tmp host_tools=$host_tools RBTOP=$RBTOP timeout 30 \
		unshare --pid --fork --mount-proc bash -c '
		started() {
			: $((++n))
			"$2" < <(echo "$1"; exec sleep 20) >"$tmp/$n" &
			until grep -qs ^ok "$tmp/$n"; do sleep 0.02; done
		}
		started path "$host_tools/host_owner_packet"
		started "open 3 4" "$host_tools/host_owner_packet"
		started "open 0 8" "$host_tools/host_owner"
		started path "$host_tools/host_owner_packet"
		exec "$RBTOP" --host -b -n 1 -d 0.5 --format json' >"$tmp/beside"
	jq -c '.total | [.rings, .packet_rings]' "$tmp/beside"
	jq -e '.total | .rings == 1 and .packet_rings == 1' "$tmp/beside"
}
check "beside files that are only paths" beside_paths

# A block of 4 KiB has room for three.
packets 3 4 12
packets 2 8 8
packets 1 8 8

# It reads what it dropped, which clears the count.
tell own open 3 4
rm -f "$tmp/ticks"
background_to "$tmp/watch" "$RBTOP" --host -b -d 0.2 --kind packet \
	--format json --textfile "$tmp/ticks"
watch=$last_pid
check "watched" soon watched '.lost == 0'
sent=32
tell own send 32
check "drops" watched '.lost == 20'
check "as the owner is told" drops 20
sent=5
tell own send 5
check "and go on" watched '.lost == 25'
check "also for the owner" drops 5
stop "$watch"

# bursts COMMAND...: 40 packets at once, ten times, each drained before the next,
# and COMMAND after each step
bursts() {
	local i

	for ((i = 0; i < 10; i++)); do
		tell own send 40 && "$@" && tell own drain && "$@" || return
	done
}

tell own open 3 8
background_to "$tmp/watch" "$RBTOP" --host -b -d 0.2 --kind packet \
	--format json --textfile "$tmp/ticks"
watch=$last_pid
soon watched '.lost == 0'
bursts looked
check "too small" watched ".verdict == \"too small\" and .lost == 160"
row=$(tail -n 1 "$tmp/ticks" |
	jq -c ".rings[] | select(.owner.pid == $own and (.gone | not)) | .advice")
tap_comment <<<"$row"
stop "$watch"
bytes=$(($(jq .pages <<<"$row") * page_size))
tell own open 3 $((bytes / 4096))
sent=400
bursts sleep 0.1
check "the advised size holds it" drops 0
check "and is at most four times what is needed" \
	test "$bytes" -le $((4 * 14 * 4096))

others() {
	"$RBTOP" --host -b -n 1 -d 0.5 --kind perf,bpf --format json \
		>"$tmp/others" && ! grep '"packet lo"' "$tmp/others"
}
check "not among other kinds" others

finish
