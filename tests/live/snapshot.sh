#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Snapshots of overwrite rings and recordings of drained ones, as files that
# perf reads: by key and signal, at intervals and by condition, with --keep and
# cancelled.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may --overwrite -m 16 -a -e cpu-clock || skip_all "$(why)"
command -v perf >/dev/null || skip_all "perf is not installed"

bash -c 'while :; do :; done' &
busy=$!
rbtop=
out=$tmp/files
mkdir "$out"
leave() {
	local status=$?

	# shellcheck disable=SC2086
	kill $busy $rbtop
	umount -l "$out"
	(exit $status)
	tap_exit
} 2>/dev/null
trap leave EXIT

# start ARGS...: run rbtop in batch mode, with files in $out, until stop.  The
# ticks of the previous one are removed: a SIGINT before rbtop has blocked it
# would be lost, since a shell starts background commands with SIGINT ignored,
# and stop would wait forever.
start() {
	: >"$tmp/ticks"
	"$RBTOP" -b -d 0.25 --format json --output "$out" "$@" \
		>"$tmp/ticks" 2>"$tmp/err" &
	rbtop=$!
	soon test -s "$tmp/ticks"
}

stop() {
	local pid=$rbtop

	rbtop=
	kill -INT "$pid" 2>/dev/null
	wait "$pid"
}

# STATUS: it exits with that.
exits() {
	local status=0

	stop || status=$?
	cat "$tmp/err"
	[ "$status" -eq "$1" ]
}

newest() {
	find "$out" -name "${1:-rbtop-*.data}" | sort | tail -n 1
}

count() {
	find "$out" -type f | wc -l
}

# perf reads all of FILE, and finds samples of EVENT in it.
perf_reads() {
	perf script -i "$1" >"$tmp/script" 2>"$tmp/perf" &&
		grep -q "$2" "$tmp/script" || { cat "$tmp/perf"; return 1; }
	perf report --stats -i "$1" 2>&1 | grep -q 'TOTAL events' &&
		perf report -D -i "$1" 2>&1 | grep -q 'PERF_RECORD_SAMPLE' &&
		perf report --stdio -i "$1" 2>/dev/null | grep -q '%' &&
		perf buildid-list -i "$1" | grep -q '/'
}

# The samples of each CPU are in order, without duplicates.
in_order() {
	perf script -i "$1" -F cpu,time --ns 2>/dev/null | tr -d '[]:' |
		awk '{ if ($2 < at[$1]) exit 1;
		       if ($2 == at[$1]) same++; at[$1] = $2; nr++ }
		     END { exit !(nr > 100 && same < nr / 100) }'
}

start --overwrite -m 16 -a -e cpu-clock
check "the rings fill" until_last 'any(.rings[]; .fill == 1)'
kill -USR2 "$rbtop"
check "SIGUSR2 takes one" until_last '.snapshots.taken == 1'
one=$(newest)
check "perf reads it" perf_reads "$one" cpu-clock
check "the samples are in order" in_order "$one"
check "only its owner may" test "$(stat -c %a "$one")" = 600
kill -USR2 "$rbtop"
check "and another" until_last '.snapshots.taken == 2'
check "which perf reads too" perf_reads "$(newest)" cpu-clock
check "as many files" test "$(count)" = 2
check "the stop is told" last '.snapshots.last |
	.stopped > 0 and .spread <= .stopped and .state == "done" and
	.trigger == "SIGUSR2" and .error == null'
check "and how long it took from the signal to the file" last \
	'.snapshots.last | .wait >= 0 and .took > .wait + .stopped'

# SIGUSR2 is not pending: several pending ones are merged by the kernel.
signal_was_read() {
	local key value

	while read -r key value; do
		[ "$key" != ShdPnd: ] || break
	done <"/proc/$rbtop/status"
	[ $((0x$value & 0x800)) -eq 0 ]
}

for ((i = 0; i < 50; i++)); do
	kill -USR2 "$rbtop"
	until signal_was_read; do kill -0 "$rbtop" || break 2; done
done
check "of a storm of signals each is taken or merged" until_last \
	'.snapshots | .requests == 52 and .taken + .merged == 52 and
	 .taken > 2 and .failed == 0 and .queued == 0'
check "as many files as were taken" last ".snapshots.taken == $(count)"
stop
merged=$(tail -n 1 "$tmp/ticks" | jq .snapshots.merged)
if [ "$merged" -gt 0 ]; then
	check "which is told at the end" grep -q \
		"^rbtop: $merged of 52 snapshot requests" "$tmp/err"
