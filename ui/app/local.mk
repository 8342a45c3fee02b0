# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/app.c \
	%D%/app_draw.c \
	%D%/app_input.c \
	%D%/app_lines.c \
	%D%/app_request.c \
	%D%/app_state.c \
	%D%/app_state.h
