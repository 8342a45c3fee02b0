# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=2 memory=640 seconds=300
#
# A user without privileges, at each level of kernel.perf_event_paranoid: what
# works, and what the error of a refused start suggests.
. /rig/lib.sh

paranoid=/proc/sys/kernel/perf_event_paranoid
echo nobody:x:65534:65534:nobody:/tmp:/bin/sh >>/etc/passwd
chmod 755 $tmp
work='i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'
echo "$work" >$tmp/work

# nobody OPTION...: options must not contain blanks
nobody() {
	su nobody -s /bin/sh -c "cd /tmp; exec rbtop -b $*" >$tmp/out 2>$tmp/err
}

ticks() {
	nobody --format json -d 20 "$@" || {
		cat $tmp/err
		return 1
	}
}

last() {
	tail -n 1 $tmp/out | jq -en "input | $1" >/dev/null && return
	tail -n 1 $tmp/out | cut -c 1-1000
	return 1
}

sampled() {
	last '.total.samples > 5 and
		all(.rings[]; .events[0].name == "cpu-clock:u") and
		([.rings[].types.MMAP2 // 0] | add) > 0'
}

# refused PATTERN OPTION...: check for an error of one line that matches PATTERN
refused() {
	local want=$1

	shift
	nobody "$@" && return 1
	cat $tmp/err
	[ "$(wc -l <$tmp/err)" -eq 1 ] && grep -q -e "$want" $tmp/err
}

# own LEVEL: check the user's own command, in each mode
own() {
	check "$1: a command" ticks -e cpu-clock:u -- sh $tmp/work
	check "$1: it is sampled, its mappings known" sampled
	check "$1: one ring for its thread" \
		ticks --per-thread -e cpu-clock:u -- sh $tmp/work
	check "$1: it is sampled" sampled
}

echo 2 >$paranoid
own 2
check "2: the kernel is left out" ticks -e cpu-clock -- sh $tmp/work
check "2: it is sampled" sampled
check "2: system-wide is refused, with what works" \
	refused 'system-wide.*try sudo rbtop, or: rbtop -- COMMAND' -n 1
check "2: so is somebody else's process" \
	refused "another user's process" -e cpu-clock:u -n 1 -p 1

echo 3 >$paranoid
check "3: all is refused, with the sysctl that helps" \
	refused 'sysctl kernel.perf_event_paranoid=2' -e cpu-clock:u -- true
check "3: system-wide is, too" \
	refused 'sysctl kernel.perf_event_paranoid=2' -n 1

echo 1 >$paranoid
own 1
finish
