/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_thread.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "perf/event/event_spec.h"
#include "trace/snapshot/snapshot_records.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/file/new_file.h"
#include "base/loop.h"
#include "base/sys.h"
#include "base/text.h"
#include "collect/collector.h"
#include "collect/triggers/trigger.h"
#include "task/task_history.h"
#include "trace/snapshot/snapshot_shared.h"

#define TICK 1.0 /* seconds between updates of the histories' figures */
#define SOON 1e-3 /* seconds until the trigger is armed, at least */
#define LONGEST_BEGIN 5.0 /* seconds to wait for a disk */

/* Requests of other threads that are not served yet. */
struct asked {
	bool enabled, stop;
	bool begin;		/* start recording, before events are enabled */
	bool drop;		/* with stop: cancel what is in progress */
	bool settle;		/* see snapshot_thread_settle() */
};

struct snapshot_thread {
	pthread_t thread;
	pthread_mutex_t joining;	/* protects started; held while waiting
					 * for the thread's end */
	bool started;
	int wake;		/* eventfd: there is a request */

	struct snapshot_shared shared;
	struct snapshot_queue queue;
	struct recorder recorder;

	/* Used by the thread only. */
	struct snapshot_taker taker;
	struct loop *loop;
	struct loop_source *every, *rearm;	/* timers */
	bool ready;		/* the tasks were read */
	bool enabled;
	double since;		/* time they were enabled */

	_Atomic double rearm_at;	/* of the trigger, CLOCK_MONOTONIC
					 * seconds; 0: armed, or none */
	pthread_mutex_t lock;	/* of the following; never held for long */
	struct asked asked;
	pthread_cond_t settled;
	bool settling;		/* a thread waits for asked.settle */
	bool beginning;		/* a thread waits for asked.begin */
	bool over;		/* the thread has ended its work */
};

/* The options. */

/* Creates a file in it, the only reliable check. */
static int check_dir(const char *dir, struct err *err)
{
	char path[PATH_MAX];
	struct new_file *file = NULL;
	struct err why = { 0 };

	if (snprintf(path, sizeof(path), "%s/.rbtop", dir) <
	    (int)sizeof(path))
		file = new_file_open(path, 0, &why);
	else
		err_set(&why, -ENAMETOOLONG, "name too long");
	new_file_cancel(file);
	if (file)
		return 0;
	return err_set(err, why.code,
		       "--output %s: %s: name a directory that files can be created in",
		       dir, strerror(-why.code));
}

static int check_trigger(const struct snapshot_opts *opts, struct err *err)
{
	const char *text = trigger_text(opts->trigger);

	/* its event is watched even if the rings are not drained */
	if (call_spec_is(text))
		return 0;
	if (opts->session_opts->overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "--snapshot-on checks records as they are drained, and overwrite rings are not drained: use --snapshot-every, or an event that traces (-e intel_pt//)");
	if (!opts->trace || !opts->trace->overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "--snapshot-on needs an event that traces, such as -e intel_pt//, in snapshot mode: for overwrite rings use --snapshot-every, s or SIGUSR2");
	if (trigger_is_about_samples(opts->trigger) &&
	    !event_list_has_samples(&opts->session_opts->events))
		return err_set(err, -EINVAL,
			       "--snapshot-on '%.60s': no event takes samples that could meet it: add one, such as -e sched:sched_switch -c 1",
			       text);
	return 0;
}

static int check_opts(const struct snapshot_shared *shared, struct err *err)
{
	const struct snapshot_opts *opts = &shared->opts;
	bool wanted = opts->every > 0 || opts->trigger;
	int ret = opts->trigger ? check_trigger(opts, err) : 0;

	if (ret)
		return ret;
	if (wanted && !snapshot_shared_can_take(shared, err))
		return err_prefix(err, opts->trigger ? "--snapshot-on" :
						       "--snapshot-every");
	/* else the current directory is checked when something is saved */
	if (wanted || strcmp(opts->dir, ".") != 0)
		return check_dir(opts->dir, err);
	return 0;
}

/* Only made-up rings cannot be recorded: see sim_request(). */
static void fill_place(const struct snapshot_thread *t, struct snapshots *s)
{
	const struct snapshot_opts *opts = &t->shared.opts;
	char *dir = opts->tasks_made_up ? NULL : realpath(opts->dir, NULL);
	char name[sizeof(s->record_place) * 2];

	if (!dir)
		return;
	snprintf(name, sizeof(name), "%s/rbtop-*.data", dir);
	text_copy(s->record_place, sizeof(s->record_place), name);
	free(dir);
}

