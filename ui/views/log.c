/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened, with times: the newest at the bottom, followed unless the
 * cursor was moved up.
 */
#include "ui/kit/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/kit/keys.h"
#include "ui/kit/widgets.h"

enum {
	TEXT = 64,		/* bytes of a search or a filter */
	WIDE = 60,		/* columns from which kinds have their names */
	SCROLL = 8,		/* columns at a time */
};

struct log_view {
	struct view view;
	struct list list;	/* its rows are the entries in @rows */
	size_t *rows;		/* those of the log that the filter passes */
	size_t nr_rows, capacity;
	bool moved;		/* off the newest: not following */
	uint64_t serial;	/* of the entry under the cursor */
	char search[TEXT], filter[TEXT];
	uint64_t search_from;	/* serial where the search began */
	bool search_moved;	/* whether it was off the newest there */
	bool seek;		/* the search changed since the last draw */
	bool no_match;
	int scroll;		/* columns that are out at the left */
	bool cut;		/* text was out at the right at the last draw */
};

/* How a kind shows: by a letter first, then by colour. */
static const struct {
	char letter;
	enum role role;
} kinds[] = {
	[LOG_INFO] = { 'i', ROLE_DIM },
	[LOG_OUTPUT] = { '>', ROLE_DEFAULT },
	[LOG_LOST] = { 'L', ROLE_BAD },
	[LOG_THROTTLE] = { 'T', ROLE_WARN },
	[LOG_AUX] = { 'A', ROLE_WARN },
	[LOG_SNAPSHOT] = { 'S', ROLE_GOOD },
	[LOG_RECORD] = { 'R', ROLE_GOOD },
	[LOG_EXIT] = { 'X', ROLE_LABEL },
	[LOG_HOTPLUG] = { 'H', ROLE_NOTICE },
	[LOG_ERROR] = { 'E', ROLE_BAD },
	[LOG_HOST] = { 'M', ROLE_NOTICE },
};

static struct log_view *log_view(struct view *view)
{
	return (struct log_view *)(void *)view;
}

static struct view *log_create(struct shell *shell)
{
	struct log_view *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_log, .shell = shell };
	return &v->view;
}

static void log_destroy(struct view *view)
{
	free(log_view(view)->rows);
	free(view);
}

static bool entry_match(const struct log_entry *e, const char *needle)
{
	return list_match(e->text, needle) ||
	       list_match(log_kind_name(e->kind), needle);
}

/* Room for a row per entry; without memory the newest ones are left out. */
static size_t reserve(struct log_view *v, size_t nr)
{
	size_t *rows;

	if (nr <= v->capacity)
		return nr;
	rows = reallocarray(v->rows, nr, sizeof(*rows));
	if (!rows)
		return v->capacity;
	v->rows = rows;
	v->capacity = nr;
	return nr;
}

static const struct log_entry *entry_at(const struct log_view *v,
					const struct frame *frame, size_t row)
{
	return log_at(frame->log, v->rows[row]);
}

/* The row of an entry, or of the first one after it that is left. */
static size_t row_of(const struct log_view *v, const struct frame *frame,
		     uint64_t serial)
{
	for (size_t row = 0; row < v->nr_rows; row++) {
		if (entry_at(v, frame, row)->serial >= serial)
			return row;
	}
	return v->nr_rows ? v->nr_rows - 1 : 0;
}

/* The cursor was moved: remember the entry, and whether to follow. */
static void remember(struct log_view *v, const struct frame *frame)
{
	v->moved = v->nr_rows && v->list.cursor + 1 < v->nr_rows;
	if (v->nr_rows)
		v->serial = entry_at(v, frame, v->list.cursor)->serial;
}

/* Filter anew; the cursor stays on its entry, and that on its line. */
static void update(struct log_view *v, const struct frame *frame, int page)
{
	size_t nr = reserve(v, log_len(frame->log));
	size_t line = v->list.cursor - v->list.top;
	size_t row;

	v->nr_rows = 0;
	for (size_t i = 0; i < nr; i++) {
		if (entry_match(log_at(frame->log, i), v->filter))
			v->rows[v->nr_rows++] = i;
	}
	row = v->moved ? row_of(v, frame, v->serial) :
	      v->nr_rows ? v->nr_rows - 1 : 0;
	v->list.top = row > line ? row - line : 0;
	v->list.cursor = row;
	list_fit(&v->list, v->nr_rows, page);
}

