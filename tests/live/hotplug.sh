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
trap 'echo 1 >"$switch"; kill $busy $json $text 2>/dev/null; tap_exit' EXIT
bash -c 'while :; do :; done' &
busy=$!

# plug SECONDS: take the CPU away for that long
plug() {
	echo 0 >"$switch"
	[ "$1" = 0 ] || sleep "$1"
	echo 1 >"$switch"
}

# ticked COUNT: there are so many ticks, of both formats where both are made
ticked() {
	[ "$(wc -l <"$tmp/ticks")" -ge "$1" ] && { [ -z "$text" ] ||
		[ "$(grep -c '  tick ' "$tmp/text")" -ge "$1" ]; }
}

# Wait until whatever happened before is in a tick of each.
tick_on() {
	local made reports=0

	made=$(wc -l <"$tmp/ticks")
	[ -z "$text" ] || reports=$(grep -c '  tick ' "$tmp/text")
	soon ticked $(((made > reports ? made : reports) + 2))
}

# begin ARGS...: rbtop, as JSON, until its first tick is there; its pid: $json
json='' text=''
begin() {
	: >"$tmp/ticks"
	"$RBTOP" -b -d 0.5 --format json "$@" >"$tmp/ticks" 2>"$tmp/err" &
	json=$!
	soon ticked 1
}

# All that begin() and run() have started.
end() {
	kill $json $text 2>/dev/null
	wait $json $text 2>/dev/null
	json='' text=''
}

# run CONDITION SECONDS ARGS...: the same run as text, for the log, and as
# JSON; the CPU goes for so long after the first ticks, and the runs last until
# CONDITION is true, which is a command
run() {
	local condition=$1 away=$2 status=0

	shift 2
	: >"$tmp/text"
	"$RBTOP" -b -d 0.5 "$@" >"$tmp/text" 2>&1 &
	text=$!
	begin "$@" && soon ticked 2 && plug "$away" && soon note_count &&
		tick_on && soon "$condition" && tick_on || status=$?
	end
	return $status
}

# The CPU's count in the last tick.
count() {
	tail -n 1 "$tmp/ticks" | jq -n \
		"input | .rings[] | select(.cpu == $cpu) | .events[0].count"
}
note_count() {
	before=$(count)
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

is_back() {
	grep "hotplug.*CPU $cpu is back" "$tmp/text"
}

# More than what the last tick could not know of the time before.
counting_again() {
	local now

	now=$(count) && echo "$now, was $before" && is_back &&
		[ "$now" -gt $((before + 2000000000)) ]
}

for away in 0.8 0; do
	check "away for $away s it counts again" \
		run counting_again $away -a -e cpu-clock
	check "the log says it went" \
		grep -q "hotplug.*CPU $cpu went offline" "$tmp/text"
	check "and that it is back" is_back
	check "nothing failed" bash -c "! grep -q 'error ' '$tmp/text'"
	check "its ring keeps its place" \
		every "[.rings[].cpu] == [$(online_cpus | paste -sd,)]"
	check "no total falls" monotonic
done

# kept_there: a reader of rbtop's may run on the CPU and nowhere else
kept_there() {
	local task

	for task in /proc/$json/task/*; do
		grep -qx rbtop-reader "$task/comm" &&
			sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' \
				"$task/status"
	done >"$tmp/cpus"
	cat "$tmp/cpus"
	grep -qx "$cpu" "$tmp/cpus"
}
kept_nowhere() {
	! kept_there
}

# The kernel forgets which thread wanted a CPU that goes offline, when that is
# to run.
pinned_again() {
	local status=0

	begin -a --affinity --readers "$(online_cpus | wc -l)" &&
		soon kept_there && echo 0 >"$switch" && soon kept_nowhere ||
		status=1
	echo 1 >"$switch"
	[ $status -eq 0 ] && soon kept_there || status=1
	end
	return $status
}
check "the reader that was kept on it is so again" pinned_again

# The events of a task are not the CPU's: they work again by themselves.
check "the events of tasks outlive it" run is_back 0.8 -e cpu-clock -p $busy
check "the log says so" grep -q "CPU $cpu is back: its ring goes on" "$tmp/text"
check "no total falls" monotonic

# A CPU that was not there at the start gets a ring when it comes.
echo 0 >"$switch"
check "started without the CPU" begin -a -e cpu-clock
check "it has no ring" until_last "all(.rings[]; .cpu != $cpu)"
echo 1 >"$switch"
check "its ring is added, and counts" \
	until_last "any(.rings[]; .cpu == $cpu and .events[0].count > 1e8)"
end

# A CPU that is not watched tells of its tasks again, and nobody hears of it.
other=$(online_cpus | head -n 1)
tells_again() {
	local watcher status=0

	: >"$tmp/script"
	"$RBTOP" -b --format script -e cpu-clock -F 4000 -d 0.5 -C "$other" \
		>"$tmp/script" 2>"$tmp/err" &
	watcher=$!
	soon test -s "$tmp/script" && plug 0.3 && soon told || status=$?
	kill $watcher
	wait $watcher
	return $status
}

# Those that end before rbtop knows of the CPU again are not told of.
told() {
	brief_tasks "$cpu" "$other"
	sleep 1.5
	brief_known "$tmp/script" "$other"
}

if command -v taskset >/dev/null && [ "$other" != "$cpu" ]; then
	check "unwatched, it tells of its tasks again" tells_again
	check "a run beside" run true 0.3 -C "$other" -e cpu-clock
	check "has no ring of it" every "[.rings[].cpu] == [$other]"
	check "and no word" bash -c "! grep -q 'hotplug' '$tmp/text'"
else
	skip "unwatched, it tells of its tasks again" "taskset is not there"
fi

# Under a storm the equation holds across it.
storm() {
	local status=0

	mkfifo "$tmp/go"
	exec 3<>"$tmp/go"
	# shellcheck disable=SC2016
	begin -a -e raw_syscalls:sys_enter -c 1 -m 16 -- sh -c \
		'timeout 200 dd if=/dev/zero of=/dev/null bs=1 status=none &
		 read -r _ <"$0"; kill $!; wait; :' "$tmp/go" &&
		plug 0.3 && tick_on || status=$?
	echo >&3
	exec 3>&-
	wait $json || status=$?
	json=
	return $status
}
if may -a -e raw_syscalls:sys_enter -c 1; then
	check "a storm meanwhile" storm
	if tells_lost; then
		check "adds up" equation
	else
		skip "adds up" "the kernel has no PERF_FORMAT_LOST"
	fi
fi

finish
