# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/csv.c \
	%D%/export.c %D%/export.h \
	%D%/json.c \
	%D%/json_put.c %D%/json_put.h \
	%D%/json_rings.c %D%/json_rings.h \
	%D%/openmetrics.c \
	%D%/openmetrics_put.c %D%/openmetrics_put.h \
	%D%/openmetrics_rings.c %D%/openmetrics_rings.h \
	%D%/recording.c %D%/recording.h \
	%D%/row.c %D%/row.h \
	%D%/script.c \
	%D%/text.c \
	%D%/text_put.c %D%/text_put.h
