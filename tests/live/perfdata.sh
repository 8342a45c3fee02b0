#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf.data files written by rbtop: perf reads them, and finds all their
# content.
. "$(dirname "$0")/../lib.sh"

write_perfdata=${builddir:-$top/build}/tests/live/write_perfdata
[ -x "$write_perfdata" ] || skip_all "$write_perfdata is not built"
command -v perf >/dev/null || skip_all "perf is not installed"
unset DEBUGINFOD_URLS
export HOME=$tmp TRACEEVENT_PLUGIN_DIR=/nonexistent

# written NAME EVENT...: write the file; the program's output is in
# $tmp/NAME.txt.
written() {
	local name=$1

	shift
	"$write_perfdata" "$tmp/$name" "$@" >"$tmp/$name.txt" 2>"$tmp/why" &&
		return
	cat "$tmp/why"
	return 1
}

# MemTotal changes with memory ballooning.
memory() {
	awk '/^MemTotal/ { print $2 }' /proc/meminfo
}

memory=$(memory)
written clock cpu-clock || ! grep -qiE 'permi|paranoid|CONFIG_' "$tmp/why" ||
	skip_all "$(cat "$tmp/why")"
memory="($memory|$(memory))"

# perf reads file $1: its output is in $tmp/out, its errors in $tmp/err.
perf_says() {
	local file=$1

	shift
	perf "$@" -i "$tmp/$file" </dev/null >"$tmp/out" 2>"$tmp/err" && return
	echo "status $? of: perf $*"
	head -n 20 "$tmp/err"
	return 1
}

# perf script has exactly the samples of each event that were written; in order,
# if they were.
same_samples() {
	local file=$1

	perf_says "$file" script -F event || return
	if grep -iE 'fail|error|unknown' "$tmp/err"; then
		return 1
	fi
	if grep -qx 'late 0' "$tmp/$file.txt" && grep -i order "$tmp/err"; then
		return 1
	fi
	sed -n 's/^samples \([1-9][0-9]*\) \(.*\)/\1 \2/p' "$tmp/$file.txt" |
		sort >"$tmp/want"
	sed 's/^ *//; s/: *$//' "$tmp/out" | sort | uniq -c |
		sed 's/^ *//' | sort >"$tmp/got"
	diff "$tmp/want" "$tmp/got" && [ -s "$tmp/got" ]
}

# perf knows every record of the file, and reads all.
same_records() {
	local file=$1 samples

	perf_says "$file" script -D || return
	samples=$(awk '/^samples/ { n += $2 } END { print n }' \
		"$tmp/$file.txt")
	[ "$(grep -a -c 'PERF_RECORD_SAMPLE(' "$tmp/out")" = "$samples" ] ||
		{ echo "not $samples samples"; return 1; }
	! grep -a -iE 'unknown|failed' "$tmp/err"
}

# header FILE PATTERN...: each pattern matches a line.
header() {
	local file=$1 pattern

	shift
	perf_says "$file" report --header-only || return
	for pattern; do
		grep -qE -e "$pattern" "$tmp/out" && continue
		echo "no line has: $pattern"
		cat "$tmp/out"
		return 1
	done
}

build_id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

finds_build_ids() {
	perf_says clock buildid-list || return
	cat "$tmp/out"
	grep -qx "$(build_id_of "$write_perfdata") $write_perfdata" "$tmp/out"
}

# The program's own function, by its mapping; the kernel's, by kallsyms.
finds_symbols() {
	perf_says clock report --stdio --sort comm,dso,sym || return
	cat "$tmp/out"
	grep -q 'writer *write_perfdata *\[\.\] spin_here' "$tmp/out"
}

finds_kernel() {
	perf_says clock script -D || return
	grep -a 'MMAP -1/0:' "$tmp/out"
	grep -a -q "MMAP -1/0: \[0x$text(.* @ 0x$text\]: x \[kernel.kallsyms\]_text" \
		"$tmp/out"
}

