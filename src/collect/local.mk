# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/aux_lane.c %D%/aux_lane.h \
	%D%/collector.c %D%/collector.h \
	%D%/collector_impl.h \
	%D%/collector_keep.c \
	%D%/collector_threads.c \
	%D%/cpu_budget.c %D%/cpu_budget.h \
	%D%/drain.c %D%/drain.h \
	%D%/overwrite.c %D%/overwrite.h \
	%D%/reader.c %D%/reader.h \
	%D%/reader_aux.c %D%/reader_aux.h \
	%D%/record_history.c %D%/record_history.h \
	%D%/ring_thread.c %D%/ring_thread.h \
	%D%/sample_queue.c %D%/sample_queue.h \
	%D%/sampler.c %D%/sampler.h \
	%D%/slow_lane.c %D%/slow_lane.h \
	%D%/stop_watch.c %D%/stop_watch.h
