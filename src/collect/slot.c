/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/slot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "collect/collector.h"
#include "collect/drain/record_history.h"
#include "collect/drain/sample_queue.h"

void slot_ring_free(struct slot_ring *ring)
{
	if (!ring)
		return;
	free(ring->aux.fds);
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

struct slot_ring *slot_ring_new(struct slot *slot,
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
	ring->aux.ring = from->aux;
	ring->aux.read_finish = from->read_finish;
	ring->aux.nr_fds = from->nr_aux_fds;
	ring->aux.fds = copy_fds(from->aux_fds, from->nr_aux_fds);
	if (!ring->fds || !ring->call_fds || !ring->calls ||
	    !ring->aux.fds) {
		slot_ring_free(ring);
		return NULL;
	}
	return ring;
}

void slot_free(struct slot *slot)
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

int slot_reserve(struct slot *slot, uint32_t nr)
{
	int ret;

	pthread_mutex_lock(&slot->layout);
	ret = array_fit(slot->samples, slot->samples_cap,
			(size_t)nr + 1); /* also without events: not NULL */
	pthread_mutex_unlock(&slot->layout);
	return ret;
}

void slot_set_drain(struct slot *slot, const struct drain *drain)
{
	drain_free(&slot->drain);
	slot->drain = *drain;
	pthread_mutex_lock(&slot->layout);
	slot->nr_samples = drain->nr_events;
	memcpy(slot->samples, drain->samples,
	       drain->nr_events * sizeof(*slot->samples));
	pthread_mutex_unlock(&slot->layout);
}

struct slot *slot_new(size_t index, const struct collector_ring *from,
		      const aux_sink_now *sink, pid_t self)
{
	struct slot *slot = calloc(1, sizeof(*slot));
	struct drain drain = { 0 };

	if (!slot)
		return NULL;
	slot->index = index;
	slot->cpu = from->cpu;
	slot->side_band_only = from->side_band_only;
	pthread_mutex_init(&slot->layout, NULL);
	aux_lane_ring_init(&slot->lane, sink);
	slot->current = slot_ring_new(slot, from);
	if (!slot->current ||
	    drain_init(&drain, from->ids, from->tags, from->nr_ids, self) ||
	    slot_reserve(slot, drain.nr_events)) {
		drain_free(&drain);
		slot_free(slot);
		return NULL;
	}
	slot_set_drain(slot, &drain);
	return slot;
}

void slot_publish(struct slot *slot)
{
	_Static_assert(sizeof(struct ring_stats) % sizeof(uint64_t) == 0,
		       "is copied by words");

	sequence_write_begin(&slot->sequence);
	word_copy_store(&slot->published.stats, &slot->stats,
			sizeof(slot->stats));
	word_copy_store(&slot->published.passes, &slot->passes,
			sizeof(slot->passes));
	word_copy_store(slot->samples, slot->drain.samples,
			slot->nr_samples * sizeof(*slot->samples));
	sequence_write_end(&slot->sequence);
}

/* Up to when it was drained; UINT64_MAX if it does not count (overwrite). */
static uint64_t ring_drained(const struct slot_ring *ring)
{
	return ring && !ring->ring.overwrite ? ring->drained_ns : UINT64_MAX;
}

void slot_note_drained(struct slot *slot)
{
	/* release: a thread that reads this sees all that was queued before */
	atomic_store_explicit(&slot->drained_to,
			      MIN(ring_drained(slot->current),
				  ring_drained(slot->former)),
			      memory_order_release);
}

void slot_mark_drained(struct slot *slot)
{
	slot_note_drained(slot);
	if (slot->drain.feed.queue)
		sample_queue_mark(slot->drain.feed.queue, (uint32_t)slot->index,
				  atomic_load(&slot->drained_to));
}

void slot_note_feed(struct slot *slot)
{
	const struct sampler *sampler = &slot->drain.feed.sampler;

	atomic_store_explicit(&slot->arrivals, sampler_arrivals(sampler),
			      memory_order_relaxed);
	atomic_store_explicit(&slot->k, sampler->next_k, memory_order_relaxed);
}

void slot_read(struct slot *slot, struct ring_stats *stats, uint64_t *samples,
	       size_t nr, uint64_t *recent_peak)
{
	unsigned int version;
	uint64_t passes;
	size_t known;

	pthread_mutex_lock(&slot->layout);
	known = nr < slot->nr_samples ? nr : slot->nr_samples;
	do {
		version = sequence_read_begin(&slot->sequence);
		word_copy_load(stats, &slot->published.stats, sizeof(*stats));
		word_copy_load(&passes, &slot->published.passes,
			       sizeof(passes));
		word_copy_load(samples, slot->samples,
			       known * sizeof(*samples));
	} while (sequence_read_retry(&slot->sequence, version));
	pthread_mutex_unlock(&slot->layout);
	/* no pass since the last reading */
	if (atomic_exchange(&slot->taken, passes) == passes)
		ring_stats_begin(stats);
	memset(samples + known, 0, (nr - known) * sizeof(*samples));
	*recent_peak = atomic_exchange(&slot->recent_peak, 0);
}
