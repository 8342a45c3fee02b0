#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# When rbtop is killed at any moment, it leaves only complete files, and a
# recording that can be read up to its last checkpoint: on the file system of
# TMPDIR, on tmpfs and on overlayfs.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may -a -e cpu-clock || skip_all "$(why)"

moments=12

# Whether a file without a name is open in $dir.
writes_unnamed() {
	find "/proc/$1/fd" -lname "$dir/* (deleted)" 2>/dev/null | grep -q .
}

has_files() {
	find "$dir" -mindepth 1 -name "$1" | grep -q .
}

writes_any() {
	writes_unnamed "$1" || has_files "$2"
}

# Whether the file system of a directory supports O_TMPFILE.
knows_unnamed() {
	"$RBTOP" -b -d 0.1 -a -e cpu-clock -o "$dir/probe.data" \
		>/dev/null 2>&1 &
	local rbtop=$! known=1

	soon writes_any "$rbtop" '*' && writes_unnamed "$rbtop" && known=0
	kill "$rbtop"
	wait "$rbtop"
	rm -f "$dir"/*
	return "$known"
}

# kill_at N CONDITION ARGS...: kill rbtop N * 17 ms after it has written a text
# file and CONDITION, a command with its pid for the next argument, was true.
kill_at() {
	local moment=$1 begun=$2 what=$3

	shift 3
	"$RBTOP" -b --format openmetrics --textfile "$dir/t.prom" -d 0.1 \
		-a -e cpu-clock "$@" >/dev/null 2>"$tmp/err" &
	local rbtop=$!

	soon test -e "$dir/t.prom" && soon "$begun" "$rbtop" "$what" ||
		{ cat "$tmp/err"; kill -KILL "$rbtop"; return 1; }
	sleep "0.$(printf %03d $((moment * 17)))"
	kill -KILL "$rbtop"
	wait "$rbtop" 2>/dev/null
	[ $? -eq 137 ]
}

# All files are complete.
left_whole() {
	local file

	for file in "$dir"/*; do
		case $file in
		"$dir"/t.prom*) [ "$(tail -n 1 "$file")" = '# EOF' ] ;;
		"$dir"/rbtop-*.data | "$dir"/recorded.data) [ "$(head -c 8 "$file")" = PERFILE2 ] ;;
		*) false ;;
		esac || { ls -l "$dir"; return 1; }
	done
	[ -s "$dir/t.prom" ]
}

# field FILE OFFSET: a number of 8 bytes.
field() {
	od -A n -t u8 -j "$2" -N 8 "$1" | tr -d ' '
}

# readable FILE: its records are within it, there are some, and perf can read
# them; its output is in $tmp/script.
readable() {
	local from bytes size

	from=$(field "$1" 40)
	bytes=$(field "$1" 48)
	size=$(stat -c %s "$1")
	echo "$1: $bytes bytes of records from $from, of $size"
	[ "$bytes" -gt 0 ] && [ $((from + bytes)) -le "$size" ] || return 1
	command -v perf >/dev/null || return 0
	perf script -i "$1" -F event </dev/null >"$tmp/script" 2>"$tmp/err" &&
		! grep -iE 'fail|error' "$tmp/err" ||
		{ cat "$tmp/err"; return 1; }
}

is_recorded() {
	[ -s "$dir/$2" ]
}

# Each time while it is written.
recording() {
	for i in $(seq "$moments"); do
		kill_at "$i" is_recorded recorded.data \
			-o "$dir/recorded.data" || return 1
		left_whole && readable "$dir/recorded.data" || return 1
		rm -f "$dir"/*
	done
}

# The last sample is hardly older than the last checkpoint but one.
second() {
	local end

	"$RBTOP" -b -d 0.1 -a -e cpu-clock -o "$dir/recorded.data" \
		>/dev/null 2>"$tmp/err" &
	local rbtop=$!

	soon is_recorded "$rbtop" recorded.data || return 1
	sleep 5
	end=$(cut -d ' ' -f 1 /proc/uptime)
	kill -KILL "$rbtop" || return 1
	wait "$rbtop" 2>/dev/null
	readable "$dir/recorded.data" || return 1
	command -v perf >/dev/null || return 0
	perf script -i "$dir/recorded.data" -F time </dev/null 2>"$tmp/err" |
		tail -n 1 | tr -d ' :' >"$tmp/last"
	rm -f "$dir"/*
	echo "killed at $end, the last sample is of $(cat "$tmp/last")"
	awk -v end="$end" '{ exit !(end - $1 < 3) }' "$tmp/last"
}

is_taken() {
	has_files "$2"
}

# A snapshot is being written, or is written.
snapshots() {
	local condition

	for i in $(seq "$moments"); do
		condition=writes_any
		[ $((i % 3)) -ne 0 ] || condition=is_taken
		kill_at "$i" $condition 'rbtop-*' --overwrite \
			--snapshot-every 0.05 --output "$dir" || return 1
		left_whole || return 1
		rm -f "$dir"/*
	done
}

on() {
	if ! knows_unnamed; then
		skip "$1" "it has no files without a name"
		return
	fi
	check "$1: a recording can be read" recording
	check "$1: a recording is kept up to its last second" second
	check "$1: snapshots are whole" snapshots
}

shm=
leave() {
	umount -l "$tmp/merged" 2>/dev/null
	[ -z "$shm" ] || rm -rf "$shm"
	tap_exit
}
trap leave EXIT

dir=$tmp/here
mkdir "$dir"
on "the directory for temporary files"

if shm=$(mktemp -d /dev/shm/rbtop-test.XXXXXX 2>/dev/null); then
	dir=$shm
	on tmpfs
	rm -rf "$dir"
else
	skip tmpfs '/dev/shm cannot be written to'
fi

mkdir "$tmp"/{lower,upper,work,merged}
if mount -t overlay overlay -o \
	"lowerdir=$tmp/lower,upperdir=$tmp/upper,workdir=$tmp/work" \
	"$tmp/merged" 2>/dev/null; then
	dir=$tmp/merged
	on overlayfs
	umount "$tmp/merged"
else
	skip overlayfs 'it cannot be mounted here'
fi

finish
