#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Options of perf record: the attrs are those of perf.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

command -v perf >/dev/null || skip_all "perf is not installed"
[ "$(id -u)" = 0 ] || skip_all "not root"
may -e cpu-clock || skip_all "$(why)"

# levels FILE: the exclude_* bits of its cpu-clock.
levels() {
	perf evlist -v -i "$1" | grep '^cpu-clock' |
		grep -oE 'exclude_(user|kernel): 1' | sort -u
}

same_levels() {
	perf record -q -a -B -N -o "$tmp/perf.data" -e cpu-clock "$@" \
		-- sleep 0.1 2>/dev/null
	rm -f "$tmp/ours.data"
	"$RBTOP" -b -n 1 -d 0.2 -o "$tmp/ours.data" -e cpu-clock "$@" \
		>/dev/null || return
	levels "$tmp/perf.data" >"$tmp/theirs"
	levels "$tmp/ours.data" | diff "$tmp/theirs" -
}

user_alone() {
	same_levels --all-user && grep -q exclude_kernel "$tmp/theirs"
}

kernel_alone() {
	same_levels --all-kernel && grep -q exclude_user "$tmp/theirs"
}

# spin FILE COMMAND...: a process run by COMMAND that writes its pid to FILE,
# and spins.
spin() {
	local file=$1

	shift
	exec timeout 200 "$@" bash -c 'echo $$; while :; do :; done' >"$file"
}

# The task of the user nobody has samples in FILE; the pids of all samples are
# added to $tmp/pids.
sampled() {
	perf script -F pid -i "$1" 2>/dev/null | tr -d ' ' | sort -u \
		>"$tmp/found"
	cat "$tmp/found" >>"$tmp/pids"
	grep -qx "$(cat "$tmp/nobodys")" "$tmp/found"
}

user_of_ours() {
	rm -f "$tmp/ours.data"
	"$RBTOP" -b -n 2 -d 0.4 -o "$tmp/ours.data" -e cpu-clock -u "$1" \
		>/dev/null
	sampled "$tmp/ours.data"
}

# A perf that selects users by a BPF program may not be able to.
user_of_perfs() {
	perf record -q -B -N -o "$tmp/perf.data" -e cpu-clock -u "$1" \
		-- sleep 0.4 2>"$tmp/perf.err" || return 0
	sampled "$tmp/perf.data"
}

# Of two spinning tasks only that of the user nobody is there, as in perf.  On a
# busy machine it may not run all the time, and nobody may have other tasks.
user() {
	local theirs others status=0

	rm -f "$tmp/nobodys" "$tmp/roots" "$tmp/pids"
	spin "$tmp/nobodys" setpriv --reuid 65534 --clear-groups & theirs=$!
	spin "$tmp/roots" env & others=$!
	soon test -s "$tmp/nobodys" && soon test -s "$tmp/roots" &&
		soon user_of_ours "$1" && soon user_of_perfs "$1" || status=1
	kill "$theirs" "$others"
	[ $status -eq 0 ] && ! grep -x "$(cat "$tmp/roots")" "$tmp/pids"
}

# The command runs until the message is there.
max_size() {
	local size rbtop

	"$RBTOP" -b -d 0.3 -o "$tmp/max.data" --max-size 1M \
		-e raw_syscalls:sys_enter -c 1 -- \
		timeout 200 dd if=/dev/zero of=/dev/null bs=1 \
		>"$tmp/out" 2>&1 & rbtop=$!
	soon grep 'recording ended: it reached --max-size 1M' "$tmp/out"
	kill "$rbtop"
	wait "$rbtop"
	grep 'recording ended: it reached --max-size 1M' "$tmp/out" || return
	perf script -i "$tmp/max.data" >"$tmp/script" 2>/dev/null &&
		[ -s "$tmp/script" ] || return
	size=$(stat -c %s "$tmp/max.data")
	echo "$size bytes"
	[ "$size" -ge 1048576 ] && [ "$size" -lt 1600000 ]
}

# An event that the user may not sample is left out of a glob, and refused by
# name.
forbidden=irq_vectors:irq_work_exit
left_out() {
	ticks -d 0.2 -o "$tmp/left.data" \
		-e 'irq_vectors:irq_work_*' -e cpu-clock -a -- \
		bash -c 'for ((i = 0; i < 200000; i++)); do :; done' || return
	perf script -i "$tmp/left.data" >"$tmp/script" 2>"$tmp/err.perf" &&
		grep -q cpu-clock "$tmp/script" || {
		cat "$tmp/err.perf"
		return 1
	}
	cat "$tmp/err"
	grep -q "left out: $forbidden: Operation not permitted" "$tmp/err" &&
		last '[.rings[].events[].name] |
			any(. == "irq_vectors:irq_work_entry")'
}

