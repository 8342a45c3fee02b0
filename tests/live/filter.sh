#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rbtop keeps itself out of tracepoints, and applies the user's filters.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

event=raw_syscalls:sys_enter
may -a -e $event || skip_all "$(why)"

check "a run" ticks -n 4 -d 0.2 -a -e $event
check "not one record is rbtop's own" last '.self.own_records == 0'
check "--with-self" ticks -n 4 -d 0.2 -a -e $event --with-self
check "has some" last '.self.own_records > 0'

check "a filter" ticks -d 30 -a -e $event --filter 'id == 0' -m 1024 \
	-- dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none
all=$(tail -n 1 "$tmp/ticks" | jq '[.rings[].events[0].count] | add')
check "lets the reads through" test "$all" -ge 20000
check "a filter that nothing passes" ticks -d 30 -a -e $event \
	--filter 'id == 123456' -- dd if=/dev/zero of=/dev/null bs=1 \
	count=20000 status=none
check "leaves no sample" last '.total.samples == 0'
check "a filter on a command's events" ticks -d 30 -e $event \
	--filter 'id == 123456' -- true
check "works as well" last '.total.samples == 0'

refuse 2 "a field that is not there is refused" \
	"$RBTOP" -b -n 1 -a -e $event --filter 'nosuch == 1'
check "and the fields are named" grep -q 'fields are .*id' "$tmp/err"
check "in one line" test "$(wc -l <"$tmp/err")" -eq 1
refuse 2 "a filter with a syntax error is refused" \
	"$RBTOP" -b -n 1 -a -e $event --filter 'id =='
finish
