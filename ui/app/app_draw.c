/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The picture: a line of title and clock, one of totals (app_totals.c), the
 * tab bar, what is to be noticed, the view, and the bottom line.
 */
#include "ui/app/app_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ring/snapshots.h"
#include "source/source.h"
#include "ui/kit/tune.h"
#include "ui/kit/widgets.h"

enum {
	TALL = 14,		/* rows from which the tab bar has its own */
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

/* What rbtop itself costs, at the right end of the tab bar. */
static void draw_self(struct app *app, struct area a, int from)
{
	const struct frame_self *self = &app->frame->self;
	double percent = isnan(self->cpu) ? 0 : self->cpu * 100;
	char text[80], thinned[32] = "", rss[8];
	int start;

	units_bytes(rss, sizeof(rss), (double)self->rss);
	snprintf(text, sizeof(text), " rbtop %.1f%% cpu, %s ", percent, rss);
	if (a.cols - 2 - text_width(text) <= from)
		snprintf(text, sizeof(text), " rbtop %.1f%%, %s ", percent,
			 rss);
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
	const struct view_ops *ops = app_view(app)->ops;
	const enum action *own = app_has_no_rings(app, ops->id) ? NULL :
								   ops->footer;
	char key[16];
	int end = a.cols, col = 0;

	for (int i = 0; i < 2; i++) {
		keys_text(&app->keys, always[i], true, key, sizeof(key));
		end -= text_width(key) + 1 + GAP +
		       text_width(keys_info(always[i])->label);
	}
	for (; own && *own != ACTION_NONE; own++) {
		if (*own != always[0] && *own != always[1] &&
		    tune_offers(&app->shell, app->frame, *own))
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

/* What stands in place of a screen about rbtop's own rings. */
static void draw_no_rings(const struct app *app, struct area a)
{
	char key[16], text[160];
	int row = a.rows > 4 ? a.rows / 3 : 0;

	keys_text(&app->keys, ACTION_SCREEN_HOST, true, key, sizeof(key));
	snprintf(text, sizeof(text), "rbtop --host opens no event, so it has "
		 "no ring of its own to show here; %s%sHost has the rings of "
		 "all processes", key, *key ? " " : "");
	area_wrapped(area_sub(a, row, 2, a.rows - row, a.cols - 4), 0,
		     ROLE_DIM, text);
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
	app_draw_totals(app->frame, area_sub(a, row++, 0, 1, a.cols));
	draw_tabs(app, area_sub(a, row++, 0, 1, a.cols));
	row += draw_notices(app, a, row);
	app->area = area_sub(a, row, 0, a.rows - 1 - row, a.cols);
	if (app_has_no_rings(app, view->ops->id))
		draw_no_rings(app, app->area);
	else
		view->ops->draw(view, app->frame, app->area);
	draw_bottom(app, a);
}
