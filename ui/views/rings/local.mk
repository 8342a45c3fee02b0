# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/rings.c %D%/rings.h \
	%D%/rings_map.c \
	%D%/rings_order.c \
	%D%/rings_pick.c \
	%D%/rings_table.c
