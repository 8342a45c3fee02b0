/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends rbtop when it is told to, whatever its terminal does.
 *
 * A write to a terminal that nobody reads blocks, and curses cannot be
 * interrupted in it.  So SIGTERM, SIGINT, SIGHUP and SIGQUIT are blocked
 * everywhere and waited for by a thread of its own.  It tells the front end by
 * an eventfd; a front end that has not let go of the terminal 200 ms later is
 * taken for blocked, and what the terminal holds is thrown away again and
 * again, so that the write returns.
 *
 * The last resort, 2 s after the signal, or at a second signal when no terminal
 * is in use: the terminal is restored from here and the process ends by
 * _exit(128 + signal).  It is the one place besides main that may end rbtop:
 * the thread that would return to main is stuck in the kernel, and a monitor
 * that cannot be ended is worse.
 */
#ifndef RBTOP_UI_TERM_WATCHDOG_H
#define RBTOP_UI_TERM_WATCHDOG_H

#include <signal.h>
#include <stdbool.h>

struct err;

/*
 * Block the front end's signals in this thread (others inherit that) and start
 * the watchdog.  Once per process.  0 or -errno with @err.
 */
int watchdog_start(struct err *err);

/* The signals besides the terminating ones that watchdog_start() blocks, for
 * the front end's own loop: SIGWINCH, SIGTSTP, SIGCONT, SIGUSR2. */
void watchdog_loop_signals(sigset_t *set);

/* Readable from the first terminating signal on. */
int watchdog_fd(void);

/* That signal, 0 while there was none. */
int watchdog_signal(void);

/* What can be done about a terminal from another thread. */
struct watchdog_terminal {
	/* Throw away what waits to be shown, so that writes go on. */
	void (*discard)(void);
	/* Put it back as it was; never blocks. */
	void (*restore)(void);
};

/* A terminal is in use from now on. */
void watchdog_guard(const struct watchdog_terminal *terminal);

/*
 * It is restored, nothing to guard any more.  True if discard() was called:
 * then what restored it may have been thrown away too.
 */
bool watchdog_release(void);

#endif
