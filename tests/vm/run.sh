#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# AUX rings on a real kernel, without hardware that traces: boots virtual
# machines in which a module plays that hardware, runs the scenarios of
# scenarios/ in them, and prints their cases as TAP.
#
#	run.sh [SCENARIO...]		all of them, if none is named
#
# A scenario says in its first lines what it needs:
#
#	# vm: cpus=4 memory=512 seconds=60
#
# Those that need the same machine share a boot.  The last line counts:
# "# N passed, N failed, N skipped".  All is skipped where this machine has no
# emulator, no compiler or no packages of the kernel; what fails beyond that has
# failed.  From the environment:
#
#	RBTOP		the program under test
#	VM_CACHE	where the kernel's packages are kept, unpacked
#	VM_KERNEL	another series of the distribution's kernels: 6.12
#	VM_KEEP		a directory that the results are copied to

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/vm.bash"

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

# A file for each shape, CPUSxMEMORY, that lists its scenarios.
sort_by_shape() {
	local scenario

	mkdir "$tmp/shapes"
	while read -r scenario; do
		echo "$scenario $(need "$scenario" seconds 60)" >>"$tmp/shapes/$(
			need "$scenario" cpus 4)x$(
			need "$scenario" memory 512)"
	done
}

# relay SCENARIO FILE: its cases, as cases of this test.
relay() {
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

# All that went wrong in the guest, said once.
diagnose() {
	local scenario

	while read -r scenario _; do
		[ -s "$1/$scenario.err" ] || continue
		echo "# $scenario said:"
		tail -n 10 "$1/$scenario.err" | tap_comment
	done <"$2"
	grep -E -A 12 'BUG:|WARNING:|Oops|stall' "$1/dmesg" 2>/dev/null |
		head -n 60 | tap_comment
}

run_shape() {
	local shape=$1 list=$tmp/shapes/$1 seconds scenario why

	seconds=$(awk '{ sum += $2 } END { print sum + 60 }' "$list")
	if ! why=$(vm_boot "$shape" "${shape%x*}" "${shape#*x}" "$seconds" \
		"$list"); then
		not_ok "a machine of $shape boots and ends" "$why"
	fi
	while read -r scenario _; do
		if [ -e "$tmp/$shape/results/$scenario.tap" ]; then
			relay "$scenario" "$tmp/$shape/results/$scenario.tap"
		else
			not_ok "$scenario runs" "no result"
		fi
	done <"$list"
	diagnose "$tmp/$shape/results" "$list"
	[ -z "${VM_KEEP:-}" ] || { mkdir -p "$VM_KEEP" &&
		cp -r "$tmp/$shape/results" "$VM_KEEP/$shape" &&
		cp "$tmp/$shape/console" "$VM_KEEP/$shape/"; }
}

nothing() {
	echo '# 0 passed, 0 failed, 1 skipped'
	skip_all "$1"
}

# What was asked for and is not there.
check_names() {
	local name unknown=

	for name in "$@"; do
		[ -e "$vm_here/scenarios/$name.sh" ] || unknown+=" $name"
	done
	[ -z "$unknown" ] && return
	echo "no such scenario:$unknown; there are:" \
		"$(scenarios | paste -sd' ')" >&2
	tap_finished=yes
	exit 2
}

counts() {
	echo "# $((tap_tests - tap_failed - skipped)) passed," \
		"$tap_failed failed, $skipped skipped"
}

run_shapes() {
	local list

	sort_by_shape < <(scenarios "$@")
	for list in "$tmp"/shapes/*; do
		run_shape "${list##*/}"
	done
}

skipped=0
check_names "$@"
vm_fetch >"$tmp/fetch" || nothing "$(tail -n 1 "$tmp/fetch")"
# what does not build is our fault, not the machine's
if vm_build >"$tmp/build"; then
	run_shapes "$@"
else
	not_ok "the guest is built" "$(tail -n 30 "$tmp/build")"
fi
echo "1..$tap_tests"
counts
tap_finished=yes
[ "$tap_failed" -eq 0 ]
exit
