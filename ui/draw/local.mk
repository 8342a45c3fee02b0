# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/canvas.c %D%/canvas.h \
	%D%/chart.c %D%/chart.h \
	%D%/theme.c %D%/theme.def %D%/theme.h \
	%D%/widgets.c %D%/widgets.h
