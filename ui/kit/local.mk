# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/blocks.c %D%/blocks.h \
	%D%/canvas.c %D%/canvas.h \
	%D%/keys.c %D%/keys.def %D%/keys.h \
	%D%/list.c %D%/list.h \
	%D%/list_columns.c %D%/list_columns.h \
	%D%/page.c %D%/page.h \
	%D%/pick.c %D%/pick.h \
	%D%/prompt.c %D%/prompt.h \
	%D%/tags.c %D%/tags.h \
	%D%/theme.def \
	%D%/tune.c %D%/tune.h \
	%D%/view.h \
	%D%/widgets.c %D%/widgets.h
