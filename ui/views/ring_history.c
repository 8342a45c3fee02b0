/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring_history.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "ui/draw/chart.h"
#include "ui/draw/widgets.h"

enum {
	SMALL = 2,		/* least rows of wakeups and of losses */
	MIN_ROWS = 7,		/* from which they are drawn */
	BYTES_ROWS = 16,	/* from which bytes are drawn, too */
	SHARE = 6,		/* the share of the rows that each takes */
	BLOCK = 56,		/* least columns of a ring's charts */
	BLOCK_ROWS = 10,	/* least rows, with heading and verdict */
	BLOCK_SMALL = 5,	/* the same of one with fill alone */
	BLOCK_MAX = 30,		/* taller ones are drawn below each other */
	GAP = 2,		/* columns between them */
	MAX_RINGS = 64,
	FEW_TICKS = 3,		/* from which the panel is drawn */
};

/* The columns of a chart. */
struct columns {
	size_t nr;
	unsigned int step;	/* ticks in each */
};

/*
 * Together they cover @seconds, or the time since the first tick, as far as it
 * is kept.
 */
static struct columns columns_of(const struct history *times, size_t nr,
				 double seconds)
{
	struct columns c = { .nr = nr, .step = 1 };

	while (nr * c.step < times->nr && nr * c.step < HISTORY_TICKS &&
	       history_span(times, c.step, nr) < seconds)
		c.step *= 2;
	return c;
}

/* Fill is red where records were lost. */
static void draw_fill(struct area a, const struct ring_row *r,
		      enum chart_style style, struct columns columns)
{
	size_t nr = columns.nr;
	double peaks[CHART_MAX], means[CHART_MAX], lost[CHART_MAX];
	enum role roles[CHART_MAX];
	struct chart c = {
		.style = style, .values = peaks, .means = means,
		.roles = roles, .nr = nr, .top = 1,
		.line = r->size && r->watermark && r->watermark != UNKNOWN &&
			!r->overwrite ?
			(double)r->watermark / (double)r->size : (double)NAN,
		.top_text = "100%", .name = "fill", .none = "not known yet",
	};

	history_columns(&r->histories->fill, columns.step, nr, peaks);
	history_columns(&r->histories->level, columns.step, nr, means);
	history_columns(&r->histories->lost, columns.step, nr, lost);
	for (size_t i = 0; i < nr; i++)
		roles[i] = lost[i] > 0 ? ROLE_BAD : ROLE_SPARK;
	chart_draw(a, &c);
}

/* Of bytes or of a count per second. */
static void draw_rate(struct area a, const struct history *h,
		      const char *name, bool bytes, enum role role,
		      enum chart_style style, struct columns columns)
{
	double values[CHART_MAX];
	char max[8], top[16];
	struct chart c = {
		.style = style, .values = values, .nr = columns.nr,
		.role = role,
		.line = (double)NAN, .top_text = top, .name = name,
		.none = "not known",
	};

	history_columns(h, columns.step, columns.nr, values);
	c.top = chart_max(values, columns.nr);
	snprintf(top, sizeof(top), "%s/s", bytes ?
		 units_bytes(max, sizeof(max), c.top) :
		 units_count(max, sizeof(max), c.top));
	chart_draw(a, &c);
}

/* From the first value on. */
static void draw_axis(struct area a, const struct history *h,
		      struct columns columns)
{
	uint64_t begun = (h->nr + columns.step - 1) / columns.step;
	size_t known = begun < columns.nr ? (size_t)begun : columns.nr;

	chart_axis(a, a.rows - 1, history_span(h, columns.step, known),
		   1 - (double)known / (double)columns.nr);
}

