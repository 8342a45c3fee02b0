# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/digest.c %D%/digest.h \
	%D%/record_order.c \
	%D%/resolver_thread.c %D%/resolver_thread.h