static void fill_status(struct snapshot_thread *t)
{
	struct snapshots *s = &t->shared.now;

	fill_place(t, s);
	text_copy(s->dir, sizeof(s->dir), t->shared.opts.dir);
	s->keep = t->shared.opts.keep;
	s->every = t->shared.opts.every;
	if (t->shared.opts.trigger)
		text_copy(s->armed, sizeof(s->armed),
			  trigger_text(t->shared.opts.trigger));
}

struct snapshot_thread *snapshot_thread_new(const struct snapshot_opts *opts,
					    struct err *err)
{
	struct snapshot_thread *t = calloc(1, sizeof(*t));

	if (!t) {
		err_set(err, -ENOMEM, "snapshots: out of memory");
		return NULL;
	}
	t->shared.opts = *opts;
	t->shared.opts.dir = opts->dir ? opts->dir : ".";
	pthread_mutex_init(&t->shared.lock, NULL);
	snapshot_queue_init(&t->queue);
	t->recorder.shared = &t->shared;
	recorder_init(&t->recorder);
	t->taker = (struct snapshot_taker){
		.shared = &t->shared, .queue = &t->queue,
		.recorder = &t->recorder,
		.from = { .session = opts->session, .trace = opts->trace },
	};
	pthread_mutex_init(&t->lock, NULL);
	sys_condition_init(&t->settled);
	pthread_mutex_init(&t->joining, NULL);
	t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	t->loop = t->wake < 0 ? NULL : loop_new();
	if (!t->loop)
		err_errno(err, -errno, "snapshots");
	else if (check_opts(&t->shared, err) == 0) {
		fill_status(t);
		return t;
	}
	snapshot_thread_free(t);
	return NULL;
}

/* Functions for the thread. */

static void read_tasks(struct snapshot_thread *t)
{
	pid_t *pids = NULL;
	size_t nr = 0;
	int ret;

	if (!t->shared.opts.tasks || t->shared.opts.session_opts->overwrite ||
	    t->shared.opts.tasks_made_up)
		return;
	ret = trace_file_pids(t->shared.opts.session, &pids, &nr);
	if (!ret)
		ret = task_history_read_proc(t->shared.opts.tasks, pids, nr);
	free(pids);
	if (ret)
		snapshot_shared_note(&t->shared, LOG_ERROR,
				     "reading the tasks from /proc: %s",
				     strerror(-ret));
}

static void enable_taking(struct snapshot_thread *t)
{
	const struct snapshot_opts *opts = &t->shared.opts;
	struct err err;

	if (t->enabled)
		return;
	if (!t->ready)
		read_tasks(t);
	t->ready = true;
	if (event_ids_refresh(&t->shared.ids, opts->session, &err))
		snapshot_shared_note(&t->shared, LOG_ERROR, "%s", err.text);
	t->since = sys_now();
	snapshot_taker_prepare(&t->taker, t->since);
	if (opts->every > 0)
		loop_set_timer(t->every, opts->every);
	t->enabled = true;
}

/* Take a snapshot; it is merged with a waiting request. */
static void take_own(struct snapshot_thread *t,
		     const struct snapshot_job *own)
{
	struct err err;

	if (snapshot_queue_add(&t->queue, own, &err))
		snapshot_shared_note(&t->shared, LOG_ERROR, "%s: %s",
				     own->trigger, err.text);
	snapshot_taker_take(&t->taker);
}

/* Periods that passed during another snapshot are merged into one request. */
static void every_now(void *ctx, uint64_t expirations)
{
	struct snapshot_thread *t = ctx;
	struct snapshot_job own = { .requests = expirations, .at = sys_now() };

	snprintf(own.trigger, sizeof(own.trigger), "every %gs",
		 t->shared.opts.every);
	take_own(t, &own);
}

static void rearm(struct snapshot_thread *t)
{
	trigger_arm(t->shared.opts.trigger);
	loop_set_timer(t->rearm, 0);
	atomic_store(&t->rearm_at, 0);
}

static void rearm_now(void *ctx, uint64_t expirations)
{
	(void)expirations;
	rearm(ctx);
}

