/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/host_gaps.h"

#include <math.h>

/*
 * Where nothing was lost, what came is known.  Else it may have come at the
 * highest rate for all the time that the owner was late; what it takes to be
 * woken is by design and not counted as such.
 */
double host_gap_need(const struct host_gap *gap)
{
	if (!gap->lost)
		return (double)gap->bytes;
	return (double)gap->backlog + gap->burst * (gap->to - gap->due_from);
}

static bool is_worse(const struct host_gap *a, const struct host_gap *b)
{
	if (!a->lost != !b->lost)
		return a->lost;
	/* The same gap may have gone on since. */
	return host_gap_need(a) >= host_gap_need(b);
}

/* The interval between two looks belongs to the gap. */
static void extend(struct host_gap *gap, const struct host_gap_look *look)
{
	double dt = look->mono - look->prev;

	gap->to = look->mono;
	gap->still += look->used && !look->moved;
	gap->bytes += look->bytes;
	gap->lost += look->lost;
	if (dt > 0)
		gap->burst = fmax(gap->burst, (double)look->bytes / dt);
	if (gap->due || !(look->due || look->lost))
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
	rest.lost = 0;
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

void host_gaps_look(struct host_gaps *gaps, const struct host_gap_look *look)
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
	wait_on(gaps, look);
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
	gaps->longest = 0;
}
