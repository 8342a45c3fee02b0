# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/host.c %D%/host.h \
	%D%/host_alarm.c \
	%D%/host_detail.c %D%/host_detail.h \
	%D%/host_list.c \
	%D%/host_order.c \
	%D%/host_parts.c \
	%D%/host_pick.c \
	%D%/host_status.c
