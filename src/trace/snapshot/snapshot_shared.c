/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_shared.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "ring/reading.h"
#include "ring/request.h"

bool snapshot_shared_can_take(const struct snapshot_shared *s, struct err *err)
{
	const struct auxtrace *trace = s->opts.trace;

	if (s->opts.session_opts->overwrite || (trace && trace->overwrite))
		return true;
	if (trace)
		err_set(err, -EOPNOTSUPP,
			"--full-trace drains the AUX rings continuously: leave it out for snapshots, or record with w or -o FILE");
	else
		err_set(err, -EOPNOTSUPP,
			"no ring keeps data for a snapshot: trace (-e intel_pt//), use --overwrite, or press w to record instead");
	return false;
}

struct trace_file_from snapshot_shared_from(struct snapshot_shared *s)
{
	const struct snapshot_opts *opts = &s->opts;
	/* Overwrite rings have no side-band: tasks are read from /proc. */
	bool tasks = !opts->session_opts->overwrite || opts->tasks_made_up;

	return (struct trace_file_from){
		.session = opts->session,
		.session_opts = opts->session_opts,
		.trace = opts->trace,
		.env = opts->env,
		.tasks = tasks ? opts->tasks : NULL,
		.tasks_made_up = opts->tasks_made_up,
		.machine = opts->machine,
		.ids = &s->ids,
		.loader = opts->loader,
	};
}

struct snapshots *snapshot_shared_lock(struct snapshot_shared *s)
{
	pthread_mutex_lock(&s->lock);
	return &s->now;
}

void snapshot_shared_unlock(struct snapshot_shared *s)
{
	pthread_mutex_unlock(&s->lock);
}

void snapshot_shared_note(const struct snapshot_shared *s, enum log_kind kind,
			  const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (s->opts.note)
		s->opts.note(s->opts.ctx, kind, text);
}

void snapshot_shared_note_unread(const struct snapshot_shared *s,
				 const char *path, size_t nr)
{
	if (nr)
		snapshot_shared_note(s, LOG_ERROR,
				     "%s has no build-ids for %zu file%s that could not be read in time",
				     text_base_name(path), nr,
				     nr == 1 ? "" : "s");
}

void snapshot_job_free(struct snapshot_job *job)
{
	free(job->rings);
	*job = (struct snapshot_job){ 0 };
}

void snapshot_queue_init(struct snapshot_queue *q)
{
	pthread_mutex_init(&q->lock, NULL);
}

void snapshot_queue_free(struct snapshot_queue *q)
{
	snapshot_job_free(&q->next);
	pthread_mutex_destroy(&q->lock);
}

static bool has_ring(const struct snapshot_job *job, size_t ring)
{
	for (size_t i = 0; i < job->nr; i++)
		if (job->rings[i] == ring)
			return true;
	return false;
}

/* Add @rings to those of @job; @nr 0 means all rings. */
static int merge_rings(struct snapshot_job *job, const size_t *rings,
		       size_t nr)
{
	if (job->requests && !job->nr)
		return 0;
	if (!nr) {
		free(job->rings);
		job->rings = NULL;
		job->nr = job->room = 0;
		return 0;
	}
	if (array_fit(job->rings, job->room, job->nr + nr))
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		if (!has_ring(job, rings[i]))
			job->rings[job->nr++] = rings[i];
	return 0;
}

/* "SIGUSR2, key": each name once, until the buffer is full. */
static void merge_trigger(struct snapshot_job *job, const char *trigger)
{
	size_t len = strlen(job->trigger);

	if (!len)
		text_copy(job->trigger, sizeof(job->trigger), trigger);
	else if (!strstr(job->trigger, trigger) &&
		 len + strlen(trigger) + 3 <= sizeof(job->trigger)) {
		memcpy(job->trigger + len, ", ", 2);
		text_copy(job->trigger + len + 2,
			  sizeof(job->trigger) - len - 2, trigger);
	}
}

