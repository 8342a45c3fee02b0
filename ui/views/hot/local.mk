# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/flame.c \
	%D%/hot.c %D%/hot.h \
	%D%/hot_list.c
