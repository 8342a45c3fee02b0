/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/session_source_aux.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/sys.h"
#include "source/session_source_ring.h"

/* Seconds since tracing last stopped, and so published the head. */
static double head_age(struct session_source *ss,
		       const struct source_ring *state,
		       const struct ring_stats *stats, double now)
{
	struct perf_clock clock = session_clock(ss->session);
	uint64_t ns = perf_clock_now(&clock), at = stats->aux.last_time;
	double age = NAN;

	if (at && !clock.unknown)
		age = ns > at ? (double)(ns - at) / 1e9 : 0;
	if (state->aux_read_at > 0)
		age = fmin(age, now - state->aux_read_at);
	return age;
}

void session_source_fill_aux(struct session_source *ss, size_t i, double now,
			     struct reading_ring *rr)
{
	const struct session_ring *ring = session_ring(ss->session, i);
	struct source_ring *state = &ss->rings[i];
	struct reading_aux *aux = &rr->aux;

	*aux = (struct reading_aux){ .head_age = NAN, .read_cost = NAN };
	if (!ring->aux.size)
		return;
	aux->size = ring->aux.size;
	aux->watermark = ring->aux.watermark;
	aux->overwrite = ring->aux.overwrite;
	aux->stopped = !rr->enabled;
	/* The tail first: the head is then never behind it. */
	aux->tail = aux->overwrite ? 0 : aux_ring_tail(&ring->aux);
	aux->head = aux_ring_head(&ring->aux);
	if (!aux->overwrite)
		return;
	aux->head_age = head_age(ss, state, &rr->stats, now);
	state->aux_free_running |= aux->head > aux->size;
	aux->free_running = state->aux_free_running;
	aux->full = auxtrace_was_full(ring_track_of(&state->trace, ring),
				      &ring->aux, aux->head);
	if (state->aux_read_at > 0)
		aux->read_cost = state->aux_read_cost;
}

int session_source_read_aux(struct session_source *ss, size_t ring,
			    struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	struct source_ring *state = &ss->rings[ring];
	size_t nr = session_nr_rings(ss->session);
	bool *skip = calloc(nr + 1, sizeof(*skip));
	double spread, before;
	char label[40];
	int ret;

	if (!skip)
		return err_set(err, -ENOMEM, "reading a head: out of memory");
	for (size_t i = 0; i < nr; i++)
		skip[i] = i != ring;
	before = sys_now();
	ret = session_aux_hold(ss->session, skip, &spread, err);
	free(skip);
	if (ret)
		return ret;
	session_aux_release(ss->session);
	state->aux_read_at = sys_now();
	state->aux_read_cost = state->aux_read_at - before;
	collector_drain(ss->collector, ring);
	source_notes_add(&ss->notes, LOG_INFO,
			 "%s: AUX head at %llu; tracing stopped for %.0f us",
			 session_source_ring_label(ss, ring, label,
						   sizeof(label)),
			 (unsigned long long)aux_ring_head(&r->aux),
			 state->aux_read_cost * 1e6);
	return 0;
}
