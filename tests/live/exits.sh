#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Targets that end are events in the log, not failures.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may -- true || skip_all "$(why)"

# Whether rbtop, started by ends(), has opened its events.
has_opened() {
	local pid

	pid=$(cat "$tmp/rbtop.pid" 2>/dev/null) && [ -n "$pid" ] &&
		grep -qx rbtop-reader "/proc/$pid/task/"*/comm 2>/dev/null
}

# Wait for that: then the target may end.  After a minute it ends in any case.
opened() {
	local end=$((SECONDS + 60))

	until has_opened || [ "$SECONDS" -ge "$end" ]; do
		sleep 0.05
	done
}

# victim SECONDS: start a process, and kill it so long after opened()
victim() {
	rm -f "$tmp/rbtop.pid"
	sleep 1000 &
	victim=$!
	until [ "$(cat /proc/$victim/comm)" = sleep ]; do
		sleep 0.01
	done
	{ opened; sleep "$1"; kill "$victim"; } &
	disown -a 2>/dev/null
}

ends() {
	# shellcheck disable=SC2016
	timeout 200 sh -c 'echo $$ >"$0"; exec "$@"' "$tmp/rbtop.pid" \
		"$RBTOP" -b -d 1000 "$@" >"$tmp/text" 2>"$tmp/err"
}

victim 0.5
check "-p ends with its process, long before the delay" ends -p $victim
check "the log says so" grep -q "exit .*process $victim (sleep) ended" \
	"$tmp/text"
victim 0.5
check "-t too" ends -t $victim
victim 0.5
check "--per-thread too" ends --per-thread -p $victim
check "and its log says so" grep -q "process $victim (sleep) ended" "$tmp/text"

# One of two: the other's ring continues.
victim 0.5
one=$victim
victim 1.5
check "two threads, one after the other" ends --per-thread -p $one,$victim
check "both ends are logged" \
	test "$(grep -c "process \($one\|$victim\) (sleep) ended" \
		"$tmp/text")" -eq 2

# A child that survives is still watched: it has inherited events.
rm -f "$tmp/rbtop.pid"
# shellcheck disable=SC2016
bash -c 'until [ -e "$0" ]; do sleep 0.05; done; sleep 1.5 & exit 0' \
	"$tmp/opened" &
parent=$!
{ opened; : >"$tmp/opened"; } &
before=$(date +%s%N)
check "inherited events keep the session" ends -p $parent
check "until the child ends" \
	test $(($(date +%s%N) - before)) -gt 1200000000

# A thread of a process that survives.
has_two_threads() {
	[ "$(ls "/proc/$1/task" | wc -l)" -eq 2 ]
}
ends_thread() {
	local rbtop status=0

	soon has_two_threads $process || return
	: >"$tmp/text"
	"$RBTOP" -b -d 0.5 -p $process >"$tmp/text" 2>&1 &
	rbtop=$!
	soon test -s "$tmp/text" && echo >&3 && soon grep -q \
		"exit .*thread [0-9]* (python3) of process $process ended" \
		"$tmp/text" || status=$?
	[ $status -eq 0 ] || cat "$tmp/text"
	kill $rbtop
	wait $rbtop
	return $status
}
if command -v python3 >/dev/null; then
	mkfifo "$tmp/tell"
	exec 3<>"$tmp/tell"
	python3 -c '
import threading, time, sys
threading.Thread(target=sys.stdin.readline).start()
time.sleep(1000)' <"$tmp/tell" &
	process=$!
	check "a thread's end is logged" ends_thread
	kill $process
else
	skip "a thread's end" "python3 is not installed"
fi

# The target's last records are in the last tick.
check "a short command" ticks -d 30 -e page-faults -c 1 -- true
check "its samples are all there" \
	last '([.rings[].events[0].count] | add) as $n | $n > 20 and
	      $n == .total.samples + .total.lost'

# --fail-on: a slow reader, and a ring of one page
storm='-r 0 --readers 1 -m 1 -a -e raw_syscalls:sys_enter -c 1'
fails() {
	local want=$1 status=0

	shift
	"$RBTOP" "$@" >"$tmp/text" 2>"$tmp/err" || status=$?
	[ $status -eq "$want" ] && return
	echo "status $status"
	cat "$tmp/err"
	return 1
}
bytes='dd if=/dev/zero of=/dev/null bs=1 count=600000'
if may -a -e raw_syscalls:sys_enter -- true; then
	# shellcheck disable=SC2086
	check "--fail-on lost fails" fails 3 --fail-on lost \
		--format json $storm -- $bytes
	check "and says what was lost, where, and what helps" grep -q \
		'^rbtop: failed on lost: [0-9]* of [0-9]* records lost; worst ring: CPU [0-9]*; grow all rings to -m [0-9]*: CPU' \
		"$tmp/err"
	check "the last tick has that number" test "$(sed -n \
		's/.*lost: \([0-9]*\) of.*/\1/p' "$tmp/err")" = \
		"$(tail -n 1 "$tmp/text" | jq .total.lost)"
	# shellcheck disable=SC2086
	check "a share that is not reached" \
		fails 0 --fail-on lost\>99% $storm -- $bytes
	# shellcheck disable=SC2086
	check "the command's own failure comes first" \
		fails 7 --fail-on lost $storm -- sh -c "$bytes; exit 7"
else
	skip "--fail-on lost of a storm" "$(why)"
fi
check "nothing lost" fails 0 --fail-on lost --fail-on truncated -- true
check "a condition that there is not" fails 2 --fail-on stuck -- true

finish
