#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# AUX rings on a real kernel, without tracing hardware: boots virtual machines
# in which a module imitates that hardware, runs the scenarios of scenarios/ in
# them, and prints their cases as TAP.
#
#	run.sh [SCENARIO...]		all of them if none is named
#
# The first lines of a scenario have its requirements:
#
#	# vm: cpus=4 memory=512 seconds=60
#
# seconds are the guest's own, see machine.bash, and several times what the
# scenario takes: longer means that it hangs.  Scenarios for the same number of
# CPUs share a machine, which has the memory that the largest of them needs;
# with two CPUs for them, two machines run in parallel.  The last line counts:
# "# N passed, N failed, N skipped".  All tests are skipped if this machine has
# no emulator, no compiler or no kernel packages; any other error is a failure.
# From the environment:
#
#	RBTOP		the program under test
#	VM_CACHE	a directory for the kernel's packages, unpacked
#	VM_KERNEL	another series of the distribution's kernels: 6.12
#	VM_KEEP		a directory that the results are copied to
#	VM_JOBS		how many machines run at once

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/vm.bash"
. "$(dirname "$0")/machine.bash"
. "$(dirname "$0")/queue.bash"

vm_work=$tmp
vm_cache=${VM_CACHE:-${builddir:-$top/build}/tests/vm/cache}
vm_kernel=${VM_KERNEL:-}

# The word $2=VALUE of a scenario's vm line, or $3.
need() {
	local value

	value=$(sed -n "s/^# vm: .*\b$2=\([0-9]*\).*/\1/p" \
		"$vm_here/scenarios/$1.sh")
	echo "${value:-$3}"
}

scenarios() {
	if [ $# -gt 0 ]; then
		printf '%s\n' "$@"
	else
		basename -s .sh "$vm_here"/scenarios/*.sh
	fi
}

# relay_cases SCENARIO FILE: its cases, as cases of this test.
relay_cases() {
	local line finished="" status="" complaints=""

	while IFS= read -r line; do
		case $line in
		'ok - '*'# SKIP '*) skipped=$((skipped + 1))
			line=${line#ok - }
			skip "$1: ${line%% # SKIP *}" "${line#*# SKIP }" ;;
		'ok - '*) ok "$1: ${line#ok - }" ;;
		'not ok - '*) not_ok "$1: ${line#not ok - }" ;;
		'#'*) printf '%s\n' "$line" ;;
		finished) finished=yes ;;
		'status '*) status=${line#* } ;;
		'complaints '*) complaints=${line#* } ;;
		esac
	done <"$2"
	[ -n "$finished" ] ||
		not_ok "$1 runs to its end" "status ${status:-unknown}"
	if [ "${complaints:-1}" -eq 0 ]; then
		ok "$1: the kernel has no complaint"
	else
		not_ok "$1: the kernel has no complaint" "$complaints"
	fi
}

# diagnose SCENARIO: print all errors of the guest, once.
diagnose() {
	local results=$vm_work/results/$1

	cat "$vm_work/said/$1" 2>/dev/null
	if [ -s "$results/$1.err" ]; then
		echo "# $1 said:"
		tail -n 10 "$results/$1.err" | tap_comment
	fi
	grep -E -A 12 'BUG:|WARNING:|Oops|stall' "$results/dmesg" 2>/dev/null |
		head -n 60 | tap_comment
}

relay() {
	local verdict

	verdict=$(queue_verdict "$1")
	if [ -n "$verdict" ]; then
		not_ok "$1 runs" "$verdict"
	else
		relay_cases "$1" "$vm_work/results/$1/$1.tap"
	fi
	diagnose "$1"
}

keep() {
	[ -z "${VM_KEEP:-}" ] && return
	mkdir -p "$VM_KEEP"
	cp -r "$vm_work"/results/. "$VM_KEEP/"
	for console in "$vm_work"/machine*/console; do
		cp "$console" "$VM_KEEP/console.$(basename "${console%/*}")"
	done
}

nothing() {
	echo '# 0 passed, 0 failed, 1 skipped'
	skip_all "$1"
}

# Scenarios that were named but do not exist.
check_names() {
	local name unknown=

	for name in "$@"; do
		[ -e "$vm_here/scenarios/$name.sh" ] || unknown+=" $name"
	done
	[ -z "$unknown" ] && return
	echo "no such scenario:$unknown; there are:" \
		"$(scenarios | paste -sd' ')" >&2
	tap_finished=yes
	tap_status=2
	exit 2
}

counts() {
	echo "# $((tap_tests - tap_failed - skipped)) passed," \
		"$tap_failed failed, $skipped skipped"
}

# The number of machines: each uses one CPU.
machines() {
	local cpus

	cpus=$(nproc)
	echo "${VM_JOBS:-$((cpus < 2 ? cpus : 2))}"
}

run_scenarios() {
	local scenario list ended

	mapfile -t list < <(scenarios "$@")
	queue_prepare
	for scenario in "${list[@]}"; do
		queue_add "$scenario" "$(need "$scenario" cpus 4)" \
			"$(need "$scenario" memory 512)" \
			"$(need "$scenario" seconds 60)"
	done
	queue_run "$(machines)"
	# each as it ends, so that finished ones count even if this is ended
	while [ ${#list[@]} -gt 0 ]; do
		queue_next_done "${list[@]}"
		relay "$ended"
		mapfile -t list < <(printf '%s\n' "${list[@]}" |
			grep -vx "$ended")
	done
	queue_end
	keep
}

skipped=0
queue_workers=()
trap 'queue_end; tap_exit' EXIT
check_names "$@"
vm_fetch >"$tmp/fetch" || nothing "$(tail -n 1 "$tmp/fetch")"
# a build failure is an error, not a reason to skip
if vm_build >"$tmp/build"; then
	run_scenarios "$@"
else
	not_ok "the guest is built" "$(tail -n 30 "$tmp/build")"
fi
echo "1..$tap_tests"
counts
tap_finished=yes
tap_status=$((tap_failed > 0))
exit "$tap_status"
