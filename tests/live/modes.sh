#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Target modes, with the same meaning as in perf: which rings there are, and
# which tasks are in them.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

online=$(online_cpus | paste -sd,)
first=$(online_cpus | head -n 1)
nr=$(online_cpus | wc -l)

spin() {
	exec bash -c 'while :; do :; done'
}

# started COMMAND... -- OPTIONS: start rbtop with OPTIONS, and wait until
# COMMAND succeeds for process $pid, whose threads take a while to start.
started() {
	local pid end status command=()

	while [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	"$RBTOP" -b -d 1000 "${@:2}" >/dev/null &
	pid=$!
	end=$((SECONDS + 60))
	until "${command[@]}" >"$tmp/started"; do
		[ "$SECONDS" -lt "$end" ] || break
		sleep 0.1
	done
	"${command[@]}"
	status=$?
	kill $pid
	wait $pid
	return $status
}

# realtime WANT OPTIONS: rt_priority and policy of each thread, proc(5).
realtime() {
	started classes_are "$1" -- "${@:2}" -a
}

classes_are() {
	local task want=$1

	for task in /proc/$pid/task/*/stat; do
		awk '{ print $2, $40, $41 }' "$task"
	done | sort -u >"$tmp/threads"
	diff - "$tmp/threads" <<-END
		(rbtop) 0 0
		(rbtop-counts) 0 0
		(rbtop-reader) $want
		(rbtop-resolver) 0 0
		(rbtop-snapshots) 0 0
		(rbtop-watch) 0 0
	END
}

# Each reader may run on one CPU, and together they cover all.
cpus_are_own() {
	local task

	for task in /proc/$pid/task/*; do
		grep -qx rbtop-reader "$task/comm" &&
			sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' \
				"$task/status"
	done | sort -n | paste -sd, - >"$tmp/cpus"
	cat "$tmp/cpus"
	[ "$(cat "$tmp/cpus")" = "$online" ]
}

# Two processes that spin until they are killed.
spin & one=$!
spin & two=$!
forks='' group=
leave() {
	kill $one $two $forks 2>/dev/null
	wait 2>/dev/null
	[ -z "$group" ] || rmdir "$group" 2>/dev/null
	tap_exit
}
trap leave EXIT

# The kernel lowers the limit if interrupts take long: any value that it had
# meanwhile is right.
is_lowered() {
	local limit=/proc/sys/kernel/perf_event_max_sample_rate most rate

	most=$(cat $limit)
	"$RBTOP" -b -d 30 -F 2000000000 -a -- true >"$tmp/text" || return
	rate=$(sed -n 's/.*F 2000000000 lowered to \([0-9]*\):.*/\1/p' \
		"$tmp/text" | head -n 1)
	echo "$rate, of $most"
	[ "$rate" -le "$most" ] && [ "$rate" -ge "$(cat $limit)" ]
}

# spends BASH-SCRIPT: a command that runs it in a child, and writes the child's
# CPU time in ms.
spends() {
	echo "bash -c '$1; times >\"$tmp/spent\"'; :"
}

spent() {
	tr 'ms' '  ' <"$tmp/spent" | awk '
		NR == 1 { print int(60000 * ($1 + $3) + 1000 * ($2 + $4)) }'
}

if may -a; then
	check "-a runs" ticks -n 2 -d 0.3 -a
	check "-a has a ring for every online CPU" \
		every "[.rings[].cpu] == [$online]"
	check "-a belongs to nobody" last 'all(.rings[]; .owner == null)'
	check "the default event is there" \
		last '.rings[0].events[0].name |
		      test("^(cpu-clock|cycles)")'
	check "no -a, no command means -a" ticks -n 1 -d 0.1
	check "and it has the same rings" \
		last "[.rings[].cpu] == [$online]"
	check "-a of a clock runs" ticks -n 2 -d 0.3 -a -e cpu-clock
	check "it goes on all CPUs" \
		last 'all(.rings[]; .events[0].count >= 5e8)'
	check "-C runs" ticks -n 1 -d 0.3 -C "$first"
	check "-C has a ring for each CPU named" \
		last "[.rings[].cpu] == [$first]"
	check "-F over the limit is lowered to it" is_lowered
	check "-r 0 leaves the readers as ordinary threads" \
		realtime '0 0' -r 0
	if chrt -f 7 true 2>/dev/null; then
		check "-r runs them as SCHED_FIFO, and nothing else" \
			realtime '7 1' -r 7
		check "without it they have the lowest of its priorities" \
			realtime '1 1'
		check "realtime readers stand on the CPUs of their rings" \
			started cpus_are_own -- -a
	else
		skip "-r" "no real-time scheduling is allowed here"
	fi
	check "-a with a command runs" ticks -d 30 -a -- sleep 0.2
	check "the command is only the duration" \
		last "[.rings[].cpu] == [$online] and .interval < 30 and
		      all(.rings[]; .owner == null)"
	check "-C with a command runs" ticks -d 30 -C "$first" -- sleep 0.2
	check "which is only the duration" last "[.rings[].cpu] == [$first]"
	refuse 1 "a CPU that is not there is refused" \
		"$RBTOP" -b -n 1 -C 60000
	check "with the CPUs there are" grep -q 'online: ' "$tmp/err"
else
	skip "-a and -C" "$(why)"
fi

if may -- true; then
	check "a command runs" ticks -d 30 -- bash -c \
		'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
	check "it has a ring for every online CPU" \
		last "[.rings[].cpu] == [$online]"
	check "it owns them" \
		last '[.rings[].owner.pid] | unique | length == 1 and
		      .[0] > 0'
	check "by name" last 'all(.rings[]; .owner.comm == "bash")'
	check "its samples are there" last '.total.samples > 0'

	# Children of the command are counted, unless that is disabled.
	child=$(spends 'for ((i = 0; i < 200000; i++)); do :; done')
	ns='([.rings[].events[0].count] | add)'
	check "children inherit" ticks -d 30 -e task-clock -- bash -c "$child"
	check "and are counted" last "$ns >= $(spent)e6 and .total.samples > 0"
	check "--no-inherit" \
		ticks -d 30 -e task-clock --no-inherit -- bash -c "$child"
	check "leaves them out" last "$ns < $(spent)e6"

	# Other processes fork meanwhile: these are not counted.
	(trap 'exit' TERM; while :; do (:); true & wait $!; done) &
	forks=$!
	check "a command among others that fork" ticks -d 30 -- true
	check "has its own exec alone" \
		last '[.rings[].types.COMM // 0] | add == 1'
	check "its own exit alone" \
		last '([.rings[].types.EXIT // 0] | add) == 1 and
		      ([.rings[].types.FORK // 0] | add) == 0'
	check "its own files alone" last '[.rings[].types.MMAP2 // 0] | add |
					  . > 0 and . < 20'
	check "a command that forks" ticks -d 30 -- sh -c '/bin/true; /bin/true; :'
	check "has its own forks and those of its children" \
		last '([.rings[].types.FORK // 0] | add) == 2 and
		      ([.rings[].types.EXIT // 0] | add) == 3 and
		      ([.rings[].types.COMM // 0] | add) == 3'
	check "-p among others that fork" ticks -n 2 -d 0.3 -p $one
	check "has no side-band of theirs" \
		last 'all(.rings[]; (.types | has("FORK") or has("EXIT") or
				     has("COMM") or has("MMAP2")) | not)'
	kill $forks
	wait $forks 2>/dev/null
	forks=

	check "-p runs" ticks -n 2 -d 0.3 -p $one
	check "-p has a ring for every online CPU" \
		last "[.rings[].cpu] == [$online]"
	check "-p counts its process" \
		last "all(.rings[]; .owner.pid == $one) and
		      ([.rings[].events[0].count] | add) > 1e6"
	check "-p with a command runs" ticks -d 30 -p $one -- sleep 0.3
	check "the command is only the duration" \
		last "all(.rings[]; .owner.pid == $one)"
	check "-t runs" ticks -n 1 -d 0.2 -t $one
	check "-t has a ring for every online CPU" \
		last "[.rings[].cpu] == [$online]"

	check "--per-thread -p with two runs" \
		ticks -n 2 -d 0.3 --per-thread -p $one,$two
	check "it has a ring for each thread" \
		last "[.rings[].tid] == [$one, $two] and
		      all(.rings[]; .cpu == null)"
	check "each owned by its process" \
		last "[.rings[].owner.pid] == [$one, $two]"
	check "--per-thread -t runs" ticks -n 1 -d 0.2 --per-thread -t $two
	check "it has one ring" last "[.rings[].tid] == [$two]"
	check "--per-thread with a command runs" \
		ticks -d 30 --per-thread -- bash -c \
		'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
	check "it has one ring, without a CPU" \
		last '[.rings[].cpu] == [null] and .total.samples > 0'
	refuse 1 "a dead pid is refused" "$RBTOP" -b -n 1 -p 4194304
	check "in one line" grep -q 'no such process' "$tmp/err"
else
	skip "a command, -p, -t" "$(why)"
fi

# A cgroup: only tasks in it are counted.
cgroups() {
	awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' \
		/proc/mounts | grep . ||
		awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts
}

if [ -n "$(cgroups)" ] && mkdir "$(cgroups)/rbtop-test-$$" 2>/dev/null; then
	group=$(cgroups)/rbtop-test-$$
	echo $one >"$group/cgroup.procs"
	before=$(date +%s%N)
	check "-G runs" ticks -n 2 -d 0.4 -a -G "rbtop-test-$$"
	passed=$(($(date +%s%N) - before))
	check "-G has the CPUs' rings" last "[.rings[].cpu] == [$online]"
	check "-G counts no more than its one process runs" \
		last "([.rings[].events[0].count] | add) as \$ns |
		      .rings[0].events[0].name != \"cpu-clock\" or
		      (\$ns > 1e6 and (\$ns <= $passed or $nr == 1))"
	check "-G takes what /proc/PID/cgroup says" \
		ticks -n 1 -d 0.1 -a -G "/rbtop-test-$$"
	refuse 1 "a directory that is no cgroup is refused" \
		"$RBTOP" -b -n 1 -a -G /usr
	check "for what it is" grep -q 'is not a cgroup' "$tmp/err"
	check "-G takes an absolute path" ticks -n 1 -d 0.1 -a -G "$group"
	refuse 2 "-G without CPUs is refused" \
		"$RBTOP" -b -n 1 -p $one -G "rbtop-test-$$"
	refuse 1 "a cgroup that is not there is refused" \
		"$RBTOP" -b -n 1 -a -G nonexistent
	for _ in $(seq 100); do
		for task in $(cat "$group/cgroup.procs"); do
			echo "$task" >"$(cgroups)/cgroup.procs"
		done
		rmdir "$group" 2>/dev/null && break
		sleep 0.1
	done
else
	skip "-G" "no cgroup can be made here"
fi

kill $one $two
finish
