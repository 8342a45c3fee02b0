#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Options of perf record: the kernel is asked for what perf asks it for.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

command -v perf >/dev/null || skip_all "perf is not installed"
[ "$(id -u)" = 0 ] || skip_all "not root"
may -e cpu-clock || skip_all "$(why)"

# levels FILE: exclude_* of its cpu-clock
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

spin() {
	exec timeout 200 "$@" bash -c 'while :; do :; done'
}

# Of two spinning tasks only nobody's is there; perf agrees.
user() {
	local file theirs others

	spin setpriv --reuid 65534 --clear-groups & theirs=$!
	spin env & others=$!
	sleep 0.2
	rm -f "$tmp/ours.data"
	"$RBTOP" -b -n 2 -d 0.4 -o "$tmp/ours.data" -e cpu-clock -u "$1" \
		>/dev/null
	perf record -q -B -N -o "$tmp/perf.data" -e cpu-clock -u "$1" \
		-- sleep 0.4 2>/dev/null
	kill "$theirs" "$others"
	for file in ours perf; do
		perf script -F pid -i "$tmp/$file.data" 2>/dev/null |
			tr -d ' ' | sort -u >"$tmp/$file.pids"
	done
	diff "$tmp/perf.pids" "$tmp/ours.pids" && [ -s "$tmp/ours.pids" ]
}

max_size() {
	local size

	"$RBTOP" -b -n 6 -d 0.3 -o "$tmp/max.data" --max-size 1M \
		-e raw_syscalls:sys_enter -c 1 -- \
		dd if=/dev/zero of=/dev/null bs=1 count=3000000 \
		>"$tmp/out" 2>&1
	grep 'recording ended: it reached --max-size 1M' "$tmp/out" || return
	perf script -i "$tmp/max.data" >"$tmp/script" 2>/dev/null &&
		[ -s "$tmp/script" ] || return
	size=$(stat -c %s "$tmp/max.data")
	echo "$size bytes"
	[ "$size" -ge 1048576 ] && [ "$size" -lt 1600000 ]
}

# What nobody may sample is left out of a glob, and refused by its name.
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
	local answer

	echo "$1" >&3
	read -r -t 10 -u 4 answer
	[ "$answer" = ack ] || echo "no ack of $1"
}

# As of a tick that began after this was asked.
samples() {
	local lines tries

	lines=$(wc -l <"$tmp/ticks")
	for ((tries = 0; tries < 300; tries++)); do
		[ "$(wc -l <"$tmp/ticks")" -lt $((lines + 3)) ] || break
		sleep 0.1
	done
	tail -n 1 "$tmp/ticks" | jq .total.samples
}

control() {
	local before after pid

	mkfifo "$tmp/ctl" "$tmp/ack"
	exec 3<>"$tmp/ctl" 4<>"$tmp/ack"
	"${watch[@]}" -D -1 --control "fifo:$tmp/ctl,$tmp/ack" \
		>"$tmp/ticks" & pid=$!
	{
		say ping
		[ "$(samples)" = 0 ] || echo "samples before enable"
		say enable
		[ "$(samples)" -gt 0 ] || echo "no samples after enable"
		say disable
		before=$(samples)
		after=$(samples)
		[ "$before" = "$after" ] || echo "samples after disable"
		say evlist
		say "no such command"
		say stop
		wait $pid || echo "status $?"
	} >"$tmp/wrong"
	exec 3>&- 4>&-
	cat "$tmp/wrong"
	[ ! -s "$tmp/wrong" ]
}

# By file descriptors; the ack of a snapshot says that the file is there.
snapshot() {
	local pid

	mkdir "$tmp/snapshots"
	mkfifo "$tmp/one" "$tmp/two"
	exec 3<>"$tmp/one" 4<>"$tmp/two"
	"${watch[@]}" --overwrite --output "$tmp/snapshots" \
		--control fd:3,4 >/dev/null & pid=$!
	sleep 0.5
	say snapshot >"$tmp/wrong"
	ls "$tmp/snapshots" >"$tmp/files"
	say stop >>"$tmp/wrong"
	wait $pid
	exec 3>&- 4>&-
	cat "$tmp/wrong" "$tmp/files"
	[ ! -s "$tmp/wrong" ] && [ -s "$tmp/files" ]
}

delayed() {
	ticks -n 8 -d 0.5 -D 2000 -e cpu-clock -a &&
		head -n 1 "$tmp/ticks" | jq -e '.total.samples == 0' &&
		last '.total.samples > 0'
}

check "--all-user asks for what perf asks for" user_alone
check "--all-kernel asks for what perf asks for" kernel_alone
check "-u NUMBER watches whom perf watches" user 65534
check "-u NAME does" user "$(getent passwd 65534 | cut -d: -f1)"
check "--max-size ends a recording, which is whole" max_size
if [ -d "/sys/kernel/tracing/events/irq_vectors" ] ||
	may -e irq_vectors:irq_work_entry; then
	check "of a glob the forbidden one is left out" left_out
	check "by its name it is refused with the reason" nobody_may
else
	skip "of a glob the forbidden one is left out" "no irq_vectors here"
fi
check "--control enables, disables, stops, and acknowledges" control
check "--control takes a snapshot" snapshot
check "-D enables later" delayed
finish
