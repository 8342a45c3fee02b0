# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/recorder.c %D%/recorder.h \
	%D%/snapshot.c %D%/snapshot.h \
	%D%/snapshot_cut.c %D%/snapshot_cut.h \
	%D%/snapshot_memory.c %D%/snapshot_memory.h \
	%D%/snapshot_opts.c %D%/snapshot_opts.h \
	%D%/snapshot_queue.c %D%/snapshot_queue.h \
	%D%/snapshot_records.c %D%/snapshot_records.h \
	%D%/snapshot_schedule.c %D%/snapshot_schedule.h \
	%D%/snapshot_status.c %D%/snapshot_status.h \
	%D%/snapshot_taker.c %D%/snapshot_taker.h \
	%D%/snapshot_thread.c %D%/snapshot_thread.h \
	%D%/snapshot_write.c %D%/snapshot_write.h
