# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/batch.c %D%/batch.h \
	%D%/cli.c %D%/cli.h \
	%D%/cli_help.c \
	%D%/cli_options.def \
	%D%/cli_perf.c %D%/cli_perf.def %D%/cli_perf.h \
	%D%/cli_take.c %D%/cli_take.h \
	%D%/cli_take_trace.c \
	%D%/config.c %D%/config.h \
	%D%/front_end.h \
	%D%/streams.c %D%/streams.h \
	%D%/textfile.c %D%/textfile.h