else
	skip "which is told at the end" "none was merged"
fi
check "none is left half" test -z "$(newest 'rbtop-*.data.*')"
rm -rf "${out:?}"/*

start --overwrite -m 16 -a -e cpu-clock --snapshot-every 0.3 --keep 3
check "by time" until_last '.snapshots.taken >= 5'
check "all were taken: the status is of the signal" exits 130
check "the newest are kept" test "$(count)" = 3
rm -rf "${out:?}"/*

start --overwrite -m 16 -a -e cpu-clock
mv "$out" "$out.gone"
kill -USR2 "$rbtop"
check "no directory: it is told" until_last \
	'.snapshots.failed == 1 and
	 (.snapshots.last.error | test("No such file"))'
mv "$out.gone" "$out"
kill -USR2 "$rbtop"
check "it is there again: so is the file" until_last '.snapshots.taken == 1'
check "but one failed: so does rbtop" exits 1
check "and says why" eval \
	'[ "$(grep -c "snapshots failed" "$tmp/err")" = 1 ] && grep -q \
	"^rbtop: 1 of 2 snapshots failed: No such file or dir" "$tmp/err"'
rm -rf "${out:?}"/*

# A disk so small that a snapshot does not fit.
if mount -t tmpfs -o size=64k none "$out" 2>/dev/null; then
	start --overwrite -m 64 -a -e cpu-clock
	check "a ring is as large as the disk" \
		until_last 'any(.rings[]; .used >= 65536)'
	echo precious >"$out/old"
	kill -USR2 "$rbtop"
	check "a full disk is told" until_last '.snapshots |
		.failed == 1 and (.last.error | test("No space left"))'
	check "and leaves nothing" test "$(count)" = 1
	check "but what was there" grep -q precious "$out/old"
	stop
	umount "$out"
else
	skip "a full disk" "no tmpfs can be mounted here"
fi

refuse 1 "nothing to snapshot: said at the start" \
	"$RBTOP" -b -n 1 -a -e cpu-clock --snapshot-every 1
check "and what to do" grep -q -e --overwrite "$tmp/err"

refuse 1 "a directory that takes no files" \
	"$RBTOP" -b -n 1 -a -e cpu-clock --output /proc
check "and what to name" grep -q 'name a directory' "$tmp/err"
refuse 1 "a file is no directory" \
	"$RBTOP" -b -n 1 -a -e cpu-clock --output /dev/null
refuse 1 "--snapshot-on without trace" \
	"$RBTOP" -b -n 1 -a -e cpu-clock --snapshot-on lost
check "says what it needs" grep -q 'needs an event that traces' "$tmp/err"

# As under sudo, in the user's own directory.
if [ "$(id -u)" -eq 0 ]; then
	chown 65534 "$out" && chmod 700 "$out"
	start --overwrite -m 16 -a -e cpu-clock
	kill -USR2 "$rbtop"
	check "root saves into somebody else's directory" until_last \
		'.snapshots.taken == 1'
	stop
	check "as root's file" test "$(stat -c '%u %a' "$(newest)")" = "0 600"
	rm -rf "${out:?}"/*
	start --overwrite -m 16 -a -e cpu-clock --snapshot-every 0.3 --keep 2
	check "and more there" until_last '.snapshots.taken >= 5'
	stop
	check "of which the newest are kept" test "$(count)" = 2
	rm -rf "${out:?}"/*
	chown 0 "$out"
else
	skip "root saves into somebody else's directory" "this is not root"
	skip "of which the newest are kept" "this is not root"
fi

# Requested before it is ready: taken as soon as it is.
"$RBTOP" -b -d 0.25 --format json --output "$out" --overwrite -m 16 -a \
	-e cpu-clock >"$tmp/ticks" 2>"$tmp/err" &
rbtop=$!
until [ "/proc/$rbtop/exe" -ef "$RBTOP" ]; do :; done
until grep -q '^SigBlk:.*[89a-f]..$' "/proc/$rbtop/status"; do :; done
kill -USR2 "$rbtop"
check "an early SIGUSR2 takes one" until_last '.snapshots.taken == 1'
check "and does not kill it" kill -0 "$rbtop"
stop
rm -rf "${out:?}"/*

# The command gets the signal mask that rbtop was started with.
check "a command has SIGUSR2 unblocked" "$RBTOP" -b -e task-clock -- \
	grep -q '^SigBlk:.*0$' /proc/self/status

# Recordings have exactly the samples that were counted.
recorded() {
	local file=$1 samples

	shift
	"$RBTOP" -b -n 4 -d 0.3 --format json -o "$file" "$@" \
		>"$tmp/ticks" 2>"$tmp/err" || return 1
	perf script -i "$file" >"$tmp/script" 2>"$tmp/perf" || {
		cat "$tmp/perf"
		return 1
	}
	samples=$(tail -n 1 "$tmp/ticks" | jq '[.rings[].samples] | add')
	echo "$samples samples, $(wc -l <"$tmp/script") lines"
	[ "$samples" -gt 0 ] && [ "$samples" = "$(wc -l <"$tmp/script")" ]
}

check "-o records all that was counted" \
	recorded "$tmp/rec.data" -a -e cpu-clock
check "perf reads it" perf_reads "$tmp/rec.data" cpu-clock
check "in order" in_order "$tmp/rec.data"
check "a command and its children" \
	recorded "$tmp/cmd.data" -e task-clock -- \
	bash -c 'for i in 1 2 3; do /bin/true; done; sleep 0.5'
if may -a -e sched:sched_switch; then
	check "tracepoints with their fields" \
		recorded "$tmp/tp.data" -a -e cpu-clock -e sched:sched_switch
	check "which perf prints" grep -q 'next_comm=' "$tmp/script"
	# A reader that is stopped for a second loses some.
	holes() {
		local rbtop

		# shellcheck disable=SC2016
		"$RBTOP" -b -d 0.3 -m 1 --format json -o "$tmp/holes.data" \
			-a -c 1 -e raw_syscalls:sys_enter -- bash -c \
			'timeout 200 dd if=/dev/zero of=/dev/null bs=1 \
				status=none & echo $! >"$0"; wait; true' \
			"$tmp/load" >"$tmp/ticks" 2>"$tmp/err" & rbtop=$!
		soon test -s "$tmp/ticks" && soon test -s "$tmp/load"
		kill -STOP "$rbtop"
		sleep 1
		kill -CONT "$rbtop"
		kill "$(cat "$tmp/load")"
		wait "$rbtop" || return
		last '.total | .lost > 0' || return
		grep -q "misses $(tail -n 1 "$tmp/ticks" |
			jq '.total | .lost') records: the" \
			"$tmp/err"
	}
	check "what it misses is said at the end" holes
else
	skip "tracepoints with their fields" "$(why)"
fi
ln -s /nowhere/at/all "$tmp/dangling.data"
refuse 1 "nor is a link that leads nowhere" \
	"$RBTOP" -b -n 1 -a -e cpu-clock -o "$tmp/dangling.data"

# The last actions of a command that has ended.
at_exit() {
	mkdir -p "$tmp/exit"
	"$RBTOP" -b -n 30 -d 1 --overwrite -e cpu-clock --output "$tmp/exit" \
		--snapshot-on exit -- dd if=/dev/zero of=/dev/null bs=1M \
		count=20000 status=none >"$tmp/ticks" 2>"$tmp/err" &&
		perf script -i "$tmp"/exit/rbtop-*.data -F comm 2>/dev/null |
		grep -q '^ *dd'
}
check "a snapshot at the exit holds what ran last" at_exit
check "and is listed" grep -q '1 (exit)' "$tmp/ticks"
"$RBTOP" -b -n 1 -d 0.2 -a -e cpu-clock -o "$tmp/never.data" -- /nowhere \
	>/dev/null 2>&1
check "a command that cannot run leaves no recording" \
	[ ! -e "$tmp/never.data" ]

# A failed recording is an error: its directory is removed meanwhile.
failing() {
	mkdir "$tmp/vanishing"
	"$RBTOP" -b -d 30 -a -e cpu-clock -o "$tmp/vanishing/rec.data" -- \
		rm -r "$tmp/vanishing"
}
refuse 1 "a recording that fails is told by the status" failing
check "and why" grep -q '^rbtop: the recording failed: ' "$tmp/err"
refuse 1 "a file that is there is not touched" \
	"$RBTOP" -b -n 1 -a -e cpu-clock -o "$tmp/rec.data"
check "and named" grep -q 'rec.data: the file exists' "$tmp/err"
refuse 2 "no recording to standard output" \
	"$RBTOP" -b -n 1 -a -e cpu-clock -o -
finish
