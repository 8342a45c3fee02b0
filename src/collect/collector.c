/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/collector_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/param.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/word_copy.h"
#include "collect/record_history.h"
#include "collect/reader_aux.h"
#include "collect/sample_queue.h"
#include "perf/abi/record.h"

enum {
	QUEUE_TURN = 64,		/* records of a reader at a time */
};

static void slot_ring_free(struct slot_ring *ring)
{
	if (!ring)
		return;
	reader_aux_free(&ring->aux);
	free(ring->fds);
	free(ring->call_fds);
	free(ring->calls);
	free(ring);
}

/* A copy that the caller frees, also if @nr is 0; NULL if out of memory. */
static int *copy_fds(const int *fds, size_t nr)
{
	int *copy = calloc(nr + 1, sizeof(*copy));

	if (copy && nr)
		memcpy(copy, fds, nr * sizeof(*copy));
	return copy;
}

static struct slot_ring *slot_ring_new(struct slot *slot,
				       const struct collector_ring *from)
{
	struct slot_ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->slot = slot;
	ring->ring = from->ring;
	ring->nr_fds = from->nr_fds;
	ring->fds = copy_fds(from->fds, from->nr_fds);
	ring->nr_call_fds = from->nr_call_fds;
	ring->call_fds = copy_fds(from->call_fds, from->nr_call_fds);
	ring->calls = calloc(from->nr_call_fds + 1, sizeof(*ring->calls));
	if (!ring->fds || !ring->call_fds || !ring->calls ||
	    reader_aux_init(&ring->aux, from)) {
		slot_ring_free(ring);
		return NULL;
	}
	return ring;
}

static void slot_free(struct slot *slot)
{
	if (!slot)
		return;
	slot_ring_free(slot->current);
	slot_ring_free(slot->former);
	record_history_free(slot->history);
	drain_free(&slot->drain);
	free(slot->samples);
	aux_lane_ring_destroy(&slot->lane);
	pthread_mutex_destroy(&slot->layout);
	free(slot);
}

/* Room to publish the samples of @nr events, no fewer than now. */
static int slot_reserve(struct slot *slot, uint32_t nr)
{
	uint64_t *samples;

	if (slot->samples && nr == slot->nr_samples)
		return 0;
	pthread_mutex_lock(&slot->layout);
	samples = realloc(slot->samples, (nr + 1) * sizeof(*samples));
	if (samples)
		slot->samples = samples;
	pthread_mutex_unlock(&slot->layout);
	return samples ? 0 : -ENOMEM;
}

/* Go on with @drain, for whose events there is room. */
static void slot_set_drain(struct slot *slot, const struct drain *drain)
{
	drain_free(&slot->drain);
	slot->drain = *drain;
	pthread_mutex_lock(&slot->layout);
	slot->nr_samples = drain->nr_events;
	memcpy(slot->samples, drain->samples,
	       drain->nr_events * sizeof(*slot->samples));
	pthread_mutex_unlock(&slot->layout);
}

static void slot_set_feed(struct slot *slot, const struct collector *c)
{
	struct drain_feed *feed = &slot->drain.feed;
	double level = c->opts.decode_rate / (double)MAX(c->opts.rings, 1);

	feed->queue = reader_queue(slot->reader);
	feed->slot = (uint32_t)slot->index;
	feed->switches = c->opts.switches;
	sampler_init(&feed->sampler, sys_now_ns() + slot->index, level);
	atomic_init(&slot->level, level);
	atomic_init(&slot->k, 1);
	/* not drained yet; of an overwrite ring, never */
	reader_note_drained(slot);
}

/* PERF_SAMPLE_ADDR stands before the CPU (perf_event_open(2)). */
static uint32_t cpu_offset(uint64_t sample_type)
{
	return RECORD_SAMPLE_TIME + (sample_type & PERF_SAMPLE_ADDR ? 16 : 8);
}

static void slot_set_trigger(struct slot *slot, const struct collector *c)
{
	struct drain *drain = &slot->drain;

	drain->trigger = c->opts.trigger;
	drain->slot = (uint32_t)slot->index;
	drain->cpu = slot->cpu;
	drain->cpu_at = cpu_offset(c->opts.sample_type);
	drain->apart = slot->apart;
}

