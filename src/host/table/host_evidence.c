/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "host/table/host_advice.h"
#include "host/table/host_table_impl.h"

enum {
	LEAST_RECORDS = 100,	/* whose size on average can be told */
	LEAST_RECORD = 8,	/* struct perf_event_header */
	USUAL_RECORD = 64,	/* where nothing is known */
	LEAST_SIZES = 4,	/* records that were looked at */
	LEAST_OVERSIZED = 3,	/* looks: its figures are not of one instant */
	LEAST_DRAINS = 20,	/* before what was seen may be called usual, */
	EARLY_LOOKS = 3,	/* or seconds: a worse gap is likely to come */
};
static const double least_watched = 60;	/* seconds */
static const double early_watched = 2;
static const double least_burst = 4;	/* times the mean rate */

/* By what its only event that samples asks for. */
static uint64_t usual_size(const struct host_row_state *state)
{
	uint64_t usual = 0;
	size_t nr = 0;

	for (size_t i = 0; i < state->nr_events; i++) {
		if (!state->events[i].inside || !state->events[i].largest)
			continue;
		usual = state->events[i].usual;
		nr++;
	}
	return nr == 1 ? usual : 0;
}

/* Bytes of a record on average; 0: not known. */
uint64_t host_evidence_record(const struct host_row_state *state)
{
	const struct host_mean *mean = &state->mean;
	uint64_t size = 0;

	if (mean->made >= mean->lost + LEAST_RECORDS)
		size = mean->bytes / (mean->made - mean->lost);
	/* The header has 16 bits for it. */
	if (size >= LEAST_RECORD && size <= UINT16_MAX)
		return size;
	return state->sizes.nr < LEAST_SIZES ? usual_size(state) :
	       state->sizes.bytes / state->sizes.nr;
}

static void add_sizes(struct host_sizes *sizes,
		      const struct host_pass_ring *ring,
		      enum host_change change)
{
	if (change == HOST_CHANGE_REMAPPED)
		*sizes = (struct host_sizes){ 0 };
	sizes->nr += ring->sizes.nr;
	sizes->bytes += ring->sizes.bytes;
	if (ring->sizes.most > sizes->most)
		sizes->most = ring->sizes.most;
}

static void add_mean(struct host_mean *mean, const struct host_came *came,
		     uint64_t bytes, enum host_change change)
{
	if (change != HOST_CHANGE_SAME || !came->counted) {
		*mean = (struct host_mean){ 0 };
		return;
	}
	mean->bytes += bytes;
	mean->made += came->made;
	mean->lost += came->lost;
}

void host_evidence_records(struct host_row_state *state,
			   const struct host_pass_ring *ring,
			   const struct host_came *came,
			   enum host_change change)
{
	add_sizes(&state->sizes, ring, change);
	add_mean(&state->mean, came,
		 host_delta(state->row.head, state->last.head), change);
}

static void add_seen(struct host_seen *seen, const struct host_gap_look *look)
{
	double dt = look->mono - look->prev;

	seen->drains += look->moved;
	if (!(dt > 0))
		return;
	seen->bytes += look->bytes;
	seen->most_per_s = fmax(seen->most_per_s, (double)look->bytes / dt);
	if (look->bytes > seen->most)
		seen->most = look->bytes;
}

/*
 * At no moment between two looks more can have waited than did at the first
 * and came since.  So what was lost had no room in the rest.
 */
static void add_oversized(struct host_row_state *state,
			  const struct host_gap_look *look)
{
	struct host_oversized *oversized = &state->oversized;
	uint64_t waited = state->last.used + look->bytes;
	double dt = look->mono - look->prev;

	if (!look->lost.records || state->row.overwrite || !(dt > 0) ||
	    waited >= state->row.size)
		return;
	oversized->looks++;
	oversized->records += look->lost.records;
	oversized->per_s = fmax(oversized->per_s,
				(double)look->lost.records / dt);
	if (state->row.size - waited > oversized->least)
		oversized->least = state->row.size - waited;
}

void host_evidence_look(struct host_row_state *state,
			const struct host_gap_look *look,
			enum host_change change)
{
	add_seen(&state->seen, look);
	if (change == HOST_CHANGE_SAME)
		add_oversized(state, look);
}

void host_evidence_reset(struct host_row_state *state, double mono)
{
	state->oversized = (struct host_oversized){ 0 };
	state->seen = (struct host_seen){ .from = mono };
}

static double rate(uint64_t count, double dt)
{
	return (double)count / dt;
}

/* Of the gap for which a ring would have to be the largest. */
static void advise_on_gap(const struct host_row_state *state,
			  struct host_advice_input *in)
{
	const struct host_gap *worst = &state->gaps.worst;
	double span = worst->to - worst->from, gap = span, lost;

