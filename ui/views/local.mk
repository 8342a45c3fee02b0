# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/help.c \
	%D%/log.c \
	%D%/narrow.c %D%/narrow.h \
	%D%/setup.c
