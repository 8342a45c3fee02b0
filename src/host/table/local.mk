# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/host.c %D%/host.h \
	%D%/host_advice.c %D%/host_advice.h \
	%D%/host_events.c %D%/host_events.h \
	%D%/host_evidence.c %D%/host_evidence.h \
	%D%/host_figures.c %D%/host_figures.h \
	%D%/host_gaps.c %D%/host_gaps.h \
	%D%/host_holders.c %D%/host_holders.h \
	%D%/host_match.c %D%/host_match.h \
	%D%/host_notes.c %D%/host_notes.h \
	%D%/host_pass.c %D%/host_pass.h \
	%D%/host_picture.c %D%/host_picture.h \
	%D%/host_rows.c %D%/host_rows.h \
	%D%/host_remedy.c %D%/host_remedies.def %D%/host_remedy.h \
	%D%/host_tools.c %D%/host_tools.h \
	%D%/host_table.c %D%/host_table.h \
	%D%/host_users.c %D%/host_users.h
