# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=512 seconds=600
#
# The files: their names and modes, how many are kept, a full disk; other
# reasons that start or forbid a snapshot; CPUs that go offline.
. /rig/lib.sh
. /rig/rbtop.sh

mode_of() {
	stat -c %a "$1"
}

# Only finished snapshots are there.
no_rest() {
	ls -A $snaps
	[ "$(ls -A $snaps | wc -l)" -eq "$(snap_count)" ]
}

newest_snap() {
	ls $snaps | tail -n 1
}

snaps_are() {
	[ "$(snap_count)" -eq "$1" ]
}

# replaced NAME: true if another one is the newest, and there are three
replaced() {
	[ "$(newest_snap)" != "$1" ] && snaps_are 3
}

mimic name=intel_pt form=pt rate=1000000
check "rbtop starts" rb_start -e intel_pt// -m 64,64K -a --keep 3
check "three snapshots" rb_snapshots 3
for n in 4 5; do
	newest=$(newest_snap)
	kill -USR2 $rb
	check "--keep 3: snapshot $n takes the place of another" \
		wait_for replaced "$newest"
done
check "their mode is 600" [ "$(mode_of $snaps/"$(newest_snap)")" = 600 ]
check "nothing else is there" no_rest
check "rbtop ends" rb_stop
snaps_intact "each packet is intact"

# One may be in progress, and one queued.
all_counted() {
	last '.snapshots | .requests - .taken - .merged | . >= 0 and . <= 2' &&
		[ "$(snap_count)" -ge "$(last_value .snapshots.taken)" ]
}

began=$(date +%s)
check "--snapshot-every 1: rbtop starts" rb_start -e intel_pt// -m 64,64K -a \
	--snapshot-every 1
check "it takes some" soon '.snapshots | .requests >= 4 and .taken >= 1'
check "rbtop ends" rb_stop
check "no more than one a second was due" \
	last ".snapshots.requests <= $(date +%s) - $began + 1"
check "all are counted" all_counted

check "-S2K" rb_ticks -e intel_pt// -S2K -m 64,64K -a -d 1 -n 1
check "warns that it may not be decodable" \
	grep 'snapshots of 2K may not be decodable' $tmp/rb.err

check "--snapshot-on" rb_ticks -e intel_pt// -e sched:sched_process_exec \
	-c 1 -m 64,64K -a --snapshot-on 'comm == "uname"' -d 1 -n 1
check "nothing happened, no snapshot" [ "$(snap_count)" -eq 0 ]
rb_start -e intel_pt// -e sched:sched_process_exec -c 1 -m 64,64K -a \
	--snapshot-on 'comm == "uname"'
sleep 1
busybox uname >/dev/null
/rig/bin/uname >/dev/null 2>&1
cp /bin/busybox $tmp/uname && $tmp/uname >/dev/null
check "it happened: a snapshot" wait_for has_snaps 1
check "rbtop ends" rb_stop

mkdir -p $tmp/small
mount -t tmpfs -o size=1m small $tmp/small
check "a disk of 1 MiB: rbtop starts" rb_start -e intel_pt// -m 64,128K -a \
	--output $tmp/small
snaps=$tmp/small
check "the rings fill" wait_for all_wrote 131072
kill -USR2 $rb
check "one snapshot fits" wait_for has_snaps 1
kill -USR2 $rb
check "the next does not, and it is told" soon '.snapshots.failed == 1 and
	(.snapshots.last.error | test("[Ss]pace"))'
check "it is not there" snaps_are 1
check "nothing is left of it" no_rest
check "rbtop ends, and fails" rb_stop 1
check "which it says" grep '1 of 2 snapshots failed: No space' $tmp/rb.err
snaps_intact "the one before is whole"
snaps=$tmp/snapshots
umount $tmp/small

mimic name=intel_pt form=pt rate=1000000 addr_filters=2
cp /rig/bin/spin $tmp/app
check "--aux-filter" rb_ticks -e intel_pt//u --aux-filter \
	"filter 0x1000/0x2000@$tmp/app" -m 64,64K -n 1 -d 0.5 -- \
	$tmp/app 1 1
check "the PMU was told" grep -q '^filter filter .* 0x2000 ' /proc/mimic
note "$(grep '^filter' /proc/mimic)"
one=0x10@$tmp/app
check "three where two are possible are refused" sh -c "! rbtop -b -n 1 \
	-e intel_pt//u --aux-filter \
	'filter 0x1000/$one,filter 0x2000/$one,filter 0x3000/$one' -- true"

mimic name=intel_pt form=pt rate=1000000
perf record -q -B -o $tmp/perf.data -e intel_pt// -a 2>/dev/null &
perf=$!
check "another tracer traces" wait_for traced_since 0 3
check "beside another tracer it is refused" sh -c \
	"! rbtop -b -n 1 -e intel_pt// -a 2>$tmp/busy"
check "in one line" [ "$(grep -c . $tmp/busy)" -eq 1 ]
note "$(cat $tmp/busy)"
kill -INT $perf
wait $perf

# In the newest file, the trace of CPU $1 is of stream $2.
has_trace() {
	check_trace "$snaps/$(newest_snap)" >$tmp/newest
	cat $tmp/newest
	grep -q "^span .* cpu=$1 .* stream=$2 packets=[1-9]" $tmp/newest
}

check "a CPU that goes away: rbtop starts" rb_start -e intel_pt// -m 64,64K -a
before=$(stream_of 3)
echo 0 >/sys/devices/system/cpu/cpu3/online
check "a snapshot without it" rb_snapshots 1
echo 1 >/sys/devices/system/cpu/cpu3/online
check "it is traced anew" wait_for traced_since "$before" 3
check "one with it again" rb_snapshots 1
check "and what it traced since is in the file" has_trace 3 "$(stream_of 3)"
note "level $(cat /proc/sys/kernel/perf_event_paranoid)"
check "rbtop ends" rb_stop
snaps_intact "each packet is intact"

# calls COUNT: twice as many system calls, all on one CPU
calls() {
	taskset 2 dd if=/dev/zero of=/dev/null bs=1 count="$1" 2>/dev/null
}

# Losses are reported with the next record that fits.
snapped() {
	calls 10
	has_snaps 1
}

# fires NAME CONDITION TEXT LOAD OPTION...: check that it fires with TEXT as the
# reason
fires() {
	local name=$1 condition=$2 text=$3 load=$4

	shift 4
	mimic name=intel_pt form=pt rate=1000000
	check "$name: rbtop starts" rb_start -e intel_pt// "$@" \
		--snapshot-on "$condition"
	$load 10000
	check "$name: a snapshot" wait_for snapped
	check "$name: which says why" soon ".snapshots |
		.fired >= 1 and (.last.trigger | test(\"$text\"))"
	note "$(last_value .snapshots.last.trigger)"
	check "$name: rbtop ends" rb_stop
	snaps_intact "$name: each packet is intact"
}

fires "records are lost" lost '^lost: [1-9][0-9,]* records? on ring' 'rb_still calls' \
	-e raw_syscalls:sys_enter -c 1 -a -m 1,64K
fires "a ring fills" 'fill>50%' '^fill>50%: [5-9][0-9] %|: 100 %' \
	'rb_still calls' -e raw_syscalls:sys_enter -c 1 -a -m 16,64K
rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
echo 1000 >/proc/sys/kernel/perf_event_max_sample_rate
# its record needs room in the ring: rbtop drains it
fires "an event is throttled" throttle '^throttle: ' calls \
	-e cpu-clock -c 50000 -a -m 64,64K
echo "$rate" >/proc/sys/kernel/perf_event_max_sample_rate
finish
