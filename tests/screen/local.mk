# SPDX-License-Identifier: GPL-2.0-or-later

# A file is a group of tests; all are linked into one program.
screen_groups = \
	%D%/test_app.c \
	%D%/test_app_recording.c \
	%D%/test_app_host.c \
	%D%/test_app_samples.c \
	%D%/test_app_snapshots.c \
	%D%/test_aux.c \
	%D%/test_canvas.c \
	%D%/test_chart.c \
	%D%/test_flame.c \
	%D%/test_help.c \
	%D%/test_host.c \
	%D%/test_host_detail.c \
	%D%/test_hot.c \
	%D%/test_keys.c \
	%D%/test_listing.c \
	%D%/test_log.c \
	%D%/test_ring_detail.c \
	%D%/test_ring_picture.c \
	%D%/test_rings.c \
	%D%/test_rings_map.c \
	%D%/test_sample_detail.c \
	%D%/test_samples.c \
	%D%/test_setup.c \
	%D%/test_theme.c \
	%D%/test_widgets.c

if HAVE_CMOCKA
check_PROGRAMS += %D%/run
endif
%C%_run_SOURCES = \
	$(screen_groups) \
	%D%/app_rig.c \
	%D%/app_rig.h \
	%D%/canvas_dump.c \
	%D%/canvas_dump.h \
	%D%/expected.c \
	%D%/expected.h \
	%D%/frames.c \
	%D%/frames.h \
	%D%/frames_aux.c \
	%D%/frames_host.c \
	%D%/frames_samples.c \
	%D%/view_rig.h
%C%_run_CPPFLAGS = $(AM_CPPFLAGS) \
	-DEXPECTED_DIR='"$(abs_srcdir)/%D%/expected"'
%C%_run_CFLAGS = $(tests_cflags)
%C%_run_LDADD = tests/librun.a ui/libui.a $(LDADD) $(NCURSESW_LIBS)

# Writes the expected screens again, from what the tests draw now.
.PHONY: screens
screens: %D%/run$(EXEEXT)
	RBTOP_SCREENS=write %D%/run >/dev/null

EXTRA_DIST += %D%/expected
