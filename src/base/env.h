/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The environment of a program that was lent more than its user has got, see
 * caps_are_lent().  Libraries find files by it (terminfo's TERMINFO and HOME),
 * which must not be read with those rights, nor be believed.
 */
#ifndef RBTOP_BASE_ENV_H
#define RBTOP_BASE_ENV_H

/*
 * Leave no more of it than how the terminal and texts look.  Nothing, where
 * nothing was lent.  Once, before threads and before setlocale(3).  0 or
 * -ENOMEM.
 */
int env_restrict(void);

/* HOME as the user set it; NULL: not at all. */
const char *env_home(void);

/* For a child that executes what the user asked for: all of it again. */
void env_restore(void);

#endif
