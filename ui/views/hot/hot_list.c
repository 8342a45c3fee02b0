/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/hot.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/kit/widgets.h"

enum {
	SHARE = 7,		/* "100.00%" */
	CHILDREN = 8,		/* its header */
	ERROR = 6,		/* "±12.34" */
	KIND = 1,
	LEAST_MAIN = 20,	/* columns of the first key, before others */
	FAIR_MAIN = 28,		/* before there is a bar */
	LEAST_BAR = 6, MOST_BAR = 20,
	HOT_NAME = 1024,	/* bytes of a name */
	LEAST_DSO = 14, LEAST_EVENT = 9,
	WIDE = 120,		/* from here on the others have twice theirs */
};

/* Columns of the table; 0: not there. */
struct layout {
	int bar, self, children, error, kind;
	int keys[HOT_KEYS];
};

static int with_gap(int width)
{
	return width ? width + 1 : 0;
}

/* Columns that are left when everything in @l has its own. */
static int left(const struct layout *l, int cols)
{
	cols -= 1 + with_gap(l->bar) + with_gap(l->self) +
		with_gap(l->children) + with_gap(l->error) + with_gap(l->kind);
	for (int key = 0; key < HOT_KEYS; key++)
		cols -= with_gap(l->keys[key]);
	return cols;
}

/* The key that takes what is left: the first one. */
static int main_key(unsigned int keys)
{
	return __builtin_ctz(keys);
}

static int least_width(enum hot_key key)
{
	if (key == HOT_DSO)
		return LEAST_DSO;
	return key == HOT_EVENT ? LEAST_EVENT : hot_key_info(key)->width;
}

static int good_width(enum hot_key key, int cols)
{
	int width = hot_key_info(key)->width;

	return cols >= WIDE && width > 8 ? 2 * width : width;
}

/*
 * Other keys than the first, as far as that leaves it room: each as narrow as
 * it may be, and then as wide as it should be.
 */
static void fit_keys(struct layout *l, unsigned int keys, int cols)
{
	int first = main_key(keys) + 1;

	for (int key = first; key < HOT_KEYS; key++) {
		if (!(keys & 1u << key))
			continue;
		l->keys[key] = least_width((enum hot_key)key);
		if (left(l, cols) < LEAST_MAIN)
			l->keys[key] = 0;
	}
	for (int key = first; key < HOT_KEYS; key++) {
		int more = good_width((enum hot_key)key, cols) - l->keys[key];
		int room = left(l, cols) - LEAST_MAIN;

		if (l->keys[key])
			l->keys[key] += more < room ? more : room;
	}
}

static struct layout fit(const struct hot_view *v, const struct hot *hot,
			 int cols)
{
	unsigned int keys = v->view.shell->query.keys;
	bool symbols = keys & 1u << HOT_SYMBOL;
	struct layout l = { .self = SHARE };
	int room;

	l.kind = symbols ? KIND : 0;
	l.children = hot_order_children(v, hot) ? CHILDREN : 0;
	if (l.children && hot_order_sorted(v, hot) == HOT_SORT_CHILDREN)
		l.children++;	/* the mark has a place of its own */
	l.error = hot->thinned ? ERROR : 0;
	fit_keys(&l, keys, cols);
	room = left(&l, cols) - FAIR_MAIN - 1;
	if (room >= LEAST_BAR)
		l.bar = room / 2 < LEAST_BAR ? LEAST_BAR :
			room / 2 < MOST_BAR ? room / 2 : MOST_BAR;
	l.keys[main_key(keys)] = left(&l, cols) - 1;
	return l;
}

static const char *error_header(struct area a)
{
	return a.canvas->ascii ? "+-" : "±";
}

/* Its end at @end, exclusive; the sorted one stands out and has a mark. */
static void head(struct area a, int end, const char *text, bool sorted)
{
	char marked[24];

	snprintf(marked, sizeof(marked), "%s%s", text,
		 sorted ? widget_glyph_text(a, GLYPH_DOWN) : "");
	area_text_right(a, 0, end, sorted ? ROLE_SORTED : ROLE_HEADER, marked);
}

/* The name of a field is that of its column. */
static const char *key_header(const struct hot *hot, enum hot_key key)
{
	if (key == HOT_FIELD && *hot->field)
		return narrow_field_name(hot->field);
	return hot_key_info(key)->header;
}

/* The first key's column, which can be scrolled and sorted by. */
static void head_main(struct hot_view *v, const struct hot *hot,
		      struct area a)
{
	bool sorted = hot_order_sorted(v, hot) == HOT_SORT_NAME;
	enum hot_key key = (enum hot_key)main_key(v->view.shell->query.keys);

	a = area_sub(a, 0, v->name_col, 1, v->name_width);
	area_printf(a, 0, 0, sorted ? ROLE_SORTED : ROLE_HEADER, "%s%s",
		    key_header(hot, key),
		    sorted ? widget_glyph_text(a, GLYPH_UP) : "");
	if (v->scroll)
		area_put(a, 0, a.cols - 1, ROLE_KEY,
			 widget_glyph(a, GLYPH_LEFT));
}

