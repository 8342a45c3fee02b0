# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/recording.c %D%/recording.h \
	%D%/recording_room.c %D%/recording_room.h \
	%D%/recording_trace.c %D%/recording_trace.h
