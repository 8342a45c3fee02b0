/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/collector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "collect/aux_lane.h"
#include "collect/collector_threads.h"
#include "collect/reader.h"
#include "collect/drain/sample_queue.h"
#include "collect/slot_histories.h"
#include "collect/slot_list.h"
#include "perf/abi/record.h"
#include "collect/record_clock.h"

enum {
	QUEUE_TURN = 64,		/* records of a reader in a row */
};

struct collector {
	struct collector_opts opts;
	struct record_clock clock;
	struct slot_list slots;
	struct collector_threads threads;
	struct slot_histories histories;
	_Atomic bool aux_held;	/* lanes empty the AUX rings into aux_sink;
				 * false: readers discard the contents */
	aux_sink_now aux_sink;	/* NULL: none */
	_Atomic bool aux_disabled;	/* no event is reenabled */

	/* used by the popping thread only */
	size_t popping;		/* reader whose turn it is */
	unsigned int turn;	/* records popped in this turn */
	uint64_t *popped;	/* time of each reader's last record, ns */
	uint64_t *marks;	/* by slot: the last mark that was popped */
	size_t room_marks;
	size_t behind;		/* reader of the slot that is furthest behind */
};

static void set_feed(struct slot *slot, const struct collector *c)
{
	struct drain_feed *feed = &slot->drain.feed;
	double level = c->opts.decode_rate / (double)MAX(c->opts.rings, 1);

	feed->queue = reader_queue(slot->reader);
	feed->slot = (uint32_t)slot->index;
	feed->switches = c->opts.switches;
	sampler_init(&feed->sampler, sys_now_ns() + slot->index, level);
	atomic_init(&slot->level, level);
	atomic_init(&slot->k, 1);
	/* not drained yet; an overwrite ring never is */
	slot_note_drained(slot);
}

/* PERF_SAMPLE_ADDR, if present, precedes the CPU (perf_event_open(2)). */
static uint32_t cpu_offset(uint64_t sample_type)
{
	return RECORD_SAMPLE_TIME + (sample_type & PERF_SAMPLE_ADDR ? 16 : 8);
}

static void set_trigger(struct slot *slot, const struct collector *c)
{
	struct drain *drain = &slot->drain;

	drain->trigger = c->opts.trigger;
	drain->slot = (uint32_t)slot->index;
	drain->cpu = slot->cpu;
	drain->cpu_at = cpu_offset(c->opts.sample_type);
	drain->apart = slot->apart;
}

static struct slot *make_slot(struct collector *c, size_t index,
			      const struct collector_ring *from)
{
	struct slot *slot = slot_new(index, from, &c->aux_sink, c->opts.self);

	if (!slot)
		return NULL;
	slot->clock = &c->clock;
	slot->aux_held = &c->aux_held;
	slot->aux_disabled = &c->aux_disabled;
	collector_threads_give(&c->threads, slot);
	aux_lane_ring_set(&slot->lane, &from->aux);
	set_feed(slot, c);
	set_trigger(slot, c);
	if (slot_histories_give(&c->histories, slot)) {
		slot_free(slot);
		return NULL;
	}
	return slot;
}

static int make_threads(struct collector *c, struct err *err)
{
	int ret = collector_threads_create(&c->threads, err);

	if (ret)
		return ret;
	c->popped = calloc(c->threads.nr_readers, sizeof(*c->popped));
	if (c->popped)
		return 0;
	return err_set(err, -ENOMEM, "starting the collector: out of memory");
}

struct collector *collector_new(const struct collector_opts *opts,
				struct err *err)
{
	struct collector *c = calloc(1, sizeof(*c));

	if (!c) {
		err_set(err, -ENOMEM, "starting the collector: out of memory");
		return NULL;
	}
	c->opts = *opts;
	record_clock_init(&c->clock, &opts->clock);
	slot_list_init(&c->slots);
	c->threads.opts = &c->opts;
	c->threads.slots = &c->slots;
	slot_histories_init(&c->histories, &c->slots, opts->apart_alone);
	if (make_threads(c, err) == 0)
		return c;
	collector_free(c);
	return NULL;
}

