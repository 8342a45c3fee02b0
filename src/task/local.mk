# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/comm_cache.c %D%/comm_cache.h \
	%D%/process_maps.c %D%/process_maps.h \
	%D%/process_table.c %D%/process_table.h \
	%D%/task_history.c %D%/task_history.h \
	%D%/tasks.c %D%/tasks.h \
	%D%/tasks_read.c
