/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <sys/param.h>

#include "host/table/host_state.h"

/* A span ends after this many readings and seconds. */
enum { SPAN_READINGS = 3 };
static const double span_seconds = 2.5;
/* Seconds for which a wait for a CPU stands as the cause of losses. */
static const double starved_for = 15;
/* A reader's speed is a mean over at most this many seconds. */
static const double busy_seconds = 20;

enum {
	MIN_RECORDS = 100,	/* records needed to compute a mean size */
	MIN_RECORD = 8,	/* sizeof(struct perf_event_header) */
	USUAL_RECORD = 64,	/* assumed size if unknown */
	MIN_SIZES = 4,	/* samples needed to use their mean size */
	RECENT_PACKETS = 4096,	/* older ones count for less and less */
	MIN_OVERSIZED = 3,	/* readings: figures are not read atomically */
	MIN_LOSSES = 4, MAX_LOSSES = 32, /* readings that follow on a loss,
					     * to call losses rare */
};
static const double min_interval = 0.05;	/* seconds, for a rate */
static const double early_watched = 10;	/* before: a worse gap is likely */
static const double min_burst = 4;	/* x mean rate */

/* Gaps between drains. */

static bool is_worse(const struct host_gap *a, const struct host_gap *b)
{
	if (!a->lost.records != !b->lost.records)
		return a->lost.records;
	/* Equal: the same gap, extended. */
	if (a->lost.records)
		return a->in_one >= b->in_one;
	return a->bytes >= b->bytes;
}

static void add_loss(struct host_loss *sum, const struct host_loss *loss)
{
	sum->records += loss->records;
	sum->bytes += loss->bytes;
	sum->unsized |= loss->unsized;
}

/* Bytes drained.  The tail is under the owner's control. */
static uint64_t taken(const struct host_reading *reading)
{
	uint64_t there = reading->used_before + reading->bytes;

	return reading->moved ? ring_delta(there, reading->used) : 0;
}

/* Upper bound of the bytes that one drain between the readings took. */
static uint64_t takeable(const struct host_reading *reading)
{
	uint64_t there = reading->used_before + reading->bytes;

	if (!reading->moved)
		return 0;
	return there < reading->size ? there : reading->size;
}

/*
 * Losses are rare, if most readings after one find none: then two of them in the
 * same interval are improbable.
 */
static bool loses_rarely(const struct host_gaps *gaps)
{
	return gaps->after_loss >= MIN_LOSSES &&
	       2 * gaps->lost_again < gaps->after_loss;
}

/*
 * Records lost in one gap.  A gap with losses ends with the drain of a full
 * ring, so there were at most as many such gaps as rings drained, and on
 * average each lost at least records / rings; or all, if losses are rare.
 * Pending losses belong to the gap that continues.
 */
static double lost_in_one(const struct host_gaps *gaps,
			  const struct host_gap *gap,
			  const struct host_reading *reading)
{
	double records = (double)(reading->lost.records - reading->pending);
	double rings = 1;

	if (reading->moved && reading->size && !loses_rarely(gaps))
		rings = fmax((double)taken(reading) / (double)reading->size, 1);
	/* A gap that began earlier is only one of several. */
	return rings < 2 ? gap->in_one + records / rings :
			   fmax(gap->in_one, records / rings);
}

/* Bytes per second since the previous reading, lost records included. */
static double burst_of(const struct host_reading *reading)
{
	return ring_rate(reading->bytes + reading->lost.bytes,
			 reading->mono - reading->prev);
}

/* Extend the gap by the interval between two readings. */
static void extend(const struct host_gaps *gaps, struct host_gap *gap,
		   const struct host_reading *reading)
{
	gap->to = reading->mono;
	gap->still += reading->used && !reading->moved;
	gap->bytes += reading->bytes;
	add_loss(&gap->lost, &reading->lost);
	gap->in_one = lost_in_one(gaps, gap, reading);
	gap->burst = fmax(gap->burst, burst_of(reading));
}

/*
 * The drain happened between the two readings; what was written after it waits
 * now.  Losses count for the gap that ended, except pending ones.
 */
