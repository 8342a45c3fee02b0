/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_schedule.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/epoll.h>

#include "base/err.h"
#include "base/loop.h"
#include "base/sys.h"
#include "base/text.h"
#include "collect/triggers/trigger.h"
#include "perf/session/session.h"

#define SOON 1e-3 /* seconds */

/* Take a snapshot; it is merged with a waiting request. */
static void take_own(struct snapshot_schedule *s,
		     const struct snapshot_job *own)
{
	struct err err;

	if (snapshot_queue_add(s->taker->queue, own, &err))
		snapshot_status_note(s->taker->status, LOG_ERROR, "%s: %s",
				     own->trigger, err.text);
	snapshot_taker_take(s->taker);
}

/* Periods that passed during another snapshot are merged into one request. */
static void every_now(void *ctx, uint64_t expirations)
{
	struct snapshot_schedule *s = ctx;
	struct snapshot_job own = { .requests = expirations, .at = sys_now() };

	snprintf(own.trigger, sizeof(own.trigger), "every %gs",
		 s->opts->every);
	take_own(s, &own);
}

static void rearm(struct snapshot_schedule *s)
{
	trigger_arm(s->opts->trigger);
	loop_set_timer(s->rearm, 0);
	atomic_store(&s->rearm_at, 0);
}

static void rearm_now(void *ctx, uint64_t expirations)
{
	(void)expirations;
	rearm(ctx);
}

/* The time of the record that met the condition, if known; else now. */
static double hit_at(const struct snapshot_schedule *s,
		     const struct trigger_hit *hit)
{
	struct perf_clock clock = session_clock(s->opts->session);
	uint64_t now = perf_clock_now(&clock);
	bool known = hit->time && !clock.unknown && hit->time < now;

	return sys_now() - (known ? (double)(now - hit->time) / 1e9 : 0);
}

/* The condition is met; it is not checked again before the cool-down ends. */
static void fired(void *ctx, uint32_t events)
{
	struct snapshot_schedule *s = ctx;
	struct snapshot_job own = { .requests = 1 };
	struct trigger_hit hit;

	(void)events;
	s->enable(s->ctx);
	if (!trigger_take(s->opts->trigger, &hit))
		return;
	/* first, so that whoever sees it fired also sees the cool-down */
	atomic_store(&s->rearm_at, sys_now() + s->opts->cooldown);
	snapshot_status_lock(s->taker->status)->fired++;
	snapshot_status_unlock(s->taker->status);
	/* if writing takes longer, it is armed right after that */
	if (s->opts->cooldown > 0)
		loop_set_timer(s->rearm, s->opts->cooldown);
	text_copy(own.trigger, sizeof(own.trigger), hit.text);
	own.at = hit_at(s, &hit);
	take_own(s, &own);
	if (s->opts->cooldown <= 0)
		rearm(s);
}

int snapshot_schedule_add_sources(struct snapshot_schedule *s,
				  struct loop *loop)
{
	struct trigger *trigger = s->opts->trigger;

	s->every = loop_add_timer(loop, 0, every_now, s);
	s->rearm = loop_add_timer(loop, 0, rearm_now, s);
	if (!s->every || !s->rearm)
		return -errno;
	if (trigger &&
	    !loop_add_fd(loop, trigger_fd(trigger), EPOLLIN, fired, s))
		return -errno;
	return 0;
}

void snapshot_schedule_arm(struct snapshot_schedule *s)
{
	if (s->opts->trigger)
		trigger_arm(s->opts->trigger);
}

void snapshot_schedule_start(struct snapshot_schedule *s)
{
	if (s->opts->every > 0)
		loop_set_timer(s->every, s->opts->every);
}

void snapshot_schedule_stop(struct snapshot_schedule *s)
{
	struct snapshots *status;

	loop_set_timer(s->every, 0);
	loop_set_timer(s->rearm, 0);
	status = snapshot_status_lock(s->taker->status);
	status->armed[0] = '\0';
	status->every = 0;
	snapshot_status_unlock(s->taker->status);
}

double snapshot_schedule_cooldown(const struct snapshot_schedule *s)
{
	double at = atomic_load(&s->rearm_at);

	/* the cool-down may be over while the file is still written */
	return at > 0 ? fmax(at - sys_now(), SOON) : 0;
}
