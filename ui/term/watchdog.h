/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends rbtop on a terminating signal even if writing to its terminal blocks,
 * and restores the terminal on any signal that kills.
 *
 * A write to a terminal that is not read blocks, and curses cannot be
 * interrupted in it.  So SIGTERM, SIGINT, SIGHUP and SIGQUIT are blocked in all
 * threads, and a thread of the watchdog waits for them.  It notifies the front
 * end by an eventfd.  If the front end has not released the terminal after
 * 200 ms, the watchdog discards the terminal's pending output every 20 ms, so
 * that the write returns.
 *
 * The last resort: 2 s after the signal the watchdog restores the terminal and
 * ends the process by _exit(128 + signal); if no terminal is in use, a second
 * signal ends it at once.  It is the only place besides main that may end
 * rbtop: the thread that would return to main is blocked in the kernel.
 */
#ifndef RBTOP_UI_TERM_WATCHDOG_H
#define RBTOP_UI_TERM_WATCHDOG_H

#include <signal.h>
#include <termios.h>

struct err;

/*
 * Block the front end's signals in this thread (threads started later inherit
 * the mask) and start the watchdog.  Once per process.  0 or -errno with @err.
 */
int watchdog_start(struct err *err);

/* Set @set to the other signals that watchdog_start() blocks, which are for the
 * front end's loop: SIGWINCH, SIGTSTP, SIGCONT, SIGUSR2. */
void watchdog_loop_signals(sigset_t *set);

/* An eventfd, readable after the first terminating signal. */
int watchdog_fd(void);

/* The first terminating signal; 0: none yet. */
int watchdog_signal(void);

/*
 * The terminal is in use from now on: the watchdog, a crash and other signals
 * that kill set @modes on @fd and write @leave (the terminal's own sequences),
 * since they cannot call curses.
 */
void watchdog_guard(int fd, const struct termios *modes, const char *leave);

/* The terminal was restored and is no longer in use. */
void watchdog_release(void);

#endif
