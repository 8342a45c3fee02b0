# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/doctor.c %D%/doctor.def %D%/doctor.h \
	%D%/doctor_access.c \
	%D%/doctor_config.c %D%/doctor_config.h \
	%D%/doctor_facts.h \
	%D%/doctor_judge.h \
	%D%/doctor_kernel.c \
	%D%/doctor_limits.c \
	%D%/doctor_names.c \
	%D%/doctor_pmus.c \
	%D%/doctor_print.c \
	%D%/doctor_read.c \
	%D%/doctor_say.c \
	%D%/doctor_surroundings.c \
	%D%/doctor_terminal.h \
	%D%/doctor_try.c
