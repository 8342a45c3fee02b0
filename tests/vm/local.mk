# SPDX-License-Identifier: GPL-2.0-or-later

# Tests on a real kernel with AUX rings, in virtual machines; see run.sh.
vm_tests = %D%/run.sh

EXTRA_DIST += $(vm_tests) \
	%D%/check_trace.c \
	%D%/guest/host.sh \
	%D%/guest/init \
	%D%/guest/lib.sh \
	%D%/guest/rbtop.sh \
	%D%/guest/scenario.sh \
	%D%/guest/spin.c \
	%D%/machine.bash \
	%D%/module/Kbuild \
	%D%/module/figures.c \
	%D%/module/mimic.h \
	%D%/module/packet.c \
	%D%/module/packet.h \
	%D%/module/pmu.c \
	%D%/module/sysfs.c \
	%D%/queue.bash \
	%D%/scenarios/calls.sh \
	%D%/scenarios/elsewhere.sh \
	%D%/scenarios/files.sh \
	%D%/scenarios/full_disk.sh \
	%D%/scenarios/full_trace.sh \
	%D%/scenarios/full_trace_perf.sh \
	%D%/scenarios/host.sh \
	%D%/scenarios/host_aux.sh \
	%D%/scenarios/host_ends.sh \
	%D%/scenarios/host_lockdown.sh \
	%D%/scenarios/hotplug.sh \
	%D%/scenarios/perf_full.sh \
	%D%/scenarios/perf_pmus.sh \
	%D%/scenarios/perf_reads.sh \
	%D%/scenarios/perf_snapshot.sh \
	%D%/scenarios/ringbuf_drops.sh \
	%D%/scenarios/screens.sh \
	%D%/scenarios/snapshot.sh \
	%D%/scenarios/snapshot_queue.sh \
	%D%/scenarios/snapshot_reach.sh \
	%D%/scenarios/snapshot_row.sh \
	%D%/scenarios/stop_time.sh \
	%D%/scenarios/user.sh \
	%D%/trace_file.c \
	%D%/trace_file.h \
	%D%/vm.bash

.PHONY: check-vm
if HAVE_LIBBPF
vm_programs = tests/live/host_owner_bpf$(EXEEXT)
endif
check-vm: all $(vm_programs)
	TAP_SECONDS=10000 $(MAKE) $(AM_MAKEFLAGS) check-TESTS \
		TESTS='$(vm_tests)'
