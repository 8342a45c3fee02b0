# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/batch.c %D%/batch.h \
	%D%/cli.c %D%/cli.h \
	%D%/cli_help.c \
	%D%/cli_options.def \
	%D%/cli_perf.def \
	%D%/cli_take.c %D%/cli_take.h \
	%D%/cli_take_trace.c \
	%D%/config.c %D%/config.h \
	%D%/config_columns.c \
	%D%/config_lists.def \
	%D%/front_end.h \
	%D%/gate.c %D%/gate.h \
	%D%/schemes.def \
	%D%/streams.c %D%/streams.h \
	%D%/summary.c %D%/summary.h

# What -V says.  It is asked for at each make, as a commit changes no file; the
# header is only written if the answer has changed.
%D%/cli_help.$(OBJEXT): %D%/version.h
%D%/version.h: always
	@$(MKDIR_P) %D%
	@echo "#define RBTOP_VERSION \"$$($(SHELL) \
		$(srcdir)/build-aux/git-version $(srcdir) $(VERSION))\"" >$@.tmp
	@if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi

.PHONY: always
CLEANFILES += %D%/version.h
