# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=300
#
# A recording that fills its disk ends, with all that was written before.
. /rig/lib.sh
. /rig/rbtop.sh

disk=$tmp/disk

told() {
	kill -TERM $rb
	wait $rb
	[ $? -eq 1 ] && grep 'the disk is nearly full' $tmp/rb.err
}

# on_disk MEGABYTES RATE: a disk of that size; RATE in bytes per second and CPU
on_disk() {
	mkdir -p $disk
	mount -t tmpfs -o size="$1"m disk $disk
	mimic name=intel_pt form=pt rate="$2"
	check "$1 MiB: rbtop starts" rb_start --full-trace \
		-o $disk/full.data -e intel_pt// -a -m 64,4M
	check "$1 MiB: the recording ends by itself" \
		wait_for [ -e $disk/full.data ]
	check "$1 MiB: rbtop does not, but says so at its end" told
	check "$1 MiB: nothing else is left" [ "$(ls $disk)" = full.data ]
	intact "$1 MiB: each packet is intact" --gaps $disk/full.data
	check "$1 MiB: there are some" [ "$(sum packets)" -gt 10000 ]
	check "$1 MiB: perf reads it" \
		perf report -i $disk/full.data --header-only
	note "$(tail -n 1 $tmp/trace)"
	note "$(df -k $disk | tail -n 1)"
	umount $disk
}

on_disk 24 20000000
on_disk 8 20000000
finish
