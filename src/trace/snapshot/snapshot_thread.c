/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "trace/file/event_ids.h"
#include "trace/snapshot/recorder.h"
#include "trace/snapshot/snapshot_records.h"
#include "trace/snapshot/snapshot_schedule.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/sys.h"
#include "base/text.h"
#include "collect/collector.h"
#include "collect/triggers/trigger.h"
#include "task/task_history.h"

#define TICK 1.0 /* seconds between updates of the histories' figures */
#define LONGEST_BEGIN 5.0 /* seconds to wait for a disk */

/* Requests of other threads that are not served yet. */
struct asked {
	bool enabled, stop;
	bool begin;		/* start recording, before events are enabled */
	bool drop;		/* with stop: cancel what is in progress */
	bool settle;		/* see snapshot_thread_settle() */
};

struct snapshot_thread {
	struct snapshot_opts opts;
	pthread_t thread;
	pthread_mutex_t joining;	/* protects started; held while waiting
					 * for the thread's end */
	bool started;
	int wake;		/* eventfd: there is a request */

	struct snapshot_status status;
	struct snapshot_queue queue;
	struct recorder recorder;

	/* Used by the thread only. */
	struct snapshot_taker taker;
	struct snapshot_schedule schedule;
	struct event_ids ids;
	struct loop *loop;
	bool ready;		/* the tasks were read */
	bool enabled;
	double since;		/* time they were enabled */

	pthread_mutex_t lock;	/* of the following; never held for long */
	struct asked asked;
	pthread_cond_t settled;
	bool settling;		/* a thread waits for asked.settle */
	bool beginning;		/* a thread waits for asked.begin */
	bool over;		/* the thread has ended its work */
};

/* Only made-up rings cannot be recorded: see sim_request(). */
static void fill_place(const struct snapshot_thread *t, struct snapshots *s)
{
	char *dir = t->opts.tasks_made_up ? NULL : realpath(t->opts.dir, NULL);
	char name[sizeof(s->record_place) * 2];

	if (!dir)
		return;
	snprintf(name, sizeof(name), "%s/rbtop-*.data", dir);
	text_copy(s->record_place, sizeof(s->record_place), name);
	free(dir);
}

static void fill_status(struct snapshot_thread *t)
{
	struct snapshots *s = &t->status.now;

	fill_place(t, s);
	text_copy(s->dir, sizeof(s->dir), t->opts.dir);
	s->keep = t->opts.keep;
	s->every = t->opts.every;
	if (t->opts.trigger)
		text_copy(s->armed, sizeof(s->armed),
			  trigger_text(t->opts.trigger));
}

static void read_tasks(struct snapshot_thread *t)
{
	pid_t *pids = NULL;
	size_t nr = 0;
	int ret;

	if (!t->opts.tasks || t->opts.session_opts->overwrite ||
	    t->opts.tasks_made_up)
		return;
	ret = trace_file_pids(t->opts.session, &pids, &nr);
	if (!ret)
		ret = task_history_read_proc(t->opts.tasks, pids, nr);
	free(pids);
	if (ret)
		snapshot_status_note(&t->status, LOG_ERROR,
				     "reading the tasks from /proc: %s",
				     strerror(-ret));
}

static void enable_taking(void *ctx)
{
	struct snapshot_thread *t = ctx;
	struct err err;

	if (t->enabled)
		return;
	if (!t->ready)
		read_tasks(t);
	t->ready = true;
	if (event_ids_refresh(&t->ids, t->opts.session, &err))
		snapshot_status_note(&t->status, LOG_ERROR, "%s", err.text);
	t->since = sys_now();
	snapshot_taker_prepare(&t->taker, t->since);
	snapshot_schedule_start(&t->schedule);
	t->enabled = true;
}

static void between_pieces(void *ctx)
{
	struct snapshot_thread *t = ctx;

	recorder_pass_if_due(&t->recorder);
}

static void make_parts(struct snapshot_thread *t)
{
	snapshot_status_init(&t->status, t->opts.note, t->opts.ctx);
	snapshot_queue_init(&t->queue);
	t->recorder.opts = &t->opts;
	t->recorder.ids = &t->ids;
	t->recorder.status = &t->status;
	recorder_init(&t->recorder);
	t->taker = (struct snapshot_taker){
		.opts = &t->opts, .ids = &t->ids, .queue = &t->queue,
		.status = &t->status, .between = between_pieces, .ctx = t,
	};
	t->schedule.opts = &t->opts;
	t->schedule.taker = &t->taker;
	t->schedule.enable = enable_taking;
	t->schedule.ctx = t;
}

