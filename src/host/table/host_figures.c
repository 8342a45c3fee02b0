/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_figures.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "host/table/host_evidence.h"
#include "perf/abi/ring.h"

/*
 * Bytes in use as the kernel reckons, whatever the owner wrote to the tail.
 * In a perf ring it is modulo the size (ring_buffer_has_space() in
 * kernel/events/ring_buffer.c), so a tail beyond the head takes room away.
 * Nobody drains an overwrite ring, all of it holds records; but the reader of a
 * BPF ring buffer does move its tail.
 */
static uint64_t data_used(const struct ring_row *row)
{
	uint64_t used = row->head - row->tail;

	if (row->overwrite && row->kind == RING_PERF)
		used = row->head;
	else if (row->kind == RING_PERF && row->size && used > row->size)
		return used % row->size;
	return used < row->size ? used : row->size;
}

/*
 * A consumer's position beyond the producer's bars a BPF ring buffer
 * altogether (__bpf_ringbuf_reserve() in kernel/bpf/ringbuf.c).
 */
static bool is_bad_tail(const struct ring_row *row)
{
	return !row->overwrite && row->head - row->tail > row->size;
}

/* As perf_aux_output_begin() does: a tail beyond the head leaves no room. */
static void set_aux_used(struct host_row_state *state)
{
	struct ring_aux *aux = &state->row.aux;
	uint64_t used = aux->head - aux->tail;

	aux->used = used < aux->size ? used : aux->size;
	state->tick.aux_bad_tail |= used > aux->size;
	aux->bad_tail = state->tick.aux_bad_tail;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? fmin((double)part / (double)whole, 1) : 0;
}

/* The head of a backward ring runs down from 0. */
static uint64_t head_of(const struct host_pass_ring *ring)
{
	return ring->backward ? 0 - ring->head : ring->head;
}

static uint64_t tail_of(const struct host_pass_ring *ring)
{
	return ring->backward && !ring->overwrite ? 0 - ring->tail :
						    ring->tail;
}

bool host_figures_differ(const struct host_row_state *state,
			 const struct host_pass_ring *ring)
{
	return state->row.size != ring->size ||
	       (ring->known && (head_of(ring) < state->last.head ||
				ring->wakeup < state->last.wakeup));
}

static void set_fixed(struct host_row_state *state,
		      const struct host_pass_ring *ring)
{
	struct ring_row *row = &state->row;

	row->known = ring->known;
	row->size = ring->size;
	row->locked = ring->locked;
	row->watermark = ring->known ? ring->watermark : UNKNOWN;
	row->overwrite = ring->overwrite;
	row->paused = ring->paused;
	row->woken = ring->woken;
	row->wakeup_events = 0;
	for (size_t i = 0; i < state->nr_events && !ring->by_watermark; i++)
		if (state->events[i].inside && state->events[i].seen.maps)
			row->wakeup_events = state->events[i].wakeup_events;
	if (ring->map_id) {
		row->map_id = ring->map_id;
		text_copy(row->map, sizeof(row->map), ring->map);
	}
}

static void set_position(struct ring_row *row,
			 const struct host_pass_ring *ring)
{
	row->head = head_of(ring);
	row->tail = tail_of(ring);
	row->used = data_used(row);
	row->fill = share(row->used, row->size);
	row->crossings = row->kind == RING_BPF ? UNKNOWN :
		ring_crossings(row->head, row->watermark);
	row->next_crossing = 0;
	if (!row->watermark || row->overwrite)
		return;
	/*
	 * A record moves rb->wakeup by one watermark at most
	 * (__perf_output_begin() in kernel/events/ring_buffer.c), so that it
	 * falls behind where records are larger.  Then each wakes.
	 */
	row->next_crossing = ring->wakeup + row->watermark;
	if (row->next_crossing < row->head)
		row->next_crossing = row->head;
}

/*
 * See struct host_pass_ring.  Event wakeups are told from crossings as long as
 * there are fewer than bytes in a watermark of them between two looks.
 */
static uint64_t wakeups_of(const struct host_pass_ring *ring, uint64_t delta)
{
	if (!ring->watermark)
		return 0;
	if (ring->by_watermark)
		return delta / ring->watermark;
	return delta / ring->watermark + delta % ring->watermark;
}

