# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/target.c %D%/target.h \
	%D%/workload.c %D%/workload.h