struct snapshot_thread *snapshot_thread_new(const struct snapshot_opts *opts,
					    struct err *err)
{
	struct snapshot_thread *t = calloc(1, sizeof(*t));

	if (!t) {
		err_set(err, -ENOMEM, "snapshots: out of memory");
		return NULL;
	}
	t->opts = *opts;
	t->opts.dir = opts->dir ? opts->dir : ".";
	make_parts(t);
	pthread_mutex_init(&t->lock, NULL);
	sys_condition_init(&t->settled);
	pthread_mutex_init(&t->joining, NULL);
	t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	t->loop = t->wake < 0 ? NULL : loop_new();
	if (!t->loop)
		err_errno(err, -errno, "snapshots");
	else if (snapshot_opts_check(&t->opts, err) == 0) {
		fill_status(t);
		return t;
	}
	snapshot_thread_free(t);
	return NULL;
}

/* Functions for the thread. */

static void update_kept(struct snapshot_thread *t)
{
	struct task_history_stats tasks = { 0 };
	struct snapshot_kept kept;
	struct snapshots *s;

	if (snapshot_records_kept(t->opts.collector, t->opts.session, t->since,
				  &kept))
		return;
	if (t->opts.tasks)
		task_history_stats(t->opts.tasks, &tasks);
	s = snapshot_status_lock(&t->status);
	s->history_dropped = tasks.dropped;
	s->history_used = kept.used;
	s->history_limit = kept.limit;
	s->tasks_used = tasks.bytes;
	s->tasks_limit = tasks.limit;
	s->history_seconds = kept.seconds;
	s->history_processes = tasks.processes;
	snapshot_status_unlock(&t->status);
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

/* The rings have ended: finish the recording, stop the schedule. */
static void settle_thread(struct snapshot_thread *t)
{
	recorder_end(&t->recorder);
	snapshot_schedule_stop(&t->schedule);
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
static void look_at_histories(void *ctx, uint64_t expirations)
{
	struct snapshot_thread *t = ctx;

	(void)expirations;
	if (!t->enabled)
		return;
	event_ids_refresh(&t->ids, t->opts.session, NULL);
	if (t->opts.trigger)
		trigger_tick(t->opts.trigger);
	update_kept(t);
}

static int add_sources(struct snapshot_thread *t)
{
	int ret;

	if (!loop_add_timer(t->loop, TICK, look_at_histories, t) ||
	    !loop_add_fd(t->loop, t->wake, EPOLLIN, woken, t))
		return -errno;
	ret = recorder_add_sources(&t->recorder, t->loop);
	return ret ? ret :
		     snapshot_schedule_add_sources(&t->schedule, t->loop);
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
 * time before the request, also of the rings drained beside overwrite rings;
 * and for a recording from the start.
 */
static bool keeps_from_start(const struct snapshot_thread *t)
{
	struct session *session = t->opts.session;

	return t->opts.trace || t->recorder.from_start ||
	       (t->opts.session_opts->overwrite &&
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
	snapshot_schedule_arm(&t->schedule);
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

	if (!last || !snapshot_opts_can_take(&t->opts, NULL))
		return;
	text_copy(one.trigger, sizeof(one.trigger), last);
	if (snapshot_queue_add(&t->queue, &one, &err))
		snapshot_status_note(&t->status, LOG_ERROR, "%s", err.text);
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
	event_ids_free(&t->ids);
	snapshot_taker_free(&t->taker);
	snapshot_queue_free(&t->queue);
	snapshot_status_destroy(&t->status);
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

	if (!snapshot_opts_can_take(&t->opts, err))
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
	return snapshot_status_ended(&t->status);
}

void snapshot_thread_status(struct snapshot_thread *t, struct snapshots *out)
{
	snapshot_status_copy(&t->status, out);
	snapshot_queue_figures(&t->queue, out);
	out->cooldown_left = snapshot_schedule_cooldown(&t->schedule);
}
