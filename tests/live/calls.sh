#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --snapshot-on call:FUNC takes a snapshot when the function is called, and not
# otherwise: in a PIE, in a program with fixed addresses and in a library; with
# uprobes, and with breakpoints for users who may not use uprobes.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

CC=${CC:-cc}
command -v perf >/dev/null || skip_all "perf is not installed"
command -v "$CC" >/dev/null || skip_all "no C compiler"
may --overwrite -m 16 -e cpu-clock:u || skip_all "$(why)"

chmod 755 "$tmp"
callee=$top/tests/live/callee.c
build() {
	"$CC" -O1 -DLIBRARY -shared -fPIC -o "$tmp/libcallee.so" "$callee" &&
		"$CC" -O1 -fPIE -pie -o "$tmp/pie" "$callee" \
			"$tmp/libcallee.so" &&
		"$CC" -O1 -fno-pie -no-pie -o "$tmp/fixed" "$callee" \
			"$tmp/libcallee.so" &&
		cp "$tmp/pie" "$tmp/stripped" && strip "$tmp/stripped"
}
build >"$tmp/built" 2>&1 || skip_all "$(tail -n 1 "$tmp/built")"

as=
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	as="setpriv --reuid 65534 --regid 65534 --clear-groups"
fi
# Whether an unprivileged user may watch its own processes.  It gets a copy of
# rbtop, since it may not enter the build directory.
as_may() {
	install -m 755 "$RBTOP" "$tmp/rbtop" &&
		$as "$tmp/rbtop" -b -n 1 -d 0.1 --overwrite -m 16 \
			-e cpu-clock:u -- true
}
uprobe_events=/sys/kernel/tracing/uprobe_events

# Remove probes of an rbtop that was killed.
leave() {
	local probe

	sed -n "s|^p:\(rbtop_[^ ]*\) $tmp/.*|\1|p" $uprobe_events 2>/dev/null |
		while read -r probe; do
			echo "-:$probe" >>$uprobe_events
		done
	tap_exit
}
trap leave EXIT

# Empty the directory of snapshots, and the file of the callee.
fresh() {
	rm -rf "$tmp/files" "$tmp/done" "$tmp/orders"
	mkdir "$tmp/files"
	chmod 777 "$tmp/files"
	: >"$tmp/done"
	chmod 666 "$tmp/done"
	mkfifo "$tmp/orders"
	exec 8<>"$tmp/orders"
}

# watch CONDITION ARGS...: start rbtop, run by $by; its pid is in $rbtop
watch() {
	: >"$tmp/ticks"
	# shellcheck disable=SC2086
	$by "$RBTOP" -b -d 0.1 --format json --overwrite -m 16 \
		-e cpu-clock:u --output "$tmp/files" --snapshot-on "$@" \
		<"$tmp/orders" >"$tmp/ticks" 2>"$tmp/err" 8>&- &
	rbtop=$!
	until_last '.rings | length > 0'
}

stop() {
	kill "$rbtop" 2>/dev/null
	exec 8>&-
	wait "$rbtop"
}

has_done() {
	[ "$(wc -l <"$tmp/done")" -ge "$1" ]
}

# order LETTER COUNT: send LETTER to the callee, and wait until it has handled
# COUNT letters in total.
order() {
	echo "$1" >&8
	soon has_done "$2"
}

# The number of calls that the event had counted at the last tick.
calls='[.rings[].events[] | select(.name | test("wanted|at_0x")) | .count]
	| add'
armed='.snapshots.cooldown_left == 0'

perf_finds() {
	perf script -f -i "$(find "$tmp/files" -name '*.data' | sort |
		tail -n 1)" >"$tmp/script" 2>&1
	grep -q "$1" "$tmp/script" || { cat "$tmp/script"; return 1; }
}

