# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/term_curses.c %D%/term_curses.h \
	%D%/watchdog.c %D%/watchdog.h