int collector_start(struct collector *c, struct err *err)
{
	return collector_threads_start(&c->threads, err);
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	collector_threads_end(&c->threads);
	slot_list_free(&c->slots);
	slot_histories_destroy(&c->histories);
	free(c->popped);
	free(c->marks);
	free(c);
}

size_t collector_fell_back(const struct collector *c)
{
	return collector_threads_fell_back(&c->threads);
}

/* A change to a slot, made on its reader's thread. */
struct change {
	struct slot *slot;
	const struct collector_ring *ring;
	int ret;
};

static void adopt_job(void *arg)
{
	struct change *change = arg;
	struct slot *slot = change->slot;

	reader_begin(slot->reader, slot->current);
	if (slot->current->nr_fds)
		change->ret = reader_poll(slot->reader, slot->current);
	if (change->ret)
		return;
	change->ret = reader_adopt(slot->reader, slot);
	if (change->ret)
		reader_unpoll(slot->reader, slot->current);
}

int collector_add(struct collector *c, const struct collector_ring *ring,
		  size_t *index, struct err *err)
{
	struct slot *slot = make_slot(c, c->slots.nr, ring);
	struct change change = { .slot = slot };

	if (!slot || slot_list_add(&c->slots, slot)) {
		slot_free(slot);
		return err_set(err, -ENOMEM, "adding a ring: out of memory");
	}
	reader_run(slot->reader, adopt_job, &change);
	if (change.ret) {
		err_errno(err, change.ret, "polling ring %zu", slot->index);
		slot_list_drop_last(&c->slots);
		return change.ret;
	}
	collector_threads_serve(&c->threads, slot);
	*index = slot->index;
	return 0;
}

/* Nothing is changed before all that can fail has succeeded. */
static void replace_job(void *arg)
{
	struct change *change = arg;
	const struct collector_ring *ring = change->ring;
	struct slot *slot = change->slot;
	struct slot_ring *fresh = slot_ring_new(slot, ring);
	struct drain drain = { 0 };

	change->ret = -ENOMEM;
	if (!fresh || drain_renew(&drain, &slot->drain, ring->ids, ring->tags,
				  ring->nr_ids) ||
	    slot_reserve(slot, drain.nr_events))
		goto fail;
	/* last, since it cannot be undone: an fd that both poll moves here */
	change->ret = fresh->nr_fds ? reader_poll(slot->reader, fresh) : 0;
	if (change->ret)
		goto fail;
	slot_set_drain(slot, &drain);
	slot->former = slot->current;
	slot->current = fresh;
	reader_begin(slot->reader, fresh);
	/* it is still empty */
	fresh->drained_ns = record_clock_now(slot->clock);
	/* offsets of another event start at 0, which is not a wrap */
	slot->drain.aux.last_end = 0;
	fresh->aux.truncated = slot->drain.aux.truncated;
	slot_mark_drained(slot);
	return;

fail:
	drain_free(&drain);
	slot_ring_free(fresh);
}

int collector_replace(struct collector *c, size_t index,
		      const struct collector_ring *ring, struct err *err)
{
	struct change change = {
		.slot = slot_list_get(&c->slots, index), .ring = ring,
	};

	if (!change.slot)
		return err_set(err, -EINVAL, "there is no ring %zu", index);
	if (change.slot->former)
		collector_retire(c, index);
	reader_run(change.slot->reader, replace_job, &change);
	if (change.ret)
		return err_errno(err, change.ret, "replacing ring %zu", index);
	aux_lane_ring_set(&change.slot->lane, &ring->aux);
	/* The kernel drops a CPU from the affinity when it goes offline. */
	collector_threads_pin(&c->threads, change.slot);
	return 0;
}

