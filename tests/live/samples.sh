#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The content of samples on the running kernel, as batch mode prints it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

may -a -e cpu-clock || skip_all "$(why)"

script() {
	"$RBTOP" -b --format script "$@" >"$tmp/script" 2>"$tmp/err"
}

# At least $1 lines match the pattern.
lines() {
	local found

	found=$(grep -cP -e "$2" "$tmp/script")
	[ "$found" -ge "$1" ] && return
	echo "$found lines match $2, not $1:"
	head -n 5 "$tmp/script" "$tmp/err"
	return 1
}

no_lines() {
	! grep -m 5 -P -e "$1" "$tmp/script"
}

busy=(bash -c 'for ((i = 0; i < 300000; i++)); do :; done')

check "a busy shell" script -d 30 -e cpu-clock -- "${busy[@]}"
check "is sampled in its program" \
	lines 100 '^ *bash +\d+ \[\d+\] +[\d.]+: .*cpu-clock.*/bash\)$'
check "and nobody else is" no_lines '^(?! *bash |#)'
times() {
	grep -oP '\] +\K[\d.]+(?=:)' "$tmp/script" >"$tmp/times"
	sort -c -n "$tmp/times"
}
check "in the order of time" times

addresses_are_shown() {
	grep -qv '^0* ' /proc/kallsyms
}
check "the kernel's own work" script -d 30 -e cpu-clock -- \
	dd if=/dev/zero of=/dev/null bs=16M count=200
if addresses_are_shown; then
	check "has kernel names" \
		lines 10 '\+0x[0-9a-f]+ \(\[kernel\.kallsyms\]\)$'
else
	skip "has kernel names" "the kernel does not show its addresses"
fi

# Two system calls in strict alternation, of which only one in dozens is
# decoded.
if may -e syscalls:sys_enter_read; then
	reads_and_writes() {
		local begun=$EPOCHREALTIME

		script --decode 20000 -d 30 -c 1 \
			-e syscalls:sys_enter_read -e syscalls:sys_enter_write \
			-- dd if=/dev/zero of=/dev/null bs=1 count=3000000
		took=$(awk "BEGIN { print $EPOCHREALTIME - $begun }")
	}
	shares() {
		awk -v took="$took" '
			/sys_enter_read:/ { r++ } /sys_enter_write:/ { w++ }
			END {
				n = r + w
				share = n ? r / n : 0
				# five standard deviations
				chance = n ? 5 * .5 / sqrt(n) : 0
				print r, w, share, "in", took, "s"
				exit !(n > 10000 && n < 20000 * (took + 2) &&
					share > .5 - chance &&
					share < .5 + chance)
			}' "$tmp/script"
	}
	check "a stream that alternates" reads_and_writes
	check "has its shares though one in many is decoded" shares
	check "and says that" lines 1 '^# [\d]+ samples not shown'
	check "to who reads but the samples, too" \
		grep -qP '^rbtop: warning: \d+ samples were not printed' "$tmp/err"
	check "its texts are the print format's" \
		lines 100 'sys_enter_read: fd: 0x0+, buf: 0x[0-9a-f]+, count: '
else
	skip "a stream that alternates" "$(why)"
fi

# A task on each of two CPUs, and many short ones: all their records fit in the
# rings, and in the memory for putting them in order.
storm() {
	local cpu

	for cpu in ${cpus/,/ }; do
		taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=64k \
			count=10000 status=none &
		echo $! >>"$tmp/pids"
	done
	for ((cpu = 0; cpu < 100; cpu++)); do
		/bin/true &
		echo $! >>"$tmp/pids"
		wait $!
	done
	wait
}
# Other tasks may have started before rbtop, and ended before it read /proc.
all_named() {
	grep -oP '^ *:\K\d+(?= )' "$tmp/script" | sort -u >"$tmp/unnamed"
	! grep -Fxf "$tmp/pids" "$tmp/unnamed"
}
# Records of a CPU are in order.  Between CPUs one may come too late: a virtual
# CPU was taken away while it wrote the record, after reading the clock.
nearly_in_order() {
	awk '/raw_syscalls:sys_enter:/ && match($0, /\[[0-9]+\] +[0-9.]+:/) {
			place = substr($0, RSTART, RLENGTH)
			gsub(/\[|\]|:/, " ", place)
			split(place, at)
			time = at[2] + 0
			disorder += time < of_cpu[at[1]]
			of_cpu[at[1]] = time
			late += time < last
			if (time > last)
				last = time
			all++
		}
		END { print all, "lines,", late, "late,", disorder, "of a CPU"
			exit !(all && !disorder && late <= all / 1000) }' \
		"$tmp/script"
}
cpus=$(online_cpus | head -n 2 | paste -sd ,)
export -f storm
export tmp cpus
if may -C "$cpus" -m 32M -e raw_syscalls:sys_enter &&
	command -v taskset >/dev/null; then
	check "a storm on two CPUs" script --decode 1000000 -d 1 -c 1 \
		-C "$cpus" -m 32M -e raw_syscalls:sys_enter -- \
		taskset -c "$cpus" bash -c storm
	check "is told in the order of time" nearly_in_order
	check "and each of its tasks by name" all_named
	check "at length" lines 10000 'raw_syscalls:sys_enter: NR '
