# SPDX-License-Identifier: GPL-2.0-or-later

# All print TAP.  Those of unit/ and screen/ need no kernel, terminal or
# privilege: a file there is a group of tests, which the program "run" of its
# folder runs; tests/tap.sh finds it.

LDADD = $(src_libs) $(CMOCKA_LIBS)
tests_cflags = $(RBTOP_CFLAGS) $(TESTS_OPTIMIZE)
check_PROGRAMS =
check_LIBRARIES =
if HAVE_CMOCKA
check_LIBRARIES += %D%/librun.a
else
check-local:
	@echo 'the tests need cmocka, which configure did not find' >&2; false
endif
%C%_librun_a_SOURCES = %D%/run.c %D%/group.h
%C%_librun_a_CFLAGS = $(tests_cflags)

include $(srcdir)/%D%/unit/local.mk
include $(srcdir)/%D%/unit/aux/local.mk
include $(srcdir)/%D%/unit/snapshot/local.mk
include $(srcdir)/%D%/screen/local.mk
include $(srcdir)/%D%/live/local.mk
include $(srcdir)/%D%/pty/local.mk
include $(srcdir)/%D%/vm/local.mk
include $(srcdir)/%D%/bench/local.mk
include $(srcdir)/%D%/fuzz/local.mk

unit_tests = $(unit_groups) $(unit_aux_groups) $(unit_snapshot_groups)
screen_tests = $(screen_groups)
script_tests = \
	%D%/completions.sh \
	%D%/dist.sh \
	%D%/docs.sh \
	%D%/layers.sh \
	%D%/packages.sh \
	%D%/quickstart.sh \
	%D%/sizes.sh \
	%D%/static.sh

TESTS = $(unit_tests) $(screen_tests) $(script_tests)
if LIVE_TESTS
TESTS += $(live_programs) $(live_tests) $(pty_tests)
endif

TEST_EXTENSIONS = .sh .c
tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(tap_driver)
LOG_COMPILER = $(SHELL) $(srcdir)/tests/tap.sh
SH_LOG_DRIVER = $(tap_driver)
SH_LOG_COMPILER = $(LOG_COMPILER)
C_LOG_DRIVER = $(tap_driver)
C_LOG_COMPILER = $(LOG_COMPILER)
AM_TESTS_ENVIRONMENT = \
	RBTOP='$(abs_builddir)/rbtop'; export RBTOP; \
	builddir='$(abs_builddir)'; export builddir;

# The tests that run anywhere, also under the sanitizers.
.PHONY: check-unit
check-unit:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(unit_tests) $(screen_tests)'

EXTRA_DIST += %D%/tap.sh %D%/lib.sh %D%/sizes.txt $(script_tests)
