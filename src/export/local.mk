# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/csv.c \
	%D%/export.c %D%/export.h \
	%D%/json.c \
	%D%/json_put.c %D%/json_put.h \
	%D%/openmetrics.c \
	%D%/openmetrics_put.c %D%/openmetrics_put.h \
	%D%/recording.c %D%/recording.h \
	%D%/script.c \
	%D%/text.c \
	%D%/text_put.c
