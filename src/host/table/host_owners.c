/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "host/table/host_table_impl.h"

enum {
	BEHIND_LOOKS = 3,	/* before it is said that it is */
	LAG_LOOKS = 2,		/* or that it may be */
};
/* Who drains a smaller part of what waits never finds a ring empty, */
static const double small_part = 1.0 / 3;
/* or perhaps not. */
static const double large_part = 3.0 / 4;
/* More than is drained: comes, for sure. */
static const double more_than = 1.1;

/* The rings of one owner together, over the last seconds. */
struct owner {
	unsigned int looks;	/* at each of them */
	unsigned int moved;	/* tails that looks found moved */
	double taken;		/* bytes */
	double room;		/* what it could take: struct host_span */
	double taken_per_s, came_per_s, lost_per_s;
	double rings_per_s;	/* drained */
	bool unsized;
	bool losing;		/* a ring, nearly full at most looks */
	bool waits;		/* and its tail stands still at many */
	bool lags;		/* one may */
	bool behind;
};

/* A reader empties it, as its owner's other rings. */
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
 * Drained by parts or many times from look to look: one that is emptied once
 * may have a reader that sleeps in between.
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
	owner->behind |= e->in.behind;
	owner->lags |= e->in.may_lag ||
		       (losing && lately->looks >= LAG_LOOKS && is_at_work(e));
}

/*
 * One reader that drains one ring lets the others wait: their tails stand
 * still, and yet it works all the time.  It never finds a ring empty if some
 * tail moves from look to look by a small part of what waits, or by many rings
 * while another ring stays full.
 */
static void judge(struct owner *owner)
{
	bool moves = 4 * owner->moved >= 3 * owner->looks;
	bool slow = owner->taken < small_part * owner->room;
	bool leaves = owner->taken < large_part * owner->room;
	bool busy = owner->waits && owner->rings_per_s >= HOST_BUSY_RINGS;
	bool more = owner->came_per_s > more_than * owner->taken_per_s;

	owner->lags |= leaves && more && owner->looks >= LAG_LOOKS;
	owner->lags &= moves;
	owner->behind |= owner->losing && owner->looks >= BEHIND_LOOKS &&
			 moves && (slow || busy);
}

/* What is so of its owner holds for each ring that loses. */
static void tell(const struct owner *owner, struct host_evidence *e)
{
	struct host_advice_input *in = &e->in;
	bool more = owner->unsized || owner->came_per_s > owner->taken_per_s;

	in->behind |= owner->behind && more && e->lately.losing;
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

/* Rings of one size, which -m or the like gave them all. */
static void share_size(struct host_evidence *all, size_t nr)
{
	const struct ring_row *most = NULL;

	for (size_t i = 0; i < nr; i++)
		if (is_read(&all[i]) && (!most || all[i].row->advice.pages >
						  most->advice.pages))
			most = all[i].row;
	for (size_t i = 0; most && i < nr; i++) {
		struct advice *advice = &all[i].row->advice;

		if (is_read(&all[i]) && advice->pages &&
		    advice->pages < most->advice.pages)
			host_advice_share(&all[i].in, most->advice.pages,
					  most->label, advice);
	}
}

static void advise(struct host_evidence *e)
{
	if (e->row->known)
		host_advice_make(&e->in, &e->row->advice);
	else
		e->row->advice = (struct advice){
			.reason = "its head and tail are not known",
		};
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

/* How many from the first on have the same owner, and @sized: size too. */
static size_t count_same(const struct host_evidence *all, size_t nr, bool sized)
{
	size_t n = 1;

	while (n < nr && all[n].row->pid == all[0].row->pid &&
	       (!sized || all[n].row->size == all[0].row->size))
		n++;
	return n;
}

void host_owners_advise(struct host_table *table)
{
	struct host_evidence *all = table->evidence;
	size_t nr = table->host.nr_rows, n;

	for (size_t i = 0; i < nr; i++) {
		all[i].row = &table->host.rows[i];
		host_evidence_sum(table, table->states[i], &all[i]);
	}
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
		share_size(all + i, n);
	}
}
