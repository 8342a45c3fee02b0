/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The environment of a program with more privileges than its user, see
 * caps_are_lent().  Libraries take paths from it (terminfo: TERMINFO and HOME);
 * these files must not be read with the program's rights, nor be trusted.
 */
#ifndef RBTOP_BASE_ENV_H
#define RBTOP_BASE_ENV_H

/*
 * Remove all variables except those for the terminal and the locale; does
 * nothing without lent privileges.  Call once, before threads are started and
 * before setlocale(3).  0 or -ENOMEM.
 */
int env_restrict(void);

/* HOME as the user set it, or NULL. */
const char *env_home(void);

/* For a child that executes the user's command: the original environment. */
void env_restore(void);

#endif
