/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The watch thread: output and end of the workload, tasks that exit, hotplug of
 * CPUs, --control.  They are handled even if the terminal blocks.
 */
#include "source/session/session_source_state.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/array.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/sys.h"
#include "perf/target/workload.h"

#define WATCH_PERIOD 1.0 /* seconds between checks of tasks and CPUs */
#define MAX_DELAY 2.0	/* seconds: see relieve_cpus() */

void session_source_watch_hangup(void *ctx, size_t slot)
{
	struct session_source *ss = ctx;
	size_t *added;

	pthread_mutex_lock(&ss->hangups_lock);
	added = array_add(ss->hangups, ss->nr_hangups, ss->hangups_cap);
	if (added)
		*added = slot;
	pthread_mutex_unlock(&ss->hangups_lock);
	eventfd_write(ss->wake, 1);
}

/* SIZE_MAX: there is none. */
static size_t pop_hangup(struct session_source *ss)
{
	size_t ring = SIZE_MAX;

	pthread_mutex_lock(&ss->hangups_lock);
	if (ss->nr_hangups)
		ring = ss->hangups[--ss->nr_hangups];
	pthread_mutex_unlock(&ss->hangups_lock);
	return ring;
}

static void note_exit(struct session_source *ss, struct source_task *task)
{
	if (task->ended)
		return;
	task->ended = true;
	/* A workload's end is logged with its status. */
	if (ss->opts.workload && task->tid == workload_pid(ss->opts.workload))
		return;
	if (task->tid == task->pid)
		source_notes_add(&ss->notes, LOG_EXIT, "process %d (%s) ended",
				 task->tid, task->comm);
	else
		source_notes_add(&ss->notes, LOG_EXIT,
				 "thread %d (%s) of process %d ended",
				 task->tid, task->comm, task->pid);
}

static bool all_gone(struct session_source *ss)
{
	size_t nr = session_nr_rings(ss->session);

	for (size_t i = 0; i < nr; i++)
		if (!session_ring(ss->session, i)->gone)
			return false;
	return nr > 0;
}

static void handle_hangups(struct session_source *ss)
{
	size_t ring;
	bool over;

	pthread_mutex_lock(&ss->lock);
	while ((ring = pop_hangup(ss)) != SIZE_MAX) {
		const struct session_ring *r = session_ring(ss->session, ring);

		session_ring_gone(ss->session, ring);
		for (size_t i = 0; i < ss->nr_tasks; i++)
			if (r->tid < 0 || ss->tasks[i].tid == r->tid)
				note_exit(ss, &ss->tasks[i]);
	}
	/* The end of a workload that is the target is reported by its pidfd. */
	over = all_gone(ss) && !ss->ended &&
	       (!ss->opts.workload || ss->opts.workload_is_duration);
	pthread_mutex_unlock(&ss->lock);
	if (over)
		session_source_stop_target(ss);
}

static void on_wake(void *ctx, uint32_t events)
{
	struct session_source *ss = ctx;
	eventfd_t value;
	bool stop;

	(void)events;
	eventfd_read(ss->wake, &value);
	pthread_mutex_lock(&ss->hangups_lock);
	stop = ss->stop;
	pthread_mutex_unlock(&ss->hangups_lock);
	if (stop)
		loop_quit(ss->loop);
	else
		handle_hangups(ss);
}

static void on_output(void *ctx, uint32_t events)
{
	struct session_source *ss = ctx;

	(void)events;
	if (source_command_read(&ss->command))
		return;
	loop_remove(ss->output);
	ss->output = NULL;
}

/* Under the lock: whether the workload has just ended. */
static bool check_workload(struct session_source *ss)
{
	return !ss->ended && source_command_check(&ss->command);
}

static void on_pidfd(void *ctx, uint32_t events)
{
	struct session_source *ss = ctx;
	bool over;

	(void)events;
	pthread_mutex_lock(&ss->lock);
	over = check_workload(ss);
	pthread_mutex_unlock(&ss->lock);
	if (over)
		session_source_stop_target(ss);
	loop_remove(ss->pidfd);
	ss->pidfd = NULL;
}

/*
 * The seconds that this thread, which does little, ran or waited for a CPU
 * since the last call, without those that rbtop was stopped.
 */
static double delay_of(struct session_source *ss)
{
	struct sys_thread_times now;
	uint64_t ran = ss->watch_ran, waited = ss->watch_waited;
	uint64_t runs = ss->watch_runs;

	if (ss->watch_times_fd < 0 ||
	    sys_thread_times(ss->watch_times_fd, &now) < 0)
		return 0;
	ss->watch_ran = now.ran_ns;
	ss->watch_waited = now.waited_ns;
	ss->watch_runs = now.runs;
	if (!ran)
		return 0;
	waited = now.waited_ns - waited;
	if (now.runs > runs)
		ss->watch_wait = fmax(ss->watch_wait, (double)waited / 1e9 /
				      (double)(now.runs - runs));
	return (double)(waited + now.ran_ns - ran) / 1e9;
}

