# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=1024 seconds=180
#
# How long tracing stands still for a snapshot, by the module's clock: rbtop's
# and perf's, side by side.  Then large rings.
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
	read -r -t 10 answer <&9 || return
	sleep 0.5
	n=$1
	while [ "$n" -gt 0 ]; do
		kill -USR2 $perf
		sleep 0.3
		echo ping >&8
		read -r -t 10 answer <&9 || return
		n=$((n - 1))
	done
	# by then, not with the stop at its end
	stopped
	kill -INT $perf
	wait $perf
	exec 8>&- 9>&-
}

# Mean and longest time, in us, over the streams that are traced now.
stopped() {
	grep '^stream ' /proc/mimic | awk '
		{ for (i = 1; i < NF; i++) v[$i] = $(i + 1)
		  n += v["stops"]; ns += v["off_ns"]
		  if (v["off_max_ns"] > max) max = v["off_max_ns"] }
		END { printf "%.0f %.0f %d\n", ns / n / 1000, max / 1000, n }' \
		>$tmp/stopped
}

for size in 64 1024 4096; do
	mimic name=intel_pt form=pt rate=10000000
	check "perf takes ten snapshots" perf_times 10 $size
	read -r perf_mean perf_max n <$tmp/stopped
	note "perf, 4 x $size KiB: mean $perf_mean us, longest $perf_max us" \
		"($n)"

	mimic name=intel_pt form=pt rate=10000000
	check "rbtop starts" rb_start -e intel_pt// -m 64,${size}K -a
	sleep 0.5
	check "it takes ten snapshots" rb_snapshots 10
	stopped
	check "it ends" rb_stop
	read -r mean max n <$tmp/stopped
	note "rbtop, 4 x $size KiB: mean $mean us, longest $max us ($n)"
	note "rbtop says $(last_value '.snapshots.last |
		"stopped \(.stopped), spread \(.spread)"')"
	check "4 x $size KiB: no longer than perf" [ "$mean" -le "$perf_mean" ]
	rm -rf $snaps perf.data
done

mimic name=intel_pt form=pt rate=50000000
check "4 x 32 MiB: rbtop starts" rb_start -e intel_pt// \
	-e raw_syscalls:sys_enter -c 1 -m 1M,32M -a
sleep 1
check "4 x 32 MiB: a snapshot" rb_snapshots 1
check "4 x 32 MiB: rbtop ends" rb_stop
snaps_newest "4 x 32 MiB: each packet is intact"
check "4 x 32 MiB: the rings are whole" spans_full 33554432 64
check "4 x 32 MiB: no data record was lost" \
	last '.total.lost + .total.lost_pending == 0 and .total.samples > 0'
note "$(last_value '.snapshots.last | tostring')"
rm -rf $snaps

mimic name=intel_pt form=pt rate=50000000
check "50 MB/s, not wrapped: rbtop starts" rb_start -e intel_pt// \
	-m 64,128M -C 0
check "50 MB/s, not wrapped: a snapshot" rb_snapshots 1
written=$(streams bytes)
check "50 MB/s, not wrapped: rbtop ends" rb_stop
snaps_newest "50 MB/s, not wrapped: each packet is intact"
if [ "$written" -lt 134217728 ]; then
	check "50 MB/s, not wrapped: none is left out" [ "$(sum holes)" -eq 0 ]
else
	skip "50 MB/s, not wrapped: none is left out" \
		"the ring was full before the snapshot: $written bytes"
fi
note "$(tail -n 1 $tmp/trace)"
finish
