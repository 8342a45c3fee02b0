# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Shared by the live tests, sourced after lib.sh:
#
#	ticks ARGS...	run rbtop in batch mode, its JSON lines to $tmp/ticks,
#			other output to $tmp/err
#	last FILTER	true if jq's FILTER is true for the last tick
#	until_last FILTER
#			the same for it, or for a later one within a minute
#	every FILTER	true if it is true for each tick
#	may ARGS...	false if the kernel forbids rbtop to open this here
#	why		print the reason
#	more_ticks N	true once there are N more ticks, within a minute
#	soon COMMAND...	true once the command is, within a minute
#	tells_lost	false if the kernel does not count what it drops
#			(PERF_FORMAT_LOST, Linux 6.0)
#	equation	true if the last tick accounts for every record
#	brief_tasks FROM TO
#			run a few tasks, one after another, for about 50 ms
#			each: start on CPU FROM, exec $tmp/brief, move to TO
#	brief_known FILE CPU
#			true if the samples of that CPU in FILE (script's
#			format) have their names and mappings

command -v jq >/dev/null || skip_all "jq is not installed"

ticks() {
	"$RBTOP" -b --format json "$@" >"$tmp/ticks" 2>"$tmp/err"
}

# tail(1) may print nothing of a growing file, and jq 1.6 -e exits with 0 if it
# read nothing: so use input, which fails then.
holds_for_last() {
	tail -n 1 "$tmp/ticks" | jq -en "input | $1"
}

last() {
	if [ ! -s "$tmp/ticks" ]; then
		echo "there is no tick"
		cat "$tmp/err"
		return 1
	fi
	if ! holds_for_last "$1" >"$tmp/jq"; then
		echo "not so: $1"
		tail -n 1 "$tmp/ticks" | jq -c \
			'.rings[] | {cpu, tid, owner, size, events, samples,
			 lost, lost_reported, lost_pending, records, types}'
		cat "$tmp/err"
		return 1
	fi
}

until_last() {
	local end=$((SECONDS + 60))

	while [ "$SECONDS" -lt "$end" ]; do
		holds_for_last "$1" >/dev/null 2>&1 && return
		sleep 0.1
	done
	tail -n 1 "$tmp/ticks" | jq -c .snapshots
	last "$1"
}

every() {
	if ! jq -es "length > 0 and all(.[]; $1)" "$tmp/ticks" >"$tmp/jq"; then
		echo "not so of every tick: $1"
		cat "$tmp/err"
		return 1
	fi
}

# Other errors are for the test to find, which then fails.
may() {
	"$RBTOP" -b -n 1 -d 0.1 "$@" >/dev/null 2>"$tmp/why" && return 0
	sed -n 's/^rbtop: //p' "$tmp/why" | tail -n 1 >"$tmp/why.line"
	! grep -qE -e 'Permission denied|Operation not permitted' \
		-e 'tracefs|need read access|CONFIG_PERF_EVENTS' "$tmp/why.line"
}

why() {
	cat "$tmp/why.line"
}

soon() {
	local end=$((SECONDS + 60))

	while [ "$SECONDS" -lt "$end" ]; do
		"$@" >"$tmp/soon" 2>&1 && return
		sleep 0.1
	done
	echo "not within a minute: $*"
	cat "$tmp/soon"
	return 1
}

has_ticks() {
	[ "$(wc -l <"$tmp/ticks")" -ge "$1" ]
}

more_ticks() {
	soon has_ticks $(($(wc -l <"$tmp/ticks") + $1))
}

tells_lost() {
	local release

	release=$(uname -r)
	[ "${release%%.*}" -ge 6 ]
}

# Per ring: the event's count = its samples + its lost ones; and the lost ones
# of all events, with the side-band = lost reported by the kernel + pending.
equation() {
	last '.rings | length > 0 and all(.[];
		(.events | map(select(.name != "side-band")) |
		 all(.[]; .count == .samples + .lost)) and
		(.events | map(.lost) | add) == .lost and
		.lost == .lost_reported + .lost_pending)'
}

# CPUs that are online, one per line.
online_cpus() {
	tr ',' '\n' </sys/devices/system/cpu/online |
		awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }'
}

brief_tasks() {
	cp "$(readlink -f "$(command -v sh)")" "$tmp/brief" || return
	rm -f "$tmp/brief.pids"
	for _ in 1 2 3 4 5 6; do
		taskset -c "$1" "$tmp/brief" -c "echo \$\$ >>'$tmp/brief.pids'
			taskset -pc $2 \$\$ >/dev/null
			i=0; while [ \$i -lt 30000 ]; do i=\$((i+1)); done"
	done
}

# Before exec(2) they had another name, for as long as taskset took to start: so
# the later half of each task's samples counts.
brief_known() {
	awk -v cpu="$(printf '[%03d]' "$2")" '
		FNR == NR { pids[$1] = 1; next }
		{ pid = $2; sub("/.*", "", pid) }
		!(pid in pids) || !index($0, cpu) { next }
		{ sample[pid, ++nr[pid]] = $1 == "brief" &&
			!/\(\[unknown\]\)/ }
		END {
			for (pid in nr)
				for (i = int(nr[pid] / 2) + 1; i <= nr[pid]; i++) {
					all++
					known += sample[pid, i]
				}
			print FILENAME, known + 0, "of", all + 0
			exit !(all > 50 && known >= .9 * all) }' \
		"$tmp/brief.pids" "$1"
}