/* The time of the record that met the condition, if known; else now. */
static double hit_at(const struct snapshot_thread *t,
		     const struct trigger_hit *hit)
{
	struct perf_clock clock = session_clock(t->shared.opts.session);
	uint64_t now = perf_clock_now(&clock);
	bool known = hit->time && !clock.unknown && hit->time < now;

	return sys_now() - (known ? (double)(now - hit->time) / 1e9 : 0);
}

/* The condition is met; it is not checked again before the cool-down ends. */
static void fired(void *ctx, uint32_t events)
{
	struct snapshot_thread *t = ctx;
	struct snapshot_job own = { .requests = 1 };
	struct trigger_hit hit;

	(void)events;
	/* it may be met before the thread knows that they are enabled */
	enable_taking(t);
	if (!trigger_take(t->shared.opts.trigger, &hit))
		return;
	/* first, so that a thread that sees it fired also sees the cool-down */
	atomic_store(&t->rearm_at, sys_now() + t->shared.opts.cooldown);
	snapshot_shared_lock(&t->shared)->fired++;
	snapshot_shared_unlock(&t->shared);
	/* if writing takes longer, it is armed right after that */
	if (t->shared.opts.cooldown > 0)
		loop_set_timer(t->rearm, t->shared.opts.cooldown);
	text_copy(own.trigger, sizeof(own.trigger), hit.text);
	own.at = hit_at(t, &hit);
	take_own(t, &own);
	if (t->shared.opts.cooldown <= 0)
		rearm(t);
}

static void update_kept(struct snapshot_thread *t)
{
	const struct snapshot_opts *opts = &t->shared.opts;
	struct task_history_stats tasks = { 0 };
	struct snapshot_kept kept;
	struct snapshots *s;

	if (snapshot_records_kept(opts->collector, opts->session, t->since,
				  &kept))
		return;
	if (opts->tasks)
		task_history_stats(opts->tasks, &tasks);
	s = snapshot_shared_lock(&t->shared);
	s->history_dropped = tasks.dropped;
	s->history_used = kept.used;
	s->history_limit = kept.limit;
	s->tasks_used = tasks.bytes;
	s->tasks_limit = tasks.limit;
	s->history_seconds = kept.seconds;
	s->history_processes = tasks.processes;
	snapshot_shared_unlock(&t->shared);
}

/*
 * A recording from the start begins before the events are enabled, so that no
 * trace is discarded, and no other work is left when the first trace arrives.
 */
static void begin_from_start(struct snapshot_thread *t)
{
	read_tasks(t);
	t->ready = true;
	recorder_begin_asked(&t->recorder);
	pthread_mutex_lock(&t->lock);
	t->beginning = false;
	pthread_cond_broadcast(&t->settled);
	pthread_mutex_unlock(&t->lock);
}

static struct asked take_asked(struct snapshot_thread *t)
{
	struct asked asked;

	pthread_mutex_lock(&t->lock);
	asked = t->asked;
	t->asked.begin = false;
	t->asked.settle = false;
	pthread_mutex_unlock(&t->lock);
	return asked;
}

static void say_settled(struct snapshot_thread *t, bool over)
{
	pthread_mutex_lock(&t->lock);
	t->settling = false;
	t->over = over;
	pthread_cond_broadcast(&t->settled);
	pthread_mutex_unlock(&t->lock);
}

/*
 * The rings have ended: finish the recording; no more intervals, and the
 * trigger is not armed again.
 */
static void settle_thread(struct snapshot_thread *t)
{
	struct snapshots *s;

	recorder_end(&t->recorder);
	loop_set_timer(t->every, 0);
	loop_set_timer(t->rearm, 0);
	s = snapshot_shared_lock(&t->shared);
	s->armed[0] = '\0';
	s->every = 0;
	snapshot_shared_unlock(&t->shared);
	say_settled(t, false);
}

static void serve_requests(struct snapshot_thread *t)
{
	struct asked asked = take_asked(t);

	if (asked.drop) {
		/* start nothing; recordings are freed with @t */
		loop_quit(t->loop);
		return;
	}
	if (asked.begin)
		begin_from_start(t);
	if (asked.enabled)
		enable_taking(t);
	recorder_begin_asked(&t->recorder);
	snapshot_taker_take(&t->taker);
	recorder_end_asked(&t->recorder);
	if (asked.settle)
		settle_thread(t);
	if (asked.stop) {
		recorder_end(&t->recorder);
		loop_quit(t->loop);
	}
}

