/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/collector_state.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "collect/reader.h"
#include "perf/abi/record.h"

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
	collector_threads_assign(c, slot);
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
	if (collector_threads_create(c, err) == 0)
		return c;
	collector_free(c);
	return NULL;
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	collector_threads_end(c);
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
	collector_threads_serve(c, slot);
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
	collector_threads_pin(c, change.slot);
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
	collector_threads_pass(c);
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
	collector_threads_pass(c);
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
	collector_threads_pass(c);
}
