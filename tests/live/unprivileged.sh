#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# As a user without privileges, with kernel.perf_event_paranoid 2.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

paranoid=/proc/sys/kernel/perf_event_paranoid
mlock=/proc/sys/kernel/perf_event_mlock_kb

[ "$(id -u)" -eq 0 ] || skip_all "only root can become somebody else"
command -v setpriv >/dev/null || skip_all "setpriv is not installed"
old_paranoid=$(cat $paranoid)
old_mlock=$(cat $mlock)
restore() {
	echo "$old_paranoid" >$paranoid
	echo "$old_mlock" >$mlock
}
trap 'status=$?; restore; (exit "$status"); tap_exit' EXIT
echo 2 2>/dev/null >$paranoid || skip_all "$paranoid cannot be set here"

# Not all users may enter the build directory.
chmod 755 "$tmp"
cp "$RBTOP" "$tmp/rbtop"
nobody() {
	(cd / && ulimit -l "${memlock:-64}" &&
	 HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent exec setpriv \
		--reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=-all --bounding-set=-all "$tmp/rbtop" "$@")
}
nobody_ticks() {
	nobody -b --format json "$@" >"$tmp/ticks" 2>"$tmp/err"
}
work='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'

check "a command of one's own" nobody_ticks -d 30 -e cpu-clock -- sh -c "$work"
check "is counted in user space" \
	last 'all(.rings[]; .events[0].name == "cpu-clock:u")'
check "and sampled" last '.total.samples > 50'
check "the side-band follows it" \
	last '([.rings[].types.MMAP2 // 0] | add) > 2'
check "per thread" nobody_ticks -d 30 --per-thread -e cpu-clock -- sh -c "$work"
check "too" last '.total.samples > 50'
check "children inherit" nobody_ticks -d 30 -e page-faults -c 1 -- \
	sh -c '/bin/true; /bin/true; :'
check "and add up" equation
nobody -b -d 30 -e cpu-clock -- true >"$tmp/out" 2>"$tmp/err"
check "the notice says why" grep -q 'user space only' "$tmp/out"

refuse 1 "system-wide is refused" nobody -b -n 1 -a
system_wide='rbtop: system-wide monitoring needs root or CAP_PERFMON: '
system_wide=$system_wide'try sudo rbtop, or: rbtop -- COMMAND '
system_wide=$system_wide'(see '\''paranoid'\'' in rbtop --doctor)'
check "with what works" grep -qxF "$system_wide" "$tmp/err"
check "in one line" test "$(wc -l <"$tmp/err")" -eq 1
check "and that does work" nobody_ticks -d 30 -- sh -c "$work"
refuse 1 "another's process is refused" nobody -b -n 1 -p 1
check "with the remedy" grep -q 'CAP_SYS_PTRACE' "$tmp/err"
refuse 1 "kernel samples are refused" nobody -b -n 1 -e cpu-clock:k -- true
check "with the remedy" grep -q 'add :u' "$tmp/err"
check "and where to look" \
	grep -q "(see 'paranoid' in rbtop --doctor)\$" "$tmp/err"
refuse 1 "real-time readers are refused" nobody -b -n 1 -r 3 -- true
check "with the remedy" grep -q "CAP_SYS_NICE or a 'ulimit -r' of 3" "$tmp/err"
refuse 1 "tracepoints are refused" \
	nobody -b -n 1 -e sched:sched_switch -- true
check "with the remedy" grep -q 'CAP_PERFMON.*--doctor' "$tmp/err"

# Not root, but with the capabilities to read tracefs.
lent() {
	cd / && setpriv --reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=+perfmon,+dac_read_search \
		--ambient-caps=+perfmon,+dac_read_search "$tmp/rbtop" "$@"
}
[ -d /sys/kernel/tracing/events ] || mount -t tracefs none /sys/kernel/tracing
check "tracepoints with capabilities alone" \
	lent -b -n 1 -d 0.1 -e sched:sched_switch -- true

# Over the mlock limit: without -m, the size that fits; with -m, an error with
# the remedy.
echo 20 >$mlock
memlock=64
check "over the mlock limit it still runs" \
	nobody_ticks -d 30 -e cpu-clock -- true
check "with rings of what perf_event_mlock_kb gives" \
	last 'all(.rings[]; .size == 16384)'
memlock=0
# a command that runs once the rings are open
: >"$tmp/started"
chmod 666 "$tmp/started"
# shellcheck disable=SC2016
nobody -b -d 100 --per-thread -m 4 -e cpu-clock -- sh -c \
	'echo >"$0"; while [ -e "$0" ] && [ ! -e "$1" ]; do sleep 0.1; done' \
	"$tmp/started" "$tmp/enough" >/dev/null 2>&1 &
hog=$!
until [ -s "$tmp/started" ]; do
	kill -0 $hog || break
	sleep 0.05
done
nobody_ticks -d 30 -e cpu-clock -- true
check "where another ring takes of it the size is halved" \
	last 'all(.rings[]; .size < 16384)'
nobody -b -d 30 -e cpu-clock -- true >"$tmp/out" 2>"$tmp/err"
check "and the log says so" grep -q 'rings of .*K instead of 16K' "$tmp/out"
: >"$tmp/enough"
wait $hog
refuse 1 "-m over the limit is refused" nobody -b -n 1 -m 1024 -- true
check "with the limit and what to do" \
	grep -q 'perf_event_mlock_kb: leave out -m.*--doctor' "$tmp/err"
restore

# Debian's kernels refuse all events at 3; for other kernels 3 means 2.
echo 3 >$paranoid
if nobody -b -d 30 -e cpu-clock:u -- true >/dev/null 2>&1; then
	check "3 is no more than 2: the kernel is left out" \
		nobody_ticks -d 30 -e cpu-clock -- sh -c "$work"
	check "and the rest counted" \
		last 'all(.rings[]; .events[0].name == "cpu-clock:u")'
	refuse 1 "system-wide is refused" nobody -b -n 1 -a
	check "with what works" \
		grep -qxF "$system_wide" "$tmp/err"
else
	refuse 1 "3 refuses all" nobody -b -d 30 -e cpu-clock -- true
	check "with the sysctl that helps" \
		grep -q 'sysctl.*paranoid=2' "$tmp/err"
fi
finish
