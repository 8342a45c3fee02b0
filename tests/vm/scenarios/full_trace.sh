# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=600
#
# Full trace: the figures of the ticks, of the file, of the module and of the
# kernel's records are the same.
. /rig/lib.sh
. /rig/rbtop.sh

# recorded NAME SIZES COMMAND...: record while COMMAND runs; the last tick is of
# the end.  Recording implies full trace, without --full-trace.
recorded() {
	rm -f $tmp/full.data $tmp/done
	check "$1: rbtop starts" rb_start -o $tmp/full.data -e intel_pt// -a \
		-m "$2" -- sh -c "until [ -e $tmp/done ]; do sleep 0.1; done"
	shift 2
	"$@"
	touch $tmp/done
	check "rbtop ends" wait $rb
}

truncations() {
	last_value '[.rings[].aux.truncated] | add'
}

# On the screen, the head and tail of each CPU are those of the module, after
# tracing was stopped and all was drained.
heads_shown() {
	local cpu head

	for cpu in 0 1 2 3; do
		head=$(grep "^stream .* cpu $cpu " /proc/mimic | tail -n 1 |
			value_of head)
		term_shows "CPU $cpu: head $head, tail $head" || return
		term_keys Down
	done
}

heads_moved() {
	[ "$(streams head)" -gt "$1" ]
}

# The sum of the AUX records is the head, on each CPU.
aux_adds_up() {
	grep '^aux ' $tmp/trace
	grep '^aux ' $tmp/trace | tr '=' ' ' | awk '
		{ for (i = 2; i < NF; i += 2) v[$i] = $(i + 1)
		  if (v["bytes"] != v["end"] || v["bytes"] == 0) bad = 1 }
		END { exit bad || NR == 0 }'
}

# The bytes that each CPU has written so far, plus 64000.
bytes_written() {
	for cpu in 0 1 2 3; do
		figure "stream $(stream_of $cpu)" bytes
	done
}

# shellcheck disable=SC2086 # numbers
all_wrote_more() {
	set -- $written $(bytes_written)
	echo "$@"
	[ "$5" -gt $(($1 + 64000)) ] && [ "$6" -gt $(($2 + 64000)) ] &&
		[ "$7" -gt $(($3 + 64000)) ] && [ "$8" -gt $(($4 + 64000)) ]
}

# A reader that is stopped three times.
stand_still() {
	for _ in 1 2 3; do
		sleep 0.5
		rb_still sleep 0.5
		written=$(bytes_written)
		check "tracing goes on after that, on every CPU" \
			wait_for all_wrote_more
	done
}

mimic name=intel_pt form=pt rate=1000000
recorded "a fast reader" 64,1M sleep 3
intact "each packet is intact" full.data
check "AUX records add up to the head" aux_adds_up
check "all packets are in the file" \
	[ "$(sum packets)" -eq "$(streams packets)" ]
check "none was dropped" [ "$(streams dropped)" -eq 0 ]
check "the ticks count no truncation" \
	last '.rings | length == 4 and all(.[]; .aux.truncated == 0)'
check "the sizes of the records are the head" \
	last 'all(.rings[]; .aux.bytes == .aux.head and .aux.head > 0)'
note "$(tail -n 1 $tmp/trace)"

mimic name=intel_pt form=pt rate=1000000
recorded "a slow reader" 64,128K stand_still
intact "each packet that came is intact" --gaps full.data
check "the ticks count truncations" \
	last 'all(.rings[]; .aux.truncated > 0 and .aux.reenabled > 0)'
check "as many as the module reported" \
	[ "$(truncations)" -eq "$(streams truncated)" ]
check "the peaks say that the rings were full" \
	last 'all(.rings[]; .aux.peak > 0.99)'
note "packets of each CPU: $(figure 'stream .*' packets | paste -sd' ')"
check "all packets are in the file" \
	[ "$(sum packets)" -eq "$(streams packets)" ]
check "the gaps are what the module dropped" gaps_are_drops
note "$(tail -n 1 $tmp/trace)"
note "$(last_value '[.rings[].aux | {truncated, reenabled}] | tostring')"
note "module: dropped $(streams dropped) truncated $(streams truncated)"

# So little trace that it fits on the guest's disk, however long this takes; the
# data ring overflows while its reader is stopped, in a time for which the AUX
# ring has room.
mimic name=intel_pt form=pt rate=100000
rm -f $tmp/full.data
check "a data ring of one page: rbtop starts" rb_start --full-trace \
	-o $tmp/full.data -e intel_pt// -e raw_syscalls:sys_enter -c 1 \
	-a -m 1,256K
rb_still dd if=/dev/zero of=/dev/null bs=1 count=500 2>/dev/null
dd if=/dev/zero of=/dev/null bs=1 count=20000 2>/dev/null
check "records were lost" soon '.total.lost > 0'
check "rbtop ends" rb_stop
intact "each packet that came is intact" --gaps full.data
check "all packets are in the file" \
	[ "$(sum packets)" -eq "$(streams packets)" ]
check "the gaps are what the module dropped" gaps_are_drops
note "$(tail -n 1 $tmp/trace); lost $(last_value '.total.lost')"

mimic name=intel_pt form=pt rate=1000000
check "on a terminal: rbtop starts" term_start --full-trace -e intel_pt// \
	-a -m 64,256K
term_keys 4
check "AUX shows what each CPU writes" term_shows 'CPU 3 .*[0-9][KM]'
sleep 1
term_keys e
check "e says what it would do" term_shows 'press e again to disable'
term_keys e
check "e again stops tracing" term_shows 'events disabled'
check "heads and tails are the module's" heads_shown
stopped=$(streams head)
term_keys e
check "e once more resumes it" term_shows 'events enabled'
check "the heads move" wait_for heads_moved "$stopped"
term_keys q
term_end
finish
