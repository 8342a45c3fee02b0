/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the snapshot thread waits for, and what it keeps up to date. */
#include "trace/snapshot/snapshot_thread_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "trace/snapshot/snapshot_side_band.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "collect/collector.h"
#include "task/history.h"
#include "task/task_history.h"
#include "collect/triggers/trigger.h"

enum { READ_BYTES = 64 << 10 };	/* that history_read() asks for */

#define TICK 1.0 /* seconds between looks at the histories */

void snapshot_thread_note(const struct snapshot_thread *t, enum log_kind kind,
			  const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (t->opts.note)
		t->opts.note(t->opts.ctx, kind, text);
}

struct trace_file_from snapshot_thread_from(struct snapshot_thread *t)
{
	/* Overwrite rings bring nobody side-band: only /proc knows. */
	bool tasks = !t->opts.session_opts->overwrite || t->opts.tasks_made_up;

	return (struct trace_file_from){
		.session = t->opts.session,
		.session_opts = t->opts.session_opts,
		.trace = t->opts.trace,
		.env = t->opts.env,
		.tasks = tasks ? t->opts.tasks : NULL,
		.tasks_made_up = t->opts.tasks_made_up,
		.machine = t->opts.machine,
		.ids = &t->ids,
	};
}

/* The time of the first record that has one, of those held. */
static uint64_t oldest_time(const struct history *h, unsigned char *buf)
{
	uint64_t at = history_begin(h), missed = 0;
	size_t size = history_read(h, &at, buf, READ_BYTES, &missed);

	return side_band_oldest(buf, size);
}

/* Seconds; of a ring of which nothing was dropped yet, all the time. */
static double reaches_back(const struct snapshot_thread *t,
			   const struct history *h, unsigned char *buf)
{
	struct perf_clock clock = session_clock(t->opts.session);
	uint64_t now = perf_clock_now(&clock), oldest;

	if (history_begin(h) == 0)
		return sys_now() - t->since;
	oldest = clock.unknown ? now : oldest_time(h, buf);
	return oldest && oldest < now ? (double)(now - oldest) / 1e9 : 0;
}

/* Figures of what is kept for the next file. */
struct kept {
	uint64_t used, limit;
	double seconds;
};

static struct kept look_at_histories(const struct snapshot_thread *t,
				     unsigned char *buf)
{
	size_t nr = session_nr_watched(t->opts.session);
	struct kept kept = { .seconds = -1 };

	for (size_t i = 0; i < nr; i++) {
		const struct history *h = collector_history(t->opts.collector,
							    i);
		uint64_t begin;
		double seconds;

		if (!h)
			continue;
		begin = history_begin(h);
		kept.used += history_end(h) - begin;
		kept.limit += history_size(h);
		seconds = reaches_back(t, h, buf);
		if (kept.seconds < 0 || seconds < kept.seconds)
			kept.seconds = seconds;
	}
	return kept;
}

static void update_kept(struct snapshot_thread *t)
{
	struct task_history_stats tasks = { 0 };
	unsigned char *buf = malloc(READ_BYTES);
	struct kept kept;

	if (!buf)
		return;
	kept = look_at_histories(t, buf);
	free(buf);
	if (t->opts.tasks)
		task_history_stats(t->opts.tasks, &tasks);
	pthread_mutex_lock(&t->lock);
	t->status.history_dropped = tasks.dropped;
	t->status.history_used = kept.used;
	t->status.history_limit = kept.limit;
	t->status.tasks_used = tasks.bytes;
	t->status.tasks_limit = tasks.limit;
	t->status.history_seconds = kept.seconds > 0 ? kept.seconds : 0;
	t->status.history_processes = tasks.processes;
	pthread_mutex_unlock(&t->lock);
}

static void arm(struct snapshot_thread *t)
{
	trigger_arm(t->opts.trigger);
	loop_set_timer(t->rearm, 0);
	pthread_mutex_lock(&t->lock);
	t->rearm_at = 0;
	pthread_mutex_unlock(&t->lock);
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
		snapshot_thread_note(t, LOG_ERROR,
				     "reading the tasks from /proc: %s",
				     strerror(-ret));
}

static void enable(struct snapshot_thread *t)
{
	struct err err;

	if (!t->ready)
		read_tasks(t);
	t->ready = true;
	if (event_ids_refresh(&t->ids, t->opts.session, &err))
		snapshot_thread_note(t, LOG_ERROR, "%s", err.text);
	snapshot_thread_prepare(t);
	t->since = sys_now();
	if (t->opts.every > 0)
		loop_set_timer(t->every, t->opts.every);
	t->enabled = true;
}

/*
 * A recording from the start begins before the events are enabled, so that no
 * trace is discarded, and no other work is left when the first trace arrives.
 */
static void begin(struct snapshot_thread *t, const struct snapshot_asked *asked)
{
	read_tasks(t);
	t->ready = true;
	snapshot_thread_do_record(t, asked->path);
	pthread_mutex_lock(&t->lock);
	t->beginning = false;
	pthread_cond_broadcast(&t->settled);
	pthread_mutex_unlock(&t->lock);
}

static struct snapshot_asked take_asked(struct snapshot_thread *t)
{
	struct snapshot_asked asked;

