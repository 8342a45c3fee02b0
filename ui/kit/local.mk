# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/keys.c %D%/keys.def %D%/keys.h \
	%D%/list.c %D%/list.h \
	%D%/listing.c %D%/listing.h \
	%D%/listing_draw.c \
	%D%/listing_keys.c \
	%D%/page.c %D%/page.h \
	%D%/prompt.c %D%/prompt.h \
	%D%/screens.def \
	%D%/tune.c %D%/tune.h \
	%D%/view.c %D%/view.h
