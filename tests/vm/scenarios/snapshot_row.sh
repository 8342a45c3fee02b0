# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=900
#
# A hundred snapshots in a row, half of them by key.  The rate fills a ring
# between two of them, and leaves the emulator time for them.
. /rig/lib.sh
. /rig/rbtop.sh

keypresses() {
	n=0
	while [ $n -lt "$1" ]; do
		n=$((n + 1))
		term_keys s
		wait_for has_snaps $n || {
			echo "$(snap_count) files, not $n"
			term_screen
			return 1
		}
	done
}

row_checked() {
	snaps_newest "$1: each packet is intact"
	check "$1: the rings are whole" spans_full 131072 64
	note "$(tail -n 1 $tmp/trace)"
}

mimic name=intel_pt form=pt rate=10000000
check "rbtop starts" rb_start -e intel_pt// -m 64,128K -a
check "the rings fill" wait_for all_wrote 131072
check "50 by signal" rb_snapshots 50
check "rbtop ends" rb_stop
row_checked "50 by signal"

mimic name=intel_pt form=pt rate=10000000
check "rbtop starts on a terminal" term_start -e intel_pt// -m 64,128K -a
check "the rings fill" wait_for all_wrote 131072
check "50 by key" keypresses 50
term_keys q
row_checked "50 by key"
term_end
finish
