# SPDX-License-Identifier: GPL-2.0-or-later

# Snapshots of a session that is memory.
unit_snapshot_groups = \
	%D%/test_recording.c \
	%D%/test_snapshot.c \
	%D%/test_snapshot_thread.c \
	%D%/test_trace_file.c

if HAVE_CMOCKA
check_PROGRAMS += %D%/run
endif
%C%_run_SOURCES = \
	$(unit_snapshot_groups) \
	%D%/fake_session.c \
	%D%/fake_session.h \
	%D%/snapshot_rig.h
%C%_run_CFLAGS = $(tests_cflags)
%C%_run_LDADD = tests/librun.a $(LDADD)
