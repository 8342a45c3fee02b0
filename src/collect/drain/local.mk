# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/drain.c %D%/drain.h \
	%D%/record_history.c %D%/record_history.h \
	%D%/sample_queue.c %D%/sample_queue.h
