/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time line of a recording: how much came when, where records or trace were
 * lost, and a cursor at the present position, which a click or a typed time
 * moves; and where the samples begin, if that is marked.  It is the same on all
 * screens.
 */
#include "ui/app/app_state.h"

#include <math.h>
#include <stdio.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "ui/draw/chart.h"
#include "ui/draw/widgets.h"

enum {
	MIN_ROWS = 20,		/* of the screen */
	TALL = 30,		/* rows of the screen from which it has two */
	LABEL = 8,		/* bytes of the time at an end */
};

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
	} while (++i < p->nr_columns && (double)i < (col + 1) * step - 1e-6);
	return all;
}

/*
 * The screens show all that was played up to the position, so the cursor is on
 * the last column played.
 */
static int cursor_of(const struct playback *p, int width)
{
	int col = (int)ceil(p->position / p->length * width - 1e-6) - 1;

	return col < 0 ? 0 : col < width ? col : width - 1;
}

static bool is_marked(const struct playback_column *c)
{
	return c->lost || c->truncated;
}

static void draw_marks(const struct playback *p, struct area a)
{
	int cursor = cursor_of(p, a.cols), last = a.rows - 1;
	int mark = p->mark < p->position ?
			   (int)(p->mark / p->length * a.cols) : -1;

	for (int col = 0; col < a.cols; col++) {
		struct playback_column c = column_at(p, col, a.cols);
		bool marked = is_marked(&c);

		if (marked)
			area_put(a, last, col, ROLE_BAD, c.lost ? '!' : 'T');
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