check 'one event: every sample is there' same_samples clock
check 'one event: every record is read' same_records clock
check 'the header says what machine it was' header clock \
	"^# hostname : $(uname -n)$" "^# os release : $(uname -r)$" \
	"^# arch : $(uname -m)$" '^# perf version : rbtop' \
	"^# nrcpus online : $(getconf _NPROCESSORS_ONLN)$" \
	"^# total memory : $memory kB$" \
	'^# cmdline : .*write_perfdata .*/clock cpu-clock' \
	'^# event : name = cpu-clock, .*type = 1' \
	'^# pmu mappings: .*software = 1' '^# sample duration : *[1-9][0-9]+\.[0-9]+ ms'
check 'symbols of the program are found' finds_symbols
if [ -n "$(build_id_of "$write_perfdata" 2>/dev/null)" ]; then
	check 'build-ids are found' finds_build_ids
else
	skip 'build-ids are found' 'programs here have none, or no readelf'
fi
text=$(sed -n 's/ T _text$//p' /proc/kallsyms | sed 's/^0*//')
if [ -n "$text" ]; then
	check 'the map of the kernel is there' finds_kernel
else
	skip 'the map of the kernel is there' 'kernel.kptr_restrict hides it'
fi

check 'several events' written several cpu-clock page-faults \
	'{task-clock,context-switches}'
check 'several events: every sample is there' same_samples several
check 'several events: every record is read' same_records several
check 'several events: names and groups' header several \
	'name = page-faults, ' 'name = side-band, ' \
	'^# group: \{task-clock,context-switches\}'

has_text() {
	perf_says trace script -F event,trace || return
	head -n 5 "$tmp/out"
	grep -q 'sched:sched_switch: .*prev_pid=[0-9]* .* next_comm=' \
		"$tmp/out"
}

if written trace cpu-clock sched:sched_switch raw_syscalls:sys_enter:k; then
	check 'tracepoints: every sample is there' same_samples trace
	check 'tracepoints: every record is read' same_records trace
	check 'tracepoints: their fields are read' has_text
else
	skip 'tracepoints' "$(cat "$tmp/why")"
fi

aux_lines() {
	"$write_perfdata" --trace "$tmp/aux" || return
	perf_says aux script -D || return
	grep -a 'PERF_RECORD_AUXTRACE \|PERF_RECORD_TIME' "$tmp/out" |
		sed 's/^[^P]*//; s/tid: [1-9][0-9]*/tid: N/' >"$tmp/got"
	diff - "$tmp/got" <<-END
		PERF_RECORD_TIME_CONV
		PERF_RECORD_AUXTRACE size: 0x1000  offset: 0  ref: 0x1234  idx: 0  tid: -1  cpu: 0
		PERF_RECORD_AUXTRACE size: 0  offset: 0x1000  ref: 0x1235  idx: 1  tid: -1  cpu: 1
		PERF_RECORD_AUXTRACE size: 0x400  offset: 0x2000  ref: 0x1236  idx: 2  tid: N  cpu: -1
	END
}

aux_info() {
	grep -a -A 18 'PERF_RECORD_AUXTRACE_INFO type: 1' "$tmp/out" &&
		grep -a -qE 'PMU Type +8$' "$tmp/out" &&
		grep -a -qE 'Time Muliplier +2147483647$' "$tmp/out" &&
		grep -a -qE 'Per-cpu maps +1$' "$tmp/out"
}

decodes() {
	perf_says aux script --itrace=w &&
		! grep -iE 'error|fail' "$tmp/err"
}

check 'AUX trace: perf sees the rings' aux_lines
check 'AUX trace: perf sees what it is of' aux_info
check 'AUX trace: perf decodes it' decodes
check 'AUX trace: the header tells' header aux 'contains AUX area data'

full_disk() {
	"$write_perfdata" "$tmp/disk/file" cpu-clock >"$tmp/out" 2>"$tmp/err" &&
		return 1
	cat "$tmp/err"
	grep -q 'No space left on device' "$tmp/err"
}

mkdir "$tmp/disk"
if mount -t tmpfs -o size=16k tmpfs "$tmp/disk" 2>/dev/null; then
	check 'a full disk is told of' full_disk
	umount "$tmp/disk"
else
	skip 'a full disk is told of' 'no permission to mount one'
fi

finish
