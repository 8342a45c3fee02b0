/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_evidence.h"

#include <math.h>
#include <stdlib.h>

#include "host/table/host_remedy.h"

enum {
	LEAST_RECORDS = 100,	/* records needed to compute a mean size */
	LEAST_RECORD = 8,	/* sizeof(struct perf_event_header) */
	USUAL_RECORD = 64,	/* assumed size if unknown */
	LEAST_SIZES = 4,	/* samples needed to use their mean size */
	LEAST_OVERSIZED = 3,	/* readings: figures are not read atomically */
	LEAST_DRAINS = 20,	/* needed to call what was seen usual */
	BEHIND_LOOKS = 3,	/* readings needed to call an owner behind */
	LAG_LOOKS = 2,		/* readings needed to say that it may lag */
};
static const double least_watched = 60;	/* seconds */
static const double early_watched = 10;	/* before: a worse gap is likely */
static const double least_burst = 4;	/* x mean rate */
/* An owner that drains less of what waits never finds a ring empty, ... */
static const double small_part = 1.0 / 3;
/* ... or, below this part, possibly never. */
static const double large_part = 3.0 / 4;
/* x bytes drained: more is written, beyond doubt. */
static const double more_than = 1.1;

/* Rings drained per second; an owner that drains fewer may sleep in between. */
static const double busy_rings = 50;

/* The sample size of the ring's only sampling event, if fixed; else 0. */
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

uint64_t host_evidence_record(const struct host_row_state *state)
{
	const struct host_mean *mean = &state->mean;
	uint64_t size = 0;

	if (mean->made >= mean->lost + LEAST_RECORDS)
		size = mean->bytes / (mean->made - mean->lost);
	/* header.size has 16 bits. */
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
		 ring_delta(state->row.head, state->last.head), change);
}

static void add_seen(struct host_seen *seen, const struct host_gap_look *look)
{
	double dt = look->mono - look->prev;

	seen->drains += look->moved;
	if (!(dt > 0))
		return;
	seen->bytes += look->bytes;
	if (!look->stopped)
		seen->burst = fmax(seen->burst, (double)(look->bytes +
							 look->lost.bytes) / dt);
	seen->most_per_s = fmax(seen->most_per_s, (double)look->bytes / dt);
	if (look->bytes > seen->most)
		seen->most = look->bytes;
}

/*
 * Between two readings, at most the bytes waiting at the first and those
 * written since can have waited.  Records lost did not fit into the rest of the
 * ring.
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

/* Kept, since the mean size of a record changes: advice must not waver. */
static void add_gap(struct host_row_state *state, double mono)
{
	double lost = state->gaps.worst.in_one *
		      (double)host_evidence_record(state);

	if (!(lost > (double)state->seen.gap_lost))
		return;
	state->seen.gap_lost = (uint64_t)fmin(lost, 0x1p60);
	state->seen.gap_lost_at = mono;
}

void host_evidence_look(struct host_row_state *state,
			const struct host_gap_look *look,
			enum host_change change)
{
	add_seen(&state->seen, look);
	add_gap(state, look->mono);
	if (change == HOST_CHANGE_SAME)
		add_oversized(state, look);
}

void host_evidence_reset(struct host_row_state *state, double mono)
{
	state->oversized = (struct host_oversized){ 0 };
	state->seen = (struct host_seen){ .from = mono };
}

/* From the gap that needs the largest ring. */
static void advise_on_gap(const struct host_row_state *state,
			  struct host_advice_input *in)
{
	const struct host_gap *worst = &state->gaps.worst;
	double span = worst->to - worst->from, gap = span;

