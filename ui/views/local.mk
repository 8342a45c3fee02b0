# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/help.c \
	%D%/log.c \
	%D%/narrow.c %D%/narrow.h \
	%D%/ring_cells.c %D%/ring_cells.h \
	%D%/ring_history.c %D%/ring_history.h \
	%D%/rings.c \
	%D%/setup.c
