#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rbtop's text of tracepoint samples recorded by perf is the same as perf's.
. "$(dirname "$0")/../lib.sh"

perf_texts=${builddir:-$top/build}/tests/live/perf_texts
[ -x "$perf_texts" ] || skip_all "$perf_texts is not built"
command -v perf >/dev/null || skip_all "perf is not installed"

# Without build-ids, for which perf would fill a cache in the home directory.
record() {
	perf record -q -B -N -o "$tmp/perf.data" "$@"
}
record -e sched:sched_switch -- true 2>"$tmp/err" ||
	! grep -qiE 'permi|tracefs|debugfs|syntax error' "$tmp/err" ||
	skip_all "perf may not record tracepoints: $(head -n 1 "$tmp/err")"

# Without plugins, which some builds of perf load: their texts differ from the
# formats.
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

# Samples read by rbtop itself, in the format of perf script.
printed() {
	"$RBTOP" -b -d 30 --format script -e sched:sched_process_exec \
		-- /bin/true >"$tmp/out" || return
	cat "$tmp/out"
	grep -qE '^ +true +[0-9]+ \[[0-9]{3}\] +[0-9]+\.[0-9]{6}: '`
		`'sched:sched_process_exec: filename=/bin/true pid=[0-9]+ '`
		`'old_pid=[0-9]+$' "$tmp/out"
}
check "--format script has the text" printed

# A probe of this test, with arrays that libtraceevent cannot read.
tracing=/sys/kernel/tracing
probe=rbtop_test_$$
instance=$tracing/instances/$probe
remove_probe() {
	local status=$?

	rmdir "$instance"
	echo "-:$probe/hit" >>"$tracing/uprobe_events"
	return "$status"
} 2>/dev/null

build_target() {
	${CC:-cc} -x c -O1 -fPIE -pie -o "$tmp/rbt_target" - <<-'END'
		struct data {
			unsigned char b[4];
			short h[2];
			char text[12];
			long long q[2];
			const char *names[2];
		};
		__attribute__((noinline))
		void probe_here(struct data *data)
		{
			__asm__ volatile("" : : "r"(data) : "memory");
		}
		int main(void)
		{
			struct data data = { { 1, 2, 254, 255 }, { 3, -4 },
				"some \"text\"", { -5, 6 }, { "one", "2 3" } };

			probe_here(&data);
			data.names[1] = (const char *)1;
			probe_here(&data);
			return 0;
		}
	END
}

add_probe() {
	local arg

	case $(uname -m) in
	x86_64) arg=%di ;;
	aarch64) arg=%x0 ;;
	*) echo "its registers have other names here" && return 1 ;;
	esac
	build_target || return
	trap 'remove_probe; tap_exit' EXIT
	echo "p:$probe/hit $tmp/rbt_target:0x$(nm "$tmp/rbt_target" |
		sed -n 's/ T probe_here$//p') bytes=+0($arg):u8[4] "`
		`"signs=+0($arg):s8[4] hex=+4($arg):x16[2] "`
		`"halves=+4($arg):s16[2] text=+8($arg):string "`
		`"letters=+8($arg):char[4] letter=+8($arg):char "`
		`"quads=+24($arg):s64[2] names=+0(+40($arg)):string "`
		`"both=+40($arg):string[2]" >>"$tracing/uprobe_events" &&
		mkdir "$instance" &&
		echo 1 >"$instance/events/$probe/hit/enable"
}

# A uprobe can be used by ftrace or by perf: one after the other.
in_use() {
	! "$RBTOP" -b -n 1 -e "$probe:hit" -- true 2>"$tmp/err" &&
		grep "events/$probe/hit/enable" "$tmp/err"
}

# The kernel's own text of the same event, except for the address.
same_as_the_kernel() {
	"$tmp/rbt_target" &&
		echo 0 >"$instance/events/$probe/hit/enable" &&
		"$RBTOP" -b -d 30 --format script -e "$probe:hit" \
			-- "$tmp/rbt_target" >"$tmp/out" || return
	sed -n 's/.*: hit: (0x[0-9a-f]*) //p' "$instance/trace" >"$tmp/kernel"
	sed -n 's/.*:hit: ([0-9a-f]*) //p' "$tmp/out" >"$tmp/ours"
	diff "$tmp/kernel" "$tmp/ours"
	cat "$tmp/ours"
	grep -q 'halves={3,-4} text="some "text"" letters=' "$tmp/ours" &&
		grep -qF 'both={"one",(fault)}' "$tmp/ours" &&
		cmp -s "$tmp/kernel" "$tmp/ours"
}

if add_probe >"$tmp/err" 2>&1; then
	check "a probe that ftrace uses is refused, with the remedy" in_use
	check "arrays of probes are as the kernel prints them" \
		same_as_the_kernel
else
	skip "arrays of probes are as the kernel prints them" \
		"no uprobe can be made: $(head -n 1 "$tmp/err")"
fi
finish
