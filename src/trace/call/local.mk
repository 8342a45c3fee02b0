# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/call_event.c %D%/call_event.h \
	%D%/call_place.c
