#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU goes offline and online again: its ring stops, then continues, and no
# total falls.
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

# plug SECONDS: take the CPU offline for that time.
plug() {
	echo 0 >"$switch"
	[ "$1" = 0 ] || sleep "$1"
	echo 1 >"$switch"
}

# ticked COUNT: there are that many ticks, in both formats if both are written.
ticked() {
	[ "$(wc -l <"$tmp/ticks")" -ge "$1" ] && { [ -z "$text" ] ||
		[ "$(grep -c '  tick ' "$tmp/text")" -ge "$1" ]; }
}

# Wait until each format has a tick that began after this.
tick_on() {
	local made reports=0

	made=$(wc -l <"$tmp/ticks")
	[ -z "$text" ] || reports=$(grep -c '  tick ' "$tmp/text")
	soon ticked $(((made > reports ? made : reports) + 2))
}

# begin ARGS...: start rbtop with JSON and wait for its first tick; its pid is
# in $json.
json='' text=''
begin() {
	: >"$tmp/ticks"
	"$RBTOP" -b -d 0.5 --format json "$@" >"$tmp/ticks" 2>"$tmp/err" &
	json=$!
	soon ticked 1
}

# End all that begin() and run() have started.
end() {
	kill $json $text 2>/dev/null
	wait $json $text 2>/dev/null
	json='' text=''
}

# run CONDITION SECONDS ARGS...: run it as text, for the log, and as JSON; take
# the CPU offline for SECONDS after the first ticks; end when the command
# CONDITION is true.
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

# More than what the last tick may have missed of the time before.
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

# kept_there: a reader thread of rbtop may run only on that CPU.
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

# The kernel drops the affinity of a thread to a CPU that goes offline, when the
# thread is to run.
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

# Events of a task do not belong to the CPU: they work again by themselves.
check "the events of tasks outlive it" run is_back 0.8 -e cpu-clock -p $busy
check "the log says so" grep -q "CPU $cpu is back: its ring is in use again" "$tmp/text"
check "no total falls" monotonic

# A CPU that was offline at the start gets a ring when it comes online.
echo 0 >"$switch"
check "started without the CPU" begin -a -e cpu-clock
check "it has no ring" until_last "all(.rings[]; .cpu != $cpu)"
echo 1 >"$switch"
check "its ring is added, and counts" \
	until_last "any(.rings[]; .cpu == $cpu and .events[0].count > 1e8)"
end

# The side-band of a CPU that is not watched works again, without a message.
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

# Tasks that end before rbtop notices that the CPU is back have no records.
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

# In a storm, the equation holds across hotplug.
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
