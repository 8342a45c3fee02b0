/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/frame/ring_row_build.h"

#include <math.h>
#include <sys/param.h>

#include "ring/advice.h"

/* Seconds.  Stops closer than this are the same one: their ages are inexact. */
#define STOPS_APART 1e-3

/*
 * Snapshot mode: if the head is only an offset in the ring, wraps are known
 * from the number of times it decreased, and from trace found behind it.
 */
static void set_wraps(const struct reading_ring *now, struct ring_aux *out)
{
	out->wraps = out->head / out->size;
	if (!out->overwrite)
		return;
	out->wraps = MAX(out->wraps, now->stats.aux.wraps);
	out->wraps = MAX(out->wraps, now->aux.full);
}

/* The reader's peak if it grew since the last reading, else the present use. */
static uint64_t peak_of_tick(const struct reading_ring *now,
			     const struct ring_stats *last, uint64_t used)
{
	uint64_t peak = now->stats.aux_peak;

	return peak > last->aux_peak ? MAX(peak, used) : used;
}

/* Head and tail are not read atomically, so used is limited to the size. */
static void set_fill(struct ring_aux_build *state,
		     const struct reading_ring *now,
		     const struct ring_stats *last, struct ring_aux *out,
		     struct ring_aux_reads *reads)
{
	uint64_t peak;

	if (out->overwrite) {
		out->used = UNKNOWN;
		out->fill = reads->peak = NAN;
		return;
	}
	out->used = MIN(ring_delta(out->head, out->tail), out->size);
	out->fill = (double)out->used / (double)out->size;
	peak = MIN(peak_of_tick(now, last, out->used), out->size);
	state->peak = MAX(state->peak, peak);
	reads->peak = (double)state->peak / (double)out->size;
	history_push(&state->fill_history, (double)peak / (double)out->size);
	reads->fill_history = &state->fill_history;
}

static double rate_of_tick(struct ring_aux_build *state, uint64_t head,
			   double dt)
{
	uint64_t bytes = ring_delta(head, state->last_head);

	state->last_head = head;
	state->max_rate = fmax(state->max_rate, ring_rate(bytes, dt));
	return ring_rate(bytes, dt);
}

/*
 * Whether the bytes written between two stops are known: only from a head that
 * is known to be free running, not from an offset in the ring.
 */
static bool knows_bytes(struct ring_aux_build *state, bool free_running,
			const struct ring_aux *aux)
{
	state->free_running |= free_running || aux->head > aux->size;
	return state->free_running && aux->head >= state->last_head &&
	       !isnan(state->last_age);
}

/*
 * The head is published only when tracing stops, so the rate is between two
 * stops.  The last one is shown until the next stop.
 */
static double rate_of_stops(struct ring_aux_build *state,
			    const struct reading_aux *now,
			    const struct ring_aux *aux, double dt)
{
	double between;

	state->last_age += dt;
	between = state->last_age - now->head_age;
	if (isnan(now->head_age) || between < STOPS_APART)
		return state->rate;
	state->rate = knows_bytes(state, now->free_running, aux) ?
		      (double)(aux->head - state->last_head) / between : NAN;
	state->last_head = aux->head;
	state->last_age = now->head_age;
	return state->rate;
}

static void set_tick(struct ring_aux_build *state, const struct aux_stats *now,
		     const struct aux_stats *last)
{
	state->tick = (struct ring_aux_tick){
		.truncated = ring_delta(now->truncated, last->truncated),
		.partial = ring_delta(now->partial, last->partial),
		.collision = ring_delta(now->collision, last->collision),
		.reenabled = ring_delta(now->reenabled, last->reenabled),
	};
}

static void set_advice(const struct ring_aux_build *state,
		       const struct reading_ring *now, uint64_t page_size,
		       struct ring_aux_reads *reads)
{
	const struct advice_aux_input in = {
		.size = now->row.aux.size,
		.page_size = page_size,
		.truncated = now->stats.aux.truncated,
		.bytes_per_s = state->max_rate,
	};

	if (!now->row.aux.overwrite && now->row.aux.size != UNKNOWN)
		advice_make_aux(&in, reads->advice, sizeof(reads->advice));
}

static void begin(struct ring_aux_build *state,
		  const struct reading_ring *now)
{
	state->seen = true;
	state->last_head = now->row.aux.head;
	state->last_age = now->aux.head_age;
	state->rate = NAN;
}

/* Of a recording's ring, only what AUX records say. */
static void build_of_records(struct ring_aux_build *state,
			     const struct reading_ring *now,
			     const struct aux_stats *last, double dt,
			     struct ring_aux *out,
			     struct ring_aux_reads *reads)
{
	uint64_t before = state->seen ? last->bytes : now->stats.aux.bytes;

	out->head = out->tail = out->position = UNKNOWN;
	out->used = out->wraps = UNKNOWN;
	out->fill = NAN;
	out->bytes_per_s = out->overwrite ? (double)NAN :
		ring_growth(now->stats.aux.bytes, before, dt);
	reads->peak = reads->head_age = reads->read_cost = NAN;
	set_tick(state, &now->stats.aux, last);
	reads->truncated_per_s = ring_rate(state->tick.truncated, dt);
	/* its machine has such pages, or the size is not known */
	set_advice(state, now, 4096, reads);
	state->seen = true;
}

void ring_aux_build(struct ring_aux_build *state,
		    const struct reading_ring *now, double dt,
		    uint64_t page_size, struct ring_aux *out,
		    struct ring_reads *all)
{
	const struct ring_stats *last = &all->stats;
	struct ring_aux_reads *reads = &all->aux;

	*reads = (struct ring_aux_reads){ 0 };
	if (!out->size)
		return;
	if (now->aux.recorded) {
		build_of_records(state, now, &last->aux, dt, out, reads);
		return;
	}
	if (!state->seen)
		begin(state, now);
	out->position = out->head % out->size;
	reads->stopped = now->aux.stopped;
	reads->head_age = now->aux.head_age;
	reads->read_cost = now->aux.read_cost;
	set_wraps(now, out);
	set_fill(state, now, last, out, reads);
	out->bytes_per_s = out->overwrite ?
			   rate_of_stops(state, &now->aux, out, dt) :
			   rate_of_tick(state, out->head, dt);
	set_tick(state, &now->stats.aux, &last->aux);
	reads->truncated_per_s = ring_rate(state->tick.truncated, dt);
	set_advice(state, now, page_size, reads);
}
