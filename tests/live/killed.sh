#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# When rbtop is killed at any moment, it leaves only complete files: on the file
# system of TMPDIR, on tmpfs and on overlayfs.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may -a -e cpu-clock || skip_all "$(why)"

moments=12

# Wait until a file without a name is open in $dir.
writes_unnamed() {
	local _

	for _ in $(seq 200); do
		find "/proc/$1/fd" -lname "$dir/* (deleted)" 2>/dev/null |
			grep -q . && return 0
		sleep 0.02
	done
	return 1
}

# Does the file system of a directory support O_TMPFILE?
knows_unnamed() {
	"$RBTOP" -b -n 50 -d 0.1 -a -e cpu-clock -o "$dir/probe.data" \
		>/dev/null 2>&1 &
	local rbtop=$! known=1

	writes_unnamed "$rbtop" && known=0
	kill "$rbtop"
	wait "$rbtop"
	rm -f "$dir"/probe*
	return "$known"
}

# kill_at N ARGS...: kill rbtop N * 17 ms after it has begun to write files.
kill_at() {
	local moment=$1 _

	shift
	"$RBTOP" -b --format openmetrics --textfile "$dir/t.prom" -d 0.1 \
		-a -e cpu-clock "$@" >/dev/null 2>"$tmp/err" &
	local rbtop=$!

	for _ in $(seq 500); do
		[ -e "$dir/t.prom" ] && break
		sleep 0.02
	done
	writes_unnamed "$rbtop" && unnamed=$((unnamed + 1))
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

recording() {
	unnamed=0
	for i in $(seq "$moments"); do
		kill_at "$i" -o "$dir/recorded.data" || return 1
		left_whole || return 1
		rm -f "$dir"/*
	done
	# it was being written each time
	[ "$unnamed" -eq "$moments" ]
}

snapshots() {
	local taken=0

	for i in $(seq "$moments"); do
		kill_at "$i" --overwrite --snapshot-every 0.05 \
			--output "$dir" || return 1
		left_whole || return 1
		taken=$((taken + $(find "$dir" -name 'rbtop-*' | wc -l)))
		rm -f "$dir"/*
	done
	[ "$taken" -gt 0 ]
}

on() {
	if ! knows_unnamed; then
		skip "$1" "it has no files without a name"
		return
	fi
	check "$1: a recording leaves nothing" recording
	check "$1: snapshots are whole" snapshots
}

dir=$tmp/here
mkdir "$dir"
on "the directory for temporary files"

if dir=$(mktemp -d /dev/shm/rbtop-test.XXXXXX 2>/dev/null); then
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