static void begin(struct host_gaps *gaps, const struct host_reading *reading)
{
	struct host_reading rest = *reading;

	if (!reading->used) {
		gaps->now = (struct host_gap){ .from = reading->mono,
					       .to = reading->mono };
		return;
	}
	rest.lost = (struct host_loss){ .records = reading->pending };
	rest.pending = 0;
	rest.moved = false;
	gaps->now = (struct host_gap){ .from = reading->prev };
	extend(gaps, &gaps->now, &rest);
	gaps->now.still = 0;
}

static void wait_on(struct host_gaps *gaps, const struct host_reading *reading)
{
	if (!reading->used || reading->moved) {
		gaps->waiting = false;
		gaps->due = false;
	}
	if (reading->used && !gaps->waiting) {
		gaps->waiting = true;
		gaps->waiting_since = reading->mono;
	}
	if (reading->used && reading->due && !gaps->due) {
		gaps->due = true;
		gaps->due_since = reading->mono;
	}
}

static void measure(struct host_gaps *gaps, const struct host_reading *reading)
{
	if (reading->mono > reading->prev) {
		if (!(gaps->now.to > 0))
			gaps->now.from = reading->prev;
		extend(gaps, &gaps->now, reading);
		if (is_worse(&gaps->now, &gaps->worst))
			gaps->worst = gaps->now;
		if (gaps->worst.lost.records)
			gaps->worst.in_one = fmax(gaps->worst.in_one,
						  (double)reading->reported);
	}
	if (reading->moved || !reading->used)
		begin(gaps, reading);
}

static void add_span(struct host_span *sum, const struct host_span *more)
{
	if (!sum->readings || more->from < sum->from)
		sum->from = more->from;
	sum->to = fmax(sum->to, more->to);
	sum->readings += more->readings;
	sum->losing += more->losing;
	sum->full += more->full;
	sum->moved += more->moved;
	sum->written += more->written;
	sum->taken += more->taken;
	sum->room += more->room;
	sum->ran += more->ran;
	sum->in_one = fmax(sum->in_one, more->in_one);
	add_loss(&sum->lost, &more->lost);
}

/* Halve it, so that what is measured now has most weight. */
static void halve(struct host_span *sum)
{
	sum->from = (sum->from + sum->to) / 2;
	sum->readings /= 2;
	sum->losing /= 2;
	sum->full /= 2;
	sum->moved /= 2;
	sum->written /= 2;
	sum->taken /= 2;
	sum->ran /= 2;
	sum->lost.bytes /= 2;
}

static void count_busy(struct host_gaps *gaps,
		       const struct host_reading *reading,
		       const struct host_span *one)
{
	if (!reading->busy) {
		gaps->busy = (struct host_span){ 0 };
		return;
	}
	if (gaps->busy.to - gaps->busy.from > busy_seconds)
		halve(&gaps->busy);
	add_span(&gaps->busy, one);
	gaps->busy.backlogs = gaps->busy.backlogs << 1 |
			      (one->full && one->losing);
}

/* How often losses follow upon losses, with more weight for the latest. */
static void count_losses(struct host_gaps *gaps, bool losing)
{
	if (gaps->lost_last) {
		gaps->after_loss++;
		gaps->lost_again += losing;
	}
	gaps->lost_last = losing;
	if (gaps->after_loss < MAX_LOSSES)
		return;
	gaps->after_loss /= 2;
	gaps->lost_again /= 2;
}

/* Count the reading in the present span, or begin another. */
static void count(struct host_gaps *gaps, const struct host_reading *reading)
{
	struct host_span *lately = &gaps->lately;
	const struct host_span one = {
		.from = reading->prev, .to = reading->mono,
		.readings = 1,
		.losing = reading->lost.records > 0,
		.full = reading->full,
		.moved = reading->moved,
		.written = reading->bytes,
		.taken = taken(reading),
		.room = takeable(reading),
		.ran = reading->ran,
		.lost = reading->lost,
		.in_one = (double)(reading->reported > reading->pending ?
				   reading->reported : reading->pending),
	};

	if (!(reading->mono > reading->prev))
		return;
	if (lately->readings >= SPAN_READINGS &&
	    reading->mono - lately->from > span_seconds) {
		gaps->before = *lately;
		*lately = (struct host_span){ 0 };
	}
	add_span(lately, &one);
	count_losses(gaps, one.losing);
	count_busy(gaps, reading, &one);
}

