# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=600
#
# Requests while a snapshot is being taken are all counted.
. /rig/lib.sh
. /rig/rbtop.sh

# SIGUSR2 is not pending: rbtop has read the one that was sent last.
signal_was_read() {
	local pending

	pending=$(sed -n 's/^ShdPnd:[[:space:]]*//p' /proc/$rb/status)
	[ $((0x$pending & 0x800)) -eq 0 ]
}

# Several pending signals are merged by the kernel.
signals() {
	local n=$1

	while [ "$n" -gt 0 ]; do
		kill -USR2 $rb || return
		until signal_was_read; do kill -0 $rb || return; done
		n=$((n - 1))
	done
}

# counted REQUESTS: true once all have ended, and the files are those taken
counted() {
	soon ".snapshots | .requests == $1 and .queued == 0 and
		.taken + .merged == $1 and .taken >= 1" &&
		[ "$(snap_count)" -eq "$(last_value .snapshots.taken)" ]
}

# The report at the end has the counts of the last tick.
told() {
	local merged requests

	merged=$(last_value .snapshots.merged)
	requests=$(last_value .snapshots.requests)
	if [ "$merged" -eq 0 ]; then
		! grep 'snapshot requests' $tmp/rb.err
	else
		grep "^rbtop: $merged of $requests snapshot requests " \
			$tmp/rb.err
	fi
}

mimic name=intel_pt form=pt rate=50000000
check "rbtop starts" rb_start -e intel_pt// -m 64,2M -a
check "5 signals, each of them read" signals 5
check "files and merged requests are 5" counted 5
note "$(last_value '.snapshots | {requests, taken, merged, last}' |
	tr -d ' \n')"
check "the file is there after the stop, which is after the request" last \
	'.snapshots.last | .wait >= 0 and .took > .wait + .stopped'
check "rbtop ends" rb_stop
check "what was merged is told at the end" told
snaps_newest "each packet is intact"

acks() {
	[ "$(grep -c '^ack$' $tmp/acks)" -eq "$1" ]
}

mkfifo $tmp/ctl $tmp/ack
exec 8<>$tmp/ctl 9<>$tmp/ack
cat <&9 >$tmp/acks &
reader=$!
check "with --control: rbtop starts" rb_start -e intel_pt// -m 64,2M -a \
	--control fifo:$tmp/ctl,$tmp/ack
printf 'snapshot\nsnapshot\nsnapshot\nsnapshot\nsnapshot\n' >&8
check "5 commands get 5 acks" wait_for acks 5
# an ack follows the file
files=$(snap_count)
check "files and merged requests are 5" counted 5
check "the files were there before the last ack" \
	[ "$files" -eq "$(snap_count)" ]
note "$(last_value '.snapshots | {requests, taken, merged}' | tr -d ' \n')"
check "rbtop ends" rb_stop
kill $reader
exec 8>&- 9>&-
snaps_newest "each packet is intact"
finish
