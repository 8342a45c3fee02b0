# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/aux_lane.c %D%/aux_lane.h \
	%D%/aux_lane_ring.c %D%/aux_lane_ring.h \
	%D%/collector.c %D%/collector.h \
	%D%/collector_ring.h \
	%D%/collector_threads.c %D%/collector_threads.h \
	%D%/reader.c %D%/reader.h \
	%D%/reader_aux.c %D%/reader_aux.h \
	%D%/record_clock.c %D%/record_clock.h \
	%D%/slot.c %D%/slot.h \
	%D%/slot_histories.c %D%/slot_histories.h \
	%D%/slot_list.c %D%/slot_list.h \
	%D%/slow_lane.c %D%/slow_lane.h