	if (worst->lost.records && worst->burst > 0) {
		lost = worst->in_one * (double)in->record;
		in->lost_in_gap = (uint64_t)fmin(lost, 0x1p60);
		in->burst_bytes_per_s = worst->burst;
		if (!in->unsized)
			gap = ((double)in->size + lost) / worst->burst;
	} else if (span > 0) {
		in->burst_bytes_per_s = (double)worst->bytes / span;
	}
	in->worst_gap = worst->still ? gap : 0;
	in->look_interval = gap;
}

/* Between two looks it takes less than half of a ring that is full. */
static bool is_slow(const struct host_advice_input *in,
		    const struct host_span *sum)
{
	return 2 * sum->taken < in->size * sum->looks;
}

/*
 * Full at most looks for long gaps, a ring loses several times what it holds
 * in each of them.  One that loses less is drained by and by, and filled at
 * once: its owner works all the time, or fills the ring itself right after it
 * has drained it, and then sleeps.
 */
static bool is_steady(const struct host_advice_input *in,
		      const struct host_span *sum)
{
	double record = in->record ? (double)in->record : USUAL_RECORD;
	double rings = (double)sum->taken / (double)in->size;

	return sum->in_one * record < (double)in->size &&
	       rings >= HOST_BUSY_RINGS * (sum->to - sum->from);
}

/* Of the last seconds: whether the owner keeps up at all. */
static void advise_on_owner(const struct host_row_state *state,
			    struct host_advice_input *in,
			    struct host_span *sum)
{
	const struct ring_row *row = &state->row;
	double dt;
	bool busy;

	busy = host_gaps_behind(&state->gaps, row->size, sum);
	in->early = sum->looks < EARLY_LOOKS || in->watched < early_watched;
	in->behind = busy && (is_slow(in, sum) || is_steady(in, sum));
	in->may_lag = busy && !in->behind;
	dt = sum->to - sum->from;
	if (dt > 0) {
		in->taken_per_s = rate(sum->taken, dt);
		in->came_per_s = rate(sum->came + sum->lost.bytes, dt);
		in->lost_per_s = rate(sum->lost.records, dt);
	}
	in->unsized |= in->behind && sum->lost.unsized;
	if (row->gone)
		return;
	in->stopped = row->stopped && row->used;
	if (row->fill > HOST_NEARLY_FULL)
		in->undrained = row->undrained;
}

/* The most that a sample of its events may take; 0: they write none. */
static uint64_t largest_of(const struct host_row_state *state)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < state->nr_events; i++)
		if (state->events[i].inside &&
		    state->events[i].largest > largest)
			largest = state->events[i].largest;
	return largest;
}

/* Records that a ring of that size cannot hold: no such was ever in it. */
static void advise_on_sizes(const struct host_row_state *state,
			    struct host_advice_input *in)
{
	const struct host_oversized *oversized = &state->oversized;

	in->largest = largest_of(state);
	in->largest_seen = state->sizes.most;
	if (oversized->looks < LEAST_OVERSIZED ||
	    oversized->least <= in->size / 2 ||
	    oversized->least <= in->largest_seen ||
	    oversized->records < in->lost - in->lost / 4)
		return;
	in->oversized = oversized->least;
	in->oversized_per_s = oversized->per_s;
}

/* Long enough, drained often enough, and not only in quiet times. */
static bool is_usual(const struct host_table *table,
		     const struct host_row_state *state)
{
	const struct host_seen *seen = &state->seen;
	double dt = state->row.last_seen - seen->from;

	return dt >= least_watched && seen->drains >= LEAST_DRAINS &&
	       seen->most >= table->opts.page_size &&
	       seen->most_per_s * dt >= least_burst * (double)seen->bytes;
}

/* Records lost before the ring was first seen, and none since. */
static uint64_t lost_unwatched(const struct host_row_state *state)
{
	return state->row.lost == UNKNOWN || state->lost_seen ? 0 :
	       state->row.lost;
}

/* Whether records were lost before what advice is made of began. */
static bool lost_before(const struct host_row_state *state)
{
	return state->row.lost != UNKNOWN &&
	       state->row.lost > state->advice_lost;
}

void host_evidence_sum(const struct host_table *table,
		       const struct host_row_state *state,
		       struct host_evidence *evidence)
{
	struct host_advice_input *in = &evidence->in;

	evidence->lately = (struct host_span){ 0 };
	*in = (struct host_advice_input){
		.size = state->row.size,
		.page_size = table->opts.page_size,
		.peak = state->advice_peak,
		.lost = state->advice_lost,
		.excused = state->lost_excused > 0 || lost_before(state),
		.lost_before = lost_unwatched(state),
		.record = host_evidence_record(state),
		.usual = is_usual(table, state),
		.watched = state->row.last_seen - state->seen.from,
		.watermark = state->row.watermark,
		.wakeup_events = state->row.wakeup_events,
		.overwrite = state->row.overwrite,
		.ringbuf = state->row.kind == RING_BPF,
		.uncounted = state->row.lost == UNKNOWN,
	};

	if (!state->row.known)
		return;
	in->unsized = in->lost && !in->record;
	advise_on_sizes(state, in);
	advise_on_gap(state, in);
	advise_on_owner(state, in, &evidence->lately);
}
