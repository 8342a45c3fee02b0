#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Snapshots of the simulated kernel: perf reads and decodes the files, and finds
# the records that rbtop counted.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

command -v perf >/dev/null || skip_all "perf is not installed"

# take SPEC ARGS...: take one file in $tmp/files; its records are in $tmp/dump.
take() {
	rm -rf "$tmp/files"
	mkdir "$tmp/files"
	ticks --sim "$1" --output "$tmp/files" "${@:2}" || return 1
	file=$(find "$tmp/files" -name 'rbtop-*.data' | sort | tail -n 1)
	perf script -D -i "$file" >"$tmp/dump" 2>"$tmp/perf" ||
		{ cat "$tmp/perf"; return 1; }
}

# dumped TYPE: the number of records that perf finds.
dumped() {
	grep -c " PERF_RECORD_$1\b" "$tmp/dump"
}

# same FILTER NUMBER: jq's FILTER on the last tick gives NUMBER.
same() {
	echo "perf has $2, rbtop $(tail -n 1 "$tmp/ticks" | jq "$1")"
	last "$1 == $2"
}

# No records unknown to perf, and no decoding errors.
no_errors() {
	perf script --itrace=ewibxp -i "$file" >"$tmp/script" 2>"$tmp/perf" ||
		{ cat "$tmp/perf"; return 1; }
	! grep -iE 'error|unknown|failed|invalid' "$tmp/perf" &&
		! grep -E 'instruction trace error|-- Lost' "$tmp/script"
}

trace=cpus=3,rate=2000,aux=64K,auxrate=4M,snapshot=1
check 'a snapshot at exit is taken' take $trace -n 2 -d 0.5 --snapshot-on exit
check 'perf finds the samples that were counted' \
	same .total.samples "$(dumped SAMPLE)"
check 'and the AUX records' same .total.types.AUX "$(dumped AUX)"
check 'a trace for each ring' \
	same .snapshots.last.aux_rings "$(dumped AUXTRACE)"
bytes=0
while read -r size; do
	bytes=$((bytes + size))
done < <(sed -n 's/.* PERF_RECORD_AUXTRACE size: \([^ ]*\) .*/\1/p' "$tmp/dump")
check 'of as many bytes' same .snapshots.last.bytes "$bytes"
check 'perf decodes it without an error' no_errors

# A block of 2K has 202 PTWRITE packets.
ptwrites() {
	local nr

	perf script --itrace=w -i "$file" >"$tmp/script" 2>/dev/null
	nr=$(grep -c 'ptwrite' "$tmp/script")
	echo "$nr, and $bytes bytes"
	[ "$nr" = $((bytes / 2048 * 202)) ] && [ "$nr" -gt 0 ]
}
check 'every PTWRITE packet is there' ptwrites

# Only tasks of the simulation, by their names, if none of them ends.
check 'with samples alone' take $trace,mix=samples -n 2 -d 0.5 \
	--snapshot-on exit
names() {
	perf script --no-itrace -i "$file" -F comm 2>/dev/null | sort -u >"$tmp/names"
	cat "$tmp/names"
	grep -q nginx "$tmp/names" && ! grep -q '^ *:' "$tmp/names"
}
check 'samples are of tasks with names' names
check 'who runs here is not in it' eval \
	'! grep -E " PERF_RECORD_COMM.*: (bash|rbtop|systemd):" "$tmp/dump"'

check 'a condition takes one' take $trace,mix=throttled -n 4 -d 0.5 \
	--snapshot-on throttle
check 'and says which' last '.snapshots.last.trigger | startswith("throttle")'
check 'its trace is decoded too' no_errors
check 'overwrite rings are saved' \
	take cpus=2,rate=20000,overwrite=1 -n 2 -d 0.5 --snapshot-on exit
check 'by their bytes' last '.snapshots.last | .bytes == 262144 and
	.aux_rings == 0'
check 'perf finds samples in them' [ "$(dumped SAMPLE)" -gt 1000 ]
several() {
	local rbtop

	rm -f "$tmp/files"/*
	"$RBTOP" -b --format json --sim $trace -d 0.25 --output "$tmp/files" \
		--snapshot-every 0.2 --keep 2 >"$tmp/ticks" 2>"$tmp/err" &
	rbtop=$!
	until_last '.snapshots.taken > 2'
	kill "$rbtop"
	wait "$rbtop"
	last '.snapshots.taken > 2'
}
check 'at intervals there are several' several
check 'of which the newest two are kept' eval \
	'[ "$(find "$tmp/files" -name "*.data" | wc -l)" = 2 ]'

# Features that a simulated kernel does not have are refused.
refuses() {
	! ticks --sim "$1" -n 1 "${@:3}" && grep -q -- "$2" "$tmp/err"
}
check 'without such a ring it is refused' refuses cpus=1 snapshot=1 \
	--snapshot-every 1
check 'and so is a function' refuses $trace 'no functions' \
	--snapshot-on call:/bin/true:main
check 'and a recording' refuses $trace '-o and --sim' -o "$tmp/x.data"
finish
