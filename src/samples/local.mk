# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/feed.c %D%/feed.h \
	%D%/flame.c %D%/flame.h \
	%D%/hot_group.c \
	%D%/hot_keys.def \
	%D%/hot_query.c %D%/hot_query.h \
	%D%/hot_store.c %D%/hot_store.h \
	%D%/hot_table.c %D%/hot_table.h \
	%D%/names.c %D%/names.h \
	%D%/sample_columns.c %D%/sample_columns.def %D%/sample_columns.h \
	%D%/sample_filter.c %D%/sample_filter.h \
	%D%/sample_filter_read.c \
	%D%/samples.h \
	%D%/symbol.h