static void read_gaps(struct host_gaps *gaps,
		      const struct host_reading *reading)
{
	if (reading->stopped) {
		gaps->now = (struct host_gap){ .from = reading->mono,
					       .to = reading->mono };
		gaps->before = gaps->lately = gaps->busy =
			(struct host_span){ 0 };
	} else {
		measure(gaps, reading);
		count(gaps, reading);
	}
	wait_on(gaps, reading);
}

bool host_evidence_most(const struct host_span *sum, unsigned int readings)
{
	return readings * 4 >= sum->readings * 3;
}

bool host_evidence_busy(const struct host_span *sum, uint64_t size)
{
	double rings = (double)sum->taken / (double)size / sum->readings;

	return rings < 0.5 || rings > 2;
}

/*
 * Whether the owner drains a ring of @size that was yet nearly full, and lost
 * records, at most readings of the last seconds; these are summed in @sum.
 * Also true if the gaps are long and the ring is much too small.
 */
static bool is_behind(const struct host_gaps *gaps, uint64_t size,
		      struct host_span *sum)
{
	*sum = gaps->lately;
	if (gaps->before.readings)
		add_span(sum, &gaps->before);
	if (!(sum->in_one > 0) && sum->taken > 0)
		sum->in_one = (double)sum->lost.records * (double)size /
			      (double)sum->taken;
	return sum->readings >= SPAN_READINGS && size &&
	       host_evidence_busy(sum, size) &&
	       host_evidence_most(sum, sum->losing) &&
	       host_evidence_most(sum, sum->full) &&
	       host_evidence_most(sum, sum->moved);
}

/* Sizes of records. */

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
	const struct ring_row *row = &state->row;
	uint64_t size = 0;

	/* The mean of those that a BPF ring buffer lost is known. */
	if (row->kind == RING_BPF)
		return unknown_as_zero(row->lost) ?
		       row->lost_bytes / row->lost : 0;
	if (state->entry)
		return state->entry;
	if (mean->made >= mean->lost + MIN_RECORDS)
		size = mean->bytes / (mean->made - mean->lost);
	/* header.size has 16 bits. */
	if (size >= MIN_RECORD && size <= UINT16_MAX)
		return size;
	return state->sizes.nr < MIN_SIZES ? usual_size(state) :
	       state->sizes.bytes / state->sizes.nr;
}

static void add_sizes(struct host_sizes *sizes,
		      const struct host_pass_ring *ring,
		      enum host_change change)
{
	if (change == HOST_CHANGE_REMAPPED)
		*sizes = (struct host_sizes){ 0 };
	/* packets of a burst are larger than those of an idle network */
	if (ring->kind == RING_PACKET && sizes->nr > RECENT_PACKETS) {
		sizes->nr /= 2;
		sizes->bytes /= 2;
	}
	sizes->nr += ring->sizes.nr;
	sizes->bytes += ring->sizes.bytes;
	sizes->max = MAX(sizes->max, ring->sizes.max);
}

static void add_mean(struct host_mean *mean,
		     const struct host_increments *more, uint64_t bytes,
		     enum host_change change)
{
	if (change != HOST_CHANGE_SAME || !more->counted) {
		*mean = (struct host_mean){ 0 };
		return;
	}
	mean->bytes += bytes;
	mean->made += more->made;
	mean->lost += more->lost;
}

void host_evidence_records(struct host_row_state *state,
			   const struct host_pass_ring *ring,
			   const struct host_increments *more,
			   enum host_change change)
{
	/* the header of the last block stays until it is filled again */
	if (ring->kind != RING_PACKET || change != HOST_CHANGE_SAME ||
	    ring->packet.blocks != state->last.blocks)
		add_sizes(&state->sizes, ring, change);
	add_mean(&state->mean, more,
		 ring_delta(state->row.head, state->last.head), change);
}

static void add_observed(struct host_observed *observed,
			 const struct host_reading *reading)
{
	double dt = reading->mono - reading->prev;

	observed->drains += reading->moved;
	if (!(dt > 0))
		return;
	observed->bytes += reading->bytes;
	/* the rings of a pass are not read at one moment */
	if (!reading->stopped && dt >= min_interval)
		observed->burst = fmax(observed->burst, burst_of(reading));
	observed->max_per_s = fmax(observed->max_per_s,
				   (double)reading->bytes / dt);
	observed->max = MAX(observed->max, reading->bytes);
}

