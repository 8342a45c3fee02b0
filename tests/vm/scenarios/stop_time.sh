# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=1024 seconds=1500
#
# How long tracing is stopped for a snapshot, by the module's clock: with rbtop
# and with perf, in turn.  Then large rings.
. /rig/lib.sh
. /rig/rbtop.sh

# perf_times COUNT AUX_KIB
perf_times() {
	rm -f ctl ack
	mkfifo ctl ack
	exec 8<>ctl 9<>ack
	perf record -q -B -o perf.data --control=fifo:ctl,ack \
		-e intel_pt// -S$(($2 * 1024)) -m,"$2K" -a 2>perf.err &
	perf=$!
	echo enable >&8
	read -r -t 200 answer <&9 || return
	sleep 1
	n=$1
	while [ "$n" -gt 0 ]; do
		kill -USR2 $perf
		sleep 0.3
		echo ping >&8
		read -r -t 200 answer <&9 || return
		n=$((n - 1))
	done
	# now, before the stop at its end
	stopped
	kill -INT $perf
	wait $perf
	exec 8>&- 9>&-
}

# Print a line per traced stream: shortest and longest time, in us.  Other load
# of the host only makes a time longer, up to a hundredfold: the shortest of
# three is nearest to what the program itself needs.
stopped() {
	grep '^stream ' /proc/mimic | awk '
		{ for (i = 1; i < NF; i++) v[$i] = $(i + 1)
		  if (v["stops"])
			printf "%.0f %.0f\n", v["off_min_ns"] / 1000,
			       v["off_max_ns"] / 1000 }' >>$stops
}

# median FILE: the median of the streams' shortest times, in the turn where it
# is least; a turn has four lines
median() {
	awk '{ print int((NR - 1) / 4), $1 }' "$1" | sort -n -k 1,1 -k 2,2 |
		awk 'NR % 4 == 2 { print $2 }' | sort -n | head -n 1
}

longest() {
	awk '$2 > max { max = $2 } END { print max }' "$1"
}

# As with perf: with a pause after each.
in_turn() {
	local n=$1

	while [ "$n" -gt 0 ]; do
		rb_snapshots 1 || return
		sleep 0.3
		n=$((n - 1))
	done
}

traced() {
	[ "$(streams bytes)" -gt 1000000 ]
}

# A ring that is not full yet when it is stopped, at a rate near the highest
# that this machine can keep up with: the bytes written by then are compared; if
# they are more than fit, half the rate is tried.
early_snapshot() {
	rate=50000000
	while [ $rate -ge 1000000 ]; do
		mimic name=intel_pt form=pt rate=$rate
		fresh_snaps
		rbtop -b --format json --output $snaps -e intel_pt// \
			-m 64,128M -C 0 >$tmp/ticks 2>$tmp/rb.err &
		rb=$!
		wait_for traced && rb_snapshots 1 || return
		packets=$(sed -n 's/^stop [0-9]* //p' /proc/mimic | tail -n 1)
		rb_stop || return
		[ $((packets * 64)) -ge 134217728 ] || return 0
		rate=$((rate / 2))
	done
	echo "the ring was full every time: $packets packets"
	return 1
}

perf_run() {
	stops=$tmp/perf_stops
	mimic name=intel_pt form=pt rate=10000000
	check "perf takes three snapshots" perf_times 3 "$1"
}

rbtop_run() {
	stops=$tmp/rbtop_stops
	mimic name=intel_pt form=pt rate=10000000
	check "rbtop starts" rb_start -e intel_pt// -m "64,${1}K" -a
	# symbols were read and tasks listed by then
	sleep 2
	check "it takes three snapshots" in_turn 3
	stopped
	check "it ends" rb_stop
}

# Percent.  With almost nothing to copy, the time is that of stopping four CPUs
# on one emulator, which varies by a tenth and more from run to run.
tolerance() {
	[ "$1" -gt 64 ] && echo 100 || echo 125
}

# no_longer SIZE: compare the measurements so far
no_longer() {
	perf_median=$(median $tmp/perf_stops)
	median=$(median $tmp/rbtop_stops)
	[ "$median" -le $((perf_median * $(tolerance "$1") / 100)) ]
}

# In turn, since the host's speed varies: three turns, and more if perf seems to
# be faster.
for size in 64 1024 4096; do
	rm -f $tmp/perf_stops $tmp/rbtop_stops
	for turns in 1 2 3 4 5 6 7 8; do
		perf_run $size
		rbtop_run $size
		[ $turns -lt 3 ] || ! no_longer $size || break
	done
	note "4 x $size KiB: perf $perf_median us, at most" \
		"$(longest $tmp/perf_stops); rbtop $median us, at most" \
		"$(longest $tmp/rbtop_stops); of $(grep -c . \
		$tmp/rbtop_stops) streams"
	note "rbtop says $(last_value '.snapshots.last |
		"stopped \(.stopped), spread \(.spread)"')"
	check "4 x $size KiB: no longer than perf" no_longer $size
	rm -rf $snaps perf.data
done

mimic name=intel_pt form=pt rate=50000000
check "4 x 32 MiB: rbtop starts" rb_start -e intel_pt// \
	-e raw_syscalls:sys_enter -c 1 -m 1M,32M -a
check "4 x 32 MiB: the rings fill" wait_for all_wrote 33554432
check "4 x 32 MiB: a snapshot" rb_snapshots 1
check "4 x 32 MiB: rbtop ends" rb_stop
snaps_newest "4 x 32 MiB: each packet is intact"
check "4 x 32 MiB: the rings are whole" spans_full 33554432 64
check "4 x 32 MiB: no data record was lost" \
	last '.total.lost == 0 and .total.samples > 0'
note "$(last_value '.snapshots.last | tostring')"
rm -rf $snaps

check "128 MiB, not wrapped: a snapshot" early_snapshot
snaps_newest "128 MiB, not wrapped: each packet is intact"
check "128 MiB, not wrapped: none is left out" [ "$(sum holes)" -eq 0 ]
note "at $rate bytes/s: $(tail -n 1 $tmp/trace)"
finish
