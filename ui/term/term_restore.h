/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores the terminal where curses cannot be called: in the handler of a
 * signal that kills, and in the watchdog.  Part of term_curses, and like it
 * allowed to write to the terminal.
 */
#ifndef RBTOP_UI_TERM_TERM_RESTORE_H
#define RBTOP_UI_TERM_TERM_RESTORE_H

#include <stddef.h>
#include <termios.h>

/*
 * From now on, a crash or another signal that kills first sets @modes on @fd
 * and writes @leave (the terminal's own sequences).  Also makes the watchdog
 * guard the terminal.
 */
void term_restore_arm(int fd, const struct termios *modes, const char *leave);

/* Undo term_restore_arm(), after the terminal was restored. */
void term_restore_disarm(void);

#endif
