# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/host.c %D%/host.h \
	%D%/host_advice.c %D%/host_advice.h \
	%D%/host_events.c \
	%D%/host_evidence.c \
	%D%/host_figures.c \
	%D%/host_gaps.c %D%/host_gaps.h \
	%D%/host_groups.c \
	%D%/host_holders.c \
	%D%/host_map.c %D%/host_map.h \
	%D%/host_match.c \
	%D%/host_notes.c \
	%D%/host_owners.c \
	%D%/host_pass.c %D%/host_pass.h \
	%D%/host_table.c %D%/host_table.h \
	%D%/host_table_frame.c \
	%D%/host_table_impl.h \
	%D%/host_totals.c \
	%D%/host_users.c \
	%D%/host_warnings.c
