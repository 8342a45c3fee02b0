# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/doctor.c %D%/doctor.def %D%/doctor.h \
	%D%/doctor_access.c \
	%D%/doctor_read.c \
	%D%/doctor_system.c \
	%D%/doctor_try.c