# each_call NAME LETTER EVENT CONDITION ARGS...: the checks for one callee.
each_call() {
	local name=$1 letter=$2 event=$3

	shift 3
	fresh
	check "$name: it starts" watch "$1" --snapshot-cooldown 0.2 "${@:2}"
	check "$name: another function" order o 1
	check "$name: takes none" until_last \
		'.snapshots.taken == 0 and .snapshots.fired == 0'
	check "$name: a call" order "$letter" 2
	check "$name: takes one" until_last ".snapshots.taken == 1 and $armed"
	check "$name: named after it" until_last \
		'.snapshots.last.trigger | startswith("call:")'
	check "$name: the call is in it" perf_finds "$event"
	check "$name: the next call" order "$letter" 3
	check "$name: takes another" until_last '.snapshots.taken == 2'
	check "$name: no call was missed" until_last "($calls) == 2"
	stop
}

by=
if [ "$(id -u)" -eq 0 ] && [ -w $uprobe_events ]; then
	each_call "a PIE" w "rbtop_[0-9]*:wanted:" call:wanted \
		-- "$tmp/pie" "$tmp/done"
	each_call "a fixed program" w "rbtop_[0-9]*:wanted:" call:wanted \
		-- "$tmp/fixed" "$tmp/done"
	each_call "a library" l "rbtop_[0-9]*:library_wanted:" \
		"call:$tmp/libcallee.so:library_wanted" \
		-- "$tmp/pie" "$tmp/done"
	each_call "a child's child" f "rbtop_[0-9]*:wanted:" \
		"call:$tmp/pie:wanted" \
		-- sh -c "'$tmp/pie' '$tmp/done'; true"
	check "no probe is left behind" \
		sh -c "! grep '^p:rbtop_.*$tmp/' $uprobe_events"
	each_call "without children" w "call:wanted:" call:wanted \
		--no-inherit -- "$tmp/pie" "$tmp/done"
	each_call "a ring for each thread" w "call:wanted:" call:wanted \
		--per-thread -- "$tmp/pie" "$tmp/done"
	"$tmp/pie" "$tmp/done" </dev/null
	offset=$(nm "$tmp/pie" | awk '$3 == "wanted" { print $1 }')
	each_call "a stripped one, by offset" w "rbtop_[0-9]*:at_0x" \
		"call:$tmp/stripped:0x$offset" -- "$tmp/stripped" "$tmp/done"

	fresh
	watch call:wanted --snapshot-cooldown 60 -- "$tmp/pie" "$tmp/done"
	check "two calls" order $'w\nw' 2
	check "within the cooldown take one" until_last \
		"($calls) == 2 and .snapshots.taken == 1"
	stop
	check "no more after all" [ "$(find "$tmp/files" -name '*.data' |
		wc -l)" = 1 ]

	fresh
	exec 9<>"$tmp/orders"
	"$tmp/pie" "$tmp/done" <"$tmp/orders" 9>&- &
	callee=$!
	watch "call:$tmp/pie:wanted" --snapshot-cooldown 60 -a
	check "on all CPUs, in whatever runs it" order w 1
	check "takes one" until_last '.snapshots.taken == 1'
	stop
	exec 9>&-
	kill $callee 2>/dev/null
	wait $callee 2>/dev/null

	# Stopped while it opens its events.
	fresh
	"$RBTOP" -b -d 0.1 --overwrite -e cpu-clock:u --output "$tmp/files" \
		--snapshot-on call:wanted -- "$tmp/pie" "$tmp/done" \
		<"$tmp/orders" >/dev/null 2>"$tmp/err" 8>&- &
	rbtop=$!
	until grep -q "^p:rbtop_$rbtop/" $uprobe_events; do
		kill -0 "$rbtop" || break
	done 2>/dev/null
	stop
	check "no probe is left by one that was stopped as it began" \
		sh -c "! grep -q '^p:rbtop_$rbtop/' $uprobe_events"

	# An rbtop that is killed leaves its probe; the next one removes it.
	fresh
	watch call:wanted -- "$tmp/pie" "$tmp/done"
	check "a probe is there" grep -q "^p:rbtop_$rbtop/" $uprobe_events
	kill -KILL "$rbtop"
	exec 8>&-
	wait "$rbtop" 2>/dev/null
	check "and stays after SIGKILL" grep -q "^p:rbtop_$rbtop/" \
		$uprobe_events
	killed=$rbtop
	"$RBTOP" -b -n 1 -d 0.1 --overwrite -e cpu-clock:u --snapshot-on \
		call:wanted -- "$tmp/pie" "$tmp/done" </dev/null \
		>/dev/null 2>&1
	check "until the next one" sh -c "! grep -q '^p:rbtop_$killed/' \
		$uprobe_events"
