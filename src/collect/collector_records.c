/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What drains keep of records: queues of copies, which one thread pops, and
 * histories (record_history.h).
 */
#include "collect/collector_state.h"

#include <errno.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/err.h"
#include "collect/drain/record_history.h"
#include "collect/drain/sample_queue.h"
#include "collect/slot.h"
#include "perf/abi/record.h"

enum { QUEUE_TURN = 64 };	/* records of a reader in a row */

/* Without memory it is forgotten: the slot then waits for an empty queue. */
static void take_mark(struct collector *c, uint32_t slot, const void *record)
{
	uint64_t time;

	memcpy(&time, record, sizeof(time));
	if (array_fit_zero(c->marks, c->marks_cap, (size_t)slot + 1) == 0)
		c->marks[slot] = time;
	if (time != UINT64_MAX)
		c->popped[c->popping] = MAX(c->popped[c->popping], time);
}

/* The next record of the reader whose turn it is. */
static const void *pop_turn(struct collector *c, struct queued *head)
{
	struct sample_queue *queue =
		reader_queue(c->readers[c->popping]);
	const void *record = queue ? sample_queue_pop(queue, head) : NULL;
	uint64_t time;

	for (; record && sample_queue_is_mark(head);
	     record = sample_queue_pop(queue, head))
		take_mark(c, head->slot, record);
	time = record ? record_time(record, head->size) : 0;
	if (time)
		c->popped[c->popping] = time;
	c->turn++;
	return record;
}

/*
 * Of the readers with queued records, the one that is furthest behind is next:
 * the resolver can reorder only so many records.
 */
static bool begin_turn(struct collector *c)
{
	size_t best = c->nr_readers;

	for (size_t i = 1; i <= c->nr_readers; i++) {
		size_t at = (c->popping + i) % c->nr_readers;
		struct sample_queue *queue =
			reader_queue(c->readers[at]);

		if (queue && sample_queue_waits(queue) &&
		    (best == c->nr_readers ||
		     c->popped[at] < c->popped[best]))
			best = at;
	}
	if (best == c->nr_readers)
		return false;
	c->popping = best;
	c->turn = 0;
	return true;
}

const void *collector_pop(struct collector *c, struct queued *head)
{
	const void *record = c->turn < QUEUE_TURN ? pop_turn(c, head) : NULL;

	/* again if a queue held marks only */
	while (!record && begin_turn(c))
		record = pop_turn(c, head);
	return record;
}

const void *collector_pop_behind(struct collector *c, struct queued *head)
{
	c->popping = c->behind;
	c->turn = 0;
	return pop_turn(c, head);
}

/* See collector_popped_to(); of one slot. */
static uint64_t slot_popped_to(const struct collector *c,
			       const struct slot *slot, uint64_t min)
{
	/* before the queue: what is in it then was drained later */
	uint64_t drained = atomic_load_explicit(&slot->drained_to,
						memory_order_acquire);
	uint64_t mark = slot->index < c->marks_cap ? c->marks[slot->index] : 0;
	struct sample_queue *queue = reader_queue(slot->reader);

	if (!queue || !sample_queue_waits(queue))
		return MAX(drained, min);
	/* one that overwrites is never drained, and has no mark */
	return !mark && drained == UINT64_MAX ? drained : mark;
}

static size_t reader_index(const struct collector *c,
			   const struct reader *reader)
{
	size_t i = 0;

	while (i + 1 < c->nr_readers && c->readers[i] != reader)
		i++;
	return i;
}

uint64_t collector_popped_to(struct collector *c, uint64_t min)
{
	uint64_t all = collector_now(c);
	const struct reader *behind = NULL;

	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->nr_slots; i++) {
		const struct slot *slot = c->slots[i];
		uint64_t to = slot_popped_to(c, slot, min);

		if (to >= all)
			continue;
		all = to;
		behind = slot->reader;
	}
	pthread_mutex_unlock(&c->lock);
	if (behind)
		c->behind = reader_index(c, behind);
	return all;
}

uint64_t collector_now(const struct collector *c)
{
	return record_clock_now(&c->clock);
}

