/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/reader_aux.h"

#include <sys/param.h>

#include "collect/slot.h"

/* How long a head may not move before the events are reenabled. */
#define STILL_NS UINT64_C(1000000000)

/* In snapshot mode the kernel overwrites and does not read the tail. */
static bool has_tail(const struct slot_aux *aux)
{
	return aux->ring.data && !aux->ring.overwrite;
}

/* A lane may have found more waiting, and have consumed it since. */
static void note_waiting(const struct slot *slot, struct slot_aux *aux,
			 uint64_t head)
{
	uint64_t used = head - aux_ring_tail(&aux->ring);

	used = MAX(used, atomic_load(&slot->lane.peak));
	aux->peak = MAX(aux->peak, MIN(used, aux->ring.size));
}

/* Reenable its events.  False if the user has them disabled. */
static bool let_go_on(struct slot *slot, struct slot_aux *aux)
{
	if (atomic_load(slot->aux_disabled))
		return false;
	for (size_t i = 0; i < aux->nr_fds; i++)
		aux->read_finish(aux->fds[i]);
	return true;
}

static bool is_stuck(const struct slot *slot, const struct slot_aux *aux)
{
	return slot->drain.aux.truncated != aux->truncated;
}

/*
 * The kernel disables an event that finds no space, and writes an AUX record
 * with TRUNCATED (perf_aux_output_end(), kernel/events/ring_buffer.c).
 */
static void answer_truncated(struct slot *slot, struct slot_aux *aux)
{
	if (!is_stuck(slot, aux))
		return;
	aux->truncated = slot->drain.aux.truncated;
	slot->drain.aux.reenabled += let_go_on(slot, aux);
}

/* That record may be lost: if no more trace arrives, reenable the events. */
static void answer_silence(struct slot *slot, struct slot_aux *aux,
			   uint64_t head, uint64_t now_ns)
{
	if (head != aux->head || !head) {
		aux->head = head;
		aux->moved_ns = now_ns;
	} else if (now_ns - aux->moved_ns >= STILL_NS) {
		aux->moved_ns = now_ns;
		let_go_on(slot, aux);
	}
}

/* Wake the lane as often as the kernel would: at each watermark. */
static bool crossed(struct slot_aux *aux, uint64_t head)
{
	uint64_t mark = aux->ring.watermark, crossings;

	crossings = head / (mark ? mark : MAX(aux->ring.size / 2, 1));
	if (crossings == aux->woken)
		return false;
	aux->woken = crossings;
	return true;
}

static void leave_to_lane(struct slot *slot, struct slot_aux *aux,
			  uint64_t head, uint64_t now_ns)
{
	bool stuck = is_stuck(slot, aux);

	if (stuck)
		atomic_store(&slot->lane.stuck, true);
	if (crossed(aux, head) || stuck)
		aux_lane_ring_wake(&slot->lane);
	else if (aux_ring_tail(&aux->ring) == head)
		answer_silence(slot, aux, head, now_ns);
}

void reader_aux_drain(struct slot_ring *ring, uint64_t now_ns)
{
	struct slot_aux *aux = &ring->aux;
	struct slot *slot = ring->slot;
	uint64_t head;

	if (!has_tail(aux))
		return;
	head = aux_ring_head(&aux->ring);
	note_waiting(slot, aux, head);
	if (atomic_load(slot->aux_held)) {
		leave_to_lane(slot, aux, head, now_ns);
		return;
	}
	aux_ring_consume(&aux->ring, head);
	answer_truncated(slot, aux);
	answer_silence(slot, aux, head, now_ns);
}

void reader_aux_given(struct slot_ring *ring)
{
	struct slot_aux *aux = &ring->aux;
	struct slot *slot = ring->slot;

	if (!has_tail(aux))
		return;
	note_waiting(slot, aux, aux_ring_head(&aux->ring));
	answer_truncated(slot, aux);
	slot->stats.aux = slot->drain.aux;
	slot->stats.aux_peak = MAX(slot->stats.aux_peak, aux->peak);
	slot_publish(slot);
}