static bool was_stopped(const struct host_row_state *state)
{
	return state->row.stopped || state->last.stopped;
}

static bool had_bad_tail(const struct host_row_state *state)
{
	return is_bad_tail(&state->row) || state->last.bad_tail;
}

/*
 * What a pause loses, an owner that is stopped or one that writes wrong tails,
 * no size would have held.
 */
static struct host_loss loss_of(const struct host_row_state *state,
				uint64_t lost)
{
	uint64_t size = host_evidence_record(state);

	if (!lost || state->row.paused || state->last.paused ||
	    was_stopped(state) || had_bad_tail(state))
		return (struct host_loss){ 0 };
	return (struct host_loss){ .records = lost, .bytes = lost * size,
				   .unsized = !size };
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What came since the last look: in a ring that took its place, all of it. */
static void add_up(struct host_row_state *state,
		   const struct host_pass_ring *ring, uint64_t lost,
		   struct host_gap_look *look)
{
	struct ring_row *row = &state->row;
	uint64_t wakeups = wakeups_of(ring, ring_delta(ring->wakeup,
						       state->last.wakeup));

	look->bytes = ring_delta(row->head, state->last.head);
	look->moved = !row->overwrite && row->tail != state->last.tail;
	row->bytes += look->bytes;
	row->wakeups = ring->kind == RING_BPF ? UNKNOWN :
							row->wakeups + wakeups;
	row->drains += look->moved;
	state->tick.bytes += look->bytes;
	state->tick.wakeups += wakeups;
	state->tick.drains += look->moved;
	state->tick.lost += lost;
	state->lost_seen += lost;
	look->lost = loss_of(state, lost);
	state->advice_lost += look->lost.records;
	state->lost_excused += lost - look->lost.records;
	look->due = wakeups && !look->moved;
	/* Both of the ring's owner to write, or of before it was watched. */
	look->told = least(ring->lost_told, state->advice_lost);
	if (look->moved && row->used && ring->lost != UNKNOWN)
		look->pending = least(ring->lost, look->lost.records);
}

/* A record that found no room (@lost) proves that it was full. */
static void set_peak(struct host_row_state *state, bool lost)
{
	struct ring_row *row = &state->row;
	uint64_t used = lost ? row->size : row->used;

	if (used > state->tick.peak)
		state->tick.peak = used;
	if (used > state->peak)
		state->peak = used;
	if (used > state->advice_peak && !was_stopped(state) &&
	    !had_bad_tail(state))
		state->advice_peak = used;
	row->peak_tick = share(state->tick.peak, row->size);
	row->peak = share(state->peak, row->size);
}

/*
 * Its owner has had cause to drain: it was woken and did not poll, or a
 * watermark lies in what waits.  A BPF ring buffer's is woken when a record
 * comes into the empty ring.
 */
static bool is_due(const struct ring_row *row)
{
	if (row->overwrite)
		return false;
	return row->woken || row->kind == RING_BPF ||
	       ring_crossings(row->head, row->watermark) >
		       ring_crossings(row->tail, row->watermark);
}

static void set_gaps(struct host_row_state *state, struct host_gap_look *look)
{
	struct ring_row *row = &state->row;

	look->used = row->overwrite ? 0 : row->used;
	look->used_before = state->last.used;
	look->due |= is_due(row);
	look->full = !row->overwrite && row->fill > HOST_EVIDENCE_FULL;
	look->size = row->size;
	look->stopped = was_stopped(state) || had_bad_tail(state);
	host_gaps_look(&state->gaps, look);
	row->undrained = host_gaps_undrained(&state->gaps, look->mono);
	row->worst_gap = state->gaps.longest;
}

/* Of a pass without event counts, pending ones that came tell of losses. */
static uint64_t lost_unseen(const struct host_row_state *state,
			    const struct host_pass_ring *ring)
{
	return ring->lost == UNKNOWN ? 0 :
	       ring_delta(ring->lost, state->last.pending);
}

static void set_lost(struct host_row_state *state,
		     const struct host_pass_ring *ring)
{
	struct ring_row *row = &state->row;
	bool counts = ring->kind == RING_PERF;
	uint64_t before = row->lost_reported, now;

	row->lost_pending = counts ? ring->lost : UNKNOWN;
	row->lost = counts && state->lost_known ? state->lost_sum :
						  UNKNOWN;
	row->lost_reported = UNKNOWN;
	if (row->lost == UNKNOWN || row->lost_pending == UNKNOWN)
		return;
	/*
	 * The two are not read at one instant, and what was reported stays so.
	 */
	now = ring_delta(row->lost, row->lost_pending);
	if (before != UNKNOWN && before > now)
		now = before;
	row->lost_reported = now;
	row->lost_pending = row->lost - now;
}

static void set_aux(struct host_row_state *state,
		    const struct host_pass_ring *ring, enum host_change change)
{
	struct ring_aux *aux = &state->row.aux;
	double rate = aux->size ? aux->bytes_per_s : NAN;

	*aux = (struct ring_aux){
		.size = ring->aux.size,
		.watermark = ring->known ? ring->aux.watermark : UNKNOWN,
		.overwrite = ring->aux.overwrite,
		.head = ring->known ? ring->aux.head : UNKNOWN,
		.tail = ring->known ? ring->aux.tail : UNKNOWN,
		.position = UNKNOWN,
		.used = UNKNOWN,
		.wraps = UNKNOWN,
		.fill = NAN,
		.bytes_per_s = ring->aux.overwrite ? NAN : rate,
	};
	if (!aux->size || !ring->known)
		return;
	aux->position = aux->head % aux->size;
	aux->wraps = aux->head / aux->size;
	if (!aux->overwrite) {
		set_aux_used(state);
		aux->fill = share(aux->used, aux->size);
	}
	state->aux_still = change == HOST_CHANGE_SAME &&
			   aux->head == state->last.aux_head;
	if (change != HOST_CHANGE_NEW)
		state->tick.aux_bytes += ring_delta(aux->head,
						    state->last.aux_head);
}

/* Only owner, size and what is pinned. */
static void set_unknown(struct ring_row *row)
{
	row->head = row->tail = row->used = row->next_crossing = UNKNOWN;
	row->bytes = row->crossings = row->wakeups = UNKNOWN;
	row->drains = row->lost = UNKNOWN;
	row->lost_reported = row->lost_pending = UNKNOWN;
	row->wakeup_events = UNKNOWN;
	row->fill = row->peak = row->peak_tick = NAN;
	row->bytes_per_s = row->wakeups_per_s = row->drains_per_s = NAN;
	row->lost_per_s = row->undrained = row->worst_gap = NAN;
}

/* What belongs to the ring that was there before, whose counters are over. */
static void forget_ring(struct host_row_state *state,
			const struct host_pass_ring *ring)
{
	double mono = state->last.mono;

	if (state->row.size != ring->size) {
		state->peak = state->tick.peak = 0;
		state->advice_lost = state->advice_peak = 0;
		state->gaps.worst = (struct host_gap){ 0 };
		host_evidence_reset(state, mono);
	}
	state->gaps.now = (struct host_gap){ 0 };
	state->gaps.waiting = state->gaps.due = false;
	state->last = (struct host_look_state){ .mono = mono };
	state->row.remapped++;
}

static void begin(struct host_row_state *state,
		  const struct host_pass_ring *ring, double mono)
{
	struct ring_row *row = &state->row;

	state->last = (struct host_look_state){
		.head = head_of(ring), .tail = tail_of(ring),
		.wakeup = ring->wakeup, .pending = ring->lost, .mono = mono,
	};
	state->tick = (struct host_tick){ .from = mono };
	host_evidence_reset(state, mono);
	row->bytes_per_s = row->wakeups_per_s = row->drains_per_s = NAN;
	row->lost_per_s = NAN;
	row->first_seen = mono;
}

static void remember(struct host_row_state *state,
		     const struct host_pass_ring *ring, double mono)
{
	state->last = (struct host_look_state){
		.head = state->row.head, .tail = state->row.tail,
		.wakeup = ring->wakeup, .used = state->row.used,
		.pending = ring->lost, .aux_head = ring->aux.head,
		.paused = ring->paused, .stopped = state->row.stopped,
		.bad_tail = is_bad_tail(&state->row),
		.mono = mono,
	};
}

void host_figures_look(struct host_row_state *state,
		       const struct host_pass_ring *ring,
		       const struct host_came *came, enum host_change change,
		       double mono)
{
	struct host_gap_look look = { .mono = mono };
	uint64_t lost = came->lost;

	if (change == HOST_CHANGE_NEW)
		begin(state, ring, mono);
	else if (change == HOST_CHANGE_REMAPPED)
		forget_ring(state, ring);
	look.prev = state->last.mono;
	set_fixed(state, ring);
	set_aux(state, ring, change);
	state->row.last_seen = mono;
	if (!ring->known) {
		set_unknown(&state->row);
		return;
	}
	if (!state->lost_known)
		lost = lost_unseen(state, ring);
	set_position(&state->row, ring);
	state->tick.bad_tail |= is_bad_tail(&state->row);
	state->row.bad_tail = state->tick.bad_tail;
	host_evidence_records(state, ring, came, change);
	add_up(state, ring, lost, &look);
	host_evidence_look(state, &look, change);
	set_peak(state, look.lost.records && change == HOST_CHANGE_SAME);
	set_gaps(state, &look);
	set_lost(state, ring);
	remember(state, ring, mono);
}

static double rate(uint64_t count, double dt)
{
	return (double)count / dt;
}

static void tick_events(struct host_row_state *state, double dt)
{
	for (size_t i = 0; i < state->nr_events; i++) {
		struct host_event_entry *event = &state->events[i];
		bool known = event->seen.lost != UNKNOWN &&
			     event->lost_mark != UNKNOWN;

		event->seen.lost_per_s = !known ? NAN :
			rate(ring_delta(event->seen.lost, event->lost_mark),
			     dt);
		event->lost_mark = event->seen.lost;
	}
}

/* Whether losses can be told at all: a BPF ring buffer counts none. */
static bool tells_lost(const struct ring_row *row)
{
	return row->lost != UNKNOWN || row->lost_pending != UNKNOWN;
}

void host_figures_tick(struct host_row_state *state)
{
	struct ring_row *row = &state->row;
	struct host_tick *tick = &state->tick;
	double dt = row->last_seen - tick->from;

	tick->bad_tail = tick->aux_bad_tail = false;
	/* Without a look there is nothing new to say. */
	if (!row->known || row->gone || !(dt > 0))
		return;
	row->bytes_per_s = rate(tick->bytes, dt);
	row->wakeups_per_s = row->watermark ? rate(tick->wakeups, dt) : NAN;
	row->drains_per_s = row->overwrite ? NAN : rate(tick->drains, dt);
	row->lost_per_s = tells_lost(row) ? rate(tick->lost, dt) : NAN;
	if (row->aux.size && !row->aux.overwrite)
		row->aux.bytes_per_s = rate(tick->aux_bytes, dt);
	tick_events(state, dt);
	history_push(&state->fill_history, row->peak_tick);
	history_push(&state->rate_history, row->bytes_per_s);
	/* A BPF ring buffer's are not known; there is nothing to draw. */
	history_push(&state->lost_history, fmax(row->lost_per_s, 0));
	*tick = (struct host_tick){ .from = row->last_seen };
}

void host_figures_reset(struct host_row_state *state)
{
	if (state->row.known) {
		state->peak = state->last.used;
		state->row.peak = state->row.peak_tick = state->row.fill;
		state->row.worst_gap = 0;
	}
	state->tick.peak = 0;
	state->advice_lost = state->lost_excused = 0;
	state->advice_peak = state->last.stopped ? 0 : state->last.used;
	host_evidence_reset(state, state->row.last_seen);
	host_gaps_reset(&state->gaps);
	memset(&state->fill_history, 0, sizeof(state->fill_history));
	memset(&state->rate_history, 0, sizeof(state->rate_history));
	memset(&state->lost_history, 0, sizeof(state->lost_history));
}
