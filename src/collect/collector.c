/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/collector_state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "collect/drain/sample_queue.h"
#include "collect/slot.h"
#include "perf/abi/record.h"

/*
 * The threads: readers and, in full trace, lanes, which serve the same slots on
 * the same CPUs with the same priority.
 *
 * Many readers share a lane: all lanes write to one file, and the kernel lets
 * only one thread at a time write to it.  Measured in an emulator with four
 * CPUs on one core and 16 MB/s of trace on each: one lane lost less than four.
 */
enum {
	COLLECTOR_RINGS_PER_READER = 64,
	READERS_PER_LANE = 16,
	QUEUE_BYTES = 4 << 20,		/* of all readers together, at least */
	QUEUE_MIN = 256 << 10,	/* of each reader */
	SAMPLE_BYTES = 256,		/* of a decoded sample, on average */
};

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "starting the collector: out of memory");
}

/*
 * On a reader's timer: share the budget of samples to decode between the slots.
 * If the lock is held, leave it to the next tick: readers do not wait.
 */
static void share_budget(void *ctx)
{
	struct collector *c = ctx;
	double level;

	if (pthread_mutex_trylock(&c->lock))
		return;
	for (size_t i = 0; i < c->nr_slots; i++)
		c->arrivals[i] = atomic_load_explicit(&c->slots[i]->arrivals,
						      memory_order_relaxed);
	level = sampler_level(c->opts.decode_rate, c->arrivals, c->nr_slots);
	for (size_t i = 0; i < c->nr_slots; i++)
		atomic_store_explicit(&c->slots[i]->level, level,
				      memory_order_relaxed);
	pthread_mutex_unlock(&c->lock);
}

/* Room for the samples of half a second, in case the resolver is late. */
static size_t queue_bytes(double decode_rate, size_t nr)
{
	double bytes = fmin(decode_rate * SAMPLE_BYTES / 2, 1 << 30);

	return MAX(MAX((size_t)bytes, QUEUE_BYTES) / nr, QUEUE_MIN);
}

static int make_readers(struct collector *c, size_t nr, struct err *err)
{
	struct reader_opts opts = {
		.interval = c->opts.interval,
		.hangup = c->opts.hangup,
		.ctx = c->opts.ctx,
		.roam = c->opts.roam,
	};

	if (c->opts.decode_rate > 0 || c->opts.side_band)
		opts.queue_bytes = queue_bytes(c->opts.decode_rate, nr);
	if (c->opts.decode_rate > 0) {
		opts.tick = share_budget;
		opts.tick_ctx = c;
	}
	for (; c->nr_readers < nr; c->nr_readers++) {
		struct reader *reader = reader_new(&opts, err);

		if (!reader)
			return -1;
		c->readers[c->nr_readers] = reader;
		opts.tick = NULL;	/* the first reader does it for all */
	}
	return 0;
}

static int make_lanes(struct collector *c, struct err *err)
{
	size_t nr = (c->nr_readers + READERS_PER_LANE - 1) / READERS_PER_LANE;

	if (!c->opts.lanes)
		return 0;
	c->lanes = calloc(nr, sizeof(*c->lanes));
	if (!c->lanes)
		return no_memory(err);
	for (; c->nr_lanes < nr; c->nr_lanes++) {
		struct aux_lane *lane = aux_lane_new(c->opts.roam, err);

		if (!lane)
			return -1;
		c->lanes[c->nr_lanes] = lane;
	}
	return 0;
}

/* Create the threads that .opts asks for.  0 or -errno with @err. */
static int threads_create(struct collector *c, struct err *err)
{
	size_t nr = c->opts.readers ? c->opts.readers :
		    (c->opts.rings + COLLECTOR_RINGS_PER_READER - 1) /
			    COLLECTOR_RINGS_PER_READER;
	int ret;

	nr = (nr ? nr : 1) + c->opts.side_band_rings;
	c->readers = calloc(nr, sizeof(*c->readers));
	c->popped = calloc(nr, sizeof(*c->popped));
	if (!c->readers || !c->popped)
		return no_memory(err);
	ret = make_readers(c, nr, err);
	return ret ? ret : make_lanes(c, err);
}

