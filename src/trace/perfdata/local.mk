# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/build_ids.c %D%/build_ids.h \
	%D%/features.c \
	%D%/machine.c %D%/machine.h \
	%D%/machine_cpu.c \
	%D%/machine_impl.h \
	%D%/machine_kernel.c \
	%D%/perfdata_format.h \
	%D%/perfdata_writer.c %D%/perfdata_writer.h \
	%D%/perfdata_writer_impl.h \
	%D%/synth.c %D%/synth.h \
	%D%/tracing_data.c