else
	skip "uprobes" "they need root and $uprobe_events"
fi

# Without privilege: breakpoints in the user's own processes.
by=$as
is_up() {
	[ "/proc/$1/exe" -ef "$tmp/pie" ]
}

# A virtual machine whose host does not emulate debug registers allows
# breakpoints, but none ever fires.
breakpoints_never_fire() {
	local address

	address=$(nm "$tmp/fixed" | awk '$3 == "wanted" { print $1 }')
	echo w | perf stat -x, -o "$tmp/counts" -e "mem:0x$address:x:u" \
		"$tmp/fixed" "$tmp/done" >/dev/null 2>&1
	grep -q '^0,' "$tmp/counts"
}

breakpoints() {
	each_call "a breakpoint in a fixed program" w "call:wanted:" \
		call:wanted -- "$tmp/fixed" "$tmp/done"
	each_call "and in its children" f "call:wanted:" \
		call:wanted -- "$tmp/fixed" "$tmp/done"
	fresh
	exec 9<>"$tmp/orders"
	$as "$tmp/pie" "$tmp/done" <"$tmp/orders" 9>&- &
	callee=$!
	check "it is up" soon is_up $callee
	check "and calls" order o 1
	watch call:wanted --snapshot-cooldown 60 -p "$callee"
	check "a breakpoint in a PIE that runs" order w 2
	check "takes one" until_last '.snapshots.taken == 1'
	stop
	exec 8<>"$tmp/orders"
	watch "call:$tmp/libcallee.so:library_wanted" -p "$callee"
	check "and in its library" order l 3
	check "takes one too" until_last '.snapshots.taken == 1'
	stop
	exec 9>&-
	kill $callee 2>/dev/null
	wait $callee 2>/dev/null
}

if [ "$(id -u)" -eq 0 ] && [ -z "$as" ]; then
	skip "breakpoints" "needs setpriv(1), or not to be root"
elif ! as_may >"$tmp/refused" 2>&1 &&
	grep -qE 'perf_event_paranoid|Permission denied' "$tmp/refused"; then
	skip "breakpoints" "$(tail -n 1 "$tmp/refused")"
else
	root_rbtop=$RBTOP RBTOP=$tmp/rbtop
	if breakpoints_never_fire; then
		skip "breakpoints fire" "perf counts none either"
	else
		breakpoints
	fi
	refuse 1 "a PIE that is yet to start has no address" \
		$as "$RBTOP" -b -n 1 -e cpu-clock:u --overwrite -m 4 \
		--snapshot-on call:wanted -- "$tmp/pie" "$tmp/done"
	check "which is said, and what to do" \
		grep -q 'try sudo rbtop; .*attach with -p' "$tmp/err"
	RBTOP=$root_rbtop
fi

refuse 2 "a function that is not there" \
	"$RBTOP" -b -n 1 -e cpu-clock:u --overwrite -m 4 \
	--snapshot-on call:unwanted -- "$tmp/fixed" "$tmp/done"
check "is named, with its file" \
	grep -q "no function 'unwanted' in $tmp/fixed: if it is stripped" \
	"$tmp/err"
finish