/* Stop and join them; harmless if not all were created or started. */
static void threads_end(struct collector *c)
{
	/* lanes first: they may wait for their reader */
	for (size_t i = 0; i < c->nr_lanes; i++)
		aux_lane_free(c->lanes[i]);
	for (size_t i = 0; i < c->nr_readers; i++)
		reader_free(c->readers[i]);
	free(c->readers);
	free(c->lanes);
}

/*
 * Neighbouring CPUs share a reader, so that --affinity is of use.  The last
 * reader handles the rings that have side-band only.
 */
static size_t reader_for(const struct collector *c, size_t slot,
			 bool side_band_only)
{
	size_t rings = c->opts.rings ? c->opts.rings : 1;
	size_t nr = c->nr_readers - c->opts.side_band_rings;
	size_t i = slot * nr / rings;

	if (side_band_only)
		return c->nr_readers - 1;
	return i < nr ? i : nr - 1;
}

/* Assign a reader and a lane to @slot, which has none yet. */
static void threads_assign(const struct collector *c, struct slot *slot)
{
	size_t reader = reader_for(c, slot->index, slot->side_band_only);

	slot->reader = c->readers[reader];
	if (c->nr_lanes)
		aux_lane_assign(c->lanes[reader * c->nr_lanes / c->nr_readers],
				slot);
}

/* The CPUs of the slots of @reader or, if that is NULL, of @lane. */
static size_t list_cpus(const struct collector *c,
			const struct reader *reader,
			const struct aux_lane *lane, int *cpus)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_slots; i++) {
		const struct slot *slot = c->slots[i];

		if (slot->cpu >= 0 && (reader ? slot->reader == reader :
						slot->lane.of == lane))
			cpus[nr++] = slot->cpu;
	}
	return nr;
}

/* Pin @reader or, if that is NULL, @lane to those CPUs. */
static void pin(const struct collector *c, struct reader *reader,
		struct aux_lane *lane)
{
	int *cpus = calloc(c->nr_slots + 1, sizeof(*cpus));
	size_t nr = cpus ? list_cpus(c, reader, lane, cpus) : 0;

	if (reader)
		reader_pin(reader, cpus, nr);
	else
		aux_lane_pin(lane, cpus, nr);
	free(cpus);
}

int collector_start(struct collector *c, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < c->nr_readers; i++) {
		ret = reader_start(c->readers[i], err);
		if (!ret && c->opts.affinity)
			pin(c, c->readers[i], NULL);
	}
	for (size_t i = 0; !ret && i < c->nr_lanes; i++) {
		ret = aux_lane_start(c->lanes[i], err);
		if (!ret && c->opts.affinity)
			pin(c, NULL, c->lanes[i]);
	}
	return ret;
}

size_t collector_fell_back(const struct collector *c)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_readers; i++)
		nr += reader_fell_back(c->readers[i]);
	return nr;
}

/* Pin the threads of @slot to the CPUs of their rings, if .opts says so. */
static void threads_pin(const struct collector *c, const struct slot *slot)
{
	if (!c->opts.affinity)
		return;
	pin(c, slot->reader, NULL);
	if (slot->lane.of)
		pin(c, NULL, slot->lane.of);
}

static void do_nothing(void *arg)
{
	(void)arg;
}

/* On return, every reader has seen the values stored before the call. */
static void threads_pass(const struct collector *c)
{
	for (size_t i = 0; i < c->nr_readers; i++)
		reader_run(c->readers[i], do_nothing, NULL);
}

struct slot *collector_slot(struct collector *c, size_t index)
{
	struct slot *slot;

