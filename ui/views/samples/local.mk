# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/sample_detail.c \
	%D%/samples.c %D%/samples.h \
	%D%/samples_table.c
