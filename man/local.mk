# SPDX-License-Identifier: GPL-2.0-or-later
# The manual.  The tables of keys, columns, record types, figures and the
# simulator's keys come from where the program has them.

noinst_PROGRAMS = man/make_man
man_make_man_SOURCES = man/make_man.c
man_make_man_LDADD =

dist_man_MANS = man/rbtoprc.5
nodist_man_MANS = man/rbtop.1 man/rbtop-output.5 man/rbtop-host.7 \
	man/rbtop-screens.7
EXTRA_DIST += man/rbtop.1.in man/rbtop-output.5.in man/rbtop-host.7.in \
	man/rbtop-screens.7.in
CLEANFILES += $(nodist_man_MANS)

make_man = $(AM_V_GEN)man/make_man$(EXEEXT) <$(srcdir)/$@.in >$@.tmp \
	&& mv $@.tmp $@

man/rbtop.1: man/rbtop.1.in man/make_man$(EXEEXT)
	$(make_man)

man/rbtop-output.5: man/rbtop-output.5.in man/make_man$(EXEEXT)
	$(make_man)

man/rbtop-host.7: man/rbtop-host.7.in man/make_man$(EXEEXT)
	$(make_man)

man/rbtop-screens.7: man/rbtop-screens.7.in man/make_man$(EXEEXT)
	$(make_man)
