# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/host_source.c \
	%D%/recording_log.c %D%/recording_log.h \
	%D%/recording_samples.c %D%/recording_samples.h \
	%D%/recording_source.c %D%/recording_source.h \
	%D%/source.c %D%/source.h \
	%D%/source_command.c %D%/source_command.h \
	%D%/source_samples.c %D%/source_samples.h \
	%D%/source_snapshots.c %D%/source_snapshots.h