/* For list_find(). */
struct looking {
	const struct log_view *view;
	const struct frame *frame;
};

static bool row_matches(const void *ctx, size_t row)
{
	const struct looking *l = ctx;

	return entry_match(entry_at(l->view, l->frame, row), l->view->search);
}

static void seek(struct log_view *v, const struct frame *frame, size_t from)
{
	struct looking looking = { v, frame };
	size_t row = list_find(&v->list, from, row_matches, &looking);

	v->no_match = row == LIST_NONE;
	if (v->no_match)
		return;
	list_set(&v->list, row);
	remember(v, frame);
}

/* "12:34:56.789" of unix time, in the local zone. */
static void time_text(double seconds, char *buf, size_t size)
{
	int ms = (int)((seconds - floor(seconds)) * 1000);
	char hms[16];

	widget_clock(hms, sizeof(hms), seconds);
	snprintf(buf, size, "%s.%03d", hms, ms);
}

static void draw_entry(struct log_view *v, struct area a, int row,
		       const struct log_entry *e)
{
	enum role role = kinds[e->kind].role;
	char when[24];
	const char *text;
	int col;

	time_text(e->time, when, sizeof(when));
	col = area_text(a, row, 0, a.cols < WIDE ? 8 : 12, ROLE_DIM, when) + 1;
	area_put(a, row, col, role, (unsigned char)kinds[e->kind].letter);
	col += 2;
	if (a.cols >= WIDE) {
		area_text(a, row, col, 9, role, log_kind_name(e->kind));
		col += 10;
	}
	a = area_sub(a, row, col, 1, a.cols - col);
	text = e->text + text_prefix(e->text, v->scroll);
	if (text_width(text) > area_text(a, 0, 0, 0, ROLE_DEFAULT, text)) {
		area_put(a, 0, a.cols - 1, ROLE_KEY,
			 widget_glyph(a, GLYPH_RIGHT));
		v->cut = true;
	}
	widget_mark(a, 0, text, v->search);
}

static void draw_header(const struct log_view *v, struct area a)
{
	bool wide = a.cols >= WIDE;
	int what = wide ? 25 : 11;

	area_fill(a, 0, 0, a.cols, ROLE_HEADER, ' ');
	area_text(a, 0, 0, 0, ROLE_HEADER, "TIME");
	area_text(a, 0, wide ? 13 : 9, 0, ROLE_HEADER, wide ? "KIND" : "K");
	area_text(a, 0, what, 0, ROLE_HEADER, "WHAT");
	if (v->scroll)
		area_put(a, 0, what - 1, ROLE_KEY,
			 widget_glyph(a, GLYPH_LEFT));
}

/* A note with the key that it is about. */
static size_t add_note(const struct log_view *v, char *text, size_t size,
		       size_t len, enum action action, const char *what)
{
	struct keys keys;
	char key[16];

	if (len >= size || keys_bind(&keys, v->view.shell->config, NULL) < 0)
		return len;
	keys_text(&keys, action, true, key, sizeof(key));
	return len + (size_t)snprintf(text + len, size - len, " %s %s", key,
				      what);
}

/* What changes the picture and cannot be seen in it, at the header's right. */
static void draw_status(const struct log_view *v, const struct frame *frame,
			struct area a)
{
	char text[3 * TEXT] = "";
	size_t len = 0, size = sizeof(text);

	if (*v->filter)
		len += (size_t)snprintf(text, size, " filter \"%s\": %zu of %zu",
					v->filter, v->nr_rows,
					log_len(frame->log));
	if (*v->search && len < size)
		len += (size_t)snprintf(text + len, size - len,
					" search \"%s\"%s", v->search,
					v->no_match ? ": no match" : "");
	if (v->cut)
		len = add_note(v, text, size, len, ACTION_RIGHT, "shows more");
	if (v->moved)
		len = add_note(v, text, size, len, ACTION_END, "follows");
	area_text_right(a, 0, a.cols - 1, ROLE_NOTICE, text);
}

static void draw_empty(const struct log_view *v, struct area a)
{
	if (*v->filter) {
		area_text(a, a.rows / 2, 2, 0, ROLE_DIM,
			  "no entry matches the filter");
		return;
	}
	area_text(a, a.rows / 2 - 1, 2, 0, ROLE_DIM, "nothing so far");
	area_text(a, a.rows / 2, 2, 0, ROLE_DIM,
		  "losses, throttles, snapshots, exits,");
	area_text(a, a.rows / 2 + 1, 2, 0, ROLE_DIM,
		  "hotplug and the command's output");
}

