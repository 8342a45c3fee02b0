/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The picture: a line of title and clock, one of totals, the tab bar, what is
 * to be noticed, the view, and the bottom line.
 */
#include "ui/app_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "model/snapshots.h"
#include "source/source.h"
#include "ui/tune.h"
#include "ui/widgets.h"

enum {
	TALL = 14,		/* rows from which the tab bar has its own */
	TEXT = 24,		/* bytes of a figure's text */
	MESSAGE_ROWS = 3,	/* that a long message may take */
	GAP = 2,		/* columns between figures */
};

/* Make a click there do what the key does. */
static void add_span(struct app *app, struct area a, int row, int col,
		     int width, enum action action)
{
	if (app->nr_spans == APP_SPANS || width <= 0)
		return;
	app->spans[app->nr_spans++] = (struct app_span){
		.row = a.row + row,
		.col = a.col + col,
		.width = width,
		.action = action,
	};
}

/* A word at the right of the title, reversed; the column left of it. */
static int draw_flag(struct area a, int end, enum role role, const char *text)
{
	int width = text_width(text) + 2;

	end -= width + 1;
	if (end < 8)
		return end + width + 1;
	area_fill(a, 0, end, width, role, ' ');
	area_text(a, 0, end + 1, 0, role, text);
	area_reverse(a, 0, end, width);
	return end;
}

/* What is being written, and what waits to be. */
static int draw_snapshot_flags(struct area a, int end,
			       const struct snapshots *s)
{
	const struct snapshot_info *last = s->nr ? &s->list[s->nr - 1] : NULL;
	bool narrow = a.cols < 60;
	char text[32], bytes[8];

	if (s->recording) {
		units_bytes(bytes, sizeof(bytes), (double)s->record_bytes);
		snprintf(text, sizeof(text), "REC%s%s%s",
			 s->record_missed ? "!" : "", narrow ? "" : " ",
			 narrow ? "" : bytes);
		end = draw_flag(a, end, s->record_missed ? ROLE_BAD :
							   ROLE_NOTICE, text);
	}
	if (last && last->state <= SNAPSHOT_WRITING) {
		snprintf(text, sizeof(text), narrow ? "SNAP" : "SNAPSHOT %llu",
			 (unsigned long long)last->number);
		end = draw_flag(a, end, ROLE_NOTICE, text);
	}
	if (*s->armed && s->cooldown_left <= 0 && !narrow)
		end = draw_flag(a, end, ROLE_LABEL, "ARMED");
	return end;
}

static void draw_title(struct app *app, struct area a)
{
	const struct frame *f = app->frame;
	int end = a.cols, col;
	char text[32];

	widget_clock(text, sizeof(text), f->time);
	end = area_text_right(a, 0, end, ROLE_DEFAULT, text) ?
		a.cols - text_width(text) : end;
	if (a.cols >= 60) {
		snprintf(text, sizeof(text), "%gs", app->config->delay);
		end -= text_width(text) + GAP;
		area_text(a, 0, end, 0, ROLE_DIM, text);
	}
	if (app->config->readonly)
		end = draw_flag(a, end, ROLE_LABEL, "READ-ONLY");
	if (app->frozen)
		end = draw_flag(a, end, ROLE_WARN, "FROZEN");
	if (f->snapshots)
		end = draw_snapshot_flags(a, end, f->snapshots);
	a = area_sub(a, 0, 0, 1, end - 1);
	col = area_text(a, 0, 0, 0, ROLE_TITLE, "rbtop");
	if (a.rows && a.cols > col + 3)
		area_printf(a, 0, col, ROLE_DEFAULT, " - %s", f->title);
}

/* A figure of the totals line; narrow screens leave out the last ones. */
struct figure {
	const char *label;
	char text[TEXT];
	int width;		/* of the text at its widest: nothing jumps */
	enum role role;
	int rank;		/* 0 is shown first */
};

enum { FIGURES = 11 };

static void count_figure(struct figure *g, double value, bool bytes)
{
	if (isnan(value))
		snprintf(g->text, sizeof(g->text), "-");
	else if (bytes)
		units_bytes(g->text, sizeof(g->text), value);
	else
		units_count(g->text, sizeof(g->text), value);
}

/* The first frame has no time behind it, so no rates. */
static void rate_figure(struct figure *g, const struct frame *f, double value,
			bool bytes)
{
	count_figure(g, f->interval > 0 ? value : (double)NAN, bytes);
}

