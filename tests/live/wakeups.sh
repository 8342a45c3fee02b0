#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Crossings and wakeups, compared with the ring's own head.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may -a -e cpu-clock || skip_all "$(why)"

# It ends by itself, in case it is not killed.
busy=(bash -c 'while [ $SECONDS -lt 200 ]; do :; done')

# The kernel wakes when head - wakeup > watermark, strictly.
crossings='all(.rings[]; .crossings ==
	(if .head > 0 then ((.head - 1) / .watermark | floor) else 0 end))'
busiest='(.rings | max_by(.head))'

# run UNTIL ARGS...: watch a busy CPU until the filter UNTIL is true. 400
# samples per second: two crossings are further apart than a reader waits for a
# CPU.
run() {
	local rbtop

	: >"$tmp/ticks"
	"$RBTOP" -b --format json -d 0.5 -a -e cpu-clock -F 400 "${@:2}" -- \
		"${busy[@]}" >"$tmp/ticks" 2>"$tmp/err" & rbtop=$!
	until_last "$1"
	kill "$rbtop"
	wait "$rbtop"
	last "$1"
}

check "a quarter of the ring as watermark, crossed many times" \
	run "$busiest.crossings > 20" -m 4 --watermark 25%
check "is what the ring has" last 'all(.rings[]; .watermark == 4096)'
check "crossings are those of the head" last "$crossings"
check "each wakes once, or together with the next" \
	last "all(.rings[]; .wakeups <= .crossings) and
	      $busiest.wakeups > $busiest.crossings / 2"
# a reader without a CPU for that long has lost records
check "what wakes is drained there, below the ring's size" \
	last "$busiest | .peak >= 0.25 and
		(.peak < 1 or .lost > 0)"

check "a watermark in bytes" \
	run "$busiest.crossings > 20" -m 4 --watermark 2048
check "is kept, too" last 'all(.rings[]; .watermark == 2048)'
check "with its crossings" last "$crossings"

check "a wakeup for every 50 samples" \
	run "$busiest.samples > 800" -m 4 --wakeup-events 50
check "is what the ring has" last 'all(.rings[]; .wakeup_events == 50)'
check "wakeups are those of samples and crossings, no more" \
	last 'all(.rings[]; .wakeups <= .samples / 50 + .crossings + 1)'
check "and most of them come apart" \
	last "$busiest.wakeups > $busiest.samples / 50 / 2"

check "half the ring, where nothing is said" run "$busiest.crossings > 2" -m 8
check "as the kernel has it" last 'all(.rings[]; .watermark == .size / 2)'
check "with its crossings" last "$crossings"

finish