static void log_draw(struct view *view, const struct frame *frame,
		     struct area area)
{
	struct log_view *v = log_view(view);
	struct area body = area_sub(area, 1, 0, area.rows - 1, area.cols);

	update(v, frame, body.rows);
	if (v->seek)
		seek(v, frame, row_of(v, frame, v->search_from));
	v->seek = false;
	v->cut = false;
	if (!v->nr_rows)
		draw_empty(v, body);
	for (int line = 0; line < body.rows; line++) {
		size_t row = list_row_at(&v->list, line);
		struct area text = area_sub(body, 0, 0, body.rows,
					    body.cols - 1);

		if (row == LIST_NONE)
			break;
		draw_entry(v, text, line, entry_at(v, frame, row));
		if (v->moved && row == v->list.cursor)
			area_reverse(body, line, 0, body.cols);
	}
	widget_scrollbar(body, &v->list);
	draw_header(v, area_sub(area, 0, 0, 1, area.cols));
	draw_status(v, frame, area);
}

static void search_done(struct view *view, const char *text, bool final)
{
	struct log_view *v = log_view(view);

	(void)final;
	text_copy(v->search, sizeof(v->search), text ? text : "");
	v->no_match = false;
	v->seek = *v->search != '\0';
	if (!v->seek) { /* back to where it began */
		v->serial = v->search_from;
		v->moved = v->search_moved;
	}
}

static void filter_done(struct view *view, const char *text, bool final)
{
	struct log_view *v = log_view(view);

	(void)final;
	text_copy(v->filter, sizeof(v->filter), text ? text : "");
}

static bool cancel(struct log_view *v)
{
	if (*v->search)
		*v->search = '\0';
	else if (*v->filter)
		*v->filter = '\0';
	else
		return false;
	return true;
}

static void ask_search(struct log_view *v, const struct frame *frame)
{
	bool moved = v->moved;

	remember(v, frame);
	v->search_from = v->serial;
	v->search_moved = moved;
	v->view.shell->prompt(v->view.shell, "search: ", "", true, search_done,
			      &v->view);
}

static bool log_action(struct view *view, const struct frame *frame,
		       enum action action)
{
	struct log_view *v = log_view(view);

	if (list_action(&v->list, action)) {
		remember(v, frame);
		return true;
	}
	switch ((int)action) {
	case ACTION_LEFT:
		v->scroll -= v->scroll ? SCROLL : 0;
		return true;
	case ACTION_RIGHT:
		v->scroll += v->cut ? SCROLL : 0;
		return true;
	case ACTION_SEARCH:
		ask_search(v, frame);
		return true;
	case ACTION_SEARCH_NEXT:
		if (*v->search)
			seek(v, frame, v->list.cursor + 1);
		return true;
	case ACTION_FILTER:
		view->shell->prompt(view->shell, "filter: ", v->filter, true,
				    filter_done, view);
		return true;
	case ACTION_CANCEL:
		return cancel(v);
	default:
		return false;
	}
}

static bool log_click(struct view *view, const struct frame *frame, int row,
		      int col, bool twice)
{
	struct log_view *v = log_view(view);
	size_t at = list_row_at(&v->list, row - 1);

	(void)col;
	(void)twice;
	if (at == LIST_NONE)
		return false;
	list_set(&v->list, at);
	remember(v, frame);
	return true;
}

static bool log_wheel(struct view *view, const struct frame *frame, int lines)
{
	struct log_view *v = log_view(view);

	list_scroll(&v->list, lines);
	if (lines > 0 && v->list.top + v->list.page >= v->list.nr)
		list_set(&v->list, v->list.nr); /* the end: follow again */
	remember(v, frame);
	return true;
}

static const enum action log_footer[] = {
	ACTION_SEARCH, ACTION_SEARCH_NEXT, ACTION_FILTER, ACTION_END,
	ACTION_FREEZE, ACTION_NONE,
};

const struct view_ops view_log = {
	.id = VIEW_LOG,
	.name = "Log",
	.tab = true,
	.create = log_create,
	.destroy = log_destroy,
	.draw = log_draw,
	.action = log_action,
	.click = log_click,
	.wheel = log_wheel,
	.footer = log_footer,
};
