# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/machine.c %D%/machine.h \
	%D%/perfdata_events.c %D%/perfdata_events.h \
	%D%/perfdata_features.c \
	%D%/perfdata_file.c %D%/perfdata_file.h \
	%D%/perfdata_format.h \
	%D%/perfdata_found.c \
	%D%/perfdata_input.c \
	%D%/perfdata_reader.c %D%/perfdata_reader.h \
	%D%/perfdata_state.h \
	%D%/perfdata_writer.c %D%/perfdata_writer.h \
	%D%/synth.c \
	%D%/tracing_data.c
