#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU goes offline and comes back: its ring stands still, then goes on, and
# no total falls.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

cpu=$(online_cpus | tail -n 1)
switch=/sys/devices/system/cpu/cpu$cpu/online

[ -w "$switch" ] || skip_all "CPU $cpu cannot be taken offline here"
may -a || skip_all "$(why)"
if ! { echo 0 >"$switch"; } 2>/dev/null; then
	skip_all "the kernel keeps CPU $cpu online"
fi
echo 1 >"$switch"
trap 'echo 1 >"$switch"; kill $busy 2>/dev/null; tap_exit' EXIT
bash -c 'while :; do :; done' &
busy=$!

# plug SECONDS: take the CPU away for that long, a second into a run
plug() {
	sleep 1
	echo 0 >"$switch"
	[ "$1" = 0 ] || sleep "$1"
	echo 1 >"$switch"
}

# run SECONDS ARGS...: the same run as text, for the log, and as JSON
run() {
	plug "$1" &
	local plugger=$!

	shift
	"$RBTOP" -b -n 8 -d 0.5 "$@" >"$tmp/text" 2>&1 &
	local text=$!

	ticks -n 8 -d 0.5 "$@"
	wait $plugger $text
}

# The counters of all rings of a CPU never fall.
monotonic() {
	jq -es "[.[].rings[] | select(.cpu == $cpu) |
		 [.records, .samples, (.events[0].count // 0)]] as \$r |
		all(range(1; \$r | length); . as \$i |
		    all(0, 1, 2; \$r[\$i][.] >= \$r[\$i - 1][.]))" \
		"$tmp/ticks" >/dev/null ||
		{ jq -c ".rings[] | select(.cpu == $cpu) |
			 [.records, .samples, .events[0].count]" "$tmp/ticks"
		  return 1; }
}

# From the tick before the last to the last one its count grew.
counting_again() {
	jq -es "[.[].rings[] | select(.cpu == $cpu) | .events[0].count] |
		.[-1] > .[-3] and .[-1] > .[0] + 5e8" "$tmp/ticks" >/dev/null ||
		{ jq -c ".rings[] | select(.cpu == $cpu) | .events[0]" \
			"$tmp/ticks"
		  return 1; }
}

for away in 0.8 0; do
	check "away for $away s" run $away -a -e cpu-clock
	check "the log says it went" \
		grep -q "hotplug.*CPU $cpu went offline" "$tmp/text"
	check "and that it is back" \
		grep -q "hotplug.*CPU $cpu is back" "$tmp/text"
	check "nothing failed" bash -c "! grep -q 'error ' '$tmp/text'"
	check "its ring keeps its place" \
		every "[.rings[].cpu] == [$(online_cpus | paste -sd,)]"
	check "no total falls" monotonic
	check "it counts again" counting_again
done

# The kernel forgets which thread wanted a CPU that goes offline.
pinned_again() {
	local pid task

	"$RBTOP" -b -n 1 -d 3 -a --affinity \
		--readers "$(online_cpus | wc -l)" >/dev/null &
	pid=$!
	plug 0.3
	sleep 0.7
	for task in /proc/$pid/task/*; do
		grep -qx rbtop-reader "$task/comm" &&
			sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' \
				"$task/status"
	done >"$tmp/cpus"
	wait $pid
	cat "$tmp/cpus"
	grep -qx "$cpu" "$tmp/cpus"
}
check "the reader that was kept on it is so again" pinned_again

# The events of a task are not the CPU's: they work again by themselves.
check "the events of tasks outlive it" run 0.8 -e cpu-clock -p $busy
check "the log says so" grep -q "CPU $cpu is back: its ring goes on" "$tmp/text"
check "no total falls" monotonic

# A CPU that was not there at the start gets a ring when it comes.
echo 0 >"$switch"
{ sleep 1; echo 1 >"$switch"; } &
check "started without the CPU" ticks -n 6 -d 0.5 -a -e cpu-clock
wait $!
check "its ring was added" last "any(.rings[]; .cpu == $cpu)"
check "and counts" \
	last "any(.rings[]; .cpu == $cpu and .events[0].count > 1e8)"

# A CPU that is not watched tells of its tasks again, and nobody hears of it.
other=$(online_cpus | head -n 1)
tells_again() {
	local watcher

	"$RBTOP" -b --format script -e cpu-clock -F 4000 -n 4 -d 1 -C "$other" \
		>"$tmp/script" 2>"$tmp/err" &
	watcher=$!
	plug 0.3
	sleep 1
	brief_tasks "$cpu" "$other"
	wait $watcher
	brief_known "$tmp/script" "$other"
}
if command -v taskset >/dev/null && [ "$other" != "$cpu" ]; then
	check "unwatched, it tells of its tasks again" tells_again
	check "a run beside" run 0.3 -C "$other" -e cpu-clock
	check "has no ring of it" every "[.rings[].cpu] == [$other]"
	check "and no word" bash -c "! grep -q 'hotplug' '$tmp/text'"
else
	skip "unwatched, it tells of its tasks again" "taskset is not there"
fi

# Under a storm the equation holds across it.
if may -a -e raw_syscalls:sys_enter -c 1; then
	plug 0.3 &
	plugger=$!
	check "a storm meanwhile" ticks -d 30 -a -e raw_syscalls:sys_enter \
		-c 1 -m 16 -- sh -c \
		'timeout 3 dd if=/dev/zero of=/dev/null bs=1 status=none; :'
	wait $plugger
	check "adds up" equation
fi

finish
