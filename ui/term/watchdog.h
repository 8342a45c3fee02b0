/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends rbtop on a terminating signal even if writing to its terminal blocks.
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
#include <stdbool.h>

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

/* Operations on the terminal that another thread can call. */
struct watchdog_terminal {
	/* Discard pending output, so that blocked writes return. */
	void (*discard)(void);
	/* Restore the terminal; never blocks. */
	void (*restore)(void);
};

/* The terminal is in use from now on; @terminal must stay valid. */
void watchdog_guard(const struct watchdog_terminal *terminal);

/*
 * The terminal is no longer in use.  True if discard() was called: the output
 * that restored it may have been discarded too.
 */
bool watchdog_release(void);

#endif
