# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=1 memory=640 seconds=300
#
# A kernel in lockdown, where BPF cannot read kernel memory: the reason is shown
# why rbtop --host only uses /proc.  Lockdown cannot be undone, so this has a
# machine of its own.
. /rig/lib.sh
. /rig/host.sh

lockdown=/sys/kernel/security/lockdown
mount -t securityfs securityfs /sys/kernel/security
check "rbtop --host starts" host_start
record -e cpu-clock -a
check "it asks the kernel" host '.host.bpf and (of("perf") |
	length == 1 and .[0].head != null)'
check "it ends" host_stop

echo integrity >$lockdown
check "it starts where the kernel cannot be changed" host_start
check "reading goes on" host '.host.bpf and .host.reason == null'
check "it ends" host_stop

echo confidentiality >$lockdown
note "$(cat $lockdown)"
check "it starts where the kernel cannot be read" host_start
check "sizes and owners are still there" host '(.host.bpf | not) and
	(of("perf") | length == 1 and .[0].size > 0 and .[0].head == null)'
check "and what it takes is said" host '.host.reason |
	test("kernel lockdown") and test("lockdown=integrity")'
note "$(host_value .host.reason)"
check "it ends" host_stop
check "perf ends" sh -c "kill -INT $perf"
wait $perf
finish
