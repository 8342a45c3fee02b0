#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In a storm of system calls every record is accounted for.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

calls=300000

may -a -e raw_syscalls:sys_enter -c 1 || skip_all "$(why)"

for pages in 1 4 16 128; do
	check "storm at -m $pages" ticks -d 30 -e raw_syscalls:sys_enter -c 1 \
		-a -m $pages -- dd if=/dev/zero of=/dev/null bs=1 \
		count=$calls status=none
	tells_lost || { skip "-m $pages" "the kernel has no PERF_FORMAT_LOST"
		continue; }
	check "all of it was seen" \
		last "([.rings[].events[0].count] | add) >= 2 * $calls"
	check "samples + lost = count at -m $pages" equation
	check "rings are of $pages pages" \
		last "all(.rings[]; .size == $pages * $(getconf PAGESIZE))"
	check "types add up to records" \
		last 'all(.rings[]; ([.types[]] | add // 0) == .records)'
	check "fill never exceeds the ring" \
		every 'all(.rings[]; .fill <= 1 and .peak <= 1 and .fill >= 0)'
done

# With a command, with inherited events, and in the middle of a run.
check "a command's storm" ticks -d 0.1 -e raw_syscalls:sys_enter -c 1 -m 4 \
	-- dd if=/dev/zero of=/dev/null bs=1 count=$calls status=none
adds_up() {
	if tells_lost; then
		check "$1" equation
	else
		skip "$1" "the kernel has no PERF_FORMAT_LOST"
	fi
}
adds_up "adds up too"
check "and is counted whole" \
	last "([.rings[].events[0].count] | add) >= 2 * $calls"

check "per thread" ticks -d 30 --per-thread -e raw_syscalls:sys_enter -c 1 \
	-m 4 -- dd if=/dev/zero of=/dev/null bs=1 count=$calls status=none
adds_up "adds up"

finish