/*
 * Between two readings, at most the bytes waiting at the first and those
 * written since can have waited.  Records lost did not fit into the rest of the
 * ring.
 */
static void add_oversized(struct host_row_state *state,
			  const struct host_reading *reading)
{
	struct host_oversized *oversized = &state->oversized;
	uint64_t waited = state->last.used + reading->bytes;
	double dt = reading->mono - reading->prev;

	if (!reading->lost.records || state->row.overwrite || !(dt > 0) ||
	    waited >= state->row.size)
		return;
	/* A BPF ring buffer also refuses a record if its lock is taken. */
	if (state->row.kind != RING_PERF &&
	    host_evidence_record(state) < state->row.size - waited)
		return;
	oversized->readings++;
	oversized->records += reading->lost.records;
	oversized->per_s = fmax(oversized->per_s,
				(double)reading->lost.records / dt);
	oversized->min = MAX(oversized->min, state->row.size - waited);
}

/* Kept, since the mean size of a record changes: advice must not waver. */
static void add_gap(struct host_row_state *state)
{
	double lost = state->gaps.worst.in_one *
		      (double)host_evidence_record(state);

	if (!(lost > (double)state->observed.gap_lost))
		return;
	state->observed.gap_lost = (uint64_t)fmin(lost, 0x1p60);
	state->observed.gap_lost_at = state->gaps.worst.to;
}

void host_evidence_read(struct host_row_state *state,
			const struct host_reading *reading,
			enum host_change change)
{
	struct host_gaps *gaps = &state->gaps;
	struct ring_row *row = &state->row;

	read_gaps(gaps, reading);
	row->undrained = !gaps->waiting ? 0 :
			 fmax(reading->mono - gaps->waiting_since, 0);
	gaps->longest = fmax(gaps->longest, row->undrained);
	/* no data was seen waiting, or it was drained before the next poll */
	row->worst_gap = gaps->longest > 0 ? gaps->longest : NAN;
	add_observed(&state->observed, reading);
	add_gap(state);
	if (change == HOST_CHANGE_SAME)
		add_oversized(state, reading);
}

void host_evidence_reset(struct host_row_state *state, double mono)
{
	state->oversized = (struct host_oversized){ 0 };
	state->observed = (struct host_observed){ .from = mono };
	state->gaps.busy = (struct host_span){ 0 };
	state->limit = (struct host_limit){ 0 };
}

/* From the gap that needs the largest ring. */
static void advise_on_gap(const struct host_row_state *state,
			  struct advice_input *in)
{
	const struct host_gap *worst = &state->gaps.worst;
	double span = worst->to - worst->from, gap = span;

	if (worst->lost.records && worst->burst > 0) {
		in->lost_in_gap = state->observed.gap_lost;
		in->gap_age = state->row.last_seen -
			      state->observed.gap_lost_at;
		in->burst_bytes_per_s = worst->burst;
		if (!in->unsized)
			gap = ((double)in->size + (double)in->lost_in_gap) /
			      worst->burst;
	} else if (span > 0) {
		in->burst_bytes_per_s = (double)worst->bytes / span;
	}
	in->worst_gap = worst->still ? gap : 0;
	in->poll_interval = gap;
}

/* Between two readings it drains less than half of a full ring. */
static bool is_slow(const struct advice_input *in,
		    const struct host_span *sum)
{
	return 2 * sum->taken < in->size * sum->readings;
}

/*
 * A ring that is full at most readings because of long gaps loses several times
 * its size in each.  One that loses less is drained gradually and refilled at
 * once: its owner works continuously, or fills the ring itself right after a
 * drain, and then sleeps.
 */
static bool is_steady(const struct advice_input *in,
		      const struct host_span *sum)
{
	double record = in->record ? (double)in->record : USUAL_RECORD;
	double rings = (double)sum->taken / (double)in->size;

	return sum->in_one * record < (double)in->size &&
	       rings >= HOST_EVIDENCE_BUSY * (sum->to - sum->from);
}

/* Whether the owner kept up in the last seconds. */
static void advise_on_owner(const struct host_row_state *state,
			    struct advice_input *in,
			    struct host_span *sum)
{
	const struct ring_row *row = &state->row;
	double dt;
	bool busy;

