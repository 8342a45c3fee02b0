# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/rings.c %D%/rings.h \
	%D%/rings_map.c
