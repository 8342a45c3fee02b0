/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen: a line with title and clock, one with totals, of a recording its
 * time line (both app_lines.c), the tab bar, notices, the view, and the bottom
 * line.
 */
#include "ui/app/app_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "host/table/host.h"
#include "ring/reading.h"
#include "source/source.h"
#include "ui/draw/widgets.h"
#include "ui/kit/tune.h"

enum {
	TALL = 14,		/* rows from which two notices are shown */
	MESSAGE_ROWS = 3,	/* rows that a long message may take */
	GAP = 2,		/* columns between figures */
};

/* Make a click on these columns act as the key of @action. */
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

/* Draw a reversed word to the left of column @end.  Returns its first column,
 * @end if it does not fit. */
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

/* Flags for the recording, the snapshot being written and armed triggers. */
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

/* "12:34:56", or "5123.456s" of the kernel's clock; of a recording, the time
 * since its start, "00:00:12.345". */
static void clock_text(const struct app *app, char *buf, size_t size)
{
	bool kernel = app->config->clock == TIMES_KERNEL;

	view_time(&app->shell, app->frame, app->frame->time,
		  kernel || app->frame->playback ? 3 : 0, buf, size);
	if (kernel)
		text_append(buf, size, "s");
}

static void draw_title(struct app *app, struct area a)
{
	const struct frame *f = app->frame;
	int end = a.cols, col;
	char text[32];

	clock_text(app, text, sizeof(text));
	end = area_text_right(a, 0, end, ROLE_DEFAULT, text) ?
		a.cols - text_width(text) : end;
	if (a.cols >= 60) {
		if (f->playback)
			snprintf(text, sizeof(text), "%.4gx",
				 f->playback->speed);
		else
			snprintf(text, sizeof(text), "%gs",
				 app->config->delay);
		end -= text_width(text) + GAP;
		area_text(a, 0, end, 0, ROLE_DIM, text);
	}
	if (app->config->readonly)
		end = draw_flag(a, end, ROLE_LABEL, "READ-ONLY");
	if (app->frozen)
		end = draw_flag(a, end, ROLE_WARN, "FROZEN");
	if (f->playback && !f->playback->playing)
		end = draw_flag(a, end, ROLE_WARN,
				f->playback->position >= f->playback->length ?
					"END" : "PAUSED");
	if (f->snapshots)
		end = draw_snapshot_flags(a, end, f->snapshots);
	a = area_sub(a, 0, 0, 1, end - 1);
	col = area_text(a, 0, 0, 0, ROLE_TITLE, "rbtop");
	if (a.rows && a.cols > col + 3) {
		col += area_text(a, 0, col, 0, ROLE_DEFAULT, " - ");
		widget_text(area_sub(a, 0, col, 1, a.cols - col), 0, 1,
			    ROLE_DEFAULT, f->title);
	}
}

/* CPU and memory used by rbtop itself, at the right end of the tab bar. */
static void draw_self(struct app *app, struct area a, int from)
{
	const struct frame_self *self = &app->frame->self;
	double percent = self->cpu * 100;
	char text[80], thinned[32] = "", rss[8];
	int start, room = a.cols - 2 - from;

	units_bytes(rss, sizeof(rss), (double)self->rss);
	snprintf(text, sizeof(text), " rbtop %.1f%% cpu, %s ", percent, rss);
	if (isnan(self->cpu))
		snprintf(text, sizeof(text), " rbtop %s ", rss);
	else if (text_width(text) >= room)
		snprintf(text, sizeof(text), " rbtop %.1f%%, %s ", percent,
			 rss);
	if (!isnan(self->cpu) && text_width(text) >= room)
		snprintf(text, sizeof(text), " rbtop %.1f%% ", percent);
	/* normally all samples are decoded: not shown */
	if (self->decode_every > 1)
		snprintf(thinned, sizeof(thinned), "decodes 1/%u ",
			 self->decode_every);
	start = a.cols - 2 - text_width(text) - text_width(thinned);
	/* no room for both: Samples and Hot also show this one */
	if (start <= from) {
		start += text_width(thinned);
		*thinned = '\0';
	}
	if (start <= from)
		return;
	start += area_text(a, 0, start, 0, ROLE_DIM, text);
	area_text(a, 0, start, 0, ROLE_WARN, thinned);
}