/*
 * No more samples come: the slot takes no share of the budget, and publishes a
 * k of 1.
 */
static void calm_sampler(struct slot *slot)
{
	struct sampler *sampler = &slot->drain.feed.sampler;

	sampler_init(sampler, sampler->random, sampler->rate);
	slot_note_feed(slot);
}

static void retire_job(void *arg)
{
	struct change *change = arg;
	struct slot *slot = change->slot;
	struct slot_ring **which = slot->former ? &slot->former
						: &slot->current;

	if (!*which)
		return;
	reader_drain(*which, DRAIN_FINAL);
	reader_unpoll(slot->reader, *which);
	slot->lost_retired += (*which)->lost;
	slot_ring_free(*which);
	*which = NULL;
	if (!slot->current)
		calm_sampler(slot);
	slot_mark_drained(slot);
}

uint64_t collector_retire(struct collector *c, size_t index)
{
	struct change change = { .slot = slot_list_get(&c->slots, index) };

	if (!change.slot)
		return 0;
	/* A writer in the kernel may still be using the old ring. */
	sys_grace_period();
	reader_run(change.slot->reader, retire_job, &change);
	return change.slot->lost_retired;
}

static void drain_job(void *arg)
{
	struct change *change = arg;

	if (change->slot->former)
		reader_drain(change->slot->former, DRAIN_FINAL);
	if (change->slot->current)
		reader_drain(change->slot->current, DRAIN_FINAL);
}

void collector_drain(struct collector *c, size_t index)
{
	struct change change = { .slot = slot_list_get(&c->slots, index) };

	if (change.slot)
		reader_run(change.slot->reader, drain_job, &change);
}

void collector_drain_all(struct collector *c)
{
	for (size_t i = 0; slot_list_get(&c->slots, i); i++)
		collector_drain(c, i);
}

void collector_read(struct collector *c, size_t index,
		    struct ring_stats *stats, uint64_t *samples, size_t nr,
		    uint64_t *recent_peak)
{
	struct slot *slot = slot_list_get(&c->slots, index);

	if (slot)
		slot_read(slot, stats, samples, nr, recent_peak);
}

/* Without memory it is forgotten: the slot then waits for an empty queue. */
static void take_mark(struct collector *c, uint32_t slot, const void *record)
{
	uint64_t time;

	memcpy(&time, record, sizeof(time));
	if (array_fit_zero(c->marks, c->room_marks, (size_t)slot + 1) == 0)
		c->marks[slot] = time;
	if (time != UINT64_MAX)
		c->popped[c->popping] = MAX(c->popped[c->popping], time);
}

/* The next record of the reader whose turn it is. */
static const void *pop_turn(struct collector *c, struct queued *head)
{
	struct sample_queue *queue =
		reader_queue(c->threads.readers[c->popping]);
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
	size_t best = c->threads.nr_readers;

	for (size_t i = 1; i <= c->threads.nr_readers; i++) {
		size_t at = (c->popping + i) % c->threads.nr_readers;
		struct sample_queue *queue =
			reader_queue(c->threads.readers[at]);

		if (queue && sample_queue_waits(queue) &&
		    (best == c->threads.nr_readers ||
		     c->popped[at] < c->popped[best]))
			best = at;
	}
	if (best == c->threads.nr_readers)
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
			       const struct slot *slot, uint64_t least)
{
	/* before the queue: what is in it then was drained later */
	uint64_t drained = atomic_load_explicit(&slot->drained_to,
						memory_order_acquire);
	uint64_t mark = slot->index < c->room_marks ? c->marks[slot->index] : 0;
	struct sample_queue *queue = reader_queue(slot->reader);

	if (!queue || !sample_queue_waits(queue))
		return MAX(drained, least);
	/* one that overwrites is never drained, and has no mark */
	return !mark && drained == UINT64_MAX ? drained : mark;
}

static size_t reader_index(const struct collector *c,
			   const struct reader *reader)
{
	size_t i = 0;

	while (i + 1 < c->threads.nr_readers && c->threads.readers[i] != reader)
		i++;
	return i;
}

