# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=1200
#
# Snapshots by SIGUSR2: rates, heads, modes, wrapped and not wrapped.
. /rig/lib.sh
. /rig/rbtop.sh

# take NAME COUNT OPTION...: take that many snapshots with one rbtop
take() {
	take_when true "$@"
}

# The same once COMMAND succeeds; packets_before: the packets before that.
take_when() {
	local ready=$1 name=$2 count=$3

	shift 3
	packets_before=$(streams packets)
	check "$name: starts" rb_start "$@"
	# shellcheck disable=SC2086 # words
	check "$name: there is trace" wait_for $ready
	check "$name: $count snapshots" rb_snapshots "$count"
	check "$name: ends" rb_stop
}

# threads_traced COUNT: true if the last COUNT streams have trace
threads_traced() {
	grep '^stream .* cpu -1 ' /proc/mimic | tail -n "$1" |
		value_of packets | awk -v n="$1" '
			$1 > 0 { traced++ }
			END { exit traced != n }'
}

many_packets() {
	[ "$(streams packets)" -gt $((packets_before + 5000)) ]
}

note_sum() {
	note "$(tail -n 1 $tmp/trace)"
}

# At this rate a ring is full only after minutes.
mimic name=intel_pt form=pt rate=50000
take_when "all_wrote 4096" "not wrapped" 3 -e intel_pt// -m 64,8M -a
snaps_newest "not wrapped: each packet is intact"
check "not wrapped: none is left out" [ "$(sum holes)" -eq 0 ]
check "not wrapped: each CPU has its span" [ "$(sum spans)" -eq 12 ]
note_sum

mimic name=intel_pt form=pt rate=1000000
take_when "all_wrote 65536" "1 MB/s, wrapped" 4 -e intel_pt// -m 64,64K -a
snaps_newest "1 MB/s, wrapped: each packet is intact"
check "1 MB/s, wrapped: the rings are whole" spans_full 65536 64
note_sum

mimic name=intel_pt form=pt rate=50000000
take_when "all_wrote 1048576" "50 MB/s" 4 -e intel_pt// -m 64,1M -a
snaps_newest "50 MB/s: each packet is intact"
check "50 MB/s: the rings are whole" spans_full 1048576 64
note_sum

take_when "all_wrote 1048576" "-S smaller than the ring" 3 \
	-e intel_pt// -S64K -m 64,1M -a
snaps_newest "-S smaller than the ring: each packet is intact"
check "-S smaller than the ring: of that size" spans_full 65536 64
check "-S smaller than the ring: and no more" \
	[ "$(sum packets)" -le $((12 * 1024)) ]

mimic name=intel_pt form=pt72 rate=50000000
take_when "all_wrote 262144" "packets across the end" 4 \
	-e intel_pt// -m 64,256K -a
snaps_newest "packets across the end: each is intact"
check "packets across the end: the rings are whole" spans_full 262144 72

mimic name=cs_etm form=raw free_running=1 rate=50000000
take_when "all_wrote 262144" "a head that counts on" 4 \
	-e cs_etm/@tmc_etr0/ -m 64,256K -a
snaps_newest "a head that counts on: each packet is intact"
check "a head that counts on: the rings are whole" spans_full 262144 40

mimic name=cs_etm form=raw free_running=1 rate=50000
take_when "all_wrote 4096" "a head that counts on, not wrapped" 3 \
	-e cs_etm/@tmc_etr0/ -m 64,8M -a
snaps_newest "a head that counts on, not wrapped: each packet is intact"
check "a head that counts on, not wrapped: none is left out" \
	[ "$(sum holes)" -eq 0 ]
note_sum

mimic name=arm_spe_0 form=raw rate=10000000
take "arm_spe" 3 -e arm_spe_0// -m 64,256K -a
snaps_newest "arm_spe: each packet is intact"

mimic name=mimic form=raw rate=10000000
take "a PMU that nobody knows" 3 -e mimic// -m 64,256K -a
snaps_newest "a PMU that nobody knows: each packet is intact"

mimic name=intel_pt form=pt rate=10000000
victim 3
take_when "threads_traced 3" "per thread" 3 -e intel_pt//u -m 64,256K \
	--per-thread -p $victim
snaps_intact "per thread: each packet is intact"
check "per thread: each thread has its span" [ "$(sum spans)" -eq 9 ]
check "per thread: by its id" grep -q "^span idx=0 cpu=-1 tid=$victim " \
	$tmp/trace
note_sum
take "of a process" 3 -e intel_pt//u -m 64,256K -p $victim
snaps_intact "of a process: each packet is intact"
note_sum
kill $victim
take "of a command" 2 -e intel_pt//u -m 64,256K -- spin 4 10000
snaps_intact "of a command: each packet is intact"
note_sum

for rate in 1000000 50000000; do
	mimic name=intel_pt form=pt rate=$rate
	victim 2
	take_when "threads_traced 2" "$rate B/s, per thread" 1 \
		-e intel_pt//u -m 64,1M --per-thread -p $victim
	snaps_newest "$rate B/s, per thread: each packet is intact"
	check "$rate B/s, per thread: both have their span" \
		[ "$(sum spans)" -eq 2 ]
	take_when many_packets "$rate B/s, of a process" 1 \
		-e intel_pt//u -m 64,1M -p $victim
	snaps_newest "$rate B/s, of a process: each packet is intact"
	check "$rate B/s, of a process: there is trace" \
		[ "$(sum packets)" -gt 1000 ]
	note_sum
	kill $victim
done

mimic name=intel_bts form=bts contiguous=1 rate=10000000
victim 1
take "intel_bts" 3 -e intel_bts//u -m 64,256K --per-thread -p $victim
snaps_intact "intel_bts: each record is intact"
note_sum
kill $victim
finish
