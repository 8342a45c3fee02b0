# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/tracefs.c %D%/tracefs.h \
	%D%/tracepoint.c %D%/tracepoint.h \
	%D%/tracepoint_check.c \
	%D%/tracepoint_plain.c %D%/tracepoint_plain.h

# The system calls of the machine that rbtop is built for.
nodist_src_librbtop_a_SOURCES = %D%/syscalls.inc
CLEANFILES += %D%/syscalls.inc
%D%/tracepoint.$(OBJEXT): %D%/syscalls.inc
%D%/syscalls.inc:
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)echo '#include <asm/unistd.h>' | \
		$(CC) $(CPPFLAGS) $(CFLAGS) -E -dM -x c - >$@.tmp
	$(AM_V_at)sed -n -e '/__NR_syscalls\>/d' \
		-e '/__NR_arch_specific_syscall\>/d' \
		-e 's/^#define __NR_\([a-z0-9_]*\) .*/SYSCALL(\1)/p' \
		$@.tmp | LC_ALL=C sort >$@ && rm $@.tmp
