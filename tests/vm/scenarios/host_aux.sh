# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=900
#
# Other processes' AUX rings, seen by rbtop --host: their heads and sizes are
# the module's, full ones are reported, and CPUs go offline and online.
. /rig/lib.sh
. /rig/host.sh

# aux_heads OWNER: true if each CPU's AUX ring has the module's size and its
# last head
aux_heads() {
	local cpu stream

	for cpu in 0 1 2 3; do
		stream="stream $(stream_of $cpu)"
		host "of(\"$1\") | any(.[]; .cpu == $cpu and
			.aux.size == $(figure "$stream" size) and
			.aux.head == $(figure "$stream" head))" || return
	done
}

# stopped NAME COMM PID: a stopped process does not drain, and tracing ends.
# The kernel should disable the event then, but from 6.1 on, until 6.16, it does
# not on CPU 0 or on all (perf_aux_output_end()).  $halted: the sum of the
# heads.
stopped() {
	kill -STOP "$3"
	check "$1: stopped, its AUX rings fill and it is told" host_soon \
		"of(\"$2\") | length == 4 and all(.[]; warned(\"truncated\") and
		.aux.used > .aux.size - 4096 and
		.aux.used == .aux.head - .aux.tail)"
	check "$1: the heads are the module's" in_time aux_heads "$2"
	halted=$(streams head)
	kill -CONT "$3"
	check "$1: it goes on, and drains them" host_soon \
		"of(\"$2\") | length == 4 and
		all(.[]; warned(\"truncated\") | not)"
}

heads_moved() {
	[ "$(streams head)" -gt "$1" ]
}

check "rbtop --host starts" host_start
# Slow enough for perf to keep up where the machine has other work: a ring that
# was full before is drained, but the kernel's forgotten event on CPU 0 looks
# enabled, so that perf's ENABLE does not start it again.
mimic name=intel_pt form=pt rate=50000
record -e intel_pt// -m 64,256K -a
check "perf's full trace: a ring for each CPU" host_soon \
	'of("perf") | map(.cpu) | sort == [0, 1, 2, 3]'
check "their sizes" host 'of("perf") | all(.[]; .size == 262144 and
	.watermark == 131072 and .aux.size == 262144 and
	.aux.watermark == 65536 and (.aux.overwrite | not))'
check "their owner and events" host "of(\"perf\") | all(.[];
	.owner.pid == $perf and .mapped and .user == \"root\" and
	any(.events[]; .name | test(\"^intel_pt/\")))"
check "and the memory that they pin" host 'of("perf") | all(.[];
	.locked == 2 * 262144 + 4096)'
stopped "perf's full trace" perf $perf
check "perf ends, and its rings with it" record_end

mimic name=intel_pt form=pt rate=1000000
record -e intel_pt// -S -m 64,256K -a
check "perf record -S: AUX rings that are written over" host_soon \
	'of("perf") | length == 4 and all(.[]; .aux.overwrite and
	.aux.size == 262144 and .aux.used == null)'
# snapped: true once a snapshot was taken; the signal is ignored until rbtop is
# ready
snapped() {
	kill -USR2 $perf
	host 'of("perf") | any(.[]; .aux.head > 0)'
}

check "perf record -S: a snapshot" in_time snapped
check "perf record -S: the heads are those of the snapshot" \
	in_time aux_heads perf
check "perf record -S: and not all at 0" host \
	'of("perf") | any(.[]; .aux.head > 0)'
check "perf ends, and its rings with it" record_end

# rbtop_start OPTION...: a session, in $rb
rbtop_start() {
	rbtop -b -d 1 -a "$@" >/dev/null 2>$tmp/rb.err &
	rb=$!
}

rbtop_end() {
	kill -TERM $rb
	wait $rb
	cat $tmp/rb.err
	host_soon 'of("rbtop") == []'
}

mimic name=cs_etm form=raw free_running=1 rate=10000000
mkdir $tmp/snapshots
rbtop_start --output $tmp/snapshots -e cs_etm/@tmc_etr0/ -m 64,64K
check "a head that counts on: four rings" host_soon \
	'of("rbtop") | length == 4 and all(.[]; .aux.overwrite)'
check "a head that counts on: the rings fill" wait_for all_wrote 65536
kill -USR2 $rb
check "a head that counts on: it is beyond the size" host_soon \
	'of("rbtop") | all(.[]; .aux.head > .aux.size)'
check "a head that counts on: it is the module's" in_time aux_heads rbtop
check "rbtop ends, and its rings with it" rbtop_end

turn_cpu() {
	echo "$2" >/sys/devices/system/cpu/cpu"$1"/online
}

# A CPU's ring disappears with it, and a new one begins at 0.
mimic name=intel_pt form=pt rate=1000000
rbtop_start --full-trace -o $tmp/full.data -e intel_pt// -m 64,1M
check "rbtop's own AUX rings" host_soon 'of("rbtop") | length == 4 and
	all(.[]; .aux.size == 1048576 and .aux.head > 0)'
before=$(stream_of 3)
turn_cpu 3 0
check "a CPU goes: the others are still there" host_soon \
	'of("rbtop") | [.[] | select(any(.events[]; .state == "active"))] |
	map(.cpu) | sort == [0, 1, 2]'
turn_cpu 3 1
check "it comes back and is traced anew" in_time traced_since "$before" 3
check "with a ring of its own" host_soon 'of("rbtop") |
	map(select(any(.events[]; .state == "active")) | .cpu) |
	sort == [0, 1, 2, 3]'
stopped "after that" rbtop $rb
check "after that: tracing goes on" in_time heads_moved "$halted"
check "rbtop ends, and its rings with it" rbtop_end
check "rbtop --host ends" host_stop
finish
