#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# User code from which the kernel was entered has a name as often as with perf,
# in callchains of events at a known place.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

command -v perf >/dev/null || skip_all "perf is not installed"
may -g -e page-faults || skip_all "$(why)"
entries=${builddir:-$top/build}/tests/live/entries
[ -x "$entries" ] || skip_all "$entries is not built"

# both EVENT ARG...: callchains of entries.c, to $tmp/ours and $tmp/theirs.
both() {
	"$RBTOP" -b --format script -d 30 -g -c 1 -e "$1" -- \
		"$entries" "${@:2}" >"$tmp/ours" 2>"$tmp/err" || {
		cat "$tmp/err"
		return 1
	}
	perf record -q -g -c 1 -e "$1" -o "$tmp/perf.data" -- \
		"$entries" "${@:2}" >"$tmp/record" 2>&1 &&
		perf script -i "$tmp/perf.data" >"$tmp/theirs" 2>"$tmp/err"
}

# named FILE FUNCTION [INSIDE]: the number of samples with FUNCTION of user
# code, and of all samples; only those that contain INSIDE.
named() {
	awk -v function_="$2" -v inside="${3:-}" '
		BEGIN { RS = "" }
		inside != "" && index($0, inside) == 0 { next }
		{ all++ }
		$0 ~ " " function_ "\\+0x[0-9a-f]+ \\(/" { named++ }
		END { print named + 0, all + 0 }' "$1"
}

# All its samples fit in a ring without a drain.
calls=1000

# Each call faults at least once; the same instruction may fault twice
# (handle_mm_fault() had to retry, or the page was reclaimed).
faults() {
	local ours theirs

	both "$1" --fault $calls || return
	read -r ours _ < <(named "$tmp/ours" fault_here)
	read -r theirs _ < <(named "$tmp/theirs" fault_here)
	echo "fault_here: $ours of at least $calls, perf's: $theirs"
	[ "$ours" -ge $calls ] && [ "$theirs" -ge $calls ]
}

for event in page-faults exceptions:page_fault_user; do
	if may -g -e $event; then
		check "a fault on the first instruction: $event" faults $event
	else
		skip "a fault on the first instruction: $event" "$(why)"
	fi
done

# Most events in execve(2) are after the switch to the new program.
execs() {
	local ours theirs all perf_all

	both "$1" --exec 200 || return
	read -r ours all < <(named "$tmp/ours" '[A-Za-z_]*execve' sys_execve)
	read -r theirs perf_all < <(named "$tmp/theirs" \
		'[A-Za-z_]*execve' sys_execve)
	echo "execve: $ours of $all, perf's: $theirs of $perf_all"
	# two runs: only shares can be compared
	[ "$all" -ge 400 ] && [ "$theirs" -gt 0 ] &&
		[ $((ours * perf_all)) -ge $((theirs * all * 99 / 100)) ]
}

for event in page-faults mmap:vm_unmapped_area; do
	if may -g -e $event; then
		check "the caller of execve(2): $event" execs $event
	else
		skip "the caller of execve(2): $event" "$(why)"
	fi
done

finish
