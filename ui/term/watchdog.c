/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/term/watchdog.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
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

/* Global, since signals are per process. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t released;
	const struct watchdog_terminal *terminal; /* NULL: none in use */
	bool discarded;
	int signal;		/* the first one, 0: none yet */
	int fd;			/* eventfd */
} watchdog = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

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

	while (watchdog.terminal &&
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
	for (int ms = PATIENCE_MS; watchdog.terminal && ms < LAST_RESORT_MS;
	     ms += DISCARD_MS) {
		watchdog.terminal->discard();
		watchdog.discarded = true;
		wait_released(DISCARD_MS);
	}
	if (!watchdog.terminal)
		return;
	watchdog.terminal->restore();
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
		if (watchdog.signal && !watchdog.terminal)
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

void watchdog_guard(const struct watchdog_terminal *terminal)
{
	pthread_mutex_lock(&watchdog.lock);
	watchdog.terminal = terminal;
	pthread_mutex_unlock(&watchdog.lock);
}

bool watchdog_release(void)
{
	bool discarded;

	pthread_mutex_lock(&watchdog.lock);
	watchdog.terminal = NULL;
	discarded = watchdog.discarded;
	pthread_cond_broadcast(&watchdog.released);
	pthread_mutex_unlock(&watchdog.lock);
	return discarded;
}
