# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Shared by the scenarios, which source it in the guest, whose shell is
# busybox's:
#
#	check NAME COMMAND...	pass if COMMAND succeeds; its output is shown
#				only when it fails
#	ok NAME, not_ok NAME, skip NAME REASON, note TEXT
#	finish			must be the last command
#
#	mimic PARAMETER=VALUE...
#				reload the module with these parameters; not ok,
#				with the reason, if that fails
#	figure LINE FIELD	of /proc/mimic: figure 'stream 3' packets
#	streams FIELD		the sum of all streams
#	stream_of CPU		the one opened last
#	all_wrote BYTES		true if the last streams of all four CPUs have
#				more bytes
#	traced_since STREAM CPU	true if a later stream of that CPU has trace
#	victim THREADS		start spin, to be traced, until it is killed:
#				$victim, with all its threads
#	wait_for COMMAND...	wait until COMMAND succeeds, for at most 200
#				seconds of this machine's own time
#	last_line FILE		the last complete one
#	intact NAME OPTION|FILE...
#				check_trace finds no error; its output is in
#				$tmp/trace
#	sum FIELD		of that output
#	gaps_are_drops		the packets missing there are those that the
#				module dropped: none, if the reader was in time
#	decodes NAME FILE	perf script decodes all PTWRITEs that
#				check_trace found in FILE
#
#	$tmp			a directory of the scenario's own
#	$results		files put there are sent to the host

tmp=/tmp/scenario
results=/results
rm -rf $tmp
mkdir -p $tmp
cd $tmp || exit 99

ok() {
	echo "ok - $1"
}

not_ok() {
	echo "not ok - $1"
	[ -z "${2:-}" ] || note "$2"
}

skip() {
	echo "ok - $1 # SKIP $2"
}

note() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

check() {
	local name=$1

	shift
	if "$@" >$tmp/check 2>&1; then
		ok "$name"
	else
		not_ok "$name" "status $? of: $*"
		tail -n 20 $tmp/check | cut -c 1-1500 | sed 's/^/# /'
	fi
}

finish() {
	echo finished
}

mimic_gone() {
	[ ! -e /proc/mimic ] || rmmod mimic
}

# holders: the processes that have perf events open
holders() {
	local dir

	for dir in /proc/[0-9]*; do
		ls -l "$dir/fd" 2>/dev/null | grep -q perf_event &&
			echo "${dir#/proc/} ($(cat "$dir/comm"))"
	done
}

mimic() {
	wait_for mimic_gone || {
		not_ok "the module of before can be removed" \
			"held by: $(holders | paste -sd' ')"
		return 1
	}
	insmod /rig/modules/mimic.ko "$@" 2>$tmp/insmod && return
	not_ok "the module loads" "$(cat $tmp/insmod)"
	return 1
}

# A line being written may be incomplete.
last_line() {
	head -n "$(wc -l <"$1")" "$1" | tail -n 1
}

# The value after the word $1 of each line on standard input.
value_of() {
	awk -v word="$1" '{
		for (i = 1; i < NF; i++)
			if ($i == word)
				print $(i + 1)
	}'
}

figure() {
	grep "^$1 " /proc/mimic | value_of "$2"
}

streams() {
	figure stream "$1" | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

stream_of() {
	sed -n "s/^stream \([0-9]*\) cpu $1 .*/\1/p" /proc/mimic | tail -n 1
}

all_wrote() {
	local cpu stream

	for cpu in 0 1 2 3; do
		stream=$(stream_of $cpu)
		[ "$(figure "stream ${stream:-none}" bytes)" -gt "$1" ] ||
			return
	done
}

traced_since() {
	local now

	now=$(stream_of "$2")
	[ "${now:-0}" -gt "${1:-0}" ] &&
		[ "$(figure "stream $now" packets)" -gt 0 ]
}

has_threads() {
	[ "$(ls "/proc/$1/task" | wc -l)" -eq "$2" ]
}

victim() {
	spin "$1" 10000 &
	victim=$!
	wait_for has_threads $victim "$1"
}

wait_for() {
	local had end

	read -r had </run/seconds
	end=$((had + 200))
	until "$@" >/dev/null 2>&1; do
		read -r had </run/seconds
		[ "$had" -lt $end ] || return 1
		sleep 0.1
	done
}

trace_checked() {
	check_trace "$@" >$tmp/trace 2>$tmp/trace.err && return
	cat $tmp/trace.err
	grep -vE ' missing=0 bad=0 twice=0 stale=0$' $tmp/trace
	return 1
}

intact() {
	local name=$1

	shift
	check "$name" trace_checked "$@"
}

sum() {
	sed -n "s/^sum.* $1=\([0-9]*\).*/\1/p" $tmp/trace
}

gaps_are_drops() {
	local gaps dropped

	gaps=$(($(sum missing) + $(sum holes)))
	dropped=$(streams dropped)
	echo "gaps $gaps, dropped $dropped"
	[ "$gaps" -le "$dropped" ] && { [ "$dropped" -eq 0 ] ||
		[ "$gaps" -gt 0 ]; }
}

# Each packet is two PTWRITEs: the sequence number and the seal.
all_decoded() {
	local found

	perf script -i "$1" --itrace=w -F cpu,event,synth 2>$tmp/script.err |
		grep -c payload >$tmp/decoded
	found=$(check_trace --gaps "$1" |
		sed -n 's/^sum.* packets=\([0-9]*\).*/\1/p')
	echo "decoded $(cat $tmp/decoded) of 2 x $found"
	head -n 5 $tmp/script.err
	[ "$found" -gt 0 ] && [ "$(cat $tmp/decoded)" -eq $((2 * found)) ]
}

decodes() {
	check "$1" all_decoded "$2"
}
