# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/ring_charts.c \
	%D%/ring_detail.c %D%/ring_detail.h \
	%D%/ring_tables.c
