/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "host/table/host_state.h"

enum { LAG_READINGS = 2 };	/* needed to say that an owner may lag */
/* An owner that drains less of what waits never finds a ring empty, ... */
static const double small_part = 1.0 / 3;
/* ... or, below this part, possibly never. */
static const double large_part = 3.0 / 4;
/* x bytes drained: more is written, beyond doubt. */
static const double more_than = 1.1;
/* Seconds, and CPU time, in which a reader is measured. */
static const double min_busy = 5, min_ran = 0.2;
/* Part of the time from which its output is what a reader waits for, and below
 * which it is not. */
static const double most_waiting = 0.5, still_waiting = 0.25;
/*
 * A drain of this many seconds or more is spent on records, not on waking up:
 * a larger ring does not make it faster.
 */
static const double long_drain = 1e-3;

/* Sums of the rings of one owner, over the last seconds. */
struct owner {
	unsigned int readings;	/* readings of the ring that has most */
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
	bool starved;		/* its main thread waits for a CPU, ... */
	double run_wait;	/* ... this part of the time; measured for each
				 * ring at other times */
	double output_wait;	/* and for its output; NAN: unknown */
	/* While it never slept: */
	uint64_t backlogs;	/* readings at which any ring was nearly full
				 * and lost: struct host_span */
	unsigned int looks;	/* such readings in all */
	double read_per_s;	/* bytes per second of CPU time, upper bound */
	double busy_came_per_s;	/* bytes per second, lower bound */
	double limit;		/* bytes per second that it can read with a CPU
				 * of its own, if more comes; 0: unknown */
	bool others;		/* it has rings that are not included here */
};

/* Whether its size is one setting with that of the owner's other rings. */
static bool shares_size(const struct host_evidence *e, bool gone)
{
	return e->in.size && !e->row->overwrite &&
	       (e->row->kind == RING_PERF || e->row->kind == RING_FTRACE ||
		e->row->kind == RING_PACKET) &&
	       e->row->gone == gone && e->row->pid >= 0;
}

/* Whether a reader drains it together with the owner's other rings. */
static bool is_read(const struct host_evidence *e)
{
	return e->lately.readings && shares_size(e, false);
}

static void add_busy(struct owner *owner, const struct host_evidence *e)
{
	const struct host_span *busy = &e->busy;
	double ran = (double)busy->ran / 1e9, over = busy->to - busy->from;

	if (ran < min_ran || over < min_busy || !e->row->known) {
		owner->others = true;
		return;
	}
	/* part of what waits may have been read: the tail moves later */
	owner->read_per_s += ((double)busy->taken + (double)e->row->used) / ran;
	owner->busy_came_per_s +=
		((double)busy->written + (double)busy->lost.bytes) / over;
	owner->backlogs |= busy->backlogs;
	owner->looks = MAX(owner->looks, busy->readings);
}

static void add(struct owner *owner, const struct host_evidence *e)
{
	const struct host_span *lately = &e->lately;
	bool losing = host_evidence_most(lately, lately->losing) &&
		      host_evidence_most(lately, lately->full);
	unsigned int still = lately->readings - lately->moved;

	owner->readings = MAX(owner->readings, lately->readings);
	owner->moved += lately->moved;
	owner->taken += (double)lately->taken;
	owner->room += (double)lately->room;
	owner->taken_per_s += e->in.taken_per_s;
	owner->came_per_s += e->in.came_per_s;
	owner->lost_per_s += e->in.lost_per_s;
	owner->unsized |= lately->lost.unsized;
	owner->rings_per_s += e->in.taken_per_s / (double)e->in.size;
	owner->losing |= losing;
	owner->waits |= losing && 4 * still >= lately->readings;
	owner->starves |= !e->in.stopped && e->in.undrained >= RING_UNDRAINED;
	owner->behind |= e->in.behind;
	if (lately->written || lately->lost.records)
		add_busy(owner, e);
	owner->starved |= e->in.starved;
	owner->run_wait = fmax(owner->run_wait, e->in.run_wait);
	owner->output_wait = fmax(owner->output_wait, e->in.output_wait);
	owner->lags |= e->in.may_lag ||
		       (losing && lately->readings >= LAG_READINGS &&
			host_evidence_busy(lately, e->in.size));
}

/* Whether records had to wait for its reader at most readings. */
static bool always_behind(const struct owner *owner)
{
	int nr = owner->looks < 64 ? (int)owner->looks : 64, behind = 0;

	for (int i = 0; i < nr; i++)
		behind += (owner->backlogs >> i & 1) != 0;
	return nr && 4 * behind >= 3 * nr;
}

/*
 * A reader that drains one ring lets the others wait: their tails do not move,
 * although it works continuously.  It never finds a ring empty if between two
 * readings some tail moves by a small part of what waits, or by many rings
 * while another ring stays full.
 */
static void judge(struct owner *owner)
{
	bool moves = 4 * owner->moved >= 3 * owner->readings;
	bool slow = owner->taken < small_part * owner->room;
	bool leaves = owner->taken < large_part * owner->room;
	bool busy = owner->waits && owner->rings_per_s >= HOST_EVIDENCE_BUSY;
	bool more = owner->came_per_s > more_than * owner->taken_per_s;

	if (always_behind(owner) && !owner->others &&
	    owner->busy_came_per_s > more_than * owner->read_per_s)
		owner->limit = owner->read_per_s;
	/* it is busy with other rings */
	owner->starves &= owner->taken > 0;
	owner->lags |= leaves && more && owner->readings >= LAG_READINGS;
	owner->lags &= moves;
	owner->behind |= owner->starves;
	owner->behind |= owner->losing && moves && (slow || busy) &&
			 owner->readings >= HOST_EVIDENCE_MIN;
}

