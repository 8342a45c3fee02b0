/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of a collector: readers and, in full trace, lanes, which serve
 * the same slots on the same CPUs with the same priority.
 *
 * Many readers share a lane: all lanes write to one file, and the kernel lets
 * only one thread at a time write to it.  Measured in an emulator with four
 * CPUs on one core and 16 MB/s of trace on each: one lane lost less than four.
 */
#include "collect/collector_state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/err.h"
#include "collect/drain/sample_queue.h"
#include "collect/reader.h"

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

static unsigned int default_readers(size_t rings)
{
	return (unsigned int)((rings + COLLECTOR_RINGS_PER_READER - 1) /
			      COLLECTOR_RINGS_PER_READER);
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

int collector_threads_create(struct collector *c, struct err *err)
{
	size_t nr = c->opts.readers ? c->opts.readers :
				       default_readers(c->opts.rings);
	int ret;

	nr = (nr ? nr : 1) + c->opts.side_band_rings;
	c->readers = calloc(nr, sizeof(*c->readers));
	c->popped = calloc(nr, sizeof(*c->popped));
	if (!c->readers || !c->popped)
		return no_memory(err);
	ret = make_readers(c, nr, err);
	return ret ? ret : make_lanes(c, err);
}

void collector_threads_end(struct collector *c)
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

void collector_threads_assign(const struct collector *c, struct slot *slot)
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

void collector_threads_pin(const struct collector *c, const struct slot *slot)
{
	if (!c->opts.affinity)
		return;
	pin(c, slot->reader, NULL);
	if (slot->lane.of)
		pin(c, NULL, slot->lane.of);
}

void collector_threads_serve(const struct collector *c, struct slot *slot)
{
	if (slot->lane.of)
		aux_lane_adopt(slot->lane.of, slot);
	collector_threads_pin(c, slot);
}

static void do_nothing(void *arg)
{
	(void)arg;
}

void collector_threads_pass(const struct collector *c)
{
	for (size_t i = 0; i < c->nr_readers; i++)
		reader_run(c->readers[i], do_nothing, NULL);
}
