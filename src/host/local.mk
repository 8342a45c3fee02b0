# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/host_bpf.h \
	%D%/host_ftrace.c %D%/host_ftrace.h \
	%D%/host_names.c %D%/host_names.h \
	%D%/host_pace.c %D%/host_pace.h \
	%D%/host_parse.c %D%/host_parse.h \
	%D%/host_proc.c %D%/host_proc.h \
	%D%/host_records.h \
	%D%/host_watch.c %D%/host_watch.h \
	%D%/proc_status.c %D%/proc_status.h

# The BPF programs, as skeletons: headers that hold their code and load it.
if HAVE_LIBBPF
src_librbtop_a_SOURCES += %D%/host_bpf.c %D%/host_drops.c
nodist_src_librbtop_a_SOURCES += %D%/rings.skel.h %D%/drops.skel.h
%D%/host_bpf.$(OBJEXT): %D%/rings.skel.h
%D%/host_drops.$(OBJEXT): %D%/drops.skel.h
else
src_librbtop_a_SOURCES += %D%/host_bpf_none.c
endif

bpf_sources = %D%/drops.bpf.c %D%/rings.bpf.c %D%/kernel.bpf.h
bpf_skeletons = %D%/drops.skel.h %D%/rings.skel.h
$(bpf_skeletons): %D%/%.skel.h: %D%/%.bpf.c %D%/kernel.bpf.h %D%/host_records.h
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(bpf_compile) $< -o $@.1
	$(AM_V_at)$(BPFTOOL) gen object $@.2 $@.1
	$(AM_V_at)$(BPFTOOL) gen skeleton $@.2 name $*_bpf >$@.tmp && \
		mv $@.tmp $@
# The names of sources are in the objects: without where they were built.
bpf_compile = $(CLANG) -target bpf -mcpu=v2 -g -O2 -Wall -Wextra \
	-fdebug-prefix-map=$(abs_builddir)=. -fdebug-prefix-map=$(abs_srcdir)=. \
	-ffreestanding -I$(srcdir)/src $(LIBBPF_CFLAGS) -c
