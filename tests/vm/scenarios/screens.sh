# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=1024 seconds=120
#
# Keys of the AUX screen: r, w, X, and s with --keep.
. /rig/lib.sh
. /rig/rbtop.sh

nothing_there() {
	ls -A $snaps
	[ -z "$(ls -A $snaps)" ]
}

mimic name=intel_pt form=pt rate=1000000
check "rbtop starts" term_start -e intel_pt// -e cpu-clock -m 64,64K -a --keep 2
term_keys 4
stops=$(streams stops)
term_keys r
check "r says what it stopped tracing for" \
	term_shows 'stopped for [0-9.]*[num]*s'
check "it did stop it" [ "$(streams stops)" -gt "$stops" ]
for n in 1 2 3; do
	term_keys s
	check "s takes snapshot $n" term_shows "snapshot $n: .* stood still for"
done
check "--keep 2 leaves two" wait_for 5 sh -c "[ \$(ls $snaps | wc -l) -eq 2 ]"
snaps_intact "each packet is intact"

rm -f $snaps/*
term_keys w
check "w records" term_shows ' REC '
sleep 2
term_keys w
check "and ends it" wait_for 10 has_snaps 1
recording=$(snap_files)
check "perf reads it" sh -c "perf script -i $recording -F comm,event \
	2>$tmp/script.err | grep -q cpu-clock"
term_keys q
term_end

mimic name=intel_pt form=pt rate=50000000
check "large rings: rbtop starts" term_start -e intel_pt// -m 64,32M -a
term_keys 4
sleep 1
term_keys s
check "a snapshot is being written" term_shows 'writing'
term_keys X
check "X gives it up" term_shows 'given up\|cancelled'
check "and leaves nothing" wait_for 5 nothing_there
term_keys 5
check "the Log says which one" term_shows 'snapshot 1 (key): cancelled'
check "no snapshot comes after all" sh -c "sleep 3; [ -z \"\$(ls -A $snaps)\" ]"
term_keys q
term_end
finish
