# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/cpu_budget.c %D%/cpu_budget.h \
	%D%/ring_thread.c %D%/ring_thread.h \
	%D%/stop_watch.c %D%/stop_watch.h
