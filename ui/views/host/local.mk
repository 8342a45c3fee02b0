# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/host.c %D%/host.h \
	%D%/host_columns.c \
	%D%/host_detail.c %D%/host_detail.h \
	%D%/host_listed.c \
	%D%/host_parts.c \
	%D%/host_status.c
