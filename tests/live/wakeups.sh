#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Crossings and wakeups against what the ring's own head says of them.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may -a -e cpu-clock || skip_all "$(why)"

# Busy for 1.5 s, 4000 samples a second: some 330 KB for the busy CPU.
busy=(timeout 1.5 bash -c 'while :; do :; done')

# The kernel wakes when head - wakeup > watermark, strictly.
crossings='all(.rings[]; .crossings ==
	(if .head > 0 then ((.head - 1) / .watermark | floor) else 0 end))'
busiest='(.rings | max_by(.head))'

run() {
	ticks -d 30 -a -e cpu-clock "$@" -- "${busy[@]}"
	[ -s "$tmp/ticks" ]
}

check "a quarter of the ring as watermark" run -m 4 --watermark 25%
check "is what the ring has" last 'all(.rings[]; .watermark == 4096)'
check "crossings are those of the head" last "$crossings"
check "there were many" last "$busiest.crossings > 20"
check "each wakes once, or together with the next" \
	last "all(.rings[]; .wakeups <= .crossings) and
	      $busiest.wakeups > $busiest.crossings / 2"
check "what wakes is drained there, below the ring's size" \
	last "$busiest.peak >= 0.25 and $busiest.peak < 1"

check "a watermark in bytes" run -m 4 --watermark 2048
check "is kept, too" last 'all(.rings[]; .watermark == 2048)'
check "with its crossings" last "$crossings"

check "a wakeup for every 10 samples" run -m 4 --wakeup-events 10
check "is what the ring has" last 'all(.rings[]; .wakeup_events == 10)'
check "wakeups are those of samples and crossings, no more" \
	last 'all(.rings[]; .wakeups <= .samples / 10 + .crossings + 1)'
check "and most of them come apart" \
	last "$busiest.wakeups > $busiest.samples / 10 / 2"

check "half the ring, where nothing is said" run -m 8
check "as the kernel has it" last 'all(.rings[]; .watermark == .size / 2)'
check "with its crossings" last "$crossings"

finish
