# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/event_kinds.c %D%/event_kinds.h \
	%D%/event_label.c %D%/event_label.h \
	%D%/event_names.c %D%/event_names.h \
	%D%/event_spec.c %D%/event_spec.h \
	%D%/event_suggest.c \
	%D%/event_terms.c \
	%D%/pmu.c %D%/pmu.h \
	%D%/pmu_table.c
