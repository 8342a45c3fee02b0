# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/sample_trigger.c %D%/sample_trigger.h \
	%D%/trigger.c %D%/trigger.h
