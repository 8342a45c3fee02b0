# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/ring_view.c %D%/ring_view.h \
	%D%/snapshot_files.c %D%/snapshot_files.h \
	%D%/trace_file.c %D%/trace_file.h \
	%D%/trace_records.c %D%/trace_records.h