static struct slot *slot_new(struct collector *c, size_t index,
			     const struct collector_ring *from)
{
	struct slot *slot = calloc(1, sizeof(*slot));
	struct drain drain = { 0 };

	if (!slot)
		return NULL;
	slot->index = index;
	slot->cpu = from->cpu;
	slot->apart = from->apart;
	slot->clock = &c->clock;
	slot->aux_held = &c->aux_held;
	slot->aux_disabled = &c->aux_disabled;
	pthread_mutex_init(&slot->layout, NULL);
	aux_lane_ring_init(&slot->lane, &c->sink);
	ck_sequence_init(&slot->sequence);
	slot->current = slot_ring_new(slot, from);
	if (!slot->current ||
	    drain_init(&drain, from->ids, from->tags, from->nr_ids,
		       c->opts.self) ||
	    slot_reserve(slot, drain.nr_events)) {
		drain_free(&drain);
		slot_free(slot);
		return NULL;
	}
	slot_set_drain(slot, &drain);
	collector_give_thread(c, slot);
	aux_lane_ring_set(&slot->lane, &from->aux);
	slot_set_feed(slot, c);
	slot_set_trigger(slot, c);
	if (collector_keep(c, slot)) {
		slot_free(slot);
		return NULL;
	}
	return slot;
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
	c->history_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	record_clock_init(&c->clock, &opts->clock);
	pthread_mutex_init(&c->lock, NULL);
	if (collector_make_threads(c, err) == 0)
		return c;
	collector_free(c);
	return NULL;
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	collector_end_threads(c);
	for (size_t i = 0; i < c->nr_slots; i++)
		slot_free(c->slots[i]);
	free(c->slots);
	free(c->arrivals);
	sys_close(c->history_fd);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

struct slot *collector_slot(struct collector *c, size_t index)
{
	struct slot *slot;

	pthread_mutex_lock(&c->lock);
	slot = index < c->nr_slots ? c->slots[index] : NULL;
	pthread_mutex_unlock(&c->lock);
	return slot;
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

static int append_slot(struct collector *c, struct slot *slot)
{
	struct slot **slots;
	double *arrivals;

	pthread_mutex_lock(&c->lock);
	slots = realloc(c->slots, (c->nr_slots + 1) * sizeof(*slots));
	if (slots)
		c->slots = slots;
	arrivals = realloc(c->arrivals, (c->nr_slots + 1) * sizeof(*arrivals));
	if (arrivals)
		c->arrivals = arrivals;
	if (slots && arrivals)
		c->slots[c->nr_slots++] = slot;
	pthread_mutex_unlock(&c->lock);
	return slots && arrivals ? 0 : -ENOMEM;
}

/* The last one, which no reader serves. */
static void drop_last_slot(struct collector *c)
{
	struct slot *slot;

	pthread_mutex_lock(&c->lock);
	slot = c->slots[--c->nr_slots];
	pthread_mutex_unlock(&c->lock);
	slot_free(slot);
}

int collector_add(struct collector *c, const struct collector_ring *ring,
		  size_t *index, struct err *err)
{
	struct slot *slot = slot_new(c, c->nr_slots, ring);
	struct change change = { .slot = slot };

	if (!slot || append_slot(c, slot)) {
		slot_free(slot);
		return err_set(err, -ENOMEM, "adding a ring: out of memory");
	}
	reader_run(slot->reader, adopt_job, &change);
	if (change.ret) {
		err_set(err, change.ret, "polling ring %zu: %s", slot->index,
			strerror(-change.ret));
		drop_last_slot(c);
		return change.ret;
	}
	collector_serve(c, slot);
	*index = slot->index;
	return 0;
}

/* As long as it can fail, nothing is changed. */
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
	/* last, for it is not undone: an fd of both rings is this one's now */
	change->ret = fresh->nr_fds ? reader_poll(slot->reader, fresh) : 0;
	if (change->ret)
		goto fail;
	slot_set_drain(slot, &drain);
	slot->former = slot->current;
	slot->current = fresh;
	reader_begin(slot->reader, fresh);
	/* nobody has written to it yet */
	fresh->drained_ns = record_clock_now(slot->clock);
	/* another event's offsets begin anew, which is no wrap */
	slot->drain.aux.last_end = 0;
	fresh->aux.truncated = slot->drain.aux.truncated;
	reader_note_drained(slot);
	return;

fail:
	drain_free(&drain);
	slot_ring_free(fresh);
}

int collector_replace(struct collector *c, size_t index,
		      const struct collector_ring *ring, struct err *err)
{
	struct change change = { .slot = collector_slot(c, index), .ring = ring };

	if (!change.slot)
		return err_set(err, -EINVAL, "there is no ring %zu", index);
	if (change.slot->former)
		collector_retire(c, index);
	reader_run(change.slot->reader, replace_job, &change);
	if (change.ret)
		return err_set(err, change.ret, "replacing ring %zu: %s",
			       index, strerror(-change.ret));
	aux_lane_ring_set(&change.slot->lane, &ring->aux);
	/* The kernel forgot that its CPU was wanted if that was offline. */
	collector_pin(c, change.slot);
	return 0;
}

/*
 * No samples come any more: neither is a share of the budget kept for them,
 * nor do others hear of a k.
 */
static void calm_sampler(struct slot *slot)
{
	struct sampler *sampler = &slot->drain.feed.sampler;

	sampler_init(sampler, sampler->random, sampler->rate);
	reader_note_feed(slot);
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
	reader_note_drained(slot);
}

uint64_t collector_retire(struct collector *c, size_t index)
{
	struct change change = { .slot = collector_slot(c, index) };

	if (!change.slot)
		return 0;
	/* A writer that saw the old ring may still be in it. */
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
	struct change change = { .slot = collector_slot(c, index) };

	if (change.slot)
		reader_run(change.slot->reader, drain_job, &change);
}

void collector_drain_all(struct collector *c)
{
	for (size_t i = 0; collector_slot(c, i); i++)
		collector_drain(c, i);
}

void collector_read(struct collector *c, size_t index,
		    struct ring_stats *stats, uint64_t *samples, size_t nr,
		    uint64_t *recent_peak)
{
	struct slot *slot = collector_slot(c, index);
	unsigned int version;
	uint64_t passes;
	size_t known;

	if (!slot)
		return;
	pthread_mutex_lock(&slot->layout);
	known = nr < slot->nr_samples ? nr : slot->nr_samples;
	do {
		version = ck_sequence_read_begin(&slot->sequence);
		word_copy_load(stats, &slot->published.stats, sizeof(*stats));
		word_copy_load(&passes, &slot->published.passes,
			       sizeof(passes));
		word_copy_load(samples, slot->samples,
			       known * sizeof(*samples));
	} while (ck_sequence_read_retry(&slot->sequence, version));
	pthread_mutex_unlock(&slot->layout);
	/* no pass since the last reading */
	if (atomic_exchange(&slot->taken, passes) == passes)
		ring_stats_begin(stats);
	memset(samples + known, 0, (nr - known) * sizeof(*samples));
	*recent_peak = atomic_exchange(&slot->recent_peak, 0);
}

/* The next record of the reader whose turn it is. */
static const void *pop_turn(struct collector *c, struct queued *head)
{
	struct sample_queue *queue = reader_queue(c->readers[c->popping]);
	const void *record = queue ? sample_queue_pop(queue, head) : NULL;
	uint64_t time = record ? record_time(record, head->size) : 0;

	if (time)
		c->popped[c->popping] = time;
	c->turn++;
	return record;
}

/*
 * Of the readers that have records the one that is furthest behind is next:
 * when there is no room to hold more of them, what comes too late is out of
 * order.
 */
static bool begin_turn(struct collector *c)
{
	size_t best = c->nr_readers;

	for (size_t i = 1; i <= c->nr_readers; i++) {
		size_t at = (c->popping + i) % c->nr_readers;
		struct sample_queue *queue = reader_queue(c->readers[at]);

		if (queue && sample_queue_waits(queue) &&
		    (best == c->nr_readers || c->popped[at] < c->popped[best]))
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

	if (!record && begin_turn(c))
		record = pop_turn(c, head);
	return record;
}

uint64_t collector_now(const struct collector *c)
{
	return record_clock_now(&c->clock);
}

uint64_t collector_drained_to(struct collector *c)
{
	uint64_t least = collector_now(c);

	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->nr_slots; i++) {
		uint64_t to = atomic_load_explicit(&c->slots[i]->drained_to,
						   memory_order_acquire);

		least = MIN(least, to);
	}
	pthread_mutex_unlock(&c->lock);
	return least;
}

void collector_queue_stats(struct collector *c,
			   struct collector_queue_stats *stats)
{
	*stats = (struct collector_queue_stats){ .decode_every = 1 };
	for (size_t i = 0; i < c->nr_readers; i++) {
		const struct sample_queue *queue = reader_queue(c->readers[i]);

		if (!queue)
			continue;
		stats->dropped += sample_queue_dropped(queue);
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
