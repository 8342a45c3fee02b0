/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line of totals: of rbtop's own rings; on Host, and with --host, of the
 * host's rings.  Besides the numbers of rings, owners and warnings it has the
 * figures of the lists IN_TOTALS and IN_HOST_TOTALS.
 */
#include "ui/app/app_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "host/table/host.h"
#include "ring/figures.h"

enum {
	TEXT = 24,		/* bytes of a text */
	GAP = 2,		/* columns between sums */
	SUMS = 24,		/* most in a line */
};

/* An entry of the line; narrow screens leave out the highest ranks. */
struct sum {
	const char *label;
	char text[TEXT];	/* "": not shown */
	int width;		/* of the widest text, so that nothing moves */
	enum role role;
	int rank;		/* 1 is shown first */
};

struct sums {
	struct sum list[SUMS];
	size_t nr;
};

static struct sum *add_sum(struct sums *s, const char *label, int rank,
			   int width)
{
	struct sum *g = &s->list[s->nr];

	s->nr += s->nr + 1 < SUMS;
	*g = (struct sum){ .label = label, .rank = rank, .width = width,
			   .role = ROLE_VALUE };
	return g;
}

/* A count of what is listed; @hidden: processes that cannot be read may have
 * more. */
static void add_listed(struct sums *s, const char *label, int rank,
		       unsigned int nr, bool hidden)
{
	struct sum *g = add_sum(s, label, rank, 3);

	if (hidden && !nr)
		snprintf(g->text, sizeof(g->text), "-");
	else
		snprintf(g->text, sizeof(g->text), hidden ? "%u+" : "%u", nr);
}

/* 0% if the size is 0. */
static void set_used(struct sum *g, const struct ring_row *r, bool wide)
{
	char size[8], share[8];

	units_share(share, sizeof(share), isnan(r->fill) ? 0 : r->fill);
	if (r->size == UNKNOWN || (r->size && isnan(r->fill)))
		snprintf(g->text, sizeof(g->text), "-");
	else if (wide)
		snprintf(g->text, sizeof(g->text), "%s of %s", share,
			 units_ring_size(size, sizeof(size), (double)r->size));
	else
		snprintf(g->text, sizeof(g->text), "%s", share);
	g->width = wide ? 12 : 4;
}

/*
 * The records lost since the last reset: ">" marks a lower bound, "+?" that
 * some rings count no losses and are not in the sum.
 */
static void set_lost(struct sum *g, const struct ring_total *t)
{
	const struct ring_row *r = &t->row;
	uint64_t lost = ring_row_lost_since(r);
	char count[8];

	if (lost == UNKNOWN) {
		snprintf(g->text, sizeof(g->text), "-");
		return;
	}
	units_count(count, sizeof(count), (double)lost);
	/* "!", besides the colour: records are being lost now */
	snprintf(g->text, sizeof(g->text), "%s%s%s%s",
		 r->lost_per_s > 0 ? "!" : "", lost && t->at_least ? ">" : "",
		 count, t->uncounted ? "+?" : "");
	if (r->lost_per_s > 0)
		g->role = ROLE_BAD;
	else if (lost)
		g->role = ROLE_DIM;
	if (t->uncounted)
		g->width += 2;
}

/* A count that should be 0: shown only if it is not, with a mark. */
static void set_alarm(struct sum *g, uint64_t count)
{
	if (!unknown_as_zero(count))
		return;
	g->text[0] = '!';
	units_count(g->text + 1, sizeof(g->text) - 1, (double)count);
	g->role = ROLE_BAD;
}

/* Shown only if it is not 0; the mark says that trace is being lost now. */
static void set_truncated(struct sum *g, const struct ring_row *r)
{
	set_alarm(g, figure_count(FIGURE_TRUNCATED, r));
	if (figure_alarm(FIGURE_TRUNCATED, r) != FIGURE_PAST)
		return;
	memmove(g->text, g->text + 1, strlen(g->text));
	g->role = ROLE_DIM;
}

