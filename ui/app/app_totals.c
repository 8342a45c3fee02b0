/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line of totals: of rbtop's own rings, else of the machine's. */
#include "ui/app/app_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "host/table/host.h"

enum {
	TEXT = 24,		/* bytes of a figure's text */
	GAP = 2,		/* columns between figures */
	SUMS = 11,		/* most of a line */
};

/* Narrow screens leave out those of the highest ranks. */
struct sum {
	const char *label;
	char text[TEXT];
	int width;		/* of the text at its widest: nothing jumps */
	enum role role;
	int rank;		/* 0 is shown first */
};

static void count_figure(struct sum *g, double value, bool bytes)
{
	if (isnan(value))
		snprintf(g->text, sizeof(g->text), "-");
	else if (bytes)
		units_bytes(g->text, sizeof(g->text), value);
	else
		units_count(g->text, sizeof(g->text), value);
}

/* The first picture has no time behind it, so no rates. */
static void rate_figure(struct sum *g, double interval, double value,
			bool bytes)
{
	count_figure(g, interval > 0 ? value : (double)NAN, bytes);
}

/* Of what is listed: there may be more in processes that hide it. */
static void listed_figure(struct sum *g, unsigned int nr, bool hidden)
{
	if (hidden && !nr)
		snprintf(g->text, sizeof(g->text), "-");
	else
		snprintf(g->text, sizeof(g->text), hidden ? "%u+" : "%u", nr);
}

static int percent_of(double share)
{
	return isnan(share) ? 0 : (int)(share * 100 + 0.5);
}

static void percent_figure(struct sum *g, double share)
{
	if (isnan(share))
		snprintf(g->text, sizeof(g->text), "-");
	else
		snprintf(g->text, sizeof(g->text), "%d%%", percent_of(share));
}

/* Of no size at all nothing is used. */
static void used_figure(struct sum *g, double fill, uint64_t of, bool wide)
{
	int percent = percent_of(fill);
	char size[8];

	if (of == UNKNOWN || (of && isnan(fill)))
		snprintf(g->text, sizeof(g->text), "-");
	else if (wide)
		snprintf(g->text, sizeof(g->text), "%d%% of %s", percent,
			 units_bytes(size, sizeof(size), (double)of));
	else
		snprintf(g->text, sizeof(g->text), "%d%%", percent);
	g->width = wide ? 12 : 4;
}

/*
 * As the column LOST counts them: reported and, where known, pending; between
 * marks that say how exact that is.
 */
static void lost_figure(struct sum *g, const char *before, uint64_t lost,
			const char *behind, double per_s)
{
	char count[8];

	units_count(count, sizeof(count), (double)lost);
	/* at this moment: said by a mark as well as by the colour */
	snprintf(g->text, sizeof(g->text), "%s%s%s%s", before, count, behind,
		 per_s > 0 ? "!" : "");
	if (per_s > 0)
		g->role = ROLE_BAD;
	else if (lost)
		g->role = ROLE_WARN;
}

/* Those of rings that count none are not in the sum. */
static void host_lost_figure(struct sum *g, const struct ring_total *t)
{
	const struct ring_row *sum = &t->row;

	if (sum->lost == UNKNOWN) {
		count_figure(g, (double)NAN, false);
		return;
	}
	lost_figure(g, sum->lost && t->at_least ? ">" : "", sum->lost,
		    t->uncounted ? "+?" : "", sum->lost_per_s);
	if (t->uncounted)
		g->width += 2;
}

/* What should be 0, with a mark where it is not; "": it is. */
static void alarm_figure(struct sum *g, uint64_t count)
{
	if (!count)
		return;
	g->text[0] = '!';
	units_count(g->text + 1, sizeof(g->text) - 1, (double)count);
	g->role = ROLE_BAD;
}