	busy = is_behind(&state->gaps, row->size, sum);
	in->early = in->watched < early_watched;
	in->behind = busy && (is_slow(in, sum) || is_steady(in, sum));
	in->may_lag = busy && !in->behind;
	in->always_full = sum->readings >= HOST_EVIDENCE_MIN && sum->moved &&
			  host_evidence_most(sum, sum->full) &&
			  is_slow(in, sum);
	dt = sum->to - sum->from;
	if (dt > 0) {
		in->taken_per_s = ring_rate(sum->taken, dt);
		in->came_per_s = ring_rate(sum->written + sum->lost.bytes, dt);
		in->lost_per_s = ring_rate(sum->lost.records, dt);
	}
	in->unsized |= in->behind && sum->lost.unsized;
	if (row->gone)
		return;
	in->stopped = row->stopped && row->used;
	/* one that runs is not stuck: it may be busy with another ring */
	if (row->fill > ADVICE_TIGHT && !state->thread.busy)
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
			    struct advice_input *in)
{
	const struct host_oversized *oversized = &state->oversized;

	in->largest = largest_of(state);
	in->largest_seen = state->sizes.max;
	if (oversized->readings < MIN_OVERSIZED ||
	    oversized->min <= in->size / 2 ||
	    oversized->min <= in->largest_seen ||
	    oversized->records < in->lost - in->lost / 4)
		return;
	in->oversized = oversized->min;
	in->oversized_per_s = oversized->per_s;
}

/* Observed long enough, drained often enough, and with a burst. */
static bool is_usual(const struct host_row_state *state, uint64_t page_size)
{
	const struct host_observed *observed = &state->observed;
	double dt = state->row.last_seen - observed->from;

	return advice_is_seen(dt, observed->drains) &&
	       observed->max >= page_size &&
	       observed->max_per_s * dt >=
		       min_burst * (double)observed->bytes;
}

/* Whether records were lost before the period that the advice is based on. */
static bool lost_before(const struct host_row_state *state)
{
	return state->row.lost != UNKNOWN &&
	       state->row.lost > state->advice_lost;
}

void host_evidence_sum(struct host_row_state *state,
		       uint64_t page_size, struct host_evidence *evidence)
{
	struct advice_input *in = &evidence->in;

	evidence->lately = evidence->busy = (struct host_span){ 0 };
	evidence->limit = &state->limit;
	*in = (struct advice_input){
		.size = state->row.size,
		.page_size = state->row.kind == RING_URING && state->entry ?
				     state->entry : page_size,
		.peak = state->advice_peak,
		.lost = state->advice_lost,
		.excused = state->lost_excused > 0 || lost_before(state),
		.lost_age = state->row.last_seen - state->lost_at,
		.lost_before = state->lost_seen ? 0 :
			       unknown_as_zero(state->row.lost),
		.lost_stopped = state->lost_excused,
		.record = host_evidence_record(state),
		.usual = is_usual(state, page_size),
		.max_per_s = state->observed.burst,
		.watched = state->row.last_seen - state->observed.from,
		.run_wait = state->row.run_wait,
		.priority = state->thread.priority,
		.output_wait = state->row.output_wait,
		.watermark = state->row.watermark,
		.wakeup_events = state->row.wakeup_events,
		.overwrite = state->row.overwrite,
		.ringbuf = state->row.kind == RING_BPF,
		.ftrace = state->row.kind == RING_FTRACE ? state->row.event :
							   NULL,
		.frame = state->frame,
		.entries = state->row.kind == RING_URING,
		.to_kernel = state->row.to_kernel,
		.uncounted = state->row.lost == UNKNOWN,
	};

	if (!state->row.known)
		return;
	in->unsized = in->lost && !in->record;
	advise_on_sizes(state, in);
	advise_on_gap(state, in);
	advise_on_owner(state, in, &evidence->lately);
	evidence->busy = state->gaps.busy;
	in->busy = state->thread.busy && in->lost;
	/* what was lost long ago had another cause */
	if (state->thread.starved && evidence->lately.losing) {
		state->limit.starved_at = state->row.last_seen;
		state->limit.run_wait = in->run_wait;
	}
	if (evidence->lately.losing && in->run_wait > state->observed.waited)
		state->observed.waited = in->run_wait;
	in->waited = state->observed.waited;
	in->starved = state->limit.starved_at > 0 &&
		      state->row.last_seen - state->limit.starved_at < starved_for;
	if (in->starved)
		in->run_wait = state->limit.run_wait;
}