/* Remember what its reader can read, or that it waits: no size helps. */
static void set_limit(const struct owner *owner, struct host_evidence *e)
{
	struct host_limit *limit = e->limit;

	if (owner->limit > 0 && e->in.lost &&
	    (double)e->in.size / 2 >= owner->limit * long_drain) {
		limit->per_s = owner->limit;
		limit->came_per_s = owner->busy_came_per_s;
	}
	/* it reads more than was computed: enough, or still less than came? */
	if (limit->per_s > 0 && owner->taken_per_s > more_than * limit->per_s)
		limit->per_s = limit->came_per_s > more_than * owner->taken_per_s ?
			       owner->taken_per_s : 0;
	if (!e->lately.losing)
		return;
	if (owner->output_wait >= most_waiting && e->in.lost &&
	    (owner->unsized || owner->came_per_s > owner->taken_per_s))
		limit->output_wait = owner->output_wait;
	else if (owner->output_wait < still_waiting)
		limit->output_wait = 0;
}

/* The result for the owner applies to each of its rings with losses. */
static void apply(const struct owner *owner, struct host_evidence *e)
{
	struct advice_input *in = &e->in;
	bool more = owner->unsized || owner->came_per_s > owner->taken_per_s;

	in->busy &= owner->others;
	in->starved = owner->starved;
	in->run_wait = owner->run_wait;
	in->behind |= owner->behind && more && e->lately.losing;
	if (owner->starves && in->undrained >= RING_UNDRAINED && in->lost) {
		in->behind = true;
		in->undrained = 0;
	}
	set_limit(owner, e);
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
	struct owner owner = { .output_wait = NAN };

	for (size_t i = 0; i < nr; i++)
		if (is_read(&all[i]))
			add(&owner, &all[i]);
		else if (!all[i].row->gone && !all[i].row->dummies)
			owner.others = true;
	judge(&owner);
	for (size_t i = 0; i < nr; i++)
		if (is_read(&all[i]))
			apply(&owner, &all[i]);
}

/*
 * Rings of one size, which they probably got from one setting (-m): those that
 * are there, or those that are gone.
 */
static void share_size(struct host_evidence *all, size_t nr, bool gone)
{
	const struct ring_row *max = NULL;

	for (size_t i = 0; i < nr; i++)
		if (shares_size(&all[i], gone) &&
		    (!max || all[i].row->advice.pages > max->advice.pages))
			max = all[i].row;
	for (size_t i = 0; max && i < nr; i++) {
		struct advice *advice = &all[i].row->advice;

		if (shares_size(&all[i], gone) && advice->pages &&
		    advice->pages < max->advice.pages)
			host_advice_share(&all[i].in, max->advice.pages,
					  max->label, advice);
	}
}

/*
 * If its reader is too slow for one of them, that is the advice on the
 * others that lost, too: they have the same reader, and the same setting.
 */
static void share_reader(struct host_evidence *all, size_t nr)
{
	const struct advice *slow = NULL;

	for (size_t i = 0; i < nr && !slow; i++)
		if (is_read(&all[i]) &&
		    all[i].row->advice.verdict == VERDICT_TOO_SLOW)
			slow = &all[i].row->advice;
	for (size_t i = 0; slow && i < nr; i++) {
		struct advice *advice = &all[i].row->advice;

		if (is_read(&all[i]) && advice->verdict == VERDICT_TOO_SMALL) {
			*advice = *slow;
			advice->shared = true;
		}
	}
}

static void advise(struct host_evidence *e)
{
	e->in.comm = e->in.entries ? NULL : e->row->comm;
	e->in.pid = e->row->pid;
	if (e->limit->per_s > 0 && e->in.lost) {
		e->in.limit_per_s = e->limit->per_s;
		e->in.came_per_s = e->limit->came_per_s;
		e->in.behind = true;
	}
	e->in.output_wait = e->in.lost ? e->limit->output_wait : 0;
	if (e->row->gone) {	/* its reader cannot be helped any more */
		e->in.busy = e->in.starved = false;
		e->in.run_wait = NAN;
	}
	if (e->row->self)
		e->row->advice = (struct advice){
			.reason = "one of rbtop's own: its advice is on Rings",
		};
	else if (e->row->known)
		host_advice_make(&e->in, &e->row->advice);
	else
		e->row->advice = (struct advice){
			.reason = "its head and tail are unknown",
		};
}

static void put_in_words(struct host_evidence *e)
{
	struct advice *advice = &e->row->advice;

	advice->bytes = advice->pages * e->in.page_size;
	if (advice->pages)
		host_advice_setting(&e->in, advice->pages, advice->setting,
				    sizeof(advice->setting));
}

static int compare(const void *a, const void *b)
{
	const struct ring_row *x = ((const struct host_evidence *)a)->row;
	const struct ring_row *y = ((const struct host_evidence *)b)->row;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * The number of rings with the owner of the first and, if @sized, its kind and
 * size.
 */
static size_t count_same(const struct host_evidence *all, size_t nr, bool sized)
{
	size_t n = 1;

	while (n < nr && all[n].row->pid == all[0].row->pid &&
	       (!sized || (all[n].row->kind == all[0].row->kind &&
			   all[n].row->size == all[0].row->size)))
		n++;
	return n;
}

void host_owner_advise(struct host_evidence *all, size_t nr)
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
		share_reader(all + i, n);
		share_size(all + i, n, false);
		share_size(all + i, n, true);
	}
	for (size_t i = 0; i < nr; i++)
		put_in_words(&all[i]);
}