	if (worst->lost.records && worst->burst > 0) {
		in->lost_in_gap = state->seen.gap_lost;
		in->gap_age = state->row.last_seen - state->seen.gap_lost_at;
		in->burst_bytes_per_s = worst->burst;
		if (!in->unsized)
			gap = ((double)in->size + (double)in->lost_in_gap) /
			      worst->burst;
	} else if (span > 0) {
		in->burst_bytes_per_s = (double)worst->bytes / span;
	}
	in->worst_gap = worst->still ? gap : 0;
	in->look_interval = gap;
}

/* Between two readings it drains less than half of a full ring. */
static bool is_slow(const struct host_advice_input *in,
		    const struct host_span *sum)
{
	return 2 * sum->taken < in->size * sum->looks;
}

/*
 * A ring that is full at most readings because of long gaps loses several times
 * its size in each.  One that loses less is drained gradually and refilled at
 * once: its owner works continuously, or fills the ring itself right after a
 * drain, and then sleeps.
 */
static bool is_steady(const struct host_advice_input *in,
		      const struct host_span *sum)
{
	double record = in->record ? (double)in->record : USUAL_RECORD;
	double rings = (double)sum->taken / (double)in->size;

	return sum->in_one * record < (double)in->size &&
	       rings >= busy_rings * (sum->to - sum->from);
}

/* Whether the owner kept up in the last seconds. */
static void advise_on_owner(const struct host_row_state *state,
			    struct host_advice_input *in,
			    struct host_span *sum)
{
	const struct ring_row *row = &state->row;
	double dt;
	bool busy;

	busy = host_gaps_behind(&state->gaps, row->size, sum);
	in->early = in->watched < early_watched;
	in->behind = busy && (is_slow(in, sum) || is_steady(in, sum));
	in->may_lag = busy && !in->behind;
	in->always_full = sum->looks >= BEHIND_LOOKS && sum->moved &&
			  4 * sum->full >= 3 * sum->looks && is_slow(in, sum);
	dt = sum->to - sum->from;
	if (dt > 0) {
		in->taken_per_s = ring_rate(sum->taken, dt);
		in->came_per_s = ring_rate(sum->came + sum->lost.bytes, dt);
		in->lost_per_s = ring_rate(sum->lost.records, dt);
	}
	in->unsized |= in->behind && sum->lost.unsized;
	if (row->gone)
		return;
	in->stopped = row->stopped && row->used;
	if (row->fill > HOST_EVIDENCE_FULL)
		in->undrained = row->undrained;
}

/* Upper bound of a sample of the ring's events; 0: they do not sample. */
static uint64_t largest_of(const struct host_row_state *state)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < state->nr_events; i++)
		if (state->events[i].inside &&
		    state->events[i].largest > largest)
			largest = state->events[i].largest;
	return largest;
}

/* Records too large for the ring: none of that size was ever seen in it. */
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

/* Observed long enough, drained often enough, and with a burst. */
static bool is_usual(const struct host_row_state *state, uint64_t page_size)
{
	const struct host_seen *seen = &state->seen;
	double dt = state->row.last_seen - seen->from;

	return dt >= least_watched && seen->drains >= LEAST_DRAINS &&
	       seen->most >= page_size &&
	       seen->most_per_s * dt >= least_burst * (double)seen->bytes;
}

/* Records lost before the ring was first seen, if none was lost since. */
static uint64_t lost_unwatched(const struct host_row_state *state)
{
	return state->row.lost == UNKNOWN || state->lost_seen ? 0 :
	       state->row.lost;
}

/* Whether records were lost before the period that the advice is based on. */
static bool lost_before(const struct host_row_state *state)
{
	return state->row.lost != UNKNOWN &&
	       state->row.lost > state->advice_lost;
}