else
	skip "a storm on two CPUs" "$(why)"
fi

# The reader of one CPU gets hardly any time beside a busy loop, and the other
# one storms: much more comes than is held for sorting.
reader_of() {
	local task

	for task in /proc/"$1"/task/*; do
		[ "$(cat "$task/comm")" = rbtop-reader ] &&
			grep -qP "^Cpus_allowed_list:\t$2$" "$task/status" &&
			echo "${task##*/}"
	done
}
late_reader() {
	local first=${cpus/,*/} second=${cpus/*,/} loop rbtop reader status

	taskset -c "$second" bash -c 'while :; do :; done' &
	loop=$!
	script --decode 10000000 -d 1 -c 1 -C "$cpus" -m 8M -r 0 --readers 2 \
		--affinity -e raw_syscalls:sys_enter -- bash -c "
		sleep 2
		taskset -c $second dd if=/dev/zero of=/dev/null bs=1 \
			count=100000 status=none &
		taskset -c $first dd if=/dev/zero of=/dev/null bs=1 \
			count=600000 status=none
		wait" &
	status=$!
	sleep 1
	rbtop=$(pgrep -P "$status" -x rbtop || echo "$status")
	reader=$(reader_of "$rbtop" "$second")
	chrt -i -p 0 "$reader" || echo "no reader of $second in $rbtop"
	wait "$status"
	status=$?
	kill "$loop"
	wait "$loop" 2>/dev/null
	cat "$tmp/err"
	[ "$status" -eq 0 ] && [ -n "$reader" ]
}
in_order() {
	grep -oP '\] +\K[\d.]+(?=: raw_sys)' "$tmp/script" >"$tmp/times" &&
		sort -c -n "$tmp/times"
}
# Of samples that are missing it says why.
says_why() {
	cat "$tmp/err"
	! grep 'not printed' "$tmp/err" ||
		! grep 'not printed' "$tmp/err" |
			grep -Ev 'arrived (faster|between|after)'
}
if may -C "$cpus" -m 8M -e raw_syscalls:sys_enter &&
	[[ $cpus = *,* ]] && command -v taskset chrt >/dev/null; then
	check "a storm with a reader that is late" late_reader
	check "is told in the order of time, too" in_order
	check "and what is missing for the true reason" says_why
	check "at length" lines 100000 'raw_syscalls:sys_enter: NR '
else
	skip "a storm with a reader that is late" "$(why)"
fi

# A name that would make the terminal red and ring its bell.
evil() {
	script -d 30 -e cpu-clock -- bash -c \
		'printf "\033[31m\007evil" >/proc/self/comm
		for ((i = 0; i < 400000; i++)); do :; done'
}
check "a comm with control bytes" evil
check "is told without them" lines 10 '^ *\?\[31m\?evil '
check "there is no control byte" no_lines '[\x00-\x08\x0b-\x1f\x7f]'

check "the hot table" ticks -d 30 -a -e cpu-clock -- "${busy[@]}"
check "is in JSON, the heaviest first" last \
	'.hot | length > 0 and length <= 20 and
	 (map(.share) | . == (sort | reverse)) and (map(.share) | add) <= 1.001'
check "with names and files" \
	last '.hot | all(.[]; (.symbol | length) > 0 and (.dso | length) > 0)'
check "as many rows as asked for" ticks -d 0.5 -n 2 --hot 3 -a -e cpu-clock
check "are there" last '.hot | length <= 3'
check "nothing is decoded" ticks -d 0.5 -n 1 --decode 0 -a -e cpu-clock
check "where nothing is to be" last '.hot == null'

# The file of a running program is replaced.
replaced() {
	local pid

	cp "$(command -v bash)" "$tmp/sh" || return
	"$tmp/sh" -c 'while :; do :; done' &
	pid=$!
	until [ "$(readlink "/proc/$pid/exe")" = "$tmp/sh" ]; do
		sleep 0.01
	done
	rm "$tmp/sh"
	cp /bin/true "$tmp/sh"
	script -d 1 -n 3 -e cpu-clock -p $pid
	kill $pid
}
check "a program whose file was replaced" replaced
check "has the names of what runs" \
	lines 10 ' (?!\[unknown\])\S+\+0x[0-9a-f]+ \(\S*/sh \(deleted\)\)$'

restrict=/proc/sys/kernel/kptr_restrict
old=$(cat $restrict)
if echo 2 2>/dev/null >$restrict; then
	trap 'status=$?; echo "$old" >$restrict; (exit $status); tap_exit' EXIT
	check "with kernel addresses hidden" script -d 30 -e cpu-clock -- \
		dd if=/dev/zero of=/dev/null bs=16M count=200
	check "kernel samples have no names" no_lines '\+0x.*kallsyms'
	check "and are still told" lines 10 '\[unknown\] \(\[kernel'
	echo "$old" >$restrict
else
	skip "with kernel addresses hidden" "$restrict cannot be set here"
fi

finish
