/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_gaps.h"

#include <math.h>

/* A span ends after this many readings and seconds. */
enum { SPAN_LOOKS = 3 };
static const double span_seconds = 2.5;

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
static uint64_t taken(const struct host_gap_look *look)
{
	uint64_t there = look->used_before + look->bytes;

	return look->moved && there > look->used ? there - look->used : 0;
}

/* Upper bound of the bytes that one drain between the readings took. */
static uint64_t takeable(const struct host_gap_look *look)
{
	uint64_t there = look->used_before + look->bytes;

	if (!look->moved)
		return 0;
	return there < look->size ? there : look->size;
}

/*
 * Records lost in one gap.  A gap with losses ends with the drain of a full
 * ring, so there were at most as many such gaps as rings drained, and on
 * average each lost at least records / rings.  Pending losses belong to the gap
 * that continues.
 */
static double lost_in_one(const struct host_gap *gap,
			  const struct host_gap_look *look)
{
	double records = (double)(look->lost.records - look->pending);
	double rings = 1;

	if (look->moved && look->size)
		rings = fmax((double)taken(look) / (double)look->size, 1);
	/* A gap that began earlier is only one of several. */
	return rings < 2 ? gap->in_one + records / rings :
			   fmax(gap->in_one, records / rings);
}

/* Extend the gap by the interval between two readings. */
static void extend(struct host_gap *gap, const struct host_gap_look *look)
{
	double dt = look->mono - look->prev;

	gap->to = look->mono;
	gap->still += look->used && !look->moved;
	gap->bytes += look->bytes;
	add_loss(&gap->lost, &look->lost);
	gap->in_one = lost_in_one(gap, look);
	if (dt > 0)
		gap->burst = fmax(gap->burst, (double)(look->bytes +
						       look->lost.bytes) / dt);
}

/*
 * The drain happened between the two readings; what was written after it waits
 * now.  Losses count for the gap that ended, except pending ones.
 */
static void begin(struct host_gaps *gaps, const struct host_gap_look *look)
{
	struct host_gap_look rest = *look;

	if (!look->used) {
		gaps->now = (struct host_gap){ .from = look->mono,
					       .to = look->mono };
		return;
	}
	rest.lost = (struct host_loss){ .records = look->pending };
	rest.pending = 0;
	rest.moved = false;
	gaps->now = (struct host_gap){ .from = look->prev };
	extend(&gaps->now, &rest);
	gaps->now.still = 0;
}

static void wait_on(struct host_gaps *gaps, const struct host_gap_look *look)
{
	if (!look->used || look->moved) {
		gaps->waiting = false;
		gaps->due = false;
	}
	if (look->used && !gaps->waiting) {
		gaps->waiting = true;
		gaps->waiting_since = look->mono;
	}
	if (look->used && look->due && !gaps->due) {
		gaps->due = true;
		gaps->due_since = look->mono;
	}
	gaps->longest = fmax(gaps->longest,
			     host_gaps_undrained(gaps, look->mono));
}

static void measure(struct host_gaps *gaps, const struct host_gap_look *look)
{
	if (look->mono > look->prev) {
		if (!(gaps->now.to > 0))
			gaps->now.from = look->prev;
		extend(&gaps->now, look);
		if (is_worse(&gaps->now, &gaps->worst))
			gaps->worst = gaps->now;
		if (gaps->worst.lost.records)
			gaps->worst.in_one = fmax(gaps->worst.in_one,
						  (double)look->told);
	}
	if (look->moved || !look->used)
		begin(gaps, look);
}

static void add_span(struct host_gaps *gaps, const struct host_gap_look *look)
{
	struct host_span *span = &gaps->lately;

	if (!(look->mono > look->prev))
		return;
	if (span->looks >= SPAN_LOOKS &&
	    look->mono - span->from > span_seconds) {
		gaps->before = *span;
		*span = (struct host_span){ 0 };
	}
	if (!span->looks)
		span->from = look->prev;
	span->to = look->mono;
	span->looks++;
	span->losing += look->lost.records > 0;
	span->full += look->full;
	span->moved += look->moved;
	span->came += look->bytes;
	span->taken += taken(look);
	span->room += takeable(look);
	span->in_one = fmax(span->in_one, fmax((double)look->told,
					       (double)look->pending));
	add_loss(&span->lost, &look->lost);
}

void host_gaps_look(struct host_gaps *gaps, const struct host_gap_look *look)
{
	if (look->stopped) {
		gaps->now = (struct host_gap){ .from = look->mono,
					       .to = look->mono };
		gaps->before = gaps->lately = (struct host_span){ 0 };
	} else {
		measure(gaps, look);
		add_span(gaps, look);
	}
	wait_on(gaps, look);
}

static bool at_most_looks(const struct host_span *sum, unsigned int looks)
{
	return looks * 4 >= sum->looks * 3;
}

/*
 * An owner that empties the ring about once between readings may sleep in
 * between, and a larger ring would be enough.  One that takes a part of it, or
 * drains it many times, and leaves it full works continuously.
 */
static bool is_busy(const struct host_span *sum, uint64_t size)
{
	double rings = (double)sum->taken / (double)size / sum->looks;

	return rings < 0.5 || rings > 2;
}

bool host_gaps_behind(const struct host_gaps *gaps, uint64_t size,
		      struct host_span *sum)
{
	const struct host_span *before = &gaps->before;

	*sum = gaps->lately;
	if (before->looks)
		sum->from = before->from;
	sum->looks += before->looks;
	sum->losing += before->losing;
	sum->full += before->full;
	sum->moved += before->moved;
	sum->came += before->came;
	sum->taken += before->taken;
	sum->room += before->room;
	add_loss(&sum->lost, &before->lost);
	sum->in_one = fmax(sum->in_one, before->in_one);
	if (!(sum->in_one > 0) && sum->taken > 0)
		sum->in_one = (double)sum->lost.records * (double)size /
			      (double)sum->taken;
	return sum->looks >= SPAN_LOOKS && size && is_busy(sum, size) &&
	       at_most_looks(sum, sum->losing) &&
	       at_most_looks(sum, sum->full) && at_most_looks(sum, sum->moved);
}

double host_gaps_undrained(const struct host_gaps *gaps, double mono)
{
	return gaps->waiting ? fmax(mono - gaps->waiting_since, 0) : 0;
}

double host_gaps_overdue(const struct host_gaps *gaps, double mono)
{
	return gaps->due ? fmax(mono - gaps->due_since, 0) : 0;
}

void host_gaps_reset(struct host_gaps *gaps)
{
	gaps->now = gaps->worst = (struct host_gap){ 0 };
	gaps->before = gaps->lately = (struct host_span){ 0 };
	gaps->longest = 0;
}