/* " 3 Hot "; with @narrow " 3 ", except for the open tab and for one without a
 * key.  Returns the width of the key. */
static int tab_text(struct app *app, enum view_id id, bool narrow, char *buf,
		    size_t size)
{
	const char *name = view_info(id)->name;
	char key[16];

	keys_text(&app->keys, view_info(id)->key, true, key, sizeof(key));
	if (!*key)
		snprintf(buf, size, " %s ", name);
	else if (narrow && app_tab(app)->ops->id != id)
		snprintf(buf, size, " %s ", key);
	else
		snprintf(buf, size, " %s %s ", key, name);
	return text_width(key);
}

/* Whether the Host tab is marked: other programs lose records now. */
static bool host_loses(const struct app *app, enum view_id id)
{
	const struct host *host = app->frame ? app->frame->host : NULL;

	return id == VIEW_HOST && host && host->status.ready &&
	       host->total.row.lost_per_s > 0;
}

/* Draw one tab; returns the column after it. */
static int draw_tab(struct app *app, struct area a, int col, enum view_id id,
		    bool narrow)
{
	char text[48];
	int key = tab_text(app, id, narrow, text, sizeof(text));
	bool open = app_tab(app)->ops->id == id;
	enum role role = open ? ROLE_TITLE :
			 host_loses(app, id) ? ROLE_BAD :
			 app_is_empty(app, id) ? ROLE_DIM : ROLE_DEFAULT;
	int width = area_text(a, 0, col, 0, role, text);

	if (open)
		area_reverse(a, 0, col, width);
	else if (role == ROLE_DEFAULT)
		area_role(a, 0, col + 1, key, ROLE_KEY);
	add_span(app, a, 0, col, width, view_info(id)->key);
	return col + width;
}

/* Columns that all tabs take. */
static int tabs_width(struct app *app)
{
	char text[48];
	int width = 1;

	for (int i = VIEW_NONE + 1; i < VIEWS; i++) {
		if (!view_info((enum view_id)i)->tab)
			continue;
		tab_text(app, (enum view_id)i, false, text, sizeof(text));
		width += text_width(text) + 1;
	}
	return width;
}

/* Draw the tabs, and the screen open on top of one: "1 Rings > Help". */
static void draw_tabs(struct app *app, struct area a)
{
	char over[48] = "";
	bool narrow;
	int col = 1;

	if (app->depth > 0)
		snprintf(over, sizeof(over), " %s %s ",
			 widget_glyph_text(a, GLYPH_RIGHT),
			 view_info(app_view(app)->ops->id)->name);
	narrow = tabs_width(app) + text_width(over) > a.cols;
	area_fill(a, 0, 0, a.cols, ROLE_DIM, widget_glyph(a, GLYPH_RULE));
	for (int i = VIEW_NONE + 1; i < VIEWS; i++) {
		if (view_info((enum view_id)i)->tab)
			col = draw_tab(app, a, col, (enum view_id)i, narrow) +
			      1;
	}
	if (*over)
		col += area_text(a, 0, col, 0, ROLE_TITLE, over) + 1;
	draw_self(app, a, col);
}

/* Draw a notice, if any; returns the rows it took. */
static int draw_notice(struct area a, int row, const char *text)
{
	if (!*text)
		return 0;
	area_text(a, row, 0, 0, ROLE_NOTICE, "! ");
	widget_text(area_sub(a, row, 2, 1, a.cols - 2), 0, 1, ROLE_NOTICE,
		    text);
	return 1;
}

/*
 * How the target ended, if known: of a process watched with -p it is not, since
 * only its parent gets its status.
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

/* Also if that was switched since the frame on screen. */
static bool are_enabled(const struct app *app)
{
	const struct app_toggled *last = &app->enabled;

	return last->frame == app->frame->tick + 1 ? last->on :
	       tune_are_enabled(app->frame);
}

/* The label of a key on the open screen; "": it is not shown there. */
static const char *label_of(const struct app *app, enum action action)
{
	const struct view *view = app_view(app);
	enum view_id id = view->ops->id;
	const char *label = NULL;

	if (!keys_work_on(action, id))
		return "";
	if (!app->frame->playback && keys_info(action)->section == KEYS_PLAY)
		return "";
	if (view->ops->label)
		label = view->ops->label(view, action);
	/* Setup uses keys of rings to move columns */
	if (id != VIEW_SETUP && !tune_offers(&app->shell, app->frame, action))
		return "";
	if (!label && action == ACTION_CANCEL && !app->depth)
		return "";	/* nothing to go back to */
	if (!label && action == ACTION_FREEZE && app->frame->playback)
		return app->frame->playback->playing ? "Pause" : "Play";
	if (!label && action == ACTION_ENABLE && are_enabled(app))
		return "Disable";
	return label ? label : keys_info(action)->label;
}

