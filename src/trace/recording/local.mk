# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/recording.c %D%/recording.h \
	%D%/writer_times.c
