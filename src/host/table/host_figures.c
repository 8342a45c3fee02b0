/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>
#include <sys/param.h>

#include "base/text.h"
#include "host/table/host_state.h"
#include "perf/abi/ring.h"

/*
 * Bytes in use as the kernel computes them, whatever tail the owner stored.  In
 * a perf ring this is modulo the size (ring_buffer_has_space() in
 * kernel/events/ring_buffer.c), so a tail ahead of the head takes room away.
 * An overwrite perf ring is not drained and full of records; but the reader of
 * a BPF ring buffer moves its tail even in overwrite mode.
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
 * A consumer position ahead of the producer's blocks a BPF ring buffer
 * (__bpf_ringbuf_reserve() in kernel/bpf/ringbuf.c).
 */
static bool is_bad_tail(const struct ring_row *row)
{
	return !row->overwrite && row->kind != RING_URING &&
	       row->head - row->tail > row->size;
}

/* As in perf_aux_output_begin(): a tail ahead of the head leaves no room. */
static void set_aux_used(struct host_row_state *state)
{
	struct ring_aux *aux = &state->row.aux;
	uint64_t used = aux->head - aux->tail;

	aux->used = used < aux->size ? used : aux->size;
	state->tick.aux_bad_tail |= used > aux->size;
	aux->bad_tail = state->tick.aux_bad_tail;
}

/* The head of a backward ring decreases from 0. */
static uint64_t head_of(const struct host_pass_ring *ring)
{
	return ring->backward ? 0 - ring->head : ring->head;
}

static uint64_t tail_of(const struct host_pass_ring *ring)
{
	return ring->backward && !ring->overwrite ? 0 - ring->tail :
						    ring->tail;
}

/* No io_uring moves by 2^31 entries between two polls. */
static bool went_back(const struct host_row_state *state,
		      const struct host_pass_ring *ring)
{
	return ring->kind == RING_URING &&
	       (uint32_t)((ring->head - state->last.head) / ring->entry) >
		       INT32_MAX;
}

bool host_figures_differ(const struct host_row_state *state,
			 const struct host_pass_ring *ring)
{
	return state->row.size != ring->size || went_back(state, ring) ||
	       (ring->known && !ring->entry &&
		(head_of(ring) < state->last.head ||
		 ring->wakeup < state->last.wakeup));
}

