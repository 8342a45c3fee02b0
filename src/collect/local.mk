# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/aux_lane.c %D%/aux_lane.h \
	%D%/collector.c %D%/collector.h \
	%D%/collector_records.c \
	%D%/collector_state.h \
	%D%/counter_poller.c %D%/counter_poller.h \
	%D%/reader.c \
	%D%/slot.c %D%/slot.h
