# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=2 memory=512 seconds=300
#
# --snapshot-on call:FUNC with AUX rings, when a function of the kernel or of a
# program is called: by a breakpoint and a uprobe of this kernel.
. /rig/lib.sh
. /rig/rbtop.sh

# sets NAME: a child that calls sethostname(2)
sets() {
	busybox hostname "$1"
}

mimic name=intel_pt form=pt rate=1000000
check "a function of the kernel: rbtop starts" rb_start -e intel_pt// \
	-m 64,64K -a --snapshot-on call:__x64_sys_sethostname \
	--snapshot-cooldown 10000
check "others are called" sh -c "busybox uname; busybox true"
check "no snapshot is taken" soon '.snapshots.fired == 0'
check "it is called" sets first
check "a snapshot is taken" wait_for has_snaps 1
check "and says why" soon '.snapshots.last.trigger |
	test("^call:__x64_sys_sethostname by tid [0-9]+ on CPU [01]$")'
check "it is called again" sets second
check "the event counts both" soon '[.rings[].events[] |
	select(.name == "call:__x64_sys_sethostname") | .count] | add == 2'
check "in the cooldown no other is taken" soon '.snapshots.fired == 1'
check "rbtop ends" rb_stop
snaps_intact "each packet is intact"

check "a function of a command's child: rbtop starts" rb_start \
	-e intel_pt// -m 64,64K --snapshot-on call:/rig/bin/spin:spin \
	--snapshot-cooldown 10000 -- sh -c "sleep 1; spin 2 1; sleep 60"
check "a snapshot is taken" wait_for has_snaps 1
check "and says why" soon '.snapshots.last.trigger |
	test("^call:/rig/bin/spin:spin by tid [0-9]+ on CPU [01]$")'
check "rbtop ends" rb_stop
snaps_intact "each packet is intact"
finish