static int percent_of(double share)
{
	return isnan(share) ? 0 : (int)(share * 100 + 0.5);
}

static void used_figure(struct figure *g, const struct frame_total *t,
			bool wide)
{
	int percent = percent_of(t->fill);
	char size[8];

	if (wide)
		snprintf(g->text, sizeof(g->text), "%d%% of %s", percent,
			 units_bytes(size, sizeof(size), (double)t->size));
	else
		snprintf(g->text, sizeof(g->text), "%d%%", percent);
	g->width = wide ? 12 : 4;
}

/* As the column LOST counts them: reported and, where known, pending. */
static void lost_figure(struct figure *g, const struct frame_total *t)
{
	uint64_t pending = t->lost_pending == FRAME_UNKNOWN ? 0 :
							      t->lost_pending;
	uint64_t lost = t->lost + pending;

	units_count(g->text, sizeof(g->text), (double)lost);
	/* at this moment: said by a mark as well as by the colour */
	if (t->lost_per_s > 0) {
		snprintf(g->text + strlen(g->text),
			 sizeof(g->text) - strlen(g->text), "!");
		g->role = ROLE_BAD;
	} else if (lost) {
		g->role = ROLE_WARN;
	}
}

/* Trace was lost, of which the records lost say nothing: only where it was. */
static void truncated_figure(struct figure *g, const struct frame_total *t)
{
	if (!t->aux.truncated)
		return;
	g->text[0] = '!';
	units_count(g->text + 1, sizeof(g->text) - 1,
		    (double)t->aux.truncated);
	g->role = ROLE_BAD;
}