uint64_t collector_popped_to(struct collector *c, uint64_t least)
{
	uint64_t all = collector_now(c);
	const struct reader *behind = NULL;

	pthread_mutex_lock(&c->slots.lock);
	for (size_t i = 0; i < c->slots.nr; i++) {
		const struct slot *slot = c->slots.slots[i];
		uint64_t to = slot_popped_to(c, slot, least);

		if (to >= all)
			continue;
		all = to;
		behind = slot->reader;
	}
	pthread_mutex_unlock(&c->slots.lock);
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
	uint64_t least = collector_now(c);

	pthread_mutex_lock(&c->slots.lock);
	for (size_t i = 0; i < c->slots.nr; i++) {
		uint64_t to =
			atomic_load_explicit(&c->slots.slots[i]->drained_to,
					     memory_order_acquire);

		least = MIN(least, to);
	}
	pthread_mutex_unlock(&c->slots.lock);
	return least;
}

void collector_queue_stats(struct collector *c,
			   struct collector_queue_stats *stats)
{
	*stats = (struct collector_queue_stats){ .decode_every = 1 };
	for (size_t i = 0; i < c->threads.nr_readers; i++) {
		const struct sample_queue *queue =
			reader_queue(c->threads.readers[i]);

		if (!queue)
			continue;
		stats->dropped += sample_queue_dropped(queue);
		stats->crowded += sample_queue_times_crowded(queue);
		stats->side_band_lost += sample_queue_side_band_lost(queue);
	}
	pthread_mutex_lock(&c->slots.lock);
	for (size_t i = 0; i < c->slots.nr; i++) {
		uint32_t k = atomic_load_explicit(&c->slots.slots[i]->k,
						  memory_order_relaxed);

		stats->decode_every = MAX(stats->decode_every, k);
	}
	pthread_mutex_unlock(&c->slots.lock);
}

int collector_keep_history(struct collector *c, size_t bytes, struct err *err)
{
	return slot_histories_keep(&c->histories, bytes, err);
}

const struct record_history *collector_history(struct collector *c,
					       size_t index)
{
	return slot_histories_get(&c->histories, index);
}

int collector_history_fd(struct collector *c)
{
	return c->histories.fd;
}

void collector_watch_history(struct collector *c, size_t index, uint64_t at)
{
	slot_histories_watch(&c->histories, index, at);
}

void collector_begin_trace(struct collector *c, const struct aux_sink *sink)
{
	struct slot *slot;

	/* no reader empties an AUX ring once all readers have seen this */
	atomic_store(&c->aux_held, true);
	collector_threads_pass(&c->threads);
	atomic_store(&c->aux_sink, sink);
	for (size_t i = 0; (slot = slot_list_get(&c->slots, i)); i++)
		aux_lane_ring_wake(&slot->lane);
}

void collector_end_trace(struct collector *c)
{
	struct slot *slot;

	atomic_store(&c->aux_sink, NULL);
	for (size_t i = 0; (slot = slot_list_get(&c->slots, i)); i++)
		aux_lane_ring_wait(&slot->lane);
	atomic_store(&c->aux_held, false);
	collector_threads_pass(&c->threads);
}

void collector_flush_trace(struct collector *c)
{
	struct slot *slot;

	for (size_t i = 0; (slot = slot_list_get(&c->slots, i)); i++)
		aux_lane_flush(slot);
}

void collector_leave_trace(struct collector *c, size_t index)
{
	const struct aux_ring none = { 0 };
	struct slot *slot = slot_list_get(&c->slots, index);

	if (!slot)
		return;
	aux_lane_flush(slot);
	aux_lane_ring_set(&slot->lane, &none);
}

void collector_trace(struct collector *c, bool on)
{
	atomic_store(&c->aux_disabled, !on);
	collector_threads_pass(&c->threads);
}