static void ring_figures(struct sum g[SUMS], const struct frame *f,
			 bool wide)
{
	const struct ring_row *t = &f->total.row;
	const struct ring_reads *reads = t->reads;
	const struct sum initial[SUMS] = {
		{ .label = "rings", .width = 3, .rank = 4 },
		{ .label = "used", .rank = 2 },
		{ .label = "rec/s", .width = 5, .rank = 3 },
		{ .label = "B/s", .width = 5, .rank = 5 },
		{ .label = "lost", .width = 6, .rank = 0 },
		{ .label = "trunc", .width = 6, .rank = 1 },
		{ .label = "pending", .width = 5, .rank = 6 },
		{ .label = "peak", .width = 4, .rank = 7 },
		{ .label = "wakeups/s", .width = 5, .rank = 8 },
		{ .label = "wakeup p99", .width = 5, .rank = 9 },
		{ .label = "throttled", .width = 5, .rank = 10 },
	};

	memcpy(g, initial, sizeof(initial));
	for (int i = 0; i < SUMS; i++)
		g[i].role = ROLE_VALUE;
	snprintf(g[0].text, TEXT, "%zu", f->nr_rings);
	used_figure(&g[1], t->fill, t->size, wide);
	rate_figure(&g[2], f->interval, reads->records_per_s, false);
	rate_figure(&g[3], f->interval, t->bytes_per_s, true);
	lost_figure(&g[4], "", t->lost, "", t->lost_per_s);
	/* trace was lost, of which the records lost say nothing */
	alarm_figure(&g[5], reads->stats.aux.truncated);
	count_figure(&g[6], unknown_as_nan(t->lost_pending), false);
	snprintf(g[7].text, TEXT, "%d%%", percent_of(t->peak));
	rate_figure(&g[8], f->interval, t->wakeups_per_s, false);
	if (isnan(reads->latency_p99))
		snprintf(g[9].text, TEXT, "-");
	else
		units_duration(g[9].text, TEXT, reads->latency_p99);
	count_figure(&g[10], (double)reads->stats.types[RECORD_THROTTLE],
		     false);
}

static void host_figures(struct sum g[SUMS], const struct host *h,
			 bool wide)
{
	const struct ring_total *t = &h->total;
	const struct ring_row *sum = &t->row;
	const struct sum initial[SUMS] = {
		{ .label = "rings", .width = 3, .rank = 2 },
		{ .label = "owners", .width = 3, .rank = 4 },
		{ .label = "used", .rank = 3 },
		{ .label = "B/s", .width = 5, .rank = 5 },
		{ .label = "lost", .width = 6, .rank = 0 },
		{ .label = "warned", .width = 4, .rank = 1 },
		{ .label = "pending", .width = 5, .rank = 6 },
		{ .label = "pinned", .width = 5, .rank = 7 },
		{ .label = "wakeups/s", .width = 5, .rank = 8 },
		{ .label = "peak", .width = 4, .rank = 9 },
		{ .label = "BPF ringbufs", .width = 3, .rank = 10 },
	};

	memcpy(g, initial, sizeof(initial));
	for (int i = 0; i < SUMS; i++)
		g[i].role = ROLE_VALUE;
	listed_figure(&g[0], t->rings, h->status.hidden);
	listed_figure(&g[1], t->owners, h->status.hidden);
	used_figure(&g[2], sum->fill, sum->size, wide);
	rate_figure(&g[3], h->interval, sum->bytes_per_s, true);
	host_lost_figure(&g[4], t);
	alarm_figure(&g[5], t->warned);
	count_figure(&g[6], unknown_as_nan(sum->lost_pending), false);
	count_figure(&g[7], unknown_as_nan(sum->locked), true);
	rate_figure(&g[8], h->interval, sum->wakeups_per_s, false);
	percent_figure(&g[9], sum->peak_tick);
	listed_figure(&g[10], t->ringbufs, h->status.hidden);
}

static int sum_width(const struct sum *g)
{
	return (int)strlen(g->label) + 1 + g->width;
}

/* How many ranks fit in @cols. */
static int ranks_that_fit(const struct sum g[SUMS], int cols)
{
	int used = -GAP;

	for (int rank = 0; rank < SUMS; rank++) {
		for (int i = 0; i < SUMS; i++) {
			if (g[i].rank == rank && *g[i].text)
				used += sum_width(&g[i]) + GAP;
		}
		if (used > cols)
			return rank;
	}
	return SUMS;
}

void app_draw_totals(const struct frame *frame, struct area a)
{
	struct sum g[SUMS];
	int ranks, col = 0;

	if (frame->host && !frame->nr_rings)
		host_figures(g, frame->host, a.cols >= 60);
	else
		ring_figures(g, frame, a.cols >= 60);
	ranks = ranks_that_fit(g, a.cols);
	for (int i = 0; i < SUMS; i++) {
		if (g[i].rank >= ranks || !*g[i].text)
			continue;
		area_text(a, 0, col, 0, ROLE_LABEL, g[i].label);
		area_text(a, 0, col + (int)strlen(g[i].label) + 1, 0,
			  g[i].role, g[i].text);
		col += sum_width(&g[i]) + GAP;
	}
}
