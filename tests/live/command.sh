#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command after "--": its status, its output, its end.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may -- true || skip_all "$(why)"

refuse 0 "status 0" "$RBTOP" -b -d 30 -- true
refuse 7 "status 7 is rbtop's" "$RBTOP" -b -d 30 -- sh -c 'exit 7'
refuse 130 "status 130 is too" "$RBTOP" -b -d 30 -- sh -c 'exit 130'
check "and not taken for a signal" grep -q 'ended with status 130' "$tmp/out"
refuse 7 "though SIGCHLD was ignored" timeout 100 \
	env --ignore-signal=CHLD "$RBTOP" -b -d 30 -- sh -c 'exit 7'
refuse 143 "killed by SIGTERM: 128 + 15" \
	"$RBTOP" -b -d 30 -- sh -c 'kill -TERM $$'
check "the log names the signal" grep -q 'signal 15' "$tmp/out"
if may -a; then
	refuse 3 "the status of a duration too" \
		"$RBTOP" -b -d 30 -a -- sh -c 'exit 3'
else
	skip "the status of a duration" "$(why)"
fi
refuse 1 "a command that is not there" "$RBTOP" -b -- /nonexistent/x
check "is one line" test "$(cat "$tmp/err")" = \
	"rbtop: cannot run '/nonexistent/x': No such file or directory"
refuse 1 "a command that may not run" "$RBTOP" -b -- /etc/passwd
check "is one line" grep -q "cannot run '/etc/passwd': Permission" "$tmp/err"

refuse 0 "standard output is moved" "$RBTOP" -b --format json -d 30 -- \
	sh -c 'echo to-stdout; echo to-stderr >&2'
check "to standard error" grep -q to-stdout "$tmp/err"
check "which is its own too" grep -q to-stderr "$tmp/err"
check "rbtop's is JSON alone" jq -en "input | .version" "$tmp/out"
check "a tick is printed at the end, whatever the delay" \
	test "$(wc -l <"$tmp/out")" -eq 1

# The events start with the exec: nothing of rbtop's own fork is in them.
check "events start with the exec" ticks -d 30 -e page-faults -c 1 -- true
check "the exec is in the side-band" \
	last '([.rings[].types.COMM // 0] | add) >= 1'

# When rbtop is ended, so is its command.
"$RBTOP" -b -d 30 -- sleep 432.1 >/dev/null 2>&1 &
rbtop=$!
soon pgrep -P $rbtop -x sleep
child=$(cat "$tmp/soon")
kill -TERM $rbtop
wait $rbtop
check "SIGTERM ends rbtop with 128 + 15" test $? -eq 143
# its new parent may reap it later
check "and the command with it" soon bash -c "! kill -0 $child 2>/dev/null"
finish