void ring_history_draw(struct area a, const struct ring_row *r)
{
	enum chart_style style = chart_style(a);
	size_t nr = chart_labelled_values(style, a.cols);
	int rows = a.rows - 1, at = rows, others = 0;
	const struct ring_histories *past = r->histories;
	struct columns columns;

	if (!past || !nr || rows < 1)
		return;
	columns = columns_of(&past->time, nr, a.canvas->history);
	if (rows >= MIN_ROWS)
		others = rows / SHARE > SMALL ? rows / SHARE : SMALL;
	at -= others;
	draw_rate(area_sub(a, at, 0, others, a.cols), &past->lost, "lost",
		  false, ROLE_BAD, style, columns);
	if (r->reads && r->used == UNKNOWN) {	/* of a recording */
		draw_rate(area_sub(a, 0, 0, at, a.cols), &past->rate,
			  "bytes", true, ROLE_SPARK, style, columns);
	} else {
		at -= others;
		draw_rate(area_sub(a, at, 0, others, a.cols),
			  &past->wakeup, "wakeups", false, ROLE_SPARK,
			  style, columns);
		if (rows >= BYTES_ROWS) {
			at -= others;
			draw_rate(area_sub(a, at, 0, others, a.cols),
				  &past->rate, "bytes", true, ROLE_SPARK,
				  style, columns);
		}
		draw_fill(area_sub(a, 0, 0, at, a.cols), r, style, columns);
	}
	draw_axis(a, &past->time, columns);
}

/* The panel */

static const struct ring_row *ring_at(const struct listing *l, size_t i)
{
	return l->order[i];
}

/* How many blocks of rings are side by side, and below each other. */
struct grid {
	int across, down;
};

static struct grid grid_of(struct area a, int block)
{
	struct grid g = {
		.across = (a.cols + GAP) / (BLOCK + GAP),
		.down = a.rows / block,
	};

	if (g.across < 1)
		g.across = 1;
	if (g.down < 1)
		g.down = 1;
	return g;
}

/* Whether a ring is to be drawn if there is room.  One of dummy events has
 * nothing but side-band records. */
static bool is_wanted(const struct listing *l, size_t i, bool tagged)
{
	const struct ring_row *r = ring_at(l, i);

	return !r->dummies && (!tagged || listing_has_tag(l, r->id));
}

/* How many of the first @end rows of the list are wanted. */
static size_t nr_wanted(const struct listing *l, size_t end, bool tagged)
{
	size_t nr = 0;

	for (size_t i = 0; i < end; i++)
		nr += is_wanted(l, i, tagged);
	return nr;
}

/* The rows of the blocks: all rings with fill alone rather than only some. */
static int rows_of_blocks(struct area a, size_t wanted)
{
	const struct grid full = grid_of(a, BLOCK_ROWS);
	const struct grid small = grid_of(a, BLOCK_SMALL);

	if (a.rows < BLOCK_ROWS ||
	    ((size_t)(full.across * full.down) < wanted &&
	     (size_t)(small.across * small.down) >= wanted))
		return BLOCK_SMALL;
	return BLOCK_ROWS;
}

/* The rings to draw, at most @max of @wanted, in the order of the list: from
 * the one under the cursor on if they are not all. */
static size_t pick_rings(const struct listing *l, bool tagged, size_t wanted,
			 size_t max, const struct ring_row **rings)
{
	size_t skip = nr_wanted(l, l->list.cursor, tagged), nr = 0;

	if (skip + max > wanted)
		skip = wanted > max ? wanted - max : 0;
	for (size_t i = 0; i < l->list.nr && nr < max; i++) {
		if (!is_wanted(l, i, tagged))
			continue;
		if (skip)
			skip--;
		else
			rings[nr++] = ring_at(l, i);
	}
	return nr;
}

/* The sizing advice: the size to try, else why there is none. */
static void draw_verdict(struct area a, const struct ring_row *r)
{
	const struct advice *advice = &r->advice;
	bool valid = advice->valid && *advice->text;

	widget_words(a, 0, valid ? ROLE_VALUE : ROLE_DIM, valid ?
		     advice->text : *advice->reason ? advice->reason :
		     "no advice yet");
}

