# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/recording.c %D%/recording.h \
	%D%/recording_room.c %D%/recording_room.h \
	%D%/recording_trace.c %D%/recording_trace.h \
	%D%/snapshot.c %D%/snapshot.h \
	%D%/snapshot_files.c %D%/snapshot_files.h \
	%D%/snapshot_memory.c %D%/snapshot_memory.h \
	%D%/snapshot_side_band.c %D%/snapshot_side_band.h \
	%D%/snapshot_thread.c %D%/snapshot_thread.h \
	%D%/snapshot_thread_ask.c \
	%D%/snapshot_thread_impl.h \
	%D%/snapshot_thread_record.c \
	%D%/snapshot_thread_run.c \
	%D%/snapshot_thread_take.c \
	%D%/snapshot_write.c %D%/snapshot_write.h
