# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/address_filter.c \
	%D%/address_symbol.c %D%/address_symbol.h \
	%D%/arm_spe.c \
	%D%/auxtrace.c %D%/auxtrace.h \
	%D%/auxtrace_open.c \
	%D%/cs_etm.c \
	%D%/intel_bts.c \
	%D%/intel_pt.c %D%/intel_pt.h
