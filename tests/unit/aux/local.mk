# SPDX-License-Identifier: GPL-2.0-or-later

# Sessions whose AUX rings are memory.
unit_aux_groups = \
	%D%/test_session_aux.c \
	%D%/test_session_aux_hold.c

if HAVE_CMOCKA
check_PROGRAMS += %D%/run
endif
%C%_run_SOURCES = \
	$(unit_aux_groups) \
	%D%/fake_aux_ring.c \
	%D%/fake_aux_ring.h \
	%D%/session_aux_rig.h
%C%_run_CFLAGS = $(tests_cflags)
%C%_run_LDADD = tests/librun.a $(LDADD)
