/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/host_gaps.h"

#include <math.h>

/* A span is over after so many looks, and seconds. */
enum { SPAN_LOOKS = 3 };
static const double span_seconds = 2.5;

/*
 * Where nothing was lost, what came is known.  Else it may have come at the
 * highest rate for all the time that the owner was late; what it takes to be
 * woken is by design and not counted as such.
 */
double host_gap_need(const struct host_gap *gap)
{
	if (!gap->lost.records)
		return (double)gap->bytes;
	return (double)gap->backlog + gap->burst * (gap->to - gap->due_from);
}

static bool is_worse(const struct host_gap *a, const struct host_gap *b)
{
	if (!a->lost.records != !b->lost.records)
		return a->lost.records;
	/* The same gap may have gone on since. */
	return host_gap_need(a) >= host_gap_need(b);
}

static void add_loss(struct host_loss *sum, const struct host_loss *loss)
{
	sum->records += loss->records;
	sum->bytes += loss->bytes;
	sum->unsized |= loss->unsized;
}

/* The interval between two looks belongs to the gap. */
static void extend(struct host_gap *gap, const struct host_gap_look *look)
{
	double dt = look->mono - look->prev;

	gap->to = look->mono;
	gap->still += look->used && !look->moved;
	gap->bytes += look->bytes;
	add_loss(&gap->lost, &look->lost);
	if (dt > 0)
		gap->burst = fmax(gap->burst, (double)(look->bytes +
						       look->lost.bytes) / dt);
	if (gap->due || !(look->due || look->lost.records))
		return;
	gap->due = true;
	gap->due_from = look->prev;
	gap->backlog = look->used_before;
}

/*
 * The drain was some time between the two looks; what came since then waits
 * now.  What was lost counts for the gap that ended.
 */
static void begin(struct host_gaps *gaps, const struct host_gap_look *look)
{
	struct host_gap_look rest = *look;

	if (!look->used) {
		gaps->now = (struct host_gap){ .from = look->mono,
					       .to = look->mono };
		return;
	}
	rest.lost = (struct host_loss){ 0 };
	rest.used_before = look->used > look->bytes ?
				   look->used - look->bytes : 0;
	gaps->now = (struct host_gap){ .from = look->prev };
	extend(&gaps->now, &rest);
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
	/* The tail is the owner's to write; what waits is within the size. */
	if (look->moved && look->used_before + look->bytes > look->used)
		span->taken += look->used_before + look->bytes - look->used;
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
 * One that empties the ring about once from look to look may sleep in between,
 * and need but a larger one.  Who takes a part of it, or takes it all many
 * times, and leaves it full is at work all the time.
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
	add_loss(&sum->lost, &before->lost);
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