	pthread_mutex_lock(&t->lock);
	asked = t->asked;	/* not .next: see snapshot_thread_next() */
	t->asked.begin = false;
	t->asked.record = false;
	t->asked.record_end = false;
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

/* Nothing comes any more: what was begun is brought to its end. */
static void settle(struct snapshot_thread *t)
{
	snapshot_thread_end_record(t);
	loop_set_timer(t->every, 0);
	loop_set_timer(t->rearm, 0);
	pthread_mutex_lock(&t->lock);
	t->status.armed[0] = '\0';
	t->status.every = 0;
	pthread_mutex_unlock(&t->lock);
	say_settled(t, false);
}

/* The last thing: what is under way is brought to its end. */
static void end(struct snapshot_thread *t)
{
	snapshot_thread_end_record(t);
	loop_quit(t->loop);
}

/* Take the requested snapshot, if any. */
static void take_next(struct snapshot_thread *t)
{
	struct snapshot_wanted next = snapshot_thread_next(t);

	if (next.requests)
		snapshot_thread_do_take(t, &next);
	snapshot_wanted_free(&next);
}

static void serve(struct snapshot_thread *t)
{
	struct snapshot_asked asked = take_asked(t);

	if (asked.drop) {
		/* nothing more is begun; recordings are freed with @t */
		loop_quit(t->loop);
		return;
	}
	if (asked.begin)
		begin(t, &asked);
	if (asked.enabled && !t->enabled)
		enable(t);
	if (asked.record && !asked.begin)
		snapshot_thread_do_record(t, asked.path);
	take_next(t);
	if (asked.record_end)
		snapshot_thread_end_record(t);
	if (asked.settle)
		settle(t);
	if (asked.stop)
		end(t);
}

/* Before the events are enabled, requests wait; not so the end. */
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
		serve(t);
}

/* Request a snapshot on this thread, merged with a waiting one, and take it. */
static void take_own(struct snapshot_thread *t,
		     const struct snapshot_wanted *own)
{
	struct err err;
	bool drop;
	int ret = 0;

	pthread_mutex_lock(&t->lock);
	drop = t->asked.drop;
	if (!drop)
		ret = snapshot_thread_want(t, own, NULL, &err);
	pthread_mutex_unlock(&t->lock);
	if (ret)
		snapshot_thread_note(t, LOG_ERROR, "%s: %s", own->trigger,
				     err.text);
	if (!drop)
		take_next(t);
}

/* Periods that passed during another snapshot are merged into one request. */
static void every_now(void *ctx, uint64_t expirations)
{
	struct snapshot_thread *t = ctx;
	struct snapshot_wanted own = {
		.requests = expirations, .at = sys_now(),
	};

	snprintf(own.trigger, sizeof(own.trigger), "every %gs",
		 t->opts.every);
	take_own(t, &own);
}

static void rearm_now(void *ctx, uint64_t expirations)
{
	(void)expirations;
	arm(ctx);
}

/* The time of the record that met the condition, if known; else now. */
static double hit_at(const struct snapshot_thread *t,
		     const struct trigger_hit *hit)
{
	struct perf_clock clock = session_clock(t->opts.session);
	uint64_t now = perf_clock_now(&clock);
	bool known = hit->time && !clock.unknown && hit->time < now;

	return sys_now() - (known ? (double)(now - hit->time) / 1e9 : 0);
}

/* It holds: not again before the cool-down is over. */
static void fired(void *ctx, uint32_t events)
{
	struct snapshot_thread *t = ctx;
	struct snapshot_wanted own = { .requests = 1 };
	struct trigger_hit hit;

	(void)events;
	/* it was armed before the events were enabled */
	if (!t->enabled)
		enable(t);
	if (!trigger_take(t->opts.trigger, &hit))
		return;
	pthread_mutex_lock(&t->lock);
	t->status.fired++;
	t->rearm_at = sys_now() + t->opts.cooldown;
	pthread_mutex_unlock(&t->lock);
	/* where the writing takes longer it is armed right after that */
	if (t->opts.cooldown > 0)
		loop_set_timer(t->rearm, t->opts.cooldown);
	text_copy(own.trigger, sizeof(own.trigger), hit.text);
	own.at = hit_at(t, &hit);
	take_own(t, &own);
	if (t->opts.cooldown <= 0)
		arm(t);
}

static void pass_now(void *ctx, uint64_t expirations)
{
	(void)expirations;
	snapshot_thread_do_pass(ctx);
}

/* Much came at once: not when it is time, but now. */
static void history_filled(void *ctx, uint32_t events)
{
	struct snapshot_thread *t = ctx;
	eventfd_t value;

	(void)events;
	eventfd_read(collector_history_fd(t->opts.collector), &value);
	snapshot_thread_do_pass(t);
}

/* Ids are looked at too: events of CPUs that come and go may be gone soon. */
static void tick(void *ctx, uint64_t expirations)
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

static bool add_sources(struct snapshot_thread *t)
{
	struct loop *loop = t->loop;

	t->every = loop_add_timer(loop, 0, every_now, t);
	t->rearm = loop_add_timer(loop, 0, rearm_now, t);
	t->pass = loop_add_timer(loop, 0, pass_now, t);
	if (!t->every || !t->rearm || !t->pass ||
	    !loop_add_timer(loop, TICK, tick, t) ||
	    !loop_add_fd(loop, t->wake, EPOLLIN, woken, t) ||
	    !loop_add_fd(loop, collector_history_fd(t->opts.collector),
			 EPOLLIN, history_filled, t))
		return false;
	return !t->opts.trigger ||
	       loop_add_fd(loop, trigger_fd(t->opts.trigger), EPOLLIN, fired,
			   t);
}

int snapshot_thread_add_sources(struct snapshot_thread *t, struct err *err)
{
	if (add_sources(t))
		return 0;
	return err_set(err, -errno, "snapshots: %s", strerror(errno));
}

void *snapshot_thread_main(void *arg)
{
	struct snapshot_thread *t = arg;

	pthread_setname_np(pthread_self(), "rbtop-snapshots");
	caps_limit(CAPS_SYMBOLS | CAPS_FILES, NULL);
	loop_run(t->loop);
	say_settled(t, true);
	return NULL;
}
