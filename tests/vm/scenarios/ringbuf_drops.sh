# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=900
#
# What BPF ring buffers lose, counted by rbtop --host --ringbuf-drops, and by
# the programs that write to them.
. /rig/lib.sh
. /rig/host.sh

command -v host_owner_bpf >/dev/null || {
	skip "drops of BPF ring buffers" "host_owner_bpf is not built"
	finish
	exit
}

# The number of programs of rbtop's that count.
programs() {
	bpftool -j prog | jq '[.[] | select(.name == "rbtop_drops")] | length'
}

counted_by() {
	[ "$(programs)" -eq "$1" ]
}

# ring MAP FILTER: true for that ring buffer, in time
ring() {
	host_soon "[.rings[] | select(.map == \"$1\" and (.gone | not))] |
		length == 1 and (.[0] | $2)"
}

# $refused: records refused so far, by the owner's own count
ask() {
	tell refused >/dev/null
	refused=$(told 2)
}

# counted NAME MAP BYTES ORDER...: after these orders, rbtop has counted for MAP
# what its owner has since $start, and BYTES for each of the records of these
# orders.
counted() {
	local name=$1 map=$2 bytes=$3 had=$refused

	shift 3
	check "$name" tell "$@"
	ask
	note "refused: $had, then $refused"
	sum=$((sum + bytes * (refused - had)))
	check "some are lost" [ "$refused" -gt "$had" ]
	check "which are counted to the record" ring "$map" \
		".lost == $((refused - start)) and .lost_bytes == $sum"
}

begin() {
	ask
	start=$refused sum=0
	host_option=--ringbuf-drops
	check "$1" host_start
	check "the kernel allows it" host '.host.uncounted == null'
	check "what was lost before is not counted" ring owner_ring \
		'.lost == 0 and .lost_bytes == 0 and .lost_counted >= 0'
}

check "an owner of BPF ring buffers" owner_start host_owner_bpf
check "is there" tell refused
check "it fills one" tell 'ring 4000 20'
check "without the option" host_start
check "no losses are known" ring owner_ring \
	'.lost == null and .lost_bytes == null and .lost_counted == null'
check "and nothing is attached" counted_by 0
check "rbtop ends" host_stop

begin "with it"
check "one program is attached" counted_by 1
counted "bpf_ringbuf_output()" owner_ring 32 'ring 500 20'
counted "records of another size" owner_ring 104 'ring 77 96'
counted "bpf_ringbuf_reserve() at a tracepoint" owner_ring 48 'trace 700'
check "it is full, which is no warning any more" ring owner_ring \
	'.fill > 0.99 and (.warnings | index("full") == null)'
check "none of them of the other ring buffer" ring owner_big_ring '.lost == 0'
had=$refused
check "which then loses some" tell 'drain big' 'big 6000 100'
ask
check "these are counted there" ring owner_big_ring \
	".lost == $((refused - had)) and .lost > 0"
start=$((start + refused - had))
check "the total has both" host_soon ".total.uncounted == 0 and .total.lost ==
	([.rings[] | select(.kind == \"bpf\") | .lost] | add)"

check "rbtop ends" host_stop

# 3000 records of 32 bytes between two drains
lose() {
	for i in 1 2 3 4 5 6 7 8; do
		tell 'drain ring' 'ring 3000 20' || return
		sleep 0.7
	done
	tell 'drain ring'
}
begin "anew"
check "a burst that does not fit, again and again" lose
ask
check "all of that is counted" ring owner_ring ".lost == $((refused - start))"
check "it is too small: 96000 bytes need 32 pages" ring owner_ring \
	'.verdict == "too small" and .advice.pages >= 32 and
	.advice.pages <= 64'
note "$(host_value '.rings[] | select(.map == "owner_ring") | .advice.text')"

check "another owner's are its own" owner_end
check "its rows go" host_soon 'of("host_owner_bpf") == []'
check "another starts" owner_start host_owner_bpf
check "and loses before it is seen" tell 'ring 3000 20'
ask
check "since it was made" ring owner_ring ".lost == $refused and .lost > 0"
check "SIGKILL" kill -KILL $watch
wait $watch
check "detaches it" wait_for counted_by 0

begin "another"
counted "a second count" owner_ring 32 'ring 500 20'
check "ends" host_stop
check "and detaches it" wait_for counted_by 0
ask
begin "attached and detached at once"
for i in 1 2 3; do
	tell 'ring 100 20' >/dev/null
	rbtop --host --ringbuf-drops -b -n 1 -d 0.1 >/dev/null 2>&1
done
tell 'ring 100 20' >/dev/null
ask
check "others do not disturb the count" ring owner_ring \
	".lost == $((refused - start)) and .lost == 400"
check "rbtop ends" host_stop
check "none is left" wait_for counted_by 0
owner_end
finish