uint64_t collector_drained_to(struct collector *c)
{
	uint64_t min = collector_now(c);

	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->nr_slots; i++) {
		uint64_t to =
			atomic_load_explicit(&c->slots[i]->drained_to,
					     memory_order_acquire);

		min = MIN(min, to);
	}
	pthread_mutex_unlock(&c->lock);
	return min;
}

void collector_queue_stats(struct collector *c,
			   struct collector_queue_stats *stats)
{
	*stats = (struct collector_queue_stats){ .decode_every = 1 };
	for (size_t i = 0; i < c->nr_readers; i++) {
		const struct sample_queue *queue =
			reader_queue(c->readers[i]);

		if (!queue)
			continue;
		stats->dropped += sample_queue_dropped(queue);
		stats->crowded += sample_queue_times_crowded(queue);
		stats->side_band_lost += sample_queue_side_band_lost(queue);
	}
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->nr_slots; i++) {
		uint32_t k = atomic_load_explicit(&c->slots[i]->k,
						  memory_order_relaxed);

		stats->decode_every = MAX(stats->decode_every, k);
	}
	pthread_mutex_unlock(&c->lock);
}

/* Histories. */

/* Overwrite rings are read on request only, so they need no history. */
static bool is_drained(const struct slot *slot)
{
	return slot->current && !slot->current->ring.overwrite;
}

/*
 * At least the size of the ring, since a drain may read a full one.  A ring
 * of side-band only gets no more: it has little, and the memory is for the
 * others, unless these are not drained.
 */
static size_t min_history(const struct collector *c,
			  const struct slot *slot, size_t bytes)
{
	size_t min = slot->current->ring.size;

	if (slot->side_band_only && !c->opts.drains_side_band)
		return min;
	return MAX(bytes, min);
}

int collector_records_give(struct collector *c, struct slot *slot)
{
	size_t bytes;

	pthread_mutex_lock(&c->lock);
	bytes = c->history_bytes;
	pthread_mutex_unlock(&c->lock);
	if (!bytes || !is_drained(slot))
		return 0;
	slot->history = record_history_new(min_history(c, slot, bytes));
	slot->drain.history = slot->history;
	return slot->history ? 0 : -ENOMEM;
}

static struct record_history *history_of(struct collector *c, size_t index)
{
	struct record_history *history;

	pthread_mutex_lock(&c->lock);
	history = index < c->nr_slots ? c->slots[index]->history : NULL;
	pthread_mutex_unlock(&c->lock);
	return history;
}

const struct record_history *collector_history(struct collector *c,
					       size_t index)
{
	return history_of(c, index);
}

int collector_history_fd(struct collector *c)
{
	return c->history_fd;
}

void collector_watch_history(struct collector *c, size_t index, uint64_t at)
{
	struct record_history *history = history_of(c, index);

	if (history)
		record_history_watch(history, c->history_fd, at);
}

struct keep_job {
	struct collector *c;
	struct slot *slot;
	size_t bytes;			/* of its history; 0: needs none */
	struct record_history *history;	/* NULL once the slot has it */
};

static void size_history_job(void *arg)
{
	struct keep_job *job = arg;
	const struct slot *slot = job->slot;

	if (slot->history || !is_drained(slot))
		job->bytes = 0;
	else
		job->bytes = min_history(job->c, slot, job->bytes);
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

static void set_bytes(struct collector *c, size_t bytes)
{
	pthread_mutex_lock(&c->lock);
	c->history_bytes = bytes;
	pthread_mutex_unlock(&c->lock);
}

int collector_keep_history(struct collector *c, size_t bytes, struct err *err)
{
	struct keep_job job = { .c = c };
	struct reader *reader;

	set_bytes(c, bytes);
	for (size_t i = 0; (job.slot = collector_slot(c, i)); i++) {
		reader = job.slot->reader;
		job.bytes = bytes;
		reader_run(reader, size_history_job, &job);
		if (!job.bytes)
			continue;
		/* here, since a reader must not wait for memory */
		job.history = record_history_new(job.bytes);
		if (!job.history) {
			set_bytes(c, 0);
			return err_set(err, -ENOMEM,
				       "a history of %zu KiB of each ring: out of memory; use a smaller --history, or smaller rings (-m)",
				       job.bytes >> 10);
		}
		reader_run(reader, keep_history_job, &job);
		record_history_free(job.history);
	}
	return 0;
}
