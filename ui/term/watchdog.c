/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/term/watchdog.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"

enum {
	PATIENCE_MS = 200,	/* for the front end to release the terminal */
	DISCARD_MS = 20,	/* between two discards */
	LAST_RESORT_MS = 2000,
};

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

/* Global, since signals are per process. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t released;
	bool guards;		/* a terminal is in use */
	bool discarded;
	int signal;		/* the first one, 0: none yet */
	int fd;			/* eventfd */
} watchdog = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

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

static void terminating_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGQUIT);
}

void watchdog_loop_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGWINCH);
	sigaddset(set, SIGTSTP);
	sigaddset(set, SIGCONT);
	sigaddset(set, SIGUSR2);
}

/* With the lock held: wait until the terminal is released, at most @ms. */
static void wait_released(int ms)
{
	uint64_t ns = sys_now_ns() + (uint64_t)ms * 1000000;
	struct timespec until = { .tv_sec = (time_t)(ns / 1000000000),
				  .tv_nsec = (long)(ns % 1000000000) };

	while (watchdog.guards &&
	       pthread_cond_timedwait(&watchdog.released, &watchdog.lock,
				      &until) == 0)
		;
}

/*
 * With the lock held: wait until the front end releases the terminal, discard
 * output if it does not, and end the process if that does not help.
 */
static void see_off(int signo)
{
	wait_released(PATIENCE_MS);
	for (int ms = PATIENCE_MS; watchdog.guards && ms < LAST_RESORT_MS;
	     ms += DISCARD_MS) {
		discard_output();
		watchdog.discarded = true;
		wait_released(DISCARD_MS);
	}
	if (!watchdog.guards)
		return;
	restore_terminal();
	_exit(128 + signo);
}

static void *watch(void *unused)
{
	sigset_t set;
	int signo;

	/* capabilities are per thread, and this one was started before the
	 * others limit theirs */
	caps_limit(0, NULL);
	terminating_signals(&set);
	for (;;) {
		if (sigwait(&set, &signo) != 0)
			continue;
		pthread_mutex_lock(&watchdog.lock);
		if (watchdog.signal && !watchdog.guards)
			_exit(128 + signo);
		if (!watchdog.signal) {
			watchdog.signal = signo;
			eventfd_write(watchdog.fd, 1);
		}
		see_off(signo);
		pthread_mutex_unlock(&watchdog.lock);
	}
	return unused;
}

/* Start a detached thread with all signals blocked; 0 or -errno. */
static int start_thread(void)
{
	sigset_t before;
	pthread_t thread;
	int ret;

	/* SIGTTOU too: it would stop us when restoring from the background */
	sys_block_signals(&before);
	ret = pthread_create(&thread, NULL, watch, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret != 0)
		return -ret;
	pthread_setname_np(thread, "rbtop-watchdog");
	pthread_detach(thread);
	return 0;
}

int watchdog_start(struct err *err)
{
	sigset_t set;
	int ret;

	sys_condition_init(&watchdog.released);
	watchdog.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (watchdog.fd < 0) {
		ret = -errno;
		return err_errno(err, ret, "eventfd for signals");
	}
	terminating_signals(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	watchdog_loop_signals(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	ret = start_thread();
	if (ret < 0)
		return err_set(err, ret, "thread that waits for signals: %s; "
			       "raise the limit on processes (ulimit -u)",
			       strerror(-ret));
	return 0;
}

int watchdog_fd(void)
{
	return watchdog.fd;
}

int watchdog_signal(void)
{
	int signo;

	pthread_mutex_lock(&watchdog.lock);
	signo = watchdog.signal;
	pthread_mutex_unlock(&watchdog.lock);
	return signo;
}

void watchdog_guard(int fd, const struct termios *modes, const char *leave)
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
	pthread_mutex_lock(&watchdog.lock);
	watchdog.guards = true;
	pthread_mutex_unlock(&watchdog.lock);
}

void watchdog_release(void)
{
	bool discarded;

	pthread_mutex_lock(&watchdog.lock);
	watchdog.guards = false;
	discarded = watchdog.discarded;
	pthread_cond_broadcast(&watchdog.released);
	pthread_mutex_unlock(&watchdog.lock);
	/* the output that restored it may have been discarded too */
	if (discarded)
		restore_terminal();
	saved.armed = 0;
	for (size_t i = 0; i < NR_DEADLY; i++)
		sigaction(deadly[i], &saved.before[i], NULL);
}
