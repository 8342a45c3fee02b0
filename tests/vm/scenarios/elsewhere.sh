# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=2 memory=640 seconds=300
#
# One CPU of two is traced.  A task that starts and calls exec(2) on the other
# one, moves here and ends is known in snapshots and recordings.
. /rig/lib.sh
. /rig/rbtop.sh

cp /rig/bin/spin $tmp/brief

# called PID NAME: true once it has called exec(2)
called() {
	[ "$(cat /proc/"$1"/comm)" = "$2" ]
}

# ran_on PID CPU: true if it last ran there
ran_on() {
	[ "$(cut -d' ' -f 39 /proc/"$1"/stat)" = "$2" ]
}

# Moves from CPU 0 to CPU 1, and stays there.
moves() {
	taskset 1 $tmp/brief 1 10000 &
	moved=$!
	wait_for called $moved brief || return
	taskset -p 2 $moved
	wait_for ran_on $moved 1 || return
	sleep 0.5
	kill $moved
	wait $moved
	sleep 0.5
}

# known FILE: true if its exec and its mappings are there
known() {
	perf script --show-task-events --show-mmap-events -i "$1" \
		>$tmp/events 2>$tmp/script.err
	grep "$moved" $tmp/events
	grep -q "PERF_RECORD_COMM exec: brief:$moved/" $tmp/events &&
		grep -q "PERF_RECORD_MMAP2 $moved/.*/brief" $tmp/events
}

mimic name=intel_pt form=pt rate=100000
check "rbtop starts" rb_start -e intel_pt// -C 1 -S -m 64,256K
check "a task moves here, and ends" moves
check "there is one ring" last '[.rings[].cpu] == [1]'
check "a snapshot is taken" rb_snapshots 1
check "the task is in it" known "$(snap_files)"
intact "each packet is intact" "$(snap_files)"
check "rbtop ends" rb_stop

mimic name=intel_pt form=pt rate=100000
check "rbtop starts" rb_start -e intel_pt// -C 1 -o $tmp/record.data -m 64,256K
check "a task moves here, and ends" moves
check "rbtop ends" rb_stop
check "the task is in the recording" known $tmp/record.data
intact "each packet is intact" --gaps $tmp/record.data
finish