static void fill_figures(struct figure g[FIGURES], const struct frame *f,
			 bool wide)
{
	const struct frame_total *t = &f->total;
	const struct figure initial[FIGURES] = {
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
	for (int i = 0; i < FIGURES; i++)
		g[i].role = ROLE_VALUE;
	snprintf(g[0].text, TEXT, "%zu", f->nr_rings);
	used_figure(&g[1], t, wide);
	rate_figure(&g[2], f, t->records_per_s, false);
	rate_figure(&g[3], f, t->bytes_per_s, true);
	lost_figure(&g[4], t);
	truncated_figure(&g[5], t);
	count_figure(&g[6], t->lost_pending == FRAME_UNKNOWN ?
		     (double)NAN : (double)t->lost_pending, false);
	snprintf(g[7].text, TEXT, "%d%%", percent_of(t->peak));
	rate_figure(&g[8], f, t->wakeups_per_s, false);
	if (isnan(t->latency_p99))
		snprintf(g[9].text, TEXT, "-");
	else
		units_duration(g[9].text, TEXT, t->latency_p99);
	count_figure(&g[10], (double)t->throttled, false);
}

static int figure_width(const struct figure *g)
{
	return (int)strlen(g->label) + 1 + g->width;
}

/* How many ranks fit in @cols. */
static int ranks_that_fit(const struct figure g[FIGURES], int cols)
{
	int used = -GAP;

	for (int rank = 0; rank < FIGURES; rank++) {
		for (int i = 0; i < FIGURES; i++) {
			if (g[i].rank == rank && *g[i].text)
				used += figure_width(&g[i]) + GAP;
		}
		if (used > cols)
			return rank;
	}
	return FIGURES;
}

static void draw_totals(struct app *app, struct area a)
{
	struct figure g[FIGURES];
	int ranks, col = 0;

	fill_figures(g, app->frame, a.cols >= 60);
	ranks = ranks_that_fit(g, a.cols);
	for (int i = 0; i < FIGURES; i++) {
		if (g[i].rank >= ranks || !*g[i].text)
			continue;
		area_text(a, 0, col, 0, ROLE_LABEL, g[i].label);
		area_text(a, 0, col + (int)strlen(g[i].label) + 1, 0,
			  g[i].role, g[i].text);
		col += figure_width(&g[i]) + GAP;
	}
}

/* What rbtop itself costs, at the right end of the tab bar. */
static void draw_self(struct app *app, struct area a, int from)
{
	const struct frame_self *self = &app->frame->self;
	char text[80], thinned[32] = "", rss[8];
	int start;

	units_bytes(rss, sizeof(rss), (double)self->rss);
	snprintf(text, sizeof(text), " rbtop %.1f%% cpu, %s ",
		 isnan(self->cpu) ? 0 : self->cpu * 100, rss);
	/* k = 1 is what everybody expects: not worth a word */
	if (self->decode_every > 1)
		snprintf(thinned, sizeof(thinned), "decodes 1/%u ",
			 self->decode_every);
	start = a.cols - 2 - text_width(text) - text_width(thinned);
	/* where there is no room for both, Samples and Hot have that too */
	if (start <= from) {
		start += text_width(thinned);
		*thinned = '\0';
	}
	if (start <= from)
		return;
	start += area_text(a, 0, start, 0, ROLE_DIM, text);
	area_text(a, 0, start, 0, ROLE_WARN, thinned);
}

/* " 3 Hot "; with @narrow " 3 ", if there is a key to name it by. */
static int tab_text(struct app *app, enum view_id id, bool narrow, char *buf,
		    size_t size)
{
	const char *name = app_view_ops(id)->name;
	char key[16];

	keys_text(&app->keys, app_tab_action(id), true, key, sizeof(key));
	if (!*key)
		snprintf(buf, size, " %s ", name);
	else if (narrow && app_tab(app)->ops->id != id)
		snprintf(buf, size, " %s ", key);
	else
		snprintf(buf, size, " %s %s ", key, name);
	return text_width(key);
}

/* One tab; the column behind it. */
static int draw_tab(struct app *app, struct area a, int col, enum view_id id,
		    bool narrow)
{
	char text[48];
	int key = tab_text(app, id, narrow, text, sizeof(text));
	bool open = app_tab(app)->ops->id == id;
	int width = area_text(a, 0, col, 0, open ? ROLE_TITLE : ROLE_DEFAULT,
			      text);

	if (open)
		area_reverse(a, 0, col, width);
	else
		area_role(a, 0, col + 1, key, ROLE_KEY);
	add_span(app, a, 0, col, width, app_tab_action(id));
	return col + width;
}

static bool is_tab(int id)
{
	const struct view_ops *ops = app_view_ops((enum view_id)id);

	return ops && ops->tab;
}

/* Columns that all tabs take. */
static int tabs_width(struct app *app)
{
	char text[48];
	int width = 1;

	for (int i = VIEW_NONE + 1; i < APP_VIEWS; i++) {
		if (!is_tab(i))
			continue;
		tab_text(app, (enum view_id)i, false, text, sizeof(text));
		width += text_width(text) + 1;
	}
	return width;
}

/* The tabs, and what is open on top of one: "1 Rings > Help". */
static void draw_tabs(struct app *app, struct area a)
{
	char over[48] = "";
	bool narrow;
	int col = 1;

	if (app->depth > 0)
		snprintf(over, sizeof(over), " %s %s ",
			 widget_glyph_text(a, GLYPH_RIGHT),
			 app_view(app)->ops->name);
	narrow = tabs_width(app) + text_width(over) > a.cols;
	area_fill(a, 0, 0, a.cols, ROLE_DIM, widget_glyph(a, GLYPH_RULE));
	for (int i = VIEW_NONE + 1; i < APP_VIEWS; i++) {
		if (is_tab(i))
			col = draw_tab(app, a, col, (enum view_id)i, narrow) +
			      1;
	}
	if (*over)
		col += area_text(a, 0, col, 0, ROLE_TITLE, over) + 1;
	draw_self(app, a, col);
}

/* A line that is to be noticed; how many rows it took. */
static int draw_notice(struct area a, int row, const char *text)
{
	if (!*text)
		return 0;
	area_text(a, row, 0, 0, ROLE_NOTICE, "! ");
	area_text(a, row, 2, 0, ROLE_NOTICE, text);
	return 1;
}

/*
 * How the target ended, where that is known: a process watched with -p tells
 * its status to its parent alone.
 */
static int draw_ended(struct app *app, struct area a, int row)
{
	const struct source *s = app->source;
	char how[32] = "", quit[16], text[96];

	if (s->has_status && s->exit_signal)
		snprintf(how, sizeof(how), " by signal %d", s->exit_signal);
	else if (s->has_status)
		snprintf(how, sizeof(how), ", exit status %d", s->exit_status);
	keys_text(&app->keys, ACTION_QUIT, true, quit, sizeof(quit));
	snprintf(text, sizeof(text), "ended%s: final figures, %s quits", how,
		 quit);
	return draw_notice(a, row, text);
}

static int draw_notices(struct app *app, struct area a, int row)
{
	int rows = app->frame->ended ? draw_ended(app, a, row) : 0;

	if (a.rows >= TALL || !rows)
		rows += draw_notice(a, row + rows, app->frame->notice);
	return rows;
}

static const char *label_of(const struct app *app, enum action action)
{
	const struct view_ops *ops = app_view(app)->ops;
	const char *label = ops->label ? ops->label(action) : NULL;

	return label ? label : keys_info(action)->label;
}

/* One "key Label" of the bottom line; the column behind it. */
static int draw_footer_key(struct app *app, struct area a, int col,
			   enum action action, int end)
{
	const char *label = label_of(app, action);
	char key[16];
	int width;

	keys_text(&app->keys, action, true, key, sizeof(key));
	width = text_width(key) + 1 + text_width(label);
	if (!*key || col + width > end)
		return col;
	area_text(a, 0, col, 0, ROLE_KEY, key);
	area_text(a, 0, col + text_width(key) + 1, 0, ROLE_DEFAULT, label);
	add_span(app, a, 0, col, width, action);
	return col + width + GAP;
}

/* The view's keys, and the ones that nobody should miss, at the right. */
static void draw_footer(struct app *app, struct area a)
{
	const enum action always[] = { ACTION_HELP, ACTION_QUIT };
	const enum action *own = app_view(app)->ops->footer;
	char key[16];
	int end = a.cols, col = 0;

	for (int i = 0; i < 2; i++) {
		keys_text(&app->keys, always[i], true, key, sizeof(key));
		end -= text_width(key) + 1 + GAP +
		       text_width(keys_info(always[i])->label);
	}
	for (; own && *own != ACTION_NONE; own++) {
		if (*own != always[0] && *own != always[1] &&
		    tune_offers(&app->host, app->frame, *own))
			col = draw_footer_key(app, a, col, *own, end);
	}
	col = end + GAP;
	for (int i = 0; i < 2; i++)
		col = draw_footer_key(app, a, col, always[i], a.cols);
}

/* A long one takes the view's last rows too. */
static void draw_message(struct app *app, struct area a)
{
	struct area none = { .canvas = a.canvas, .cols = a.cols };
	int lines = area_wrapped(none, 0, app->message_role, app->message);
	int rows = lines < MESSAGE_ROWS ? lines : MESSAGE_ROWS;

	a = area_sub(a, a.rows - rows, 0, rows, a.cols);
	for (int row = 0; row < rows; row++)
		area_fill(a, row, 0, a.cols, ROLE_DEFAULT, ' ');
	area_wrapped(a, 0, app->message_role, app->message);
	if (lines > rows)
		area_put(a, rows - 1, a.cols - 1, app->message_role,
			 widget_glyph(a, GLYPH_RIGHT));
}

static void draw_bottom(struct app *app, struct area a)
{
	struct area last = area_sub(a, a.rows - 1, 0, 1, a.cols);

	if (app->prompting)
		prompt_draw(&app->prompt, last, 0);
	else if (app->message[0])
		draw_message(app, a);
	else
		draw_footer(app, last);
}

static void draw_too_small(struct area a)
{
	static const char text[] = "too small: needs 40x10";
	struct area none = { .canvas = a.canvas, .cols = a.cols };
	int rows = area_wrapped(none, 0, ROLE_NOTICE, text);
	int row = rows < a.rows ? (a.rows - rows) / 2 : 0;
	int col = (a.cols - (int)strlen(text)) / 2;

	if (rows > 1)
		area_wrapped(area_sub(a, row, 0, a.rows - row, a.cols), 0,
			     ROLE_NOTICE, text);
	else
		area_text(a, row, col > 0 ? col : 0, 0, ROLE_NOTICE, text);
}

void app_draw(struct app *app, struct canvas *canvas)
{
	struct area a = canvas_area(canvas);
	struct view *view = app_view(app);
	int row = 0;

	canvas_clear(canvas);
	app->nr_spans = 0;
	app->area = (struct area){ .canvas = canvas };
	if (a.rows < APP_MIN_ROWS || a.cols < APP_MIN_COLS) {
		draw_too_small(a);
		return;
	}
	draw_title(app, area_sub(a, row++, 0, 1, a.cols));
	draw_totals(app, area_sub(a, row++, 0, 1, a.cols));
	draw_tabs(app, area_sub(a, row++, 0, 1, a.cols));
	row += draw_notices(app, a, row);
	app->area = area_sub(a, row, 0, a.rows - 1 - row, a.cols);
	view->ops->draw(view, app->frame, app->area);
	draw_bottom(app, a);
}
