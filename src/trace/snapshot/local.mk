# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/recorder.c \
	%D%/snapshot.c %D%/snapshot.h \
	%D%/snapshot_records.c %D%/snapshot_records.h \
	%D%/snapshot_shared.c %D%/snapshot_shared.h \
	%D%/snapshot_taker.c \
	%D%/snapshot_thread.c %D%/snapshot_thread.h
