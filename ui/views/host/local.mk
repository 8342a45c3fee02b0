# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/host.c %D%/host.h \
	%D%/host_detail.c \
	%D%/host_listed.c
