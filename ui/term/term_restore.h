/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting the terminal back where curses cannot be called: in the handler of a
 * signal that kills, and in the watchdog.  Part of term_curses, and like it
 * allowed to write to the terminal.
 */
#ifndef RBTOP_UI_TERM_TERM_RESTORE_H
#define RBTOP_UI_TERM_TERM_RESTORE_H

#include <stddef.h>
#include <termios.h>

/*
 * From here on a crash, or any other signal that kills, puts @modes back on
 * @fd and writes @leave (the terminal's own sequences) before rbtop dies of
 * it.  Also makes the watchdog guard the terminal.
 */
void term_restore_arm(int fd, const struct termios *modes, const char *leave);

/* The terminal is back as it was: undo all that. */
void term_restore_disarm(void);

#endif