/* A low block has the verdict in its heading. */
static void draw_block(struct area a, const struct ring_row *r, bool current)
{
	bool low = a.rows < BLOCK_ROWS;
	int above = low ? 1 : 2;
	char title[160];

	if (r->reads || r->pid < 0)
		snprintf(title, sizeof(title), "%s", r->label);
	else
		snprintf(title, sizeof(title), "%s[%d] %s %s", r->comm,
			 (int)r->pid, r->label, r->event);
	if (low) {
		int col = area_text(a, 0, 0, 0, ROLE_TITLE, title) + 2;

		draw_verdict(area_sub(a, 0, col, 1, a.cols - col), r);
	} else {
		widget_heading(a, 0, title);
		draw_verdict(area_sub(a, 1, 0, 1, a.cols), r);
	}
	if (current)
		area_select(a, 0, 0, a.cols);
	ring_history_draw(area_sub(a, above, 0, a.rows - above, a.cols), r);
}

static void draw_legend(struct area a, bool fill, size_t shown, size_t of,
			bool tagged)
{
	const bool ascii = a.canvas->ascii;
	int col = 1;

	if (fill) {
		col = widget_note(a, col, ROLE_DIM, ascii ?
				  "fill: # mean, : peak, - watermark" :
				  "fill: solid mean, dotted peak, line "
				  "watermark");
		col = widget_note(a, col, ROLE_DIM, "red: lost");
	}
	if (shown < of)
		widget_note(a, col, ROLE_DIM, "%zu of %zu %s", shown, of,
			    tagged ? "tagged" : "rings");
}

void ring_history_panel(const struct listing *l, struct area a)
{
	const struct ring_row *rings[MAX_RINGS];
	bool legend = a.rows > BLOCK_SMALL + 1;
	struct area charts = area_sub(a, 0, 0, a.rows - legend, a.cols);
	bool tagged = nr_wanted(l, l->list.nr, true);
	size_t wanted = nr_wanted(l, l->list.nr, tagged), max, nr;
	struct grid g = grid_of(charts, rows_of_blocks(charts, wanted));
	int down, width, height;

	max = (size_t)g.across * (size_t)g.down;
	nr = pick_rings(l, tagged, wanted,
			max < MAX_RINGS ? max : MAX_RINGS, rings);
	if (!nr)
		return;
	down = ((int)nr + g.across - 1) / g.across;
	while (down < (int)nr && charts.rows / down > BLOCK_MAX)
		down++;
	g.across = ((int)nr + down - 1) / down;
	width = (a.cols + GAP) / g.across - GAP;
	height = charts.rows / down;
	for (int i = 0; i < (int)nr; i++)
		draw_block(area_sub(charts, i / g.across * height,
				    i % g.across * (width + GAP), height,
				    width),
			   rings[i], nr > 1 && rings[i] == listing_current(l));
	if (legend)
		draw_legend(area_sub(a, down * height, 0, 1, a.cols),
			    !rings[0]->reads || rings[0]->used != UNKNOWN, nr,
			    wanted, tagged);
}

/* Whether any ring with charts has a few columns to draw. */
static bool has_history(const struct listing *l)
{
	for (size_t i = 0; i < l->list.nr; i++) {
		const struct ring_row *r = ring_at(l, i);

		if (!r->dummies && r->histories &&
		    r->histories->time.nr >= FEW_TICKS)
			return true;
	}
	return false;
}

int ring_history_lines(const struct listing *l, struct area area, int above)
{
	int room = area.rows - above - listing_lines(l) - 1;

	if (!l->view.shell->config->charts || l->pictured ||
	    room < BLOCK_SMALL || !has_history(l))
		return 0;
	/* a row for the list's legend, unless it would take charts away */
	return room - (room != BLOCK_SMALL && room != BLOCK_ROWS &&
		       room != BLOCK_ROWS + 1);
}

bool ring_history_action(struct listing *l, enum action action)
{
	struct shell *shell = l->view.shell;
	bool *charts = &shell->config->charts;

	if (action != ACTION_CHARTS || l->pick.open)
		return false;
	*charts = !*charts;
	shell->message(shell, ROLE_NOTICE, *charts ?
		       "charts are shown where the list leaves room, after "
		       "three updates" :
		       "charts are hidden");
	return true;
}