/* Called under the lock. */
static int merge(struct snapshot_queue *q, const struct snapshot_job *job,
		 struct request_snapshot *got, struct err *err)
{
	struct snapshot_job *next = &q->next;
	bool first = !next->requests;

	if (merge_rings(next, job->rings, job->nr))
		return err_set(err, -ENOMEM, "a snapshot: out of memory");
	merge_trigger(next, job->trigger);
	if (first) {
		next->at = job->at;
		next->number = ++q->numbers;
	}
	next->requests += job->requests;
	q->requests += job->requests;
	q->merged += job->requests - first;
	q->queued = q->taking ? next->requests : 0;
	if (got)
		*got = (struct request_snapshot){
			.number = next->number, .requests = next->requests,
			.queued = q->taking,
		};
	return 0;
}

int snapshot_queue_ask(struct snapshot_queue *q, const struct snapshot_job *job,
		       struct request_snapshot *got, struct err *err)
{
	int ret;

	pthread_mutex_lock(&q->lock);
	if (q->closed)
		ret = err_set(err, -ESHUTDOWN,
			      "the events have ended: no more snapshots");
	else
		ret = merge(q, job, got, err);
	pthread_mutex_unlock(&q->lock);
	return ret;
}

int snapshot_queue_add(struct snapshot_queue *q, const struct snapshot_job *job,
		       struct err *err)
{
	int ret;

	pthread_mutex_lock(&q->lock);
	ret = q->dropped ? 0 : merge(q, job, NULL, err);
	pthread_mutex_unlock(&q->lock);
	return ret;
}

struct snapshot_job snapshot_queue_next(struct snapshot_queue *q)
{
	struct snapshot_job next = { 0 };

	pthread_mutex_lock(&q->lock);
	if (!q->dropped) {
		next = q->next;
		q->next = (struct snapshot_job){ 0 };
	}
	q->taking = next.requests > 0;
	q->queued = 0;
	pthread_mutex_unlock(&q->lock);
	return next;
}

void snapshot_queue_done(struct snapshot_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->taking = false;
	atomic_store(&q->cancel, false);
	pthread_mutex_unlock(&q->lock);
}

/* Called under the lock. */
static bool cancel_any(struct snapshot_queue *q)
{
	bool any = q->taking || q->next.requests;

	if (any)
		atomic_store(&q->cancel, true);
	return any;
}

bool snapshot_queue_cancel(struct snapshot_queue *q,
			   struct request_snapshot *got)
{
	const struct snapshot_job *next = &q->next;
	bool any;

	pthread_mutex_lock(&q->lock);
	any = cancel_any(q);
	if (got)
		*got = (struct request_snapshot){ 0 };
	if (got && q->taking && next->requests)
		*got = (struct request_snapshot){
			.number = next->number, .requests = next->requests,
			.queued = true,
		};
	pthread_mutex_unlock(&q->lock);
	return any;
}

bool snapshot_queue_is_cancelled(const struct snapshot_queue *q)
{
	return atomic_load(&q->cancel);
}

void snapshot_queue_close(struct snapshot_queue *q, bool drop)
{
	pthread_mutex_lock(&q->lock);
	q->closed = true;
	if (drop) {
		q->dropped = true;
		cancel_any(q);
	}
	pthread_mutex_unlock(&q->lock);
}

uint64_t snapshot_queue_waiting(struct snapshot_queue *q)
{
	uint64_t number;

	pthread_mutex_lock(&q->lock);
	number = q->next.requests && !q->dropped ? q->next.number : 0;
	pthread_mutex_unlock(&q->lock);
	return number;
}

void snapshot_queue_figures(struct snapshot_queue *q, struct snapshots *out)
{
	pthread_mutex_lock(&q->lock);
	out->requests = q->requests;
	out->merged = q->merged;
	out->queued = q->queued;
	pthread_mutex_unlock(&q->lock);
}
