# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=512 seconds=300
#
# perf's own snapshots: an error here is one of the test machine, not of rbtop.
. /rig/lib.sh

# perf_start FILE OPTION...: start perf record, ready to take snapshots; its pid
# is in $perf
perf_start() {
	file=$1
	shift
	rm -f ctl ack
	mkfifo ctl ack
	exec 8<>ctl 9<>ack
	perf record -q -B -o "$file" --control=fifo:ctl,ack "$@" 2>perf.err &
	perf=$!
	acked enable
}

# acked COMMAND: true once perf has read and executed it
acked() {
	echo "$1" >&8
	read -r -t 200 answer <&9
}

# A snapshot takes a moment; the answer to ping comes after it.
snapshots() {
	n=$1
	while [ "$n" -gt 0 ]; do
		kill -USR2 $perf
		sleep 0.3
		acked ping || return
		n=$((n - 1))
	done
}

perf_stop() {
	kill -INT $perf
	wait $perf
	exec 8>&- 9>&-
	cat perf.err
	true
}

check "the module loads" mimic name=intel_pt form=pt rate=1000000
check "perf record -S -a starts" perf_start all.data \
	-e intel_pt// -S0x10000 -m,64K -a
check "it takes five snapshots" snapshots 5
check "it ends" perf_stop
intact "each packet of them is intact" --stops /proc/mimic all.data
check "there is a span for each CPU and snapshot" [ "$(sum spans)" -ge 20 ]
decodes "perf decodes them" all.data
check "stops are as many as starts" \
	[ "$(figure cpu stops | paste -sd' ')" = \
	  "$(figure cpu starts | paste -sd' ')" ]
note "$(grep -c . $tmp/trace) lines: $(tail -n 1 $tmp/trace)"

check "the module loads for 50 MB/s" mimic name=intel_pt rate=50000000
check "perf record -S -a starts" perf_start fast.data \
	-e intel_pt// -S0x100000 -m,1M -a
check "it takes five snapshots" snapshots 5
check "it ends" perf_stop
intact "each packet of them is intact" --stops /proc/mimic fast.data
note "$(tail -n 1 $tmp/trace); late $(figure cpu late_ns | paste -sd' ')"

mimic name=intel_pt rate=1000000
victim 1
check "perf record -S --per-thread starts" perf_start thread.data \
	-e intel_pt//u -S0x10000 -m,64K --per-thread -p $victim
check "it takes two snapshots" snapshots 2
check "it ends" perf_stop
kill $victim
intact "each packet is intact" thread.data
decodes "perf decodes them" thread.data
note "$(tail -n 1 $tmp/trace)"
finish
