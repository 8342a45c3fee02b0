#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Stopped for a while, rbtop says that what was lost then was lost then.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

event=syscalls:sys_enter_read

may -a -e "$event" || skip_all "$(why)"

timeout 100 dd if=/dev/zero of=/dev/null bs=1 2>"$tmp/dd" &
load=$!
"$RBTOP" -b -n 8 -d 0.5 -a -m 1 -e "$event" >"$tmp/ticks" 2>"$tmp/err" &
rbtop=$!
for _ in $(seq 600); do
	[ -s "$tmp/ticks" ] && break
	sleep 0.1
done
kill -STOP "$rbtop"
sleep 2
kill -CONT "$rbtop"
check "it goes on" wait "$rbtop"
kill "$load"
wait "$load"

check "it says for how long it was stopped" \
	grep -E 'rbtop was stopped for (1\.[5-9]|[2-9])' "$tmp/ticks"
check "and what was lost meanwhile" \
	grep -E 'CPU [0-9]+ lost [0-9,]+ records while rbtop was stopped' \
	"$tmp/ticks"

finish
