# SPDX-License-Identifier: GPL-2.0-or-later
# rbtop.1: its tables of keys, columns, record types and the simulator's
# keys come from where the program has them.

noinst_PROGRAMS = man/make_man
man_make_man_SOURCES = man/make_man.c
man_make_man_LDADD =

dist_man_MANS = man/rbtoprc.5
nodist_man_MANS = man/rbtop.1

man/rbtop.1: man/rbtop.1.in man/make_man$(EXEEXT)
	$(AM_V_GEN)man/make_man$(EXEEXT) <$(srcdir)/man/rbtop.1.in >$@.tmp \
		&& mv $@.tmp $@
