#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The buffers of an ftrace instance, as the kernel counts them: not read by
# anybody, read too slowly, and without overwriting.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

event=ftrace:rbtop-test-$$
instance=/sys/kernel/tracing/instances/${event#*:}
mkdir "$instance" 2>/dev/null || skip_all "no ftrace instance can be made"
remove_instance() {
	local status=$?

	[ -z "${reader-}" ] || kill "$reader" 2>/dev/null
	echo 0 >"$instance/events/enable"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		rmdir "$instance" 2>/dev/null && break
		sleep 0.1
	done
	(exit "$status")
	host_end
}
trap remove_instance EXIT

mapfile -t cpus < <(online_cpus)
cpu=${cpus[-1]}
stats=$instance/per_cpu/cpu$cpu/stats
echo 0 >"$instance/tracing_on"
echo 64 >"$instance/buffer_size_kb"
size=$(($(cat "$instance/per_cpu/cpu$cpu/buffer_size_kb") * 1024))
echo 1 >"$instance/events/raw_syscalls/enable"

# fill N: events of N system calls on that CPU, and of nobody else.
echo 'common_pid == 0' >"$instance/events/raw_syscalls/filter"
fill() {
	taskset -c "$cpu" sh -c '
		echo "common_pid == $$" >"$1/events/raw_syscalls/filter"
		exec dd if=/dev/zero of=/dev/null bs=1 count="$2" 2>/dev/null' \
		sh "$instance" "$1"
	echo 'common_pid == 0' >"$instance/events/raw_syscalls/filter"
}

# stat NAME: a number of the CPU's stats file.
stat_of() {
	sed -n "s/^$1: //p" "$stats"
}

# ring FILTER [N]: true for the row of the CPU's buffer, at the Nth look.
ring() {
	"$RBTOP" --host -b -n "${2:-1}" -d 1.1 --format json >"$tmp/ring" &&
		tail -n 1 "$tmp/ring" | jq -ce ".rings|
			map(select(.event == \"$event\" and
				   .cpu == $cpu)) | .[0] |
			if $1 then true else (., false) end"
}

no_ring() {
	"$RBTOP" --host -b -n 1 --format json |
		jq -e "all(.rings[]; .event != \"$event\")"
}

# starts COMMAND: a reader, which is found once it has the file open.
starts() {
	"$@" &
	reader=$!
	soon reads_it
}
reads_it() {
	ls -l /proc/$reader/fd | grep -q "${event#*:}/.*trace_pipe"
}
ends() {
	kill "$reader"
	wait "$reader" 2>/dev/null
	reader=
}

check "a buffer that is off is not listed" no_ring
echo 1 >"$instance/tracing_on"
check "nor one that is empty" no_ring
fill 20000
overrun=$(stat_of overrun)
check "it has overwritten events" test "$overrun" -gt 10000
check "of a buffer that nobody reads nothing is lost" ring ".lost == 0 and
	.kind == \"ftrace\" and .owner == null and .overwrite and
	.size == $size and .verdict == \"overwrite\" and .fill > 0.8 and
	.used <= .size"
check "looking at it took nothing out" test "$(stat_of 'read events')" = 0
check "and changed nothing" test "$(stat_of overrun)" = "$overrun"
check "JSON counts it" jq -e '.total.ftrace_buffers > 0' "$tmp/ring"

# A reader that takes a few events in each second.
starts perl -e 'open my $f, "<", $ARGV[0] or die;
	while (sysread $f, my $text, 4096) { select undef, undef, undef, 0.3 }' \
	"$instance/per_cpu/cpu$cpu/trace_pipe"
"$RBTOP" --host -b -n 8 -d 1.1 --format json >"$tmp/ticks" &
watch=$!
for _ in 1 2 3 4 5 6; do
	fill 20000
	sleep 1
done
wait "$watch"
check "what a slow reader misses is lost" ring ".lost == $(stat_of overrun) and
	.owner.pid == $reader and .owner.comm == \"perl\" and
	(.overwrite | not)"
check "while it is, the verdict says so" jq -se "any(.[].rings[];
	.event == \"$event\" and .cpu == $cpu and .lost_per_s > 1000 and
	(.warnings | index(\"losing\")) and
	(.verdict == \"too small\" or .verdict == \"reader too slow\"))" \
	"$tmp/ticks"
check "and a size to begin with" jq -se "any(.[].rings[];
	.event == \"$event\" and .cpu == $cpu and .advice.setting != null
	and (.advice.setting | test(\"^echo [0-9]+ > $instance/buffer_size_kb\$\")))" \
	"$tmp/ticks"
ends
check "without a reader it is overwritten by design again" ring \
	".overwrite and .owner == null"

# The first events are kept, and the others dropped.
echo 0 >"$instance/options/overwrite"
echo >"$instance/trace"
fill 20000
dropped=$(stat_of 'dropped events')
check "without overwriting, events are dropped" test "$dropped" -gt 10000
check "and are lost" ring ".lost == $dropped and (.overwrite | not)"

# A reader that empties the buffer twice a second, and the size advised for it.
echo 1 >"$instance/options/overwrite"
echo >"$instance/trace"
starts perl -MFcntl -e 'sysopen my $f, $ARGV[0], O_RDONLY | O_NONBLOCK or die;
	for (;;) { 1 while sysread $f, my $bytes, 65536;
		   select undef, undef, undef, 0.5 }' \
	"$instance/per_cpu/cpu$cpu/trace_pipe_raw"
"$RBTOP" --host -b -n 30 -d 1.1 --format json >"$tmp/ticks" &
watch=$!
while kill -0 "$watch" 2>/dev/null; do
	fill 3000
	sleep 0.7
done &
load=$!
told() {
	tail -n 1 "$tmp/ticks" | jq -re ".rings[] | select(
		.event == \"$event\" and .cpu == $cpu and
		.verdict == \"too small\") | .advice.setting"
}
sleep 10
check "a buffer is too small" soon told
setting=$(tail -n 1 "$tmp/soon")
check "in the words of a shell" eval "$setting"
lost=$(stat_of overrun)
wait "$load" "$watch"
check "with the size advised nothing more is lost" \
	test "$(stat_of overrun)" = "$lost"
check "and that is said" jq -se "(.[-1].rings | map(select(
		.event == \"$event\" and .cpu == $cpu)) | .[0] |
	.verdict == \"ok\" and .lost_per_s == 0 and .lost == $lost)" "$tmp/ticks"
kb=${setting#echo }
check "it is no more than 4 times the 1M that holds it" \
	test "${kb%% *}" -le 4096
ends
finish
