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

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "host/table/host.h"
#include "ring/figures.h"
#include "ui/draw/chart.h"
#include "ui/draw/widgets.h"

enum {
	TEXT = 24,		/* bytes of a text */
	GAP = 2,		/* columns between sums */
	SUMS = 24,		/* most in a line */
	/* of the time line: */
	MIN_ROWS = 20,		/* rows of the screen from which it is shown */
	TALL = 30,		/* rows of the screen from which it has two */
	LABEL = 8,		/* bytes of the time at an end */
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

static void add_kind(struct sums *s, enum ring_kind kind, int rank,
		     const struct ring_total *total, bool hidden)
{
	add_listed(s, ring_kind_info(kind)->label, rank, total->nr[kind],
		   hidden);
}

static void add_host(struct sums *s, const struct app *app, bool wide)
{
	const struct host *h = app->frame->host;
	const struct ring_total *t = &h->total;
	bool hidden = h->status.hidden;
	/* "rings 0" above a list of other kinds would be read as none at all */
	bool perf = t->nr[RING_PERF] || hidden || !ring_total_any(t);

	if (perf)
		add_kind(s, RING_PERF, 3, t, hidden);
	else if (t->nr[RING_BPF])
		add_kind(s, RING_BPF, 3, t, hidden);
	add_listed(s, "owners", 5, t->owners, hidden);
	add_figures(s, app, IN_HOST_TOTALS, t, h->interval > 0, wide);
	if (t->gone)
		add_listed(s, "gone", 5, t->gone, false);
	set_alarm(add_sum(s, "warned", 2, 4), t->warned);
	if (perf)
		add_kind(s, RING_BPF, 11, t, hidden);
	for (enum ring_kind kind = RING_BPF + 1; kind < RING_KINDS; kind++)
		if (t->nr[kind])
			add_kind(s, kind, perf ? 12 : 3, t, false);
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

/*
 * The time line of a recording: how much came when, where records or trace were
 * lost, and a cursor at the present position, which a click or a typed time
 * moves; and where the samples begin, if that is marked.  It is the same on all
 * screens.
 */

/* The times at its ends, and the columns between them. */
struct ends {
	char last[LABEL];
	int from, width;
};

static struct ends ends_of(const struct playback *p, struct area a)
{
	struct ends e = { .from = 3 };	/* after "0s" and a cap */

	units_duration(e.last, sizeof(e.last), p->length);
	e.width = a.cols - e.from - 1 - text_width(e.last);
	e.width = e.width < CHART_MAX ? e.width : CHART_MAX;
	return e;
}

/* Column @col of @width: the maximum of the columns of @p in it. */
static struct playback_column column_at(const struct playback *p, int col,
					int width)
{
	double step = p->length / p->column / width;
	size_t i = (size_t)(col * step + 1e-6);
	struct playback_column all = { 0 };

	do {
		all.bytes = fmax(all.bytes, p->columns[i].bytes);
		all.lost |= p->columns[i].lost;
		all.truncated |= p->columns[i].truncated;
		all.worst |= p->columns[i].worst;
	} while (++i < p->nr_columns && (double)i < (col + 1) * step - 1e-6);
	return all;
}

static bool is_marked(const struct playback_column *c)
{
	return c->lost || c->truncated;
}

static void draw_marks(const struct playback *p, struct area a)
{
	int cursor = (int)ceil(p->position / p->length * a.cols - 1e-6) - 1;
	int last = a.rows - 1, marks = 0;
	int mark = p->mark < p->position ?
			   (int)(p->mark / p->length * a.cols) : -1;

	/* on the last column played, since the screens show all up to it */
	cursor = cursor < 0 ? 0 : cursor < a.cols ? cursor : a.cols - 1;
	for (size_t i = 0; i < p->nr_columns; i++)
		marks += is_marked(&p->columns[i]);
	for (int col = 0; col < a.cols; col++) {
		struct playback_column c = column_at(p, col, a.cols);
		bool marked = is_marked(&c);

		if (marked)
			area_put(a, last, col, ROLE_BAD, c.worst && marks > 1 ?
				 'X' : c.lost ? '!' : 'T');
		for (int row = 0; col == mark && row < a.rows; row++)
			area_put(a, row, col, ROLE_TICK, '[');
		for (int row = 0; col == cursor && row < a.rows; row++)
			area_put(a, row, col,
				 marked && row == last ? ROLE_BAD : ROLE_TICK,
				 widget_glyph(a, GLYPH_CURSOR));
	}
}

int app_draw_time_line(struct app *app, struct area a, int row)
{
	const struct playback *p = app->frame->playback;
	int rows = a.rows >= TALL ? 2 : 1;
	double values[CHART_MAX];
	struct ends e;

	if (!p || !p->nr_columns || a.rows < MIN_ROWS)
		return 0;
	a = app->time_line = area_sub(a, row, 0, rows, a.cols);
	e = ends_of(p, a);
	area_text(a, rows - 1, 0, 0, ROLE_DIM, "0s");
	area_text(a, rows - 1, e.from + e.width + 1, 0, ROLE_DIM, e.last);
	for (int i = 0; i < rows; i++) {
		area_put(a, i, e.from - 1, ROLE_DIM,
			 widget_glyph(a, GLYPH_CAP_LEFT));
		area_put(a, i, e.from + e.width, ROLE_DIM,
			 widget_glyph(a, GLYPH_CAP_RIGHT));
	}
	a = area_sub(a, 0, e.from, rows, e.width);
	for (int col = 0; col < e.width; col++)
		values[col] = column_at(p, col, e.width).bytes;
	chart_plot(a, &(struct chart){
			      .style = CHART_BLOCKS,
			      .values = values,
			      .nr = (size_t)e.width,
			      .top = chart_max(values, (size_t)e.width),
			      .line = NAN,
			      .role = ROLE_SPARK,
		      });
	draw_marks(p, a);
	return rows;
}

static void go_to(struct app *app, double seconds)
{
	app_request_playback(app, &(struct request){
					  .kind = REQUEST_SEEK,
					  .value = REQUEST_TO_TIME,
					  .time = seconds,
				  });
}

/*
 * Seek to the end of the column, so that its records have been played; or to
 * the end of a mark that continues in the next one.
 */
bool app_click_time_line(struct app *app, int row, int col)
{
	const struct area *a = &app->time_line;
	const struct playback *p = app->frame->playback;
	struct ends e;
	double seconds, end;

	if (!p || row < a->row || row >= a->row + a->rows)
		return false;
	e = ends_of(p, *a);
	seconds = p->length / e.width * (col - a->col - e.from + 1);
	seconds = fmin(fmax(seconds, 0), p->length);
	end = ceil(seconds / p->column - 1e-6);
	if (end >= 1 && end <= (double)p->nr_columns &&
	    is_marked(&p->columns[(size_t)end - 1]))
		seconds = fmin(end * p->column, p->length);
	go_to(app, seconds);
	return true;
}

static void time_typed(struct view *view, const char *text, bool final)
{
	struct app *app = (struct app *)view->shell;
	const struct times *times = &app->frame->times;
	struct err err = { .kind = ERR_NONE };
	double seconds;

	if (!final || !text || !*text)
		return;
	if (units_parse_time(text, &seconds, &err) < 0) {
		app_say(app, ROLE_BAD, err.text);
		return;
	}
	if (app->config->clock == TIMES_KERNEL)
		seconds = (double)(int64_t)times_wall(times,
						      times_ns(seconds)) / 1e9;
	go_to(app, seconds);
}

void app_ask_time(struct app *app)
{
	char now[24], label[PROMPT_LABEL];

	view_time(&app->shell, app->frame, app->frame->time, 3, now,
		  sizeof(now));
	snprintf(label, sizeof(label), "time (now %s): ", now);
	app->shell.prompt(&app->shell, label, "", false, time_typed,
			  app_view(app));
}
