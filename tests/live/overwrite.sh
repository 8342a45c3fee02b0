#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Rings that keep the newest records: nothing is drained, nothing is lost.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may --overwrite -m 4 -a -e cpu-clock || skip_all "$(why)"

bash -c 'while :; do :; done' &
busy=$!
trap 'kill $busy $watcher 2>/dev/null; tap_exit' EXIT

: >"$tmp/ticks"
"$RBTOP" -b --format json -d 0.5 --overwrite -m 4 -a -e cpu-clock \
	>"$tmp/ticks" 2>"$tmp/err" &
watcher=$!
check "the head goes up" until_last \
	'any(.rings[]; .head > 4 * .size)'
check "and what it counted goes on" until_last \
	'all(.rings[]; .events[0].count > 1e9)'
kill $watcher
wait $watcher
check "the rings say so" every 'all(.rings[]; .overwrite)'
check "nothing was drained" \
	last 'all(.rings[]; (.drains // 0) == 0 and (.records // 0) == 0)'
check "nothing was lost" \
	last 'all(.rings[]; ([.events[].lost // 0] | add) == 0)'
check "a ring that wrapped is full" last 'any(.rings[]; .fill == 1)'
check "a command works with it" ticks -d 30 --overwrite -m 4 -- true
finish