/* @rates is false in the first frame, which has no interval. */
static void add_figure(struct sums *s, const struct frame *frame,
		       enum figure figure, enum figure_list list,
		       const struct ring_total *t, bool rates, bool wide)
{
	const struct figure_info *info = figure_info(figure);
	struct sum *g = add_sum(s, figure_header(figure, list),
				info->in[list].rank,
				figure_width(figure, list));

	/* of a recording, it never will be known */
	if (frame->playback && !figure_is_known(figure, &t->row))
		return;
	if (figure == FIGURE_FILLPCT)
		set_used(g, &t->row, wide);
	else if (figure == FIGURE_LOST)
		set_lost(g, t);
	else if (figure == FIGURE_TRUNCATED)
		set_truncated(g, &t->row);
	else if (info->rate && !rates)
		snprintf(g->text, sizeof(g->text), "-");
	else
		figure_text(figure, &t->row, g->text, sizeof(g->text));
}

/* Since when losses are counted, after a reset. */
static void add_since(struct sums *s, const struct app *app)
{
	const struct frame *frame = app->frame;
	struct sum *g;

	if (!(frame->reset > 0))
		return;
	g = add_sum(s, "since", 1, 8);
	view_time(&app->shell, frame, frame->reset, 0, g->text,
		  sizeof(g->text));
	g->width = text_width(g->text);
}

static void add_figures(struct sums *s, const struct app *app,
			enum figure_list list, const struct ring_total *t,
			bool rates, bool wide)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(list, all);

	for (size_t i = 0; i < nr; i++) {
		add_figure(s, app->frame, all[i], list, t, rates, wide);
		if (all[i] == FIGURE_LOST)
			add_since(s, app);
	}
}

static void add_rings(struct sums *s, const struct app *app, bool wide)
{
	const struct frame *f = app->frame;

	add_listed(s, "rings", 5, (unsigned int)f->nr_rings, false);
	add_figures(s, app, IN_TOTALS, &f->total, f->interval > 0, wide);
}

static void add_host(struct sums *s, const struct app *app, bool wide)
{
	const struct host *h = app->frame->host;
	const struct ring_total *t = &h->total;
	bool hidden = h->status.hidden;
	/* "rings 0" above a list of other kinds would be read as none at all */
	bool perf = t->rings || hidden ||
		    !(t->ringbufs || t->ftrace_buffers || t->urings);

	if (perf)
		add_listed(s, "rings", 3, t->rings, hidden);
	else if (t->ringbufs)
		add_listed(s, "BPF ringbufs", 3, t->ringbufs, hidden);
	add_listed(s, "owners", 5, t->owners, hidden);
	add_figures(s, app, IN_HOST_TOTALS, t, h->interval > 0, wide);
	set_alarm(add_sum(s, "warned", 2, 4), t->warned);
	if (perf)
		add_listed(s, "BPF ringbufs", 11, t->ringbufs, hidden);
	if (t->ftrace_buffers)
		add_listed(s, "ftrace", perf ? 12 : 3, t->ftrace_buffers,
			   false);
	if (t->urings)
		add_listed(s, "io_uring", perf ? 12 : 3, t->urings, false);
}

static int sum_width(const struct sum *g)
{
	return (int)strlen(g->label) + 1 + g->width;
}

/* The highest rank that fits in @cols. */
static int ranks_that_fit(const struct sums *s, int cols)
{
	int used = -GAP;

	for (int rank = 1; rank <= SUMS; rank++) {
		for (size_t i = 0; i < s->nr; i++) {
			const struct sum *g = &s->list[i];

			if (g->rank == rank && *g->text)
				used += sum_width(g) + GAP;
		}
		if (used > cols)
			return rank - 1;
	}
	return SUMS;
}

void app_draw_totals(const struct app *app, struct area a)
{
	const struct frame *frame = app->frame;
	struct sums s = { .nr = 0 };
	int ranks, col = 0;

	if (frame->host &&
	    (!frame->nr_rings || app_tab(app)->ops->id == VIEW_HOST))
		add_host(&s, app, a.cols >= 60);
	else
		add_rings(&s, app, a.cols >= 60);
	ranks = ranks_that_fit(&s, a.cols);
	for (size_t i = 0; i < s.nr; i++) {
		const struct sum *g = &s.list[i];

		if (g->rank > ranks || !*g->text)
			continue;
		area_text(a, 0, col, 0, ROLE_LABEL, g->label);
		area_text(a, 0, col + (int)strlen(g->label) + 1, 0, g->role,
			  g->text);
		col += sum_width(g) + GAP;
	}
}