/* Before the events are enabled, requests wait, except the end. */
static void woken(void *ctx, uint32_t events)
{
	struct snapshot_thread *t = ctx;
	eventfd_t value;
	bool now;

	(void)events;
	eventfd_read(t->wake, &value);
	pthread_mutex_lock(&t->lock);
	now = t->enabled || t->asked.enabled || t->asked.begin ||
	      t->asked.stop || t->asked.settle;
	pthread_mutex_unlock(&t->lock);
	if (now)
		serve_requests(t);
}

/* Ids are refreshed too: events of hotplugged CPUs may disappear soon. */
static void check_histories(void *ctx, uint64_t expirations)
{
	struct snapshot_thread *t = ctx;

	(void)expirations;
	if (!t->enabled)
		return;
	event_ids_refresh(&t->shared.ids, t->shared.opts.session, NULL);
	if (t->shared.opts.trigger)
		trigger_tick(t->shared.opts.trigger);
	update_kept(t);
}

static int add_sources(struct snapshot_thread *t)
{
	struct trigger *trigger = t->shared.opts.trigger;

	t->every = loop_add_timer(t->loop, 0, every_now, t);
	t->rearm = loop_add_timer(t->loop, 0, rearm_now, t);
	if (!t->every || !t->rearm ||
	    !loop_add_timer(t->loop, TICK, check_histories, t) ||
	    !loop_add_fd(t->loop, t->wake, EPOLLIN, woken, t))
		return -errno;
	if (trigger &&
	    !loop_add_fd(t->loop, trigger_fd(trigger), EPOLLIN, fired, t))
		return -errno;
	return recorder_add_sources(&t->recorder, t->loop);
}

/* Refuse further requests. */
static void close_queues(struct snapshot_thread *t, bool drop)
{
	snapshot_queue_close(&t->queue, drop);
	recorder_close(&t->recorder);
}

static void *thread_main(void *arg)
{
	struct snapshot_thread *t = arg;

	pthread_setname_np(pthread_self(), "rbtop-snapshots");
	caps_limit(CAPS_SYMBOLS | CAPS_FILES, NULL);
	loop_run(t->loop);
	close_queues(t, false);
	say_settled(t, true);
	return NULL;
}

/* Functions for any thread. */

/*
 * Whether histories must be kept from the start: for snapshots, which cover the
 * time before the request, also of the rings drained next to overwrite rings;
 * and for a recording from the start.
 */
static bool keeps_from_start(const struct snapshot_thread *t)
{
	struct session *session = t->shared.opts.session;

	return t->shared.opts.trace || t->recorder.from_start ||
	       (t->shared.opts.session_opts->overwrite &&
		session_nr_rings(session) > session_nr_watched(session));
}

int snapshot_thread_start(struct snapshot_thread *t, struct err *err)
{
	int ret;

	t->recorder.from_start = recorder_is_asked(&t->recorder);
	ret = add_sources(t);
	if (ret)
		return err_errno(err, ret, "snapshots");
	if (keeps_from_start(t))
		ret = recorder_keep_history(&t->recorder, err);
	if (ret)
		return ret;
	if (t->shared.opts.trigger)
		trigger_arm(t->shared.opts.trigger);
	ret = -pthread_create(&t->thread, NULL, thread_main, t);
	if (ret)
		return err_errno(err, ret, "starting the snapshot thread");
	t->started = true;
	return 0;
}

static void wake_up(struct snapshot_thread *t)
{
	eventfd_write(t->wake, 1);
}

void snapshot_thread_begin(struct snapshot_thread *t)
{
	const struct timespec until = sys_deadline(LONGEST_BEGIN);
	bool asked = recorder_is_asked(&t->recorder);
	int ret = 0;

	pthread_mutex_lock(&t->lock);
	t->asked.begin = t->beginning = asked;
	wake_up(t);
	while (t->beginning && ret == 0)
		ret = pthread_cond_timedwait(&t->settled, &t->lock, &until);
	pthread_mutex_unlock(&t->lock);
}

void snapshot_thread_enabled(struct snapshot_thread *t)
{
	pthread_mutex_lock(&t->lock);
	t->asked.enabled = true;
	pthread_mutex_unlock(&t->lock);
	wake_up(t);
}

