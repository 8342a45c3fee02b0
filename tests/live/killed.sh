#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# When rbtop is killed at any moment, it leaves only complete files: on the file
# system of TMPDIR, on tmpfs and on overlayfs.
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

# All files are complete, and there is no recording.
left_whole() {
	local file

	for file in "$dir"/*; do
		case $file in
		"$dir"/t.prom*) [ "$(tail -n 1 "$file")" = '# EOF' ] ;;
		"$dir"/rbtop-*.data) [ "$(head -c 8 "$file")" = PERFILE2 ] ;;
		*) false ;;
		esac || { ls -l "$dir"; return 1; }
	done
	[ -s "$dir/t.prom" ]
}

# Each time while it is written.
recording() {
	for i in $(seq "$moments"); do
		kill_at "$i" writes_unnamed '' -o "$dir/recorded.data" ||
			return 1
		left_whole || return 1
		rm -f "$dir"/*
	done
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
	check "$1: a recording leaves nothing" recording
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