/*
 * Interrupts of a fast clock can take so much of the CPUs that rbtop does not
 * run for seconds, not even to quit: then lower the frequency.
 */
static void relieve_cpus(struct session_source *ss)
{
	struct err err = { .kind = ERR_NONE };
	double delay = delay_of(ss);
	struct event_rates rates;

	session_rates(ss->session, &rates);
	if (delay < MAX_DELAY || ss->opts.session.events.nr > 1 ||
	    !rates.clock || rates.freq <= CLOCK_FREQ_SAFE ||
	    session_set_rate(ss->session, CLOCK_FREQ_SAFE / 4, 0, &err))
		return;
	session_source_title(ss);
	source_notes_add(&ss->notes, LOG_THROTTLE, "rbtop could hardly run for "
			 "%.0fs: frequency lowered from %llu to %d Hz", delay,
			 (unsigned long long)rates.freq, CLOCK_FREQ_SAFE / 4);
}

static void on_timer(void *ctx, uint64_t expirations)
{
	struct session_source *ss = ctx;
	bool over = false;

	(void)expirations;
	pthread_mutex_lock(&ss->lock);
	if (!ss->finished) {
		relieve_cpus(ss);
		over = check_workload(ss);
		for (size_t i = 0; i < ss->nr_tasks; i++)
			if (!ss->tasks[i].ended &&
			    kill(ss->tasks[i].tid, 0) != 0 && errno == ESRCH)
				note_exit(ss, &ss->tasks[i]);
		session_source_cpus_check(ss);
	}
	pthread_mutex_unlock(&ss->lock);
	if (over)
		session_source_stop_target(ss);
}

static void on_uevent(void *ctx, uint32_t events)
{
	struct session_source *ss = ctx;

	(void)events;
	pthread_mutex_lock(&ss->lock);
	session_source_cpus_event(ss);
	pthread_mutex_unlock(&ss->lock);
}

static int watch_workload(struct session_source *ss)
{
	int output, pidfd;

	if (!ss->opts.workload)
		return 0;
	output = workload_output_fd(ss->opts.workload);
	pidfd = workload_pidfd(ss->opts.workload);
	if (output >= 0) {
		ss->output = loop_add_fd(ss->loop, output, EPOLLIN, on_output,
					 ss);
		if (!ss->output)
			return -errno;
	}
	if (pidfd >= 0) {
		ss->pidfd = loop_add_fd(ss->loop, pidfd, EPOLLIN, on_pidfd, ss);
		if (!ss->pidfd)
			return -errno;
	}
	return 0;
}

/* -D has elapsed; the events may already be enabled. */
static void on_start_delay(void *ctx, uint64_t expirations)
{
	const struct request enable = { .kind = REQUEST_ENABLE, .on = true };
	struct session_source *ss = ctx;
	struct err err = { 0 };

	(void)expirations;
	loop_set_timer(ss->start_delay, 0);
	if (session_source_request(&ss->source, &enable, &err))
		source_notes_add(&ss->notes, LOG_ERROR, "-D: %s", err.text);
}

static int fill_loop(struct session_source *ss)
{
	double delay = fmax(ss->opts.start_delay, 0);

	ss->loop = loop_new();
	if (!ss->loop ||
	    !loop_add_fd(ss->loop, ss->wake, EPOLLIN, on_wake, ss) ||
	    !loop_add_timer(ss->loop, WATCH_PERIOD, on_timer, ss))
		return -errno;
	ss->start_delay = loop_add_timer(ss->loop, delay, on_start_delay, ss);
	if (!ss->start_delay || session_source_control_watch(ss))
		return -errno;
	/* Without it the timer finds changes, at most a second later. */
	ss->uevents = session_source_cpus_open();
	if (ss->uevents >= 0)
		loop_add_fd(ss->loop, ss->uevents, EPOLLIN, on_uevent, ss);
	return watch_workload(ss);
}

static void *watch_main(void *arg)
{
	struct session_source *ss = arg;

	pthread_setname_np(pthread_self(), "rbtop-watch");
	ss->watch_times_fd = sys_open_thread_times();
	caps_limit(CAPS_EVENTS, NULL);
	loop_run(ss->loop);
	return NULL;
}

int session_source_watch_start(struct session_source *ss, struct err *err)
{
	int ret = fill_loop(ss);

	if (!ret)
		ret = -pthread_create(&ss->watch, NULL, watch_main, ss);
	if (ret)
		return err_errno(err, ret, "starting the watch thread");
	ss->watching = true;
	return 0;
}

void session_source_watch_stop(struct session_source *ss)
{
	if (ss->watching) {
		pthread_mutex_lock(&ss->hangups_lock);
		ss->stop = true;
		pthread_mutex_unlock(&ss->hangups_lock);
		eventfd_write(ss->wake, 1);
		pthread_join(ss->watch, NULL);
	}
	if (ss->watching && ss->watch_times_fd >= 0)
		sys_close(ss->watch_times_fd);
	loop_free(ss->loop);
	sys_close(ss->uevents);
}
