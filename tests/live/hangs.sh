#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs on a file system that has stopped answering: all samples are decoded
# and counted, other programs' have their names, and the end does not wait.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

CC=${CC:-cc}
live=$top/tests/live
command -v "$CC" >/dev/null || skip_all "no C compiler"
may -e cpu-clock || skip_all "$(why)"
[ -w /dev/fuse ] || skip_all "no /dev/fuse"
{ "$CC" -O2 -o "$tmp/good" "$live/workload.c" &&
	"$CC" -O2 -o "$tmp/hang_fs" "$live/hang_fs.c"; } >"$tmp/built" 2>&1 ||
	skip_all "cannot build: $(head -n 3 "$tmp/built" | tr '\n' ' ')"

pids=
leave() {
	local status=$?

	# shellcheck disable=SC2086
	kill -9 $pids 2>/dev/null
	kill -USR2 "$fs" 2>/dev/null
	umount -l "$tmp/mnt" 2>/dev/null
	wait
	(exit $status)
	tap_exit
}
trap leave EXIT

mkdir "$tmp/mnt"
"$tmp/hang_fs" "$tmp/mnt" "$tmp/good" 2>"$tmp/why.line" &
fs=$!
for _ in $(seq 600); do
	[ -x "$tmp/mnt/prog0" ] && break
	sleep 0.1
done
[ -x "$tmp/mnt/prog0" ] || skip_all "cannot mount: $(why)"
for program in "$tmp/mnt/prog0" "$tmp/mnt/prog1" "$tmp/good"; do
	"$program" &
	pids="$pids $!"
done
# Sets $ms: how long "$@" takes; it fails as that does, 124 after a minute.
took() {
	local before status

	before=$(date +%s%N)
	timeout -s KILL 60 "$@"
	status=$?
	ms=$((($(date +%s%N) - before) / 1000000))
	return $status
}

watch() {
	took "$RBTOP" -b --format json --hot 1000 -e cpu-clock "$@" \
		>"$tmp/ticks" 2>"$tmp/err"
}

# Programs are read from the file system now, since it will hang later.
check "rbtop ends while no file hangs" watch -n 4 -d 0.5
before=$ms
kill -USR1 "$fs"
check "rbtop ends while one hangs" watch -n 4 -d 0.5
echo "# 4 ticks of 0.5 s took $ms ms, $before ms before"
check "and waits for nothing" test "$ms" -lt $((2 * before))
check "and has told every tick" test "$(wc -l <"$tmp/ticks")" -eq 4

# How soon that is known depends on the machine; it is printed at the end.
known() {
	grep "warning: reading symbols of $tmp/mnt/prog[01] hangs:" \
		"$tmp/err" &&
		last '[.hot[] | select(.dso | test("/good$"))] |
			(map(select(.symbol | test("^warm_")).samples) | add) >
			0.5 * (map(.samples) | add)'
}
known_in_time() {
	local n

	for n in 4 16 64; do
		watch -n $n -d 0.5 || return
		known && return
	done
}
check "it says which file it was, and another one's samples have names" \
	known_in_time
check "nearly all samples are decoded" \
	last '.self.samples | .decoded > 0.9 * .seen'
check "those of the stuck file are named [loading]" \
	last '[.hot[] | select(.dso | test("/mnt/prog"))] |
		length > 0 and all(.[]; .symbol == "[loading]")'

answer() {
	sleep 1
	kill -USR2 "$fs"
}
answer &
check "once the file is answered for" watch -n 6 -d 1
check "later samples have their names" \
	last '[.hot[] | select(.dso | test("/mnt/prog"))] |
		any(.[]; .symbol | test("^warm_"))'
check "and nothing is stuck" test ! -s "$tmp/err"

finish
