/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/collector_threads.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/err.h"
#include "collect/aux_lane.h"
#include "collect/reader.h"
#include "collect/drain/sampler.h"

enum {
	COLLECTOR_RINGS_PER_READER = 64,
	READERS_PER_LANE = 16,
	QUEUE_BYTES = 4 << 20,		/* of all readers together, at least */
	QUEUE_LEAST = 256 << 10,	/* of each reader */
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
	const struct collector_threads *t = ctx;
	struct slot_list *l = t->slots;
	double level;

	if (pthread_mutex_trylock(&l->lock))
		return;
	for (size_t i = 0; i < l->nr; i++)
		l->arrivals[i] = atomic_load_explicit(&l->slots[i]->arrivals,
						      memory_order_relaxed);
	level = sampler_level(t->opts->decode_rate, l->arrivals, l->nr);
	for (size_t i = 0; i < l->nr; i++)
		atomic_store_explicit(&l->slots[i]->level, level,
				      memory_order_relaxed);
	pthread_mutex_unlock(&l->lock);
}

/* Room for the samples of half a second, in case the resolver is late. */
static size_t queue_bytes(double decode_rate, size_t nr)
{
	double bytes = fmin(decode_rate * SAMPLE_BYTES / 2, 1 << 30);

	return MAX(MAX((size_t)bytes, QUEUE_BYTES) / nr, QUEUE_LEAST);
}

static int make_readers(struct collector_threads *t, size_t nr, struct err *err)
{
	struct reader_opts opts = {
		.interval = t->opts->interval,
		.hangup = t->opts->hangup,
		.ctx = t->opts->ctx,
		.roam = t->opts->roam,
	};

	if (t->opts->decode_rate > 0 || t->opts->side_band)
		opts.queue_bytes = queue_bytes(t->opts->decode_rate, nr);
	if (t->opts->decode_rate > 0) {
		opts.tick = share_budget;
		opts.tick_ctx = t;
	}
	for (; t->nr_readers < nr; t->nr_readers++) {
		struct reader *reader = reader_new(&opts, err);

		if (!reader)
			return -1;
		t->readers[t->nr_readers] = reader;
		opts.tick = NULL;	/* the first reader does it for all */
	}
	return 0;
}

static int make_lanes(struct collector_threads *t, struct err *err)
{
	size_t nr = (t->nr_readers + READERS_PER_LANE - 1) / READERS_PER_LANE;

	if (!t->opts->lanes)
		return 0;
	t->lanes = calloc(nr, sizeof(*t->lanes));
	if (!t->lanes)
		return no_memory(err);
	for (; t->nr_lanes < nr; t->nr_lanes++) {
		struct aux_lane *lane = aux_lane_new(t->opts->roam, err);

		if (!lane)
			return -1;
		t->lanes[t->nr_lanes] = lane;
	}
	return 0;
}

int collector_threads_create(struct collector_threads *t, struct err *err)
{
	size_t nr = t->opts->readers ? t->opts->readers :
				       default_readers(t->opts->rings);
	int ret;

	nr = (nr ? nr : 1) + t->opts->apart;
	t->readers = calloc(nr, sizeof(*t->readers));
	if (!t->readers)
		return no_memory(err);
	ret = make_readers(t, nr, err);
	return ret ? ret : make_lanes(t, err);
}

void collector_threads_end(struct collector_threads *t)
{
	/* lanes first: they may wait for their reader */
	for (size_t i = 0; i < t->nr_lanes; i++)
		aux_lane_free(t->lanes[i]);
	for (size_t i = 0; i < t->nr_readers; i++)
		reader_free(t->readers[i]);
	free(t->readers);
	free(t->lanes);
}

/*
 * Neighbouring CPUs share a reader, so that --affinity is of use.  The last
 * reader serves the slots that are kept apart.
 */
static size_t reader_for(const struct collector_threads *t, size_t slot,
			 bool apart)
{
	size_t rings = t->opts->rings ? t->opts->rings : 1;
	size_t nr = t->nr_readers - t->opts->apart;
	size_t i = slot * nr / rings;

	if (apart)
		return t->nr_readers - 1;
	return i < nr ? i : nr - 1;
}

static size_t lane_for(const struct collector_threads *t, size_t reader)
{
	return reader * t->nr_lanes / t->nr_readers;
}

void collector_threads_give(const struct collector_threads *t,
			    struct slot *slot)
{
	size_t reader = reader_for(t, slot->index, slot->apart);

	slot->reader = t->readers[reader];
	if (t->nr_lanes)
		aux_lane_give(t->lanes[lane_for(t, reader)], slot);
}

/* The CPUs of the slots of @reader or, if that is NULL, of @lane. */
static size_t list_cpus(const struct collector_threads *t,
			const struct reader *reader,
			const struct aux_lane *lane, int *cpus)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->slots->nr; i++) {
		const struct slot *slot = t->slots->slots[i];

		if (slot->cpu >= 0 && (reader ? slot->reader == reader :
						slot->lane.of == lane))
			cpus[nr++] = slot->cpu;
	}
	return nr;
}

/* Pin @reader or, if that is NULL, @lane to those CPUs. */
static void pin(const struct collector_threads *t, struct reader *reader,
		struct aux_lane *lane)
{
	int *cpus = calloc(t->slots->nr + 1, sizeof(*cpus));
	size_t nr = cpus ? list_cpus(t, reader, lane, cpus) : 0;

	if (reader)
		reader_pin(reader, cpus, nr);
	else
		aux_lane_pin(lane, cpus, nr);
	free(cpus);
}

int collector_threads_start(struct collector_threads *t, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < t->nr_readers; i++) {
		ret = reader_start(t->readers[i], err);
		if (!ret && t->opts->affinity)
			pin(t, t->readers[i], NULL);
	}
	for (size_t i = 0; !ret && i < t->nr_lanes; i++) {
		ret = aux_lane_start(t->lanes[i], err);
		if (!ret && t->opts->affinity)
			pin(t, NULL, t->lanes[i]);
	}
	return ret;
}

size_t collector_threads_fell_back(const struct collector_threads *t)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr_readers; i++)
		nr += reader_fell_back(t->readers[i]);
	return nr;
}

void collector_threads_pin(const struct collector_threads *t,
			   const struct slot *slot)
{
	if (!t->opts->affinity)
		return;
	pin(t, slot->reader, NULL);
	if (slot->lane.of)
		pin(t, NULL, slot->lane.of);
}

void collector_threads_serve(const struct collector_threads *t,
			     struct slot *slot)
{
	if (slot->lane.of)
		aux_lane_adopt(slot->lane.of, slot);
	collector_threads_pin(t, slot);
}

static void do_nothing(void *arg)
{
	(void)arg;
}

void collector_threads_pass(const struct collector_threads *t)
{
	for (size_t i = 0; i < t->nr_readers; i++)
		reader_run(t->readers[i], do_nothing, NULL);
}