	pthread_mutex_lock(&c->lock);
	slot = index < c->nr_slots ? c->slots[index] : NULL;
	pthread_mutex_unlock(&c->lock);
	return slot;
}

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

static void set_trigger(struct slot *slot, const struct collector *c)
{
	struct drain *drain = &slot->drain;

	drain->trigger = c->opts.trigger;
	drain->slot = (uint32_t)slot->index;
	drain->cpu = slot->cpu;
	/* PERF_SAMPLE_ADDR, if present, precedes it (perf_event_open(2)) */
	drain->cpu_at = RECORD_SAMPLE_TIME +
			(c->opts.sample_type & PERF_SAMPLE_ADDR ? 16 : 8);
	drain->side_band_only = slot->side_band_only;
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
	threads_assign(c, slot);
	aux_lane_ring_set(&slot->lane, &from->aux);
	set_feed(slot, c);
	set_trigger(slot, c);
	if (collector_records_give(c, slot)) {
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
	record_clock_init(&c->clock, &opts->clock);
	pthread_mutex_init(&c->lock, NULL);
	c->history_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (threads_create(c, err) == 0)
		return c;
	collector_free(c);
	return NULL;
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	threads_end(c);
	for (size_t i = 0; i < c->nr_slots; i++)
		slot_free(c->slots[i]);
	free(c->slots);
	free(c->arrivals);
	pthread_mutex_destroy(&c->lock);
	sys_close(c->history_fd);
	free(c->popped);
	free(c->marks);
	free(c);
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

/* Takes over @slot, as the last one.  0 or -ENOMEM. */
static int list_slot(struct collector *c, struct slot *slot)
{
	size_t nr = c->nr_slots + 1;
	int ret;

	pthread_mutex_lock(&c->lock);
	ret = array_fit(c->slots, c->slots_cap, nr);
	if (!ret)
		ret = array_fit(c->arrivals, c->arrivals_cap, nr);
	if (!ret)
		c->slots[c->nr_slots++] = slot;
	pthread_mutex_unlock(&c->lock);
	return ret;
}

int collector_add(struct collector *c, const struct collector_ring *ring,
		  size_t *index, struct err *err)
{
	struct slot *slot = make_slot(c, c->nr_slots, ring);
	struct change change = { .slot = slot };

	if (!slot || list_slot(c, slot)) {
		slot_free(slot);
		return err_set(err, -ENOMEM, "adding a ring: out of memory");
	}
	reader_run(slot->reader, adopt_job, &change);
	if (change.ret) {
		err_errno(err, change.ret, "polling ring %zu", slot->index);
		pthread_mutex_lock(&c->lock);
		c->nr_slots--;
		pthread_mutex_unlock(&c->lock);
		slot_free(slot);
		return change.ret;
	}
	if (slot->lane.of)
		aux_lane_adopt(slot->lane.of, slot);
	threads_pin(c, slot);
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
		.slot = collector_slot(c, index), .ring = ring,
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
	threads_pin(c, change.slot);
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
	struct change change = { .slot = collector_slot(c, index) };

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

	if (slot)
		slot_read(slot, stats, samples, nr, recent_peak);
}

void collector_begin_trace(struct collector *c, const struct aux_sink *sink)
{
	struct slot *slot;

	/* no reader empties an AUX ring once all readers have seen this */
	atomic_store(&c->aux_held, true);
	threads_pass(c);
	atomic_store(&c->aux_sink, sink);
	for (size_t i = 0; (slot = collector_slot(c, i)); i++)
		aux_lane_ring_wake(&slot->lane);
}

void collector_end_trace(struct collector *c)
{
	struct slot *slot;

	atomic_store(&c->aux_sink, NULL);
	for (size_t i = 0; (slot = collector_slot(c, i)); i++)
		aux_lane_ring_wait(&slot->lane);
	atomic_store(&c->aux_held, false);
	threads_pass(c);
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
	threads_pass(c);
}
