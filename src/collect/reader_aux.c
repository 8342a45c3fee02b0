/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/reader_aux.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "collect/collector.h"
#include "collect/record_clock.h"

/* How long a head may stand still before it is asked why. */
#define STILL_NS UINT64_C(1000000000)

int reader_aux_init(struct slot_aux *aux, const struct collector_ring *from)
{
	aux->ring = from->aux;
	aux->read_finish = from->read_finish;
	if (!from->nr_aux_fds)
		return 0;
	aux->fds = calloc(from->nr_aux_fds, sizeof(*aux->fds));
	if (!aux->fds)
		return -ENOMEM;
	memcpy(aux->fds, from->aux_fds, from->nr_aux_fds * sizeof(*aux->fds));
	aux->nr_fds = from->nr_aux_fds;
	return 0;
}

void reader_aux_free(struct slot_aux *aux)
{
	free(aux->fds);
}

/* In snapshot mode the kernel neither stops nor asks how far we are. */
static bool has_tail(const struct slot_aux *aux)
{
	return aux->ring.data && !aux->ring.overwrite;
}

static void note_waiting(struct slot_aux *aux, uint64_t head)
{
	uint64_t used = head - aux_ring_tail(&aux->ring);

	aux->peak = MAX(aux->peak, MIN(used, aux->ring.size));
}

static bool let_go_on(struct slot *slot, struct slot_aux *aux)
{
	if (atomic_load(slot->aux_disabled))
		return false;
	for (size_t i = 0; i < aux->nr_fds; i++)
		aux->read_finish(aux->fds[i]);
	return true;
}

/*
 * With a record of it the kernel disables an event that finds no room
 * (kernel/events/ring_buffer.c, perf_aux_output_end).
 */
static void answer_truncated(struct slot *slot, struct slot_aux *aux)
{
	uint64_t truncated = slot->drain.aux.truncated;

	if (truncated == aux->truncated)
		return;
	aux->truncated = truncated;
	slot->drain.aux.reenabled += let_go_on(slot, aux);
}

/* The record of it may be lost: where nothing comes any more, try. */
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

void reader_aux_drain(struct slot_ring *ring, uint64_t now_ns)
{
	struct slot_aux *aux = &ring->aux;
	struct slot *slot = ring->slot;
	uint64_t head;

	if (!has_tail(aux))
		return;
	head = aux_ring_head(&aux->ring);
	note_waiting(aux, head);
	if (atomic_load(slot->aux_held))
		return;
	aux_ring_consume(&aux->ring, head);
	answer_truncated(slot, aux);
	answer_silence(slot, aux, head, now_ns);
}

void reader_aux_consume(struct slot_ring *ring, uint64_t tail)
{
	struct slot_aux *aux = &ring->aux;
	struct slot *slot = ring->slot;
	uint64_t head;

	if (!has_tail(aux))
		return;
	head = aux_ring_head(&aux->ring);
	if (tail < aux_ring_tail(&aux->ring) || tail > head)
		return;
	note_waiting(aux, head);
	aux_ring_consume(&aux->ring, tail);
	answer_truncated(slot, aux);
	if (tail == head)
		answer_silence(slot, aux, head,
			       record_clock_now(slot->clock));
	slot->stats.aux = slot->drain.aux;
	slot->stats.aux_peak = MAX(slot->stats.aux_peak, aux->peak);
	reader_publish(slot);
}
