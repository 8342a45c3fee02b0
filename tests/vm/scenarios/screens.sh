# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=1024 seconds=600
#
# Keys of the AUX screen: r, w, X, and s with --keep.
. /rig/lib.sh
. /rig/rbtop.sh

nothing_there() {
	ls -A $snaps
	[ -z "$(ls -A $snaps)" ]
}

# It is being written, or on a fast machine was already.
begun() {
	screen_has 'writing' || has_snaps 1
}

over() {
	screen_has 'cancelled' || has_snaps 1
}

# Take snapshots, until one is cancelled before it is complete: $number
give_up() {
	for number in 1 2 3 4 5 6 7 8; do
		term_keys s
		wait_for begun || return
		term_keys X
		wait_for over || return
		has_snaps 1 || return 0
		rm -f $snaps/*
	done
	return 1
}

mimic name=intel_pt form=pt rate=1000000
check "rbtop starts" term_start -e intel_pt// -e cpu-clock -m 64,64K -a --keep 2
term_keys 4
stops=$(streams stops)
term_keys r
check "r says what it stopped tracing for" \
	term_shows 'for [0-9.]*[num]*s)'
check "it did stop it" [ "$(streams stops)" -gt "$stops" ]
for n in 1 2 3; do
	term_keys s
	check "s takes snapshot $n" term_shows "snapshot $n: .* tracing stopped for"
done
check "--keep 2 leaves two" wait_for sh -c "[ \$(ls $snaps | wc -l) -eq 2 ]"
snaps_intact "each packet is intact"

rm -f $snaps/*
term_keys w
check "w says where it would record" term_shows 'press w again to record'
term_keys w
check "w again records" term_shows ' REC '
sleep 2
term_keys w
check "and ends it" wait_for has_snaps 1
recording=$(snap_files)
check "perf reads it" sh -c "perf script -i $recording -F comm,event \
	2>$tmp/script.err | grep -q cpu-clock"
term_keys q
term_end

mimic name=intel_pt form=pt rate=50000000
check "large rings: rbtop starts" term_start -e intel_pt// -m 64,32M -a
term_keys 4
check "the rings fill" wait_for all_wrote 33554432
check "X gives up a snapshot that is being written" give_up
check "and leaves nothing" wait_for nothing_there
term_keys 5
check "the Log says which one" term_shows \
	"snapshot $number (key): cancelled"
check "no snapshot comes after all" sh -c "sleep 3; [ -z \"\$(ls -A $snaps)\" ]"
term_keys q
term_end
finish