static void set_fixed(struct host_row_state *state,
		      const struct host_pass_ring *ring)
{
	struct ring_row *row = &state->row;

	row->known = ring->known;
	row->to_kernel = ring->to_kernel;
	state->entry = ring->entry;
	state->frame = ring->packet.frame;
	state->inode = ring->packet.inode;
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

/*
 * Whether the owner has read the counts, which clears them.  That of packets
 * has 32 bits, and does not grow by half of them between two polls.
 */
static bool was_read(const struct host_row_state *state,
		     const struct host_pass_ring *ring)
{
	uint32_t more = (uint32_t)(ring->packet.packets - state->last.packets);

	return more > INT32_MAX || ring->lost_in_all < state->last.drops;
}

/*
 * Frames since the last reading: the position tells them modulo the size, and
 * the count of packets, which is not read at the same moment, the rest.
 */
static uint64_t more_frames(const struct host_row_state *state,
			    const struct host_pass_ring *ring)
{
	uint64_t size = ring->size / ring->entry;
	uint64_t from = state->last.head / ring->entry % size;
	uint64_t more = (ring->head / ring->entry + size - from) % size;
	uint64_t packets = was_read(state, ring) ? ring->packet.packets :
		(uint32_t)(ring->packet.packets - state->last.packets);

	return more + (ring_delta(packets, more) + size / 2) / size * size;
}

/*
 * Go on from the last position, which has more bits than an io_uring's, and than
 * that of an AF_PACKET ring of frames.
 */
static void extend_position(struct host_row_state *state,
			    const struct host_pass_ring *ring)
{
	uint64_t more = ring->kind == RING_PACKET ? more_frames(state, ring) :
		(uint32_t)((ring->head - state->last.head) / ring->entry);

	state->row.head = state->last.head + more * ring->entry;
	/* made and read by its owner since the previous pass */
	if (state->row.head < ring->head - ring->tail)
		state->row.head += ring->size;
	state->row.tail = state->row.head - (ring->head - ring->tail);
}

static void set_position(struct host_row_state *state,
			 const struct host_pass_ring *ring)
{
	struct ring_row *row = &state->row;

	row->head = head_of(ring);
	row->tail = tail_of(ring);
	if (ring->entry)
		extend_position(state, ring);
	row->used = data_used(row);
	row->fill = ring_share(row->used, row->size);
	row->crossings = row->kind != RING_PERF ? UNKNOWN :
		ring_crossings(row->head, row->watermark);
	row->next_crossing = 0;
	if (!row->watermark || row->overwrite)
		return;
	/*
	 * A record advances rb->wakeup by at most one watermark
	 * (__perf_output_begin() in kernel/events/ring_buffer.c), so it falls
	 * behind if records are larger than that.  Then each record wakes the
	 * reader.
	 */
	row->next_crossing = ring->wakeup + row->watermark;
	row->next_crossing = MAX(row->next_crossing, row->head);
}

/*
 * See struct host_pass_ring.  Wakeups by wakeup_events can be separated from
 * crossings if there are fewer of them between two readings than the watermark
 * has bytes.
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
 * A record of a BPF ring buffer is refused, too, if another has its lock, for
 * instance one that an NMI has interrupted.
 */
static bool had_room(const struct host_row_state *state, uint64_t bytes)
{
	return state->row.kind == RING_BPF &&
	       ring_share(state->last.used + bytes, state->row.size) <
		       ADVICE_TIGHT;
}

/*
 * Losses in a pause, of a stopped owner, with an invalid tail or in a ring with
 * room do not depend on the size.
 */
static struct host_loss loss_of(const struct host_row_state *state,
				uint64_t lost, uint64_t bytes)
{
	uint64_t size = host_evidence_record(state);

	if (!lost || state->row.paused || state->last.paused ||
	    was_stopped(state) || had_bad_tail(state) || had_room(state, bytes))
		return (struct host_loss){ 0 };
	return (struct host_loss){ .records = lost, .bytes = lost * size,
				   .unsized = !size };
}

/* Count @lost records; returns those that another size might have held. */
static struct host_loss count_lost(struct host_row_state *state, uint64_t lost,
				   uint64_t bytes, double mono)
{
	struct host_loss held = loss_of(state, lost, bytes);

	if (held.records)
		state->lost_at = mono;
	state->lost_seen += lost;
	state->advice_lost += held.records;
	state->lost_excused += lost - held.records;
	return held;
}

/* Add the increments since the last reading; of a new ring, all counts. */
static void add_up(struct host_row_state *state,
		   const struct host_pass_ring *ring, uint64_t lost,
		   struct host_reading *reading)
{
	struct ring_row *row = &state->row;
	uint64_t wakeups = wakeups_of(ring, ring_delta(ring->wakeup,
						       state->last.wakeup));

	reading->bytes = ring_delta(row->head, state->last.head);
	reading->moved = !row->overwrite &&
			 (ring->kind == RING_FTRACE ?
				  ring->ftrace.reads != state->last.reads :
				  row->tail != state->last.tail);
	row->bytes += reading->bytes;
	if (ring->kind == RING_PERF)
		row->wakeups += wakeups;
	row->drains += reading->moved;
	reading->lost = count_lost(state, lost, reading->bytes, reading->mono);
	reading->due = wakeups && !reading->moved;
	/* The owner can write to both; they may predate the first reading. */
	reading->reported = MIN(ring->lost_in_record, state->advice_lost);
	if (reading->moved && row->used && ring->lost != UNKNOWN)
		reading->pending = MIN(ring->lost, reading->lost.records);
}

/* A record that did not fit (@lost) proves that the ring was full. */
static void set_peak(struct host_row_state *state, bool lost)
{
	struct ring_row *row = &state->row;
	uint64_t used = lost ? row->size : row->used;

	state->tick.peak = MAX(state->tick.peak, used);
	state->peak = MAX(state->peak, used);
	if (used > state->advice_peak && !was_stopped(state) &&
	    !had_bad_tail(state))
		state->advice_peak = used;
	row->peak_tick = ring_share(state->tick.peak, row->size);
	row->peak = ring_share(state->peak, row->size);
}

/*
 * The owner should drain: it was woken and did not poll, or a watermark was
 * crossed in what waits.  The owner of a BPF ring buffer, or the reader of an
 * ftrace buffer, is woken by a record in the empty ring.
 */
static bool is_due(const struct ring_row *row)
{
	if (row->overwrite)
		return false;
	return row->woken || row->kind != RING_PERF ||
	       ring_crossings(row->head, row->watermark) >
		       ring_crossings(row->tail, row->watermark);
}

/* The other members of @reading. */
static void end_reading(const struct host_row_state *state,
			struct host_reading *reading)
{
	const struct ring_row *row = &state->row;

	reading->used = row->overwrite ? 0 : row->used;
	reading->used_before = state->last.used;
	reading->due |= is_due(row);
	reading->full = !row->overwrite && row->fill > ADVICE_TIGHT;
	reading->size = row->size;
	reading->stopped = was_stopped(state) || had_bad_tail(state);
	reading->busy = state->thread.busy;
	reading->ran = state->thread.ran;
}

/*
 * The increase of @all that a ring has lost since it was made or cleared; 0 of a
 * row that is new.
 */
static uint64_t take_all(struct host_row_state *state, uint64_t all,
			 enum host_change change)
{
	uint64_t more = ring_delta(all, state->row.lost);

	state->row.lost += more;
	return change == HOST_CHANGE_NEW ? 0 : more;
}

/* The same of a BPF ring buffer: its count starts again with the counting. */
static uint64_t take_drops(struct host_row_state *state,
			   const struct host_pass_ring *ring,
			   enum host_change change)
{
	struct ring_row *row = &state->row;
	bool counts = ring->drops.from > 0;

	if (!counts)
		row->lost = UNKNOWN;
	else if (state->drops_from < ring->drops.from)
		row->lost = row->lost_before = state->counted.lost = 0;
	state->drops_from = ring->drops.from;
	/* made since, if it was not found at once */
	row->lost_from = counts ? fmax(ring->drops.from, row->first_seen) : NAN;
	row->lost_bytes = counts ? ring->drops.bytes : UNKNOWN;
	return take_all(state, ring->drops.records, change);
}

/* The same of AF_PACKET, which counts since its owner last read the count. */
static uint64_t take_packets(struct host_row_state *state,
			     const struct host_pass_ring *ring,
			     enum host_change change)
{
	uint64_t more = was_read(state, ring) ? ring->lost_in_all :
			ring->lost_in_all - state->last.drops;
	bool older = change == HOST_CHANGE_NEW && !(state->made_after > 0);

	state->row.lost += older ? ring->lost_in_all : more;
	return older ? 0 : more;
}

static void set_lost(struct host_row_state *state,
		     const struct host_pass_ring *ring)
{
	struct ring_row *row = &state->row;
	bool counts = ring->kind == RING_PERF;
	uint64_t before = row->lost_reported, now;

	row->lost_pending = counts ? ring->lost : UNKNOWN;
	row->lost_reported = UNKNOWN;
	if (row->lost == UNKNOWN || row->lost_pending == UNKNOWN)
		return;
	/*
	 * The two are not read atomically, and reported losses never decrease.
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
		aux->fill = ring_share(aux->used, aux->size);
	}
	state->aux_still = change == HOST_CHANGE_SAME &&
			   aux->head == state->last.aux_head;
	if (change != HOST_CHANGE_NEW)
		state->tick.aux_bytes += ring_delta(aux->head,
						    state->last.aux_head);
}

/* Only owner, size and pinned memory are known. */
static void set_unknown(struct ring_row *row)
{
	row->head = row->tail = row->used = row->next_crossing = UNKNOWN;
	row->bytes = row->crossings = row->wakeups = UNKNOWN;
	row->drains = row->lost = row->lost_bytes = UNKNOWN;
	row->lost_reported = row->lost_pending = UNKNOWN;
	row->wakeup_events = UNKNOWN;
	row->fill = row->peak = row->peak_tick = NAN;
	row->bytes_per_s = row->wakeups_per_s = row->drains_per_s = NAN;
	row->lost_per_s = row->undrained = row->worst_gap = NAN;
	row->run_wait = row->run_share = row->output_wait = NAN;
}

static void forget_evidence(struct host_row_state *state, double mono)
{
	state->advice_lost = state->advice_peak = 0;
	state->gaps.worst = (struct host_gap){ 0 };
	host_evidence_reset(state, mono);
}

/* Nor does what was lost between the two. */
void host_figures_new_reader(struct host_row_state *state)
{
	forget_evidence(state, state->last.mono);
	state->gaps = (struct host_gaps){ 0 };
	state->last.paused = true;
}

/* Reset what belongs to the ring that was replaced. */
static void forget_ring(struct host_row_state *state,
			const struct host_pass_ring *ring)
{
	double mono = state->last.mono;
	bool goes_on = ring->kind == RING_URING && !went_back(state, ring);

	if (state->row.size != ring->size) {
		state->peak = state->tick.peak = 0;
		forget_evidence(state, mono);
	}
	state->gaps.now = (struct host_gap){ 0 };
	state->gaps.waiting = state->gaps.due = false;
	/* an ftrace buffer goes on: what it lost just before is no evidence */
	state->last = (struct host_last){
		.mono = mono,
		.reads = state->last.reads,
		.packets = state->last.packets,
		.drops = state->last.drops,
		.paused = state->row.kind == RING_FTRACE,
		/* an io_uring that is resized goes on, too */
		.head = goes_on ? state->last.head : 0,
		.tail = goes_on ? state->last.tail : 0,
	};
	state->row.remapped++;
}

static struct host_tick begin_tick(const struct host_row_state *state,
				   double from)
{
	const struct ring_row *row = &state->row;

	return (struct host_tick){
		.from = from,
		.start = { row->bytes, row->wakeups, row->drains,
			   state->lost_seen },
	};
}

/* All that happened in a ring that was made since the previous pass is new. */
static void begin(struct host_row_state *state,
		  const struct host_pass_ring *ring, double mono)
{
	struct ring_row *row = &state->row;

	state->last = state->made_after > 0 ?
		(struct host_last){ .mono = state->made_after } :
		(struct host_last){
			.head = head_of(ring), .tail = tail_of(ring),
			.wakeup = ring->wakeup, .pending = ring->lost,
			.reads = ring->ftrace.reads,
			.packets = ring->packet.packets, .mono = mono,
		};
	state->tick = begin_tick(state, state->last.mono);
	host_evidence_reset(state, mono);
	row->bytes_per_s = row->wakeups_per_s = row->drains_per_s = NAN;
	row->lost_per_s = NAN;
	row->first_seen = mono;
}

static void remember(struct host_row_state *state,
		     const struct host_pass_ring *ring, double mono)
{
	state->last = (struct host_last){
		.head = state->row.head, .tail = state->row.tail,
		.wakeup = ring->wakeup, .used = state->row.used,
		.pending = ring->lost, .aux_head = ring->aux.head,
		.reads = ring->ftrace.reads,
		.packets = ring->packet.packets,
		.drops = ring->lost_in_all,
		.blocks = ring->packet.blocks,
		/* a buffer that had no reader until now lost nothing to size */
		.paused = ring->paused || (ring->kind == RING_FTRACE &&
					   ring->overwrite),
		.stopped = state->row.stopped,
		.bad_tail = is_bad_tail(&state->row),
		.mono = mono,
	};
}

void host_figures_read(struct host_row_state *state,
		       const struct host_pass_ring *ring,
		       const struct host_increments *more,
		       enum host_change change, double mono)
{
	struct host_reading reading = { .mono = mono };
	uint64_t lost = more->lost;

	if (change == HOST_CHANGE_NEW)
		begin(state, ring, mono);
	else if (change == HOST_CHANGE_REMAPPED)
		forget_ring(state, ring);
	reading.prev = state->last.mono;
	set_fixed(state, ring);
	set_aux(state, ring, change);
	state->row.last_seen = mono;
	if (!ring->known) {
		set_unknown(&state->row);
		return;
	}
	if (ring->kind == RING_BPF)
		lost = take_drops(state, ring, change);
	else if (ring->kind == RING_PACKET)
		lost = take_packets(state, ring, change);
	else if (ring->kind != RING_PERF)
		lost = take_all(state, ring->lost_in_all, change);
	else if (state->row.lost == UNKNOWN && ring->lost != UNKNOWN)
		/* without event counts, an increase of pending shows losses */
		lost = ring_delta(ring->lost, state->last.pending);
	set_position(state, ring);
	state->tick.bad_tail |= is_bad_tail(&state->row);
	state->row.bad_tail = state->tick.bad_tail;
	host_evidence_records(state, ring, more, change);
	add_up(state, ring, lost, &reading);
	/* when it was made is not known: only a loss is worth so long a gap */
	if (change == HOST_CHANGE_NEW && !reading.lost.records)
		reading.prev = mono;
	set_peak(state, reading.lost.records && change == HOST_CHANGE_SAME);
	end_reading(state, &reading);
	host_evidence_read(state, &reading, change);
	set_lost(state, ring);
	remember(state, ring, mono);
}

/*
 * How often the ring was drained meanwhile is not known, so this says nothing on
 * its gaps.
 */
void host_figures_end(struct host_row_state *state, uint64_t lost)
{
	struct ring_row *row = &state->row;
	uint64_t held = count_lost(state, lost, 0, row->last_seen).records;

	if (!row->known || row->lost == UNKNOWN)
		return;
	set_peak(state, held > 0);
	row->lost += lost;
	if (row->lost_pending != UNKNOWN)
		row->lost_pending += lost;
}

static void tick_events(struct host_row_state *state, double dt)
{
	for (size_t i = 0; i < state->nr_events; i++) {
		struct host_event_entry *event = &state->events[i];
		bool known = event->seen.lost != UNKNOWN &&
			     event->lost_mark != UNKNOWN;

		event->seen.lost_per_s = !known ? NAN :
			ring_growth(event->seen.lost, event->lost_mark, dt);
		event->lost_mark = event->seen.lost;
	}
}

void host_figures_tick(struct host_row_state *state)
{
	struct ring_row *row = &state->row;
	struct host_tick *tick = &state->tick;
	const struct host_counters *start = &tick->start;
	double dt = row->last_seen - tick->from;

	tick->bad_tail = tick->aux_bad_tail = false;
	/* No change without a new reading. */
	if (!row->known || row->gone || !(dt > 0))
		return;
	row->bytes_per_s = ring_growth(row->bytes, start->bytes, dt);
	row->wakeups_per_s = !row->watermark ? NAN :
		ring_growth(row->wakeups, start->wakeups, dt);
	row->drains_per_s = row->overwrite ? NAN :
		ring_growth(row->drains, start->drains, dt);
	/* the kernel counts no losses of a BPF ring buffer */
	row->lost_per_s = row->lost == UNKNOWN && row->lost_pending == UNKNOWN ?
		NAN : ring_growth(state->lost_seen, start->lost, dt);
	if (row->aux.size && !row->aux.overwrite)
		row->aux.bytes_per_s = ring_rate(tick->aux_bytes, dt);
	row->often = verdict_is_often(row, row->often > 0) ?
			     row->often + dt : 0;
	tick_events(state, dt);
	ring_row_push(row, dt, &state->histories);
	*tick = begin_tick(state, row->last_seen);
}

void host_figures_reset(struct host_row_state *state)
{
	struct host_gaps *gaps = &state->gaps;

	if (state->row.known) {
		state->peak = state->last.used;
		state->row.peak = state->row.peak_tick = state->row.fill;
		state->row.worst_gap = NAN;
	}
	state->row.lost_before = unknown_as_zero(state->row.lost);
	state->tick.peak = 0;
	state->advice_lost = state->lost_excused = 0;
	state->advice_peak = state->last.stopped ? 0 : state->last.used;
	host_evidence_reset(state, state->row.last_seen);
	gaps->now = gaps->worst = (struct host_gap){ 0 };
	gaps->before = gaps->lately = (struct host_span){ 0 };
	gaps->longest = 0;	/* waiting data keeps its start time */
	memset(&state->histories, 0, sizeof(state->histories));
}
