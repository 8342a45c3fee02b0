# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The queue of scenarios, and the workers that run them on machines in parallel;
# sourced by run.sh after machine.bash.
#
#	queue_add NAME CPUS MEMORY SECONDS
#	queue_run MACHINES	run all in the background, that many at once
#	queue_next_done NAME...	wait until one of them was run, or cannot be:
#				$ended
#	queue_verdict NAME	why it has no result; empty if it has one
#	queue_end		stop all that still run
#
# The results of a scenario are in $vm_work/results/NAME, notes about it (failed
# machines, its time) in $vm_work/said/NAME.
#
# Each worker keeps its machine as long as there are scenarios for that number
# of CPUs.  A scenario that failed to end leaves the guest in an unknown state,
# so the next one gets a new machine.  A machine that stops answering is no
# verdict on the scenario, which is run once more on another.

queue_prepare() {
	mkdir -p "$vm_work"/{queue,taken,done,said,results}
}

# The longest are first, so that the last ones are short.
queue_add() {
	echo "$@" >"$vm_work/queue/$2-$((10000 - $4))-$1"
}

# queue_take CPUS: take a scenario for a machine with CPUS, or for any; sets
# $name, $cpus, $seconds.  Renaming a file succeeds for only one of two workers.
queue_take() {
	local file

	for file in "$vm_work/queue/$1"*; do
		mv "$file" "$vm_work/taken/" 2>/dev/null || continue
		read -r name cpus _ seconds <"$vm_work/taken/${file##*/}"
		return 0
	done
	return 1
}

queue_say() {
	local name=$1

	shift
	echo "# $*" >>"$vm_work/said/$name"
}

# The outcome of the current scenario: a result, another try, or a verdict.
queue_failed() {
	queue_say "$name" "the machine failed: $1; its console ends:" \
		"$(machine_console)"
	if [ -e "$vm_work/again-$name" ]; then
		echo "the machine failed twice: $1" >"$vm_work/done/$name"
		return
	fi
	queue_say "$name" "tried again: $name"
	: >"$vm_work/again-$name"
	mv "$vm_work/taken/$cpus-"*"-$name" "$vm_work/queue/"
}

# The largest memory of the scenarios for that many CPUs.
queue_memory() {
	cat "$vm_work"/{queue,taken}/"$1"-* 2>/dev/null |
		awk '$3 > max { max = $3 } END { print max }'
}

queue_finished() {
	grep -qx finished "$vm_work/results/$1/$1.tap" 2>/dev/null
}

# Run one scenario on this worker's machine; false if the machine cannot be used
# any more.
queue_one() {
	local had=$machine_had used=$machine_cpu began=$SECONDS

	rm -rf "$vm_work/results/$name"
	if ! machine_run "$name" "$seconds" "$vm_work/results/$name"; then
		queue_failed 'the guest stopped answering'
		return 1
	fi
	queue_say "$name" "$name took $((SECONDS - began)) s: the guest had" \
		"$((machine_had - had)) s of $seconds and used" \
		"$((machine_cpu - used)) s of CPU time"
	: >"$vm_work/done/$name"
	queue_finished "$name"
}

# queue_machine NUMBER: boot one with $cpus CPUs
queue_machine() {
	machine_start "$vm_work/machine$1" "$cpus" "$(queue_memory "$cpus")" &&
		return
	queue_failed 'the guest did not boot'
	machine_end
	return 1
}

# Take the next for this worker: for its machine, or for another.
queue_next() {
	kill -0 $$ || return
	if [ -n "$runs" ]; then
		queue_take "$cpus-" && return
		machine_end
		runs=
	fi
	queue_take ''
}

queue_worker() {
	local name cpus seconds runs=

	trap 'kill -KILL "$machine_pid"; exit' TERM
	while queue_next; do
		[ -n "$runs" ] || queue_machine "$1" || continue
		runs=yes
		queue_one && continue
		machine_end
		runs=
	done
}

queue_run() {
	local n

	queue_workers=()
	for ((n = 1; n <= $1; n++)); do
		queue_worker "$n" >"$vm_work/worker$n" 2>&1 &
		queue_workers+=($!)
	done
}

queue_next_done() {
	local lives=yes

	while :; do
		for ended in "$@"; do
			[ ! -e "$vm_work/done/$ended" ] || return 0
		done
		ended=$1
		[ -n "$lives" ] || return 0
		kill -0 "${queue_workers[@]}" 2>/dev/null || lives=
		sleep 0.2
	done
}

queue_verdict() {
	cat "$vm_work/done/$1" 2>/dev/null || echo "nobody ran it"
}

queue_end() {
	[ ${#queue_workers[@]} -eq 0 ] ||
		kill "${queue_workers[@]}" 2>/dev/null
	wait
}
