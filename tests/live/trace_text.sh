#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tracepoint samples recorded by perf: rbtop's text of each is perf's.
. "$(dirname "$0")/../lib.sh"

perf_texts=${builddir:-$top/build}/tests/live/perf_texts
[ -x "$perf_texts" ] || skip_all "$perf_texts is not built"
command -v perf >/dev/null || skip_all "perf is not installed"

# Without build-ids, of which perf fills a cache in the home directory.
record() {
	perf record -q -B -N -o "$tmp/perf.data" "$@"
}
record -e sched:sched_switch -- true 2>"$tmp/err" ||
	! grep -qiE 'permi|tracefs|debugfs|syntax error' "$tmp/err" ||
	skip_all "perf may not record tracepoints: $(head -n 1 "$tmp/err")"

# Plugins print other texts than the formats do: some builds of perf load them.
perf_script() {
	HOME=/nonexistent TRACEEVENT_PLUGIN_DIR=/nonexistent \
		perf script --ns -F time,event,trace -i "$tmp/perf.data" \
		2>"$tmp/err"
}

work() {
	for directory in / /proc /etc; do
		ls -l $directory
		sleep 0.02
		head -c 100000 /dev/zero | wc -c
	done
}
export -f work

# Samples have unique times in all but a few cases: both are sorted by them.
sorted() {
	sed -E 's/^ *([0-9]+\.[0-9]+): +([a-z_]+:[a-z0-9_]+): /\1 \2: /' |
		LC_ALL=C sort
}

# same_texts EVENTS RECORD_OPTION...
same_texts() {
	local events=$1

	shift
	record "$@" -e "$events" -- bash -c work >"$tmp/out" 2>&1 || {
		cat "$tmp/out"
		return 1
	}
	if ! perf_script >"$tmp/script"; then
		echo "perf script failed:"
		cat "$tmp/err"
		return 1
	fi
	sorted <"$tmp/script" >"$tmp/perf"
	"$perf_texts" "$tmp/perf.data" >"$tmp/texts" || return
	sorted <"$tmp/texts" >"$tmp/ours"
	wc -l "$tmp/perf"
	diff "$tmp/perf" "$tmp/ours" | head -n 20
	[ -s "$tmp/perf" ] && cmp -s "$tmp/perf" "$tmp/ours"
}

check "sched: texts are perf's" same_texts 'sched:*' -a
check "raw_syscalls: texts are perf's" same_texts 'raw_syscalls:*'
check "irq: texts are perf's" same_texts 'irq:*' -a
check "timer: texts are perf's" same_texts 'timer:*' -a
check "kmem: texts are perf's" same_texts 'kmem:*'
check "with callchains too" same_texts 'sched:*' -a -g
check "of a single event" same_texts 'irq:softirq_raise' -a

# What rbtop reads itself, in perf script's form.
printed() {
	"$RBTOP" -b -d 30 --format script -e sched:sched_process_exec \
		-- /bin/true >"$tmp/out" || return
	cat "$tmp/out"
	grep -qE '^ +true +[0-9]+ \[[0-9]{3}\] +[0-9]+\.[0-9]{6}: '`
		`'sched:sched_process_exec: filename=/bin/true pid=[0-9]+ '`
		`'old_pid=[0-9]+$' "$tmp/out"
}
check "--format script has the text" printed

finish