nobody_may() {
	"$RBTOP" -b -n 1 -e "$forbidden" 2>"$tmp/err" && return 1
	cat "$tmp/err"
	grep -q 'does not allow sampling' "$tmp/err"
}

watch=("$RBTOP" -b --format json -d 0.1 -e cpu-clock -a)

say() {
	local answer=

	echo "$1" >&3
	read -r -t 60 -u 4 answer
	[ "$answer" = ack ] || echo "no ack of $1"
}

ticks_so_far() {
	wc -l <"$tmp/ticks"
}

ticks_are() {
	[ "$(ticks_so_far)" -ge "$1" ]
}

# The samples of a tick that began after this call; the last line may be
# incomplete.
samples() {
	local lines

	lines=$(($(ticks_so_far) + 3))
	soon ticks_are $lines >&2 && sed -n "${lines}p" "$tmp/ticks" |
		jq .total.samples
}

any_samples() {
	[ "$(samples)" -gt 0 ]
}

# Earlier samples may not all be read yet.
no_more_samples() {
	local before

	before=$(samples)
	[ -n "$before" ] && [ "$before" = "$(samples)" ]
}

control() {
	local pid

	mkfifo "$tmp/ctl" "$tmp/ack"
	exec 3<>"$tmp/ctl" 4<>"$tmp/ack"
	"${watch[@]}" -D -1 --control "fifo:$tmp/ctl,$tmp/ack" \
		>"$tmp/ticks" & pid=$!
	{
		say ping
		[ "$(samples)" = 0 ] || echo "samples before enable"
		say enable
		soon any_samples || echo "no samples after enable"
		say disable
		soon no_more_samples || echo "samples after disable"
		say evlist
		say "no such command"
		say stop
		wait $pid || echo "status $?"
	} >"$tmp/wrong"
	exec 3>&- 4>&-
	cat "$tmp/wrong"
	[ ! -s "$tmp/wrong" ]
}

# Control by file descriptors; the ack of a snapshot means that the file is
# there.
snapshot() {
	local pid

	mkdir "$tmp/snapshots"
	mkfifo "$tmp/one" "$tmp/two"
	exec 3<>"$tmp/one" 4<>"$tmp/two"
	"${watch[@]}" --overwrite --output "$tmp/snapshots" \
		--control fd:3,4 >/dev/null & pid=$!
	say snapshot >"$tmp/wrong"
	ls "$tmp/snapshots" >"$tmp/files"
	say stop >>"$tmp/wrong"
	wait $pid
	exec 3>&- 4>&-
	cat "$tmp/wrong" "$tmp/files"
	[ ! -s "$tmp/wrong" ] && [ -s "$tmp/files" ]
}

# The first sample is at least 2 s after the start, however late the ticks are.
delayed() {
	local begun rbtop

	: >"$tmp/ticks"
	begun=$(date +%s.%N)
	"$RBTOP" -b --format json -d 0.5 -D 2000 -e cpu-clock -a \
		>"$tmp/ticks" 2>"$tmp/err" & rbtop=$!
	until_last '.total.samples > 0'
	kill "$rbtop"
	wait "$rbtop"
	last '.total.samples > 0' &&
		every ".total.samples == 0 or .time > $begun + 1.99"
}

check "--all-user asks for what perf asks for" user_alone
check "--all-kernel asks for what perf asks for" kernel_alone
check "-u NUMBER watches whom perf watches" user 65534
name=$(getent passwd 65534 | cut -d: -f1)
if [ -n "$name" ]; then
	check "-u NAME does" user "$name"
else
	skip "-u NAME does" "user 65534 has no name here"
fi
check "--max-size ends a recording, which is whole" max_size
if "$RBTOP" -b -n 1 -d 0.1 -e irq_vectors:irq_work_entry -- true \
	>/dev/null 2>&1; then
	check "of a glob the forbidden one is left out" left_out
	check "by its name it is refused with the reason" nobody_may
else
	skip "of a glob the forbidden one is left out" "no irq_vectors here"
fi
check "--control enables, disables, stops, and acknowledges" control
check "--control takes a snapshot" snapshot
check "-D enables later" delayed
finish
