# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/host.c %D%/host.h \
	%D%/host_advice.c %D%/host_advice.h \
	%D%/host_evidence.c \
	%D%/host_figures.c \
	%D%/host_match.c \
	%D%/host_notes.c %D%/host_notes.h \
	%D%/host_owner.c \
	%D%/host_remedy.c %D%/host_remedies.def %D%/host_remedy.h \
	%D%/host_rows.c \
	%D%/host_state.h \
	%D%/host_table.c %D%/host_table.h
