/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line of totals: of rbtop's own rings, else of the machine's.  Between the
 * numbers of rings and of what is wrong with them stand the figures of the
 * lists IN_TOTALS and IN_HOST_TOTALS.
 */
#include "ui/app/app_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "host/table/host.h"
#include "ring/figures.h"

enum {
	TEXT = 24,		/* bytes of a text */
	GAP = 2,		/* columns between sums */
	SUMS = 24,		/* most of a line */
};

/* Narrow screens leave out those of the highest ranks. */
struct sum {
	const char *label;
	char text[TEXT];	/* "": nothing to say */
	int width;		/* of the text at its widest: nothing jumps */
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

/* Of what is listed: there may be more in processes that hide it. */
static void add_listed(struct sums *s, const char *label, int rank,
		       unsigned int nr, bool hidden)
{
	struct sum *g = add_sum(s, label, rank, 3);

	if (hidden && !nr)
		snprintf(g->text, sizeof(g->text), "-");
	else
		snprintf(g->text, sizeof(g->text), hidden ? "%u+" : "%u", nr);
}

/* Of no size at all nothing is used. */
static void set_used(struct sum *g, const struct ring_row *r, bool wide)
{
	/* down, as units_share() does: 100% is full */
	int percent = isnan(r->fill) ? 0 : (int)(r->fill * 100 + 1e-9);
	char size[8];

	if (r->size == UNKNOWN || (r->size && isnan(r->fill)))
		snprintf(g->text, sizeof(g->text), "-");
	else if (wide)
		snprintf(g->text, sizeof(g->text), "%d%% of %s", percent,
			 units_bytes(size, sizeof(size), (double)r->size));
	else
		snprintf(g->text, sizeof(g->text), "%d%%", percent);
	g->width = wide ? 12 : 4;
}

/*
 * Between marks that say how exact it is: those of rings that count none are
 * not in the sum.
 */
static void set_lost(struct sum *g, const struct ring_total *t)
{
	const struct ring_row *r = &t->row;
	char count[8];

	if (r->lost == UNKNOWN) {
		snprintf(g->text, sizeof(g->text), "-");
		return;
	}
	units_count(count, sizeof(count), (double)r->lost);
	/* at this moment: said by a mark as well as by the colour */
	snprintf(g->text, sizeof(g->text), "%s%s%s%s",
		 r->lost && t->at_least ? ">" : "", count,
		 t->uncounted ? "+?" : "", r->lost_per_s > 0 ? "!" : "");
	if (r->lost_per_s > 0)
		g->role = ROLE_BAD;
	else if (r->lost)
		g->role = ROLE_WARN;
	if (t->uncounted)
		g->width += 2;
}

/* What should be 0, with a mark where it is not. */
static void set_alarm(struct sum *g, uint64_t count)
{
	if (!unknown_as_zero(count))
		return;
	g->text[0] = '!';
	units_count(g->text + 1, sizeof(g->text) - 1, (double)count);
	g->role = ROLE_BAD;
}

/* The first picture has no time behind it, so no rates. */
static void add_figure(struct sums *s, enum figure figure,
		       enum figure_list list, const struct ring_total *t,
		       bool rates, bool wide)
{
	const struct figure_info *info = figure_info(figure);
	struct sum *g = add_sum(s, figure_header(figure, list),
				info->in[list].rank,
				figure_width(figure, list));

	if (figure == FIGURE_FILLPCT)
		set_used(g, &t->row, wide);
	else if (figure == FIGURE_LOST)
		set_lost(g, t);
	else if (figure == FIGURE_TRUNCATED)
		set_alarm(g, figure_count(figure, &t->row));
	else if (info->rate && !rates)
		snprintf(g->text, sizeof(g->text), "-");
	else
		figure_text(figure, &t->row, g->text, sizeof(g->text));
}

static void add_figures(struct sums *s, enum figure_list list,
			const struct ring_total *t, bool rates, bool wide)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(list, all);

	for (size_t i = 0; i < nr; i++)
		add_figure(s, all[i], list, t, rates, wide);
}

static void add_rings(struct sums *s, const struct frame *f, bool wide)
{
	add_listed(s, "rings", 5, (unsigned int)f->nr_rings, false);
	add_figures(s, IN_TOTALS, &f->total, f->interval > 0, wide);
}

static void add_host(struct sums *s, const struct host *h, bool wide)
{
	const struct ring_total *t = &h->total;
	bool hidden = h->status.hidden;

	add_listed(s, "rings", 3, t->rings, hidden);
	add_listed(s, "owners", 5, t->owners, hidden);
	add_figures(s, IN_HOST_TOTALS, t, h->interval > 0, wide);
	set_alarm(add_sum(s, "warned", 2, 4), t->warned);
	add_listed(s, "BPF ringbufs", 11, t->ringbufs, hidden);
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

void app_draw_totals(const struct frame *frame, struct area a)
{
	struct sums s = { .nr = 0 };
	int ranks, col = 0;

	if (frame->host && !frame->nr_rings)
		add_host(&s, frame->host, a.cols >= 60);
	else
		add_rings(&s, frame, a.cols >= 60);
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
