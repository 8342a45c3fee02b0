#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Several events in one ring, alone and in groups.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may -- true || skip_all "$(why)"
work='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done
for j in 1 2 3; do /bin/true; done'

check "a group runs" ticks -d 30 -e '{task-clock,page-faults}' -- bash -c "$work"
check "the members count with their leader" \
	last '([.rings[].events[] | select(.name | test("^task-clock")).count] |
	       add) > 1e7 and
	      ([.rings[].events[] | select(.name | test("^page-faults")).count] |
	       add) > 50'
check "their samples are told apart" \
	last '.total.samples == ([.rings[].events[].samples] | add)'
check "side by side" ticks -d 30 -e task-clock,page-faults -e minor-faults \
	-c 100000 -- bash -c "$work"
check "three events and the side-band are in each ring" \
	last 'all(.rings[]; .events | length == 4)'

# A fault is minor or major; as one group they are scheduled together.  A fault
# interrupted by a signal is neither, and is repeated.
check "a group with one period" ticks -d 30 -c 1 \
	-e '{page-faults:u,minor-faults:u,major-faults:u}' -- bash -c "$work"
check "counts each fault twice" \
	last 'def all_of(kind): [.rings[].events[] |
			select(.name | test(kind)).count] | add;
	      all_of("page") as $n |
	      ($n - all_of("minor") - all_of("major")) as $broken_off |
	      $n > 100 and $broken_off >= 0 and $broken_off < $n / 10'
check "and samples each count" \
	last '[.rings[].events[] | select(.name != "side-band")] |
	      all(.[]; .count == .samples + (.lost // 0))'
finish