void host_evidence_sum(const struct host_row_state *state,
		       uint64_t page_size, struct host_evidence *evidence)
{
	struct host_advice_input *in = &evidence->in;

	evidence->lately = (struct host_span){ 0 };
	*in = (struct host_advice_input){
		.size = state->row.size,
		.page_size = page_size,
		.peak = state->advice_peak,
		.lost = state->advice_lost,
		.excused = state->lost_excused > 0 || lost_before(state),
		.lost_before = lost_unwatched(state),
		.lost_stopped = state->lost_excused,
		.record = host_evidence_record(state),
		.usual = is_usual(state, page_size),
		.most_per_s = state->seen.burst,
		.watched = state->row.last_seen - state->seen.from,
		.run_wait = state->row.run_wait,
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

/* Sums of the rings of one owner, over the last seconds. */
struct owner {
	unsigned int looks;	/* readings of the ring that has most */
	unsigned int moved;	/* readings that found a tail moved, all
				 * rings */
	double taken;		/* bytes */
	double room;		/* upper bound of taken: struct host_span */
	double taken_per_s, came_per_s, lost_per_s;
	double rings_per_s;	/* drained per second */
	bool unsized;
	bool losing;		/* a ring is losing records and nearly full at
				 * most readings */
	bool waits;		/* and its tail did not move at many of them */
	bool starves;		/* a full ring is not drained at all */
	bool lags;		/* a ring may lag */
	bool behind;
};

/* Whether a reader drains it together with the owner's other rings. */
static bool is_read(const struct host_evidence *e)
{
	return e->lately.looks && e->in.size && e->row->kind == RING_PERF &&
	       !e->row->overwrite && !e->row->gone && e->row->pid >= 0;
}

static bool is_losing(const struct host_span *lately)
{
	return 4 * lately->losing >= 3 * lately->looks &&
	       4 * lately->full >= 3 * lately->looks;
}

/*
 * Drained partly, or many times, between two readings.  The reader of a ring
 * that is drained once may sleep in between.
 */
static bool is_at_work(const struct host_evidence *e)
{
	double rings = (double)e->lately.taken / (double)e->in.size /
		       e->lately.looks;

	return rings < 0.5 || rings > 2;
}

static void add(struct owner *owner, const struct host_evidence *e)
{
	const struct host_span *lately = &e->lately;
	bool losing = is_losing(lately);

	if (lately->looks > owner->looks)
		owner->looks = lately->looks;
	owner->moved += lately->moved;
	owner->taken += (double)lately->taken;
	owner->room += (double)lately->room;
	owner->taken_per_s += e->in.taken_per_s;
	owner->came_per_s += e->in.came_per_s;
	owner->lost_per_s += e->in.lost_per_s;
	owner->unsized |= lately->lost.unsized;
	owner->rings_per_s += e->in.taken_per_s / (double)e->in.size;
	owner->losing |= losing;
	owner->waits |= losing &&
			4 * (lately->looks - lately->moved) >= lately->looks;
	owner->starves |= !e->in.stopped && e->in.undrained >= RING_UNDRAINED;
	owner->behind |= e->in.behind;
	owner->lags |= e->in.may_lag ||
		       (losing && lately->looks >= LAG_LOOKS && is_at_work(e));
}

/*
 * A reader that drains one ring lets the others wait: their tails do not move,
 * although it works continuously.  It never finds a ring empty if between two
 * readings some tail moves by a small part of what waits, or by many rings
 * while another ring stays full.
 */
static void judge(struct owner *owner)
{
	bool moves = 4 * owner->moved >= 3 * owner->looks;
	bool slow = owner->taken < small_part * owner->room;
	bool leaves = owner->taken < large_part * owner->room;
	bool busy = owner->waits && owner->rings_per_s >= busy_rings;
	bool more = owner->came_per_s > more_than * owner->taken_per_s;

	/* it is busy with other rings */
	owner->starves &= owner->taken > 0;
	owner->lags |= leaves && more && owner->looks >= LAG_LOOKS;
	owner->lags &= moves;
	owner->behind |= owner->starves;
	owner->behind |= owner->losing && owner->looks >= BEHIND_LOOKS &&
			 moves && (slow || busy);
}

/* The result for the owner applies to each of its rings with losses. */
static void tell(const struct owner *owner, struct host_evidence *e)
{
	struct host_advice_input *in = &e->in;
	bool more = owner->unsized || owner->came_per_s > owner->taken_per_s;

	in->behind |= owner->behind && more && e->lately.losing;
	if (owner->starves && in->undrained >= RING_UNDRAINED && in->lost) {
		in->behind = true;
		in->undrained = 0;
	}
	in->may_lag = !in->behind && (owner->behind || owner->lags);
	if (!in->behind || !more)
		return;
	in->taken_per_s = owner->taken_per_s;
	in->came_per_s = owner->came_per_s;
	in->lost_per_s = owner->lost_per_s;
	in->unsized |= owner->unsized;
}

static void judge_owner(struct host_evidence *all, size_t nr)
{
	struct owner owner = { 0 };

	for (size_t i = 0; i < nr; i++)
		if (is_read(&all[i]))
			add(&owner, &all[i]);
	judge(&owner);
	for (size_t i = 0; i < nr; i++)
		if (is_read(&all[i]))
			tell(&owner, &all[i]);
}

/* Whether its size is one setting with that of the owner's other rings. */
static bool shares_size(const struct host_evidence *e, bool gone)
{
	return e->in.size && e->row->kind == RING_PERF && !e->row->overwrite &&
	       e->row->gone == gone && e->row->pid >= 0;
}

/*
 * Rings of one size, which they probably got from one setting (-m): those that
 * are there, or those that are gone.
 */
static void share_size(struct host_evidence *all, size_t nr, bool gone)
{
	const struct ring_row *most = NULL;

	for (size_t i = 0; i < nr; i++)
		if (shares_size(&all[i], gone) &&
		    (!most || all[i].row->advice.pages > most->advice.pages))
			most = all[i].row;
	for (size_t i = 0; most && i < nr; i++) {
		struct advice *advice = &all[i].row->advice;

		if (shares_size(&all[i], gone) && advice->pages &&
		    advice->pages < most->advice.pages)
			host_advice_share(&all[i].in, most->advice.pages,
					  most->label, advice);
	}
}

static void advise(struct host_evidence *e)
{
	e->in.comm = e->row->comm;
	if (e->row->known)
		host_advice_make(&e->in, &e->row->advice);
	else
		e->row->advice = (struct advice){
			.reason = "its head and tail are unknown",
		};
}

static void put_in_words(struct host_evidence *e)
{
	struct advice *advice = &e->row->advice;

	if (advice->pages && advice->pages * e->in.page_size != e->in.size)
		host_remedy_setting(e->row->comm, e->in.ringbuf, advice->pages,
			     e->in.page_size, advice->setting,
			     sizeof(advice->setting));
}

static int compare(const void *a, const void *b)
{
	const struct ring_row *x = ((const struct host_evidence *)a)->row;
	const struct ring_row *y = ((const struct host_evidence *)b)->row;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* The number of rings with the owner of the first and, if @sized, its size. */
static size_t count_same(const struct host_evidence *all, size_t nr, bool sized)
{
	size_t n = 1;

	while (n < nr && all[n].row->pid == all[0].row->pid &&
	       (!sized || all[n].row->size == all[0].row->size))
		n++;
	return n;
}

void host_evidence_advise(struct host_evidence *all, size_t nr)
{
	size_t n;

	if (nr)
		qsort(all, nr, sizeof(*all), compare);
	for (size_t i = 0; i < nr; i += n) {
		n = count_same(all + i, nr - i, false);
		judge_owner(all + i, n);
	}
	for (size_t i = 0; i < nr; i++)
		advise(&all[i]);
	for (size_t i = 0; i < nr; i += n) {
		n = count_same(all + i, nr - i, true);
		share_size(all + i, n, false);
		share_size(all + i, n, true);
	}
	for (size_t i = 0; i < nr; i++)
		put_in_words(&all[i]);
}
