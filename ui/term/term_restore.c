/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/term/term_restore.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/term/watchdog.h"

/*
 * The signals that kill by default, except those that the watchdog waits for
 * and those that cannot be handled.
 */
static const int deadly[] = {
	SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS,
	SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM,
	SIGPROF,
};

enum { NR_DEADLY = sizeof(deadly) / sizeof(deadly[0]) };

/* Global, since a signal handler gets no context: one terminal per process. */
static struct {
	volatile sig_atomic_t armed;
	int fd;
	struct termios modes;
	char leave[256];
	size_t len;
	struct sigaction before[NR_DEADLY];
} saved;

/*
 * tcflush() is not enough: if ^S stopped the output, the writer waits until it
 * is started again, and TCOON starts only what TCOOFF stopped
 * (n_tty_ioctl_helper() in drivers/tty/tty_ioctl.c).  Starting also wakes the
 * writer, which flushing alone does not.
 */
static void discard_output(void)
{
	int before = errno;

	tcflow(saved.fd, TCOOFF);
	tcflow(saved.fd, TCOON);
	tcflush(saved.fd, TCOFLUSH);
	errno = before;
}

/* Async-signal-safe: makes only calls that signal-safety(7) lists. */
static void restore_terminal(void)
{
	struct pollfd room = { .fd = saved.fd, .events = POLLOUT };

	if (!saved.armed)
		return;
	saved.armed = 0;
	discard_output();
	tcsetattr(saved.fd, TCSANOW, &saved.modes);
	if (poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) &&
	    write(saved.fd, saved.leave, saved.len) < 0)
		return; /* the terminal is gone; the process ends anyway */
}

static const struct watchdog_terminal guarded = {
	.discard = discard_output,
	.restore = restore_terminal,
};

/*
 * Restore the terminal and the previous handlers, then die of the same signal:
 * a fault happens again on return, a signal that was sent is raised again.
 */
static void deadly_handler(int signo, siginfo_t *info, void *unused)
{
	(void)unused;
	restore_terminal();
	for (size_t i = 0; i < NR_DEADLY; i++) {
		if (deadly[i] == signo)
			sigaction(signo, &saved.before[i], NULL);
	}
	if (info->si_code <= 0 || info->si_code == SI_KERNEL)
		raise(signo);
}

void term_restore_arm(int fd, const struct termios *modes, const char *leave)
{
	struct sigaction sa = { .sa_flags = SA_SIGINFO };

	saved.fd = fd;
	saved.modes = *modes;
	snprintf(saved.leave, sizeof(saved.leave), "%s", leave);
	saved.len = strlen(saved.leave);
	saved.armed = 1;
	sa.sa_sigaction = deadly_handler;
	sigfillset(&sa.sa_mask);
	for (size_t i = 0; i < NR_DEADLY; i++) {
		sigaction(deadly[i], NULL, &saved.before[i]);
		/* an ignored signal does not kill: leave it ignored */
		if ((saved.before[i].sa_flags & SA_SIGINFO) ||
		    saved.before[i].sa_handler != SIG_IGN)
			sigaction(deadly[i], &sa, NULL);
	}
	watchdog_guard(&guarded);
}

void term_restore_disarm(void)
{
	if (watchdog_release())
		restore_terminal();
	saved.armed = 0;
	for (size_t i = 0; i < NR_DEADLY; i++)
		sigaction(deadly[i], &saved.before[i], NULL);
}
