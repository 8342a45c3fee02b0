# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=300
#
# CPUs that go offline and online while their trace is recorded: the rest of the
# old ring is in the file once, and the new ring begins at 0.
. /rig/lib.sh
. /rig/rbtop.sh

turn_cpu() {
	echo "$2" >/sys/devices/system/cpu/cpu"$1"/online
}

# toggle CPU SECONDS: take it offline for that long
toggle() {
	turn_cpu "$1" 0 || return
	sleep "$2"
	turn_cpu "$1" 1
}

# More than one stream of that CPU: one per ring it had.
came_back() {
	[ "$(sed -n "s/^span .* cpu=$1 .* stream=\([0-9]*\) .*/\1/p" \
		$tmp/trace | sort -u | wc -l)" -ge "$2" ]
}

# toggle_seen CPU SECONDS: the same, until it is traced again
toggle_seen() {
	local before

	before=$(stream_of "$1")
	toggle "$1" "$2" && wait_for traced_since "$before" "$1"
}

toggle_all() {
	for cpu in 1 2 3; do
		toggle_seen $cpu 1 || return
	done
	toggle 2 0 && toggle_seen 2 0.3
}

mimic name=intel_pt form=pt rate=1000000
rm -f $tmp/full.data
check "rbtop starts" rb_start --full-trace -o $tmp/full.data \
	-e intel_pt// -a -m 64,1M
check "CPUs go and come back" toggle_all
check "its figures count on" \
	soon '.rings | length == 4 and all(.[]; .aux.bytes > 0)'
check "rbtop ends" rb_stop
intact "each packet is there once, and intact" --gaps full.data
check "what is missing did not fit" gaps_are_drops
for cpu in 1 2 3; do
	check "CPU $cpu: trace of both its rings" came_back $cpu 2
done
check "perf reads it" perf report -i full.data --header-only
note "$(tail -n 1 $tmp/trace)"

# The last trace of a CPU that is offline at the end is in the file.
mimic name=intel_pt form=pt rate=1000000
rm -f $tmp/full.data
check "rbtop starts again" rb_start --full-trace -o $tmp/full.data \
	-e intel_pt// -a -m 64,1M
sleep 1
check "a CPU goes" turn_cpu 3 0
sleep 2
check "rbtop ends without it" rb_stop
check "it comes back" turn_cpu 3 1
intact "each packet is there once" --gaps full.data
check "what is missing did not fit" gaps_are_drops
check "all packets are in the file" \
	[ "$(sum packets)" -eq "$(streams packets)" ]
note "$(tail -n 1 $tmp/trace)"
finish