void hot_list_header(struct hot_view *v, const struct hot *hot,
		     struct area a)
{
	const struct layout l = fit(v, hot, a.cols);
	enum hot_sort sort = hot_order_sorted(v, hot);
	int col = 1 + with_gap(l.bar);

	area_fill(a, 0, 0, a.cols, ROLE_HEADER, ' ');
	v->self_col = col;
	col += with_gap(l.self);
	head(a, col - 1, "SELF", sort == HOT_SORT_SELF);
	v->children_col = l.children ? col : -1;
	col += with_gap(l.children);
	if (l.children)
		head(a, col - 1, "CHILDREN", sort == HOT_SORT_CHILDREN);
	v->error_col = col;
	col += with_gap(l.error);
	if (l.error)
		head(a, col - 1, error_header(a), false);
	v->name_col = col += with_gap(l.kind);
	v->name_width = l.keys[main_key(v->view.shell->query.keys)];
	head_main(v, hot, a);
	col += with_gap(v->name_width);
	for (int key = main_key(v->view.shell->query.keys) + 1; key < HOT_KEYS;
	     key++) {
		if (l.keys[key] > 0)
			area_text(a, 0, col, l.keys[key], ROLE_HEADER,
				  key_header(hot, (enum hot_key)key));
		col += with_gap(l.keys[key]);
	}
}

static void draw_share(struct area a, int line, int end, double share)
{
	char text[16];

	snprintf(text, sizeof(text), "%.2f%%", share * 100);
	area_text_right(a, line, end, ROLE_VALUE, text);
}

static void draw_error(struct area a, int line, int end, double error)
{
	char text[24];

	snprintf(text, sizeof(text), "%s%.*f", error_header(a),
		 error < .0995 ? 2 : 1, error * 100);
	area_text_right(a, line, end, ROLE_DIM, text);
}

/* Files without their directories; the status line has those. */
static const char *file_name(const char *dso)
{
	const char *slash = *dso == '/' ? strrchr(dso, '/') : NULL;

	return slash && slash[1] ? slash + 1 : dso;
}

/* What is cut says so.  True if it is. */
static bool draw_key(struct area a, enum role role, const char *text)
{
	bool cut = text_width(text) > a.cols;

	area_text(a, 0, 0, 0, role, text);
	if (cut)
		widget_more(a, 0);
	return cut;
}

static void draw_keys(struct hot_view *v, const struct layout *l,
		      const struct hot *hot, const struct hot_row *row,
		      struct area a, int line, int col)
{
	enum role role = widget_kind(row->kind)->role;
	int first = main_key(v->view.shell->query.keys);
	char buf[HOT_NAME];
	const char *text;

	if (l->kind)
		area_put(a, line, col - 2, role,
			 (uint32_t)widget_kind(row->kind)->letter);
	for (int key = first; key < HOT_KEYS; key++) {
		if (l->keys[key] <= 0)
			continue;
		text = hot_key_text(hot, (enum hot_key)key, &row->value, buf,
				    sizeof(buf));
		if (key == HOT_DSO)
			text = file_name(text);
		if (key == first)
			text += text_prefix(text, v->scroll);
		if (draw_key(area_sub(a, line, col, 1, l->keys[key]),
			     key == HOT_SYMBOL ? role : ROLE_DEFAULT, text) &&
		    key == first)
			v->cut = true;
		col += l->keys[key] + 1;
	}
}

static void draw_row(struct hot_view *v, const struct layout *l,
		     const struct hot *hot, struct area a, int line,
		     size_t at)
{
	const struct hot_row *row = &v->rows.rows[at];
	bool children = v->query.by_children;
	int col = 1;

	if (l->bar)
		widget_hbar(a, line, col, l->bar,
			    children ? row->children : row->self,
			    v->most,
			    l->kind ? widget_kind(row->kind)->role :
				      ROLE_SPARK);
	col += with_gap(l->bar) + with_gap(l->self);
	draw_share(a, line, col - 1, row->self);
	col += with_gap(l->children);
	if (l->children)
		draw_share(a, line, col - 1, row->children);
	col += with_gap(l->error);
	if (l->error)
		draw_error(a, line, col - 1, row->error);
	draw_keys(v, l, hot, row, a, line, col + with_gap(l->kind));
}

void hot_list_draw(struct hot_view *v, const struct hot *hot, struct area a)
{
	const struct layout l = fit(v, hot, a.cols);

	list_fit(&v->list, v->rows.nr, a.rows);
	v->cut = false;
	for (int line = 0; line < a.rows; line++) {
		size_t at = list_row_at(&v->list, line);

		if (at == LIST_NONE)
			break;
		draw_row(v, &l, hot, a, line, at);
		if (*v->search && hot_order_match(v, hot, at, v->search))
			area_put(a, line, 0, ROLE_MATCH, '*');
		if (at == v->list.cursor)
			area_reverse(a, line, 0, a.cols);
	}
	widget_scrollbar(a, &v->list);
}