/* Request a last snapshot, if possible; it is merged with a queued one. */
static void ask_last(struct snapshot_thread *t, const char *last)
{
	struct snapshot_job one = { .requests = 1, .at = sys_now() };
	struct err err;

	if (!last || !snapshot_shared_can_take(&t->shared, NULL))
		return;
	text_copy(one.trigger, sizeof(one.trigger), last);
	if (snapshot_queue_add(&t->queue, &one, &err))
		snapshot_shared_note(&t->shared, LOG_ERROR, "%s", err.text);
}

void snapshot_thread_settle(struct snapshot_thread *t, const char *last)
{
	pthread_mutex_lock(&t->joining);
	if (t->started) {
		ask_last(t, last);
		pthread_mutex_lock(&t->lock);
		t->asked.settle = true;
		t->settling = !t->over;
		wake_up(t);
		while (t->settling)
			pthread_cond_wait(&t->settled, &t->lock);
		pthread_mutex_unlock(&t->lock);
	}
	pthread_mutex_unlock(&t->joining);
}

/* Ask the thread to end and wait for it; a second caller waits too. */
static void end_thread(struct snapshot_thread *t, bool drop)
{
	pthread_mutex_lock(&t->joining);
	if (t->started) {
		close_queues(t, drop);
		pthread_mutex_lock(&t->lock);
		t->asked.stop = true;
		t->asked.drop = drop;
		pthread_mutex_unlock(&t->lock);
		wake_up(t);
		pthread_join(t->thread, NULL);
		t->started = false;
	}
	pthread_mutex_unlock(&t->joining);
}

void snapshot_thread_stop(struct snapshot_thread *t)
{
	if (t)
		end_thread(t, false);
}

void snapshot_thread_free(struct snapshot_thread *t)
{
	if (!t)
		return;
	end_thread(t, true);
	recorder_free(&t->recorder);
	loop_free(t->loop);
	sys_close(t->wake);
	snapshot_taker_free(&t->taker);
	snapshot_queue_free(&t->queue);
	event_ids_free(&t->shared.ids);
	pthread_mutex_destroy(&t->shared.lock);
	pthread_cond_destroy(&t->settled);
	pthread_mutex_destroy(&t->joining);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

int snapshot_thread_take(struct snapshot_thread *t, const size_t *rings,
			 size_t nr, const char *trigger,
			 struct request_snapshot *got, struct err *err)
{
	struct snapshot_job one = {
		.rings = (size_t *)rings, .nr = nr, .requests = 1,
		.at = sys_now(),
	};
	int ret;

	if (!snapshot_shared_can_take(&t->shared, err))
		return -EOPNOTSUPP;
	text_copy(one.trigger, sizeof(one.trigger), trigger);
	ret = snapshot_queue_ask(&t->queue, &one, got, err);
	wake_up(t);
	return ret;
}

int snapshot_thread_cancel(struct snapshot_thread *t,
			   struct request_snapshot *got, struct err *err)
{
	if (snapshot_queue_cancel(&t->queue, got))
		return 0;
	return err_set(err, -ENOENT, "no snapshot is being taken");
}

int snapshot_thread_record(struct snapshot_thread *t, const char *path,
			   struct err *err)
{
	int ret = recorder_ask(&t->recorder, path, err);

	wake_up(t);
	return ret;
}

int snapshot_thread_record_end(struct snapshot_thread *t, struct err *err)
{
	int ret = recorder_ask_end(&t->recorder, err);

	wake_up(t);
	return ret;
}

uint64_t snapshot_thread_ended(struct snapshot_thread *t)
{
	const struct snapshots *s = snapshot_shared_lock(&t->shared);
	uint64_t ended = 0;

	for (size_t i = 0; i < s->nr; i++)
		if (s->list[i].state >= SNAPSHOT_DONE)
			ended = s->list[i].number;
	snapshot_shared_unlock(&t->shared);
	return ended;
}

void snapshot_thread_status(struct snapshot_thread *t, struct snapshots *out)
{
	double rearm_at;

	*out = *snapshot_shared_lock(&t->shared);
	snapshot_shared_unlock(&t->shared);
	snapshot_queue_figures(&t->queue, out);
	/* the cool-down may be over while the file is still written */
	rearm_at = atomic_load(&t->rearm_at);
	out->cooldown_left = rearm_at > 0 ? fmax(rearm_at - sys_now(), SOON) :
					    0;
}
