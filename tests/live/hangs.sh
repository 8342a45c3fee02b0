#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs on a file system that does not answer: all samples are decoded and
# counted, other programs have names, recordings are complete, and the end does
# not wait.
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

pids='' rbtop=
leave() {
	# shellcheck disable=SC2086
	kill -9 $pids $rbtop 2>/dev/null
	kill -USR2 "$fs" 2>/dev/null
	umount -l "$tmp/mnt" 2>/dev/null
	wait
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

# Fewer samples per second on all CPUs together than are decoded.
nr=$(online_cpus | wc -l)
rate=$((nr > 4 ? 16000 / nr : 4000))
watching=(-b --format json --hot 1000 -e cpu-clock -F $rate)

watch() {
	timeout -s KILL 200 "$RBTOP" "${watching[@]}" "$@" \
		>"$tmp/ticks" 2>"$tmp/err"
}

# The message if rbtop gave up waiting for its own threads.
gave_up='decoding hangs'

# Read the programs from the file system now, since it will hang later.
check "rbtop ends while no file hangs" watch -n 4 -d 0.5
kill -USR1 "$fs"
check "rbtop ends while one hangs" watch -n 4 -d 0.5
ended=$(date +%s)
check "and waits for nothing" bash -c "! grep '$gave_up' '$tmp/err'"
check "for no file either, which takes it a minute" \
	last "$ended - .time < 30"
check "and has told every tick" test "$(wc -l <"$tmp/ticks")" -eq 4

# How soon this is detected depends on the machine; the time is printed at the
# end.
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
# not all, if the decoding thread gets no CPU
check "the samples are decoded" \
	last '.self.samples | .decoded > 0.5 * .seen'
check "those of the stuck file are named [loading]" \
	last '[.hot[] | select(.dso | test("/mnt/prog"))] |
		length > 0 and all(.[]; .symbol == "[loading]")'

# --snapshot-on call: of a function in a file that hangs.
if may -e cpu-clock --overwrite --snapshot-on "call:$tmp/good:main" \
	--output "$tmp" && kill -0 "$fs"; then
	refuse 1 "a function in a file that hangs is given up" \
		timeout -s KILL 60 "$RBTOP" -b -n 1 -e cpu-clock --overwrite \
		--snapshot-on "call:$tmp/mnt/prog0:main" --output "$tmp"
	grep "could not be read within" "$tmp/err" >"$tmp/found"
	check "and it says so" test -s "$tmp/found"
	terminated() {
		local before=$SECONDS

		"$RBTOP" -b -n 1 -e cpu-clock --overwrite --snapshot-on \
			"call:$tmp/mnt/prog0:main" --output "$tmp" \
			>"$tmp/ticks" 2>"$tmp/err" &
		rbtop=$!
		sleep 1
		kill $rbtop
		wait $rbtop
		rbtop=
		cat "$tmp/err"
		grep -q "interrupted while reading $tmp/mnt/prog0" \
			"$tmp/err" && [ $((SECONDS - before)) -lt 20 ]
	}
	check "SIGTERM ends the wait for it" terminated
else
	skip "a function in a file that hangs" "$(why)"
fi

# The end of a recording waits less than a second for build-ids.
records() {
	local status

	rm -f "$tmp/rec.data"
	"$RBTOP" "${watching[@]}" -d 0.5 -g -o "$tmp/rec.data" >"$tmp/ticks" \
		2>"$tmp/err" &
	rbtop=$!
	soon has_ticks 4
	ended=$(date +%s%N)
	kill "$1" $rbtop
	wait $rbtop
	status=$?
	rbtop=
	ended=$((($(date +%s%N) - ended) / 1000000))
	echo "status $status after $ended ms"
	[ "$status" -eq "$2" ]
}
for signal in INT TERM; do
	check "a recording ends on SIG$signal" \
		records -$signal $((128 + $(kill -l $signal)))
	# the rest is for a busy machine
	check "without waiting for the file" test "$ended" -lt 4000
	check "and is whole" test -s "$tmp/rec.data"
done
has_build_id() {
	perf buildid-list -i "$tmp/rec.data" | grep -F "$1"
}
if command -v perf >"$tmp/perf"; then
	check "with the build-ids of files that answer" \
		has_build_id "$tmp/good"
else
	skip 'its build-ids' 'perf is not installed'
fi

# Whether a function of each program has a name.
both_named='[.hot[] | select(.symbol | test("^warm_")).dso |
	capture("/mnt/(?<name>prog.)$").name] | unique | length == 2'

answered() {
	local status=0

	: >"$tmp/ticks"
	"$RBTOP" "${watching[@]}" -d 0.5 >"$tmp/ticks" 2>"$tmp/err" &
	rbtop=$!
	until_last 'any(.hot[]; .symbol == "[loading]" and
		(.dso | test("/mnt/prog")))' && kill -USR2 "$fs" &&
		until_last "$both_named" && more_ticks 2 || status=$?
	kill $rbtop
	wait $rbtop
	rbtop=
	return $status
}
check "once the file is answered for, samples have their names" answered
check "and nothing is stuck" \
	bash -c "! grep -e '$gave_up' -e '$tmp/mnt/' '$tmp/err'"

finish
