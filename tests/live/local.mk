# SPDX-License-Identifier: GPL-2.0-or-later

# Tests on the running kernel.
live_tests = \
	%D%/auxtrace_info.sh \
	%D%/callers.sh \
	%D%/calls.sh \
	%D%/cli.sh \
	%D%/command.sh \
	%D%/doctor.sh \
	%D%/equation.sh \
	%D%/examples.sh \
	%D%/exits.sh \
	%D%/filter.sh \
	%D%/flame_svg.sh \
	%D%/groups.sh \
	%D%/hangs.sh \
	%D%/host.sh \
	%D%/host_advice.sh \
	%D%/host_bpf.sh \
	%D%/host_fallback.sh \
	%D%/host_ftrace.sh \
	%D%/host_hostile.sh \
	%D%/host_loss.sh \
	%D%/host_no_effect.sh \
	%D%/host_packet.sh \
	%D%/hotplug.sh \
	%D%/killed.sh \
	%D%/modes.sh \
	%D%/overwrite.sh \
	%D%/perf_options.sh \
	%D%/perfdata.sh \
	%D%/recorded_samples.sh \
	%D%/recordings.sh \
	%D%/samples.sh \
	%D%/sim_snapshot.sh \
	%D%/snapshot.sh \
	%D%/stopped.sh \
	%D%/symbols.sh \
	%D%/trace_text.sh \
	%D%/trust.sh \
	%D%/unprivileged.sh \
	%D%/wakeups.sh

live_programs = \
	%D%/test_formats \
	%D%/test_host_bpf \
	%D%/test_host_maps \
	%D%/test_host_reasons \
	%D%/test_requests \
	%D%/test_swap

# Programs that they run, besides rbtop.
live_helpers = \
	%D%/entries \
	%D%/host_owner \
	%D%/host_owner_packet \
	%D%/perf_texts \
	%D%/write_auxtrace_info \
	%D%/write_flame \
	%D%/write_perfdata

# An owner of libbpf's buffers; and rbtop as built without libbpf.
if HAVE_LIBBPF
live_helpers += %D%/host_owner_bpf
%C%_host_owner_bpf_SOURCES = %D%/host_owner_bpf.c
nodist_%C%_host_owner_bpf_SOURCES = %D%/host_owner.skel.h
%D%/host_owner_bpf.$(OBJEXT): %D%/host_owner.skel.h
endif
%D%/host_owner.skel.h: %D%/host_owner.bpf.c
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(bpf_compile) $(srcdir)/%D%/host_owner.bpf.c -o $@.1
	$(AM_V_at)$(BPFTOOL) gen object $@.2 $@.1
	$(AM_V_at)$(BPFTOOL) gen skeleton $@.2 name host_owner >$@.tmp && \
		mv $@.tmp $@
live_helpers += %D%/rbtop_no_libbpf
%C%_rbtop_no_libbpf_SOURCES = src/main.c src/host/host_bpf_none.c
%C%_rbtop_no_libbpf_LDADD = $(rbtop_LDADD)

if HAVE_CMOCKA
check_PROGRAMS += $(live_programs) $(live_helpers)
endif

CLEANFILES += %D%/host_owner.skel.h \
	%D%/host_owner.skel.h.1 %D%/host_owner.skel.h.2
EXTRA_DIST += \
	$(live_tests) \
	%D%/hang_fs.c \
	%D%/host.bash \
	%D%/host_owner.bpf.c \
	%D%/host_rig.h \
	%D%/live.bash \
	%D%/live.h \
	%D%/callee.c \
	%D%/workload.c \
	%D%/workload.cc \
	%D%/workload.h \
	%D%/workload_plugin.c