/*
 * Draw one "key Label" of the bottom line.  Returns the column after it, @col
 * if the action has no key or no label, -1 if it does not fit before @end.
 */
static int draw_footer_key(struct app *app, struct area a, int col,
			   enum action action, int end)
{
	const char *label = label_of(app, action);
	char key[16];
	int width;

	keys_text(&app->keys, action, true, key, sizeof(key));
	width = text_width(key) + 1 + text_width(label);
	if (!*key || !*label)
		return col;
	if (col + width > end)
		return -1;
	area_text(a, 0, col, 0, ROLE_KEY, key);
	area_text(a, 0, col + text_width(key) + 1, 0, ROLE_DEFAULT, label);
	add_span(app, a, 0, col, width, action);
	return col + width + GAP;
}

/*
 * The keys that work here, the most important first, as many as fit; Help and
 * Quit always, at the right.
 */
static void draw_footer(struct app *app, struct area a)
{
	const enum action always[] = { ACTION_HELP, ACTION_QUIT };
	enum action action = ACTION_NONE;
	char key[16];
	int end = a.cols, col = 0;

	for (int i = 0; i < 2; i++) {
		keys_text(&app->keys, always[i], true, key, sizeof(key));
		end -= text_width(key) + 1 + GAP +
		       text_width(label_of(app, always[i]));
	}
	while ((!app_is_empty(app, app_view(app)->ops->id) ||
		app->frame->playback) && col >= 0 &&
	       (action = keys_next(action)) != ACTION_NONE)
		col = draw_footer_key(app, a, col, action, end);
	col = end + GAP;
	for (int i = 0; i < 2; i++)
		col = draw_footer_key(app, a, col, always[i], a.cols);
}

/* A long message also covers the last rows of the view. */
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
	if (app->message[0])
		draw_message(app, area_sub(a, 0, 0, a.rows - app->prompting,
					   a.cols));
	else if (!app->prompting && app->config->keybar)
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

/* In place of a screen without contents, see app_is_empty(). */
static void draw_empty(const struct app *app, struct area a)
{
	char key[16], text[160];
	int row = a.rows > 4 ? a.rows / 3 : 0;

	keys_text(&app->keys, ACTION_SCREEN_HOST, true, key, sizeof(key));
	if (app->frame->playback)
		snprintf(text, sizeof(text), "a recording has no rings of "
			 "other programs, only those of its own perf");
	else
		snprintf(text, sizeof(text), "rbtop --host opens no events, so "
			 "there are no rings of its own to show here; %s%sHost "
			 "shows the rings of all processes", key,
			 *key ? " " : "");
	area_wrapped(area_sub(a, row, 2, a.rows - row, a.cols - 4), 0,
		     ROLE_DIM, text);
}

void app_draw(struct app *app, struct canvas *canvas)
{
	struct area a = canvas_area(canvas);
	struct view *view = app_view(app);
	int row = 0;

	app_take_config(app, NULL);
	canvas->history = app->config->history;
	canvas_clear(canvas);
	app->nr_spans = 0;
	app->area = app->time_line = (struct area){ .canvas = canvas };
	if (a.rows < APP_MIN_ROWS || a.cols < APP_MIN_COLS) {
		draw_too_small(a);
		return;
	}
	draw_title(app, area_sub(a, row++, 0, 1, a.cols));
	app_draw_totals(app, area_sub(a, row++, 0, 1, a.cols));
	row += app_draw_time_line(app, a, row);
	draw_tabs(app, area_sub(a, row++, 0, 1, a.cols));
	row += draw_notices(app, a, row);
	app->area = area_sub(a, row, 0, a.rows - app->config->keybar - row,
			     a.cols);
	if (app_is_empty(app, view->ops->id))
		draw_empty(app, app->area);
	else
		view->ops->draw(view, app->frame, app->area);
	draw_bottom(app, a);
}
