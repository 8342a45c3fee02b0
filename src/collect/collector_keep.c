/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a collector keeps of the rings: their histories; AUX rings going. */
#include "collect/collector_impl.h"

#include <errno.h>
#include <sys/param.h>

#include "base/err.h"
#include "collect/record_history.h"
#include "collect/reader_aux.h"

/* What is only read when it is asked for is not drained, nor kept. */
static bool is_drained(const struct slot *slot)
{
	return slot->current && !slot->current->ring.overwrite;
}

/*
 * All that a ring holds may come at once; what is apart brings little, and the
 * memory is for the others where these are drained.
 */
static size_t least_history(const struct collector *c, const struct slot *slot,
			    size_t bytes)
{
	size_t least = slot->current->ring.size;

	if (slot->apart && !c->opts.apart_alone)
		return least;
	return MAX(bytes, least);
}

int collector_keep(struct collector *c, struct slot *slot)
{
	size_t bytes;

	pthread_mutex_lock(&c->lock);
	bytes = c->history_bytes;
	pthread_mutex_unlock(&c->lock);
	if (!bytes || !is_drained(slot))
		return 0;
	slot->history = record_history_new(least_history(c, slot, bytes));
	slot->drain.history = slot->history;
	return slot->history ? 0 : -ENOMEM;
}

int collector_history_fd(struct collector *c)
{
	return c->history_fd;
}

void collector_watch_history(struct collector *c, size_t slot, uint64_t at)
{
	struct record_history *h;

	pthread_mutex_lock(&c->lock);
	h = slot < c->nr_slots ? c->slots[slot]->history : NULL;
	pthread_mutex_unlock(&c->lock);
	if (h)
		record_history_watch(h, c->history_fd, at);
}

struct keep_job {
	struct collector *c;
	struct slot *slot;
	size_t bytes;			/* that it is to have; 0: needs none */
	struct record_history *history;	/* taken over, or left */
};

static void size_history_job(void *arg)
{
	struct keep_job *job = arg;
	const struct slot *slot = job->slot;

	if (slot->history || !is_drained(slot))
		job->bytes = 0;
	else
		job->bytes = least_history(job->c, slot, job->bytes);
}

static void keep_history_job(void *arg)
{
	struct keep_job *job = arg;
	struct slot *slot = job->slot;

	if (slot->history || !is_drained(slot))
		return;
	pthread_mutex_lock(&job->c->lock);
	slot->history = job->history;
	pthread_mutex_unlock(&job->c->lock);
	slot->drain.history = job->history;
	job->history = NULL;
}

int collector_keep_history(struct collector *c, size_t bytes, struct err *err)
{
	struct keep_job job = { .c = c };
	struct reader *reader;

	pthread_mutex_lock(&c->lock);
	c->history_bytes = bytes;
	pthread_mutex_unlock(&c->lock);
	for (size_t i = 0; (job.slot = collector_slot(c, i)); i++) {
		reader = job.slot->reader;
		job.bytes = bytes;
		reader_run(reader, size_history_job, &job);
		if (!job.bytes)
			continue;
		/* a reader does not wait for memory */
		job.history = record_history_new(job.bytes);
		if (!job.history)
			return err_set(err, -ENOMEM,
				       "a history of %zu KiB of each ring: out of memory; use a smaller --history, or smaller rings (-m)",
				       job.bytes >> 10);
		reader_run(reader, keep_history_job, &job);
		record_history_free(job.history);
	}
	return 0;
}

const struct record_history *collector_history(struct collector *c,
					       size_t index)
{
	const struct record_history *history;

	pthread_mutex_lock(&c->lock);
	history = index < c->nr_slots ? c->slots[index]->history : NULL;
	pthread_mutex_unlock(&c->lock);
	return history;
}

static void do_nothing(void *arg)
{
	(void)arg;
}

/* Each reader has seen by now what was set before. */
static void pass_all(struct collector *c)
{
	for (size_t i = 0; i < c->nr_readers; i++)
		reader_run(c->readers[i], do_nothing, NULL);
}

void collector_begin_trace(struct collector *c, const struct aux_sink *sink)
{
	struct slot *slot;

	/* no reader empties an AUX ring once all readers have seen this */
	atomic_store(&c->aux_held, true);
	pass_all(c);
	atomic_store(&c->sink, sink);
	for (size_t i = 0; (slot = collector_slot(c, i)); i++)
		aux_lane_ring_wake(&slot->lane);
}

void collector_end_trace(struct collector *c)
{
	struct slot *slot;

	atomic_store(&c->sink, NULL);
	for (size_t i = 0; (slot = collector_slot(c, i)); i++)
		aux_lane_ring_wait(&slot->lane);
	atomic_store(&c->aux_held, false);
	pass_all(c);
}

void collector_flush_trace(struct collector *c)
{
	struct slot *slot;

	for (size_t i = 0; (slot = collector_slot(c, i)); i++)
		aux_lane_flush(slot);
}

void collector_leave_trace(struct collector *c, size_t index)
{
	const struct aux_ring none = { 0 };
	struct slot *slot = collector_slot(c, index);

	if (!slot)
		return;
	aux_lane_flush(slot);
	aux_lane_ring_set(&slot->lane, &none);
}

void collector_trace(struct collector *c, bool on)
{
	atomic_store(&c->aux_disabled, !on);
	pass_all(c);
}
