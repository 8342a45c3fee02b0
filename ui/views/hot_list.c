/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets.h"

enum {
	SHARE = 7,		/* "100.00%" */
	CHILDREN = 8,		/* its header */
	ERROR = 6,		/* "±12.34" */
	KIND = 1,
	LEAST_MAIN = 20,	/* columns of the first key, before others */
	FAIR_MAIN = 28,		/* before there is a bar */
	LEAST_BAR = 6, MOST_BAR = 20,
	LEAST_DSO = 14,
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

/* Other keys than the first, as far as that leaves it room. */
static void fit_keys(struct layout *l, unsigned int keys, int cols)
{
	for (int key = main_key(keys) + 1; key < HOT_KEYS; key++) {
		int width = hot_key_info((enum hot_key)key)->width;

		if (!(keys & 1u << key))
			continue;
		l->keys[key] = cols >= WIDE && width > 8 ? 2 * width : width;
		if (key == HOT_DSO && left(l, cols) < LEAST_MAIN)
			l->keys[key] = LEAST_DSO;
		if (left(l, cols) < LEAST_MAIN)
			l->keys[key] = 0;
	}
}

static struct layout fit(const struct hot_view *v, const struct hot *hot,
			 int cols)
{
	unsigned int keys = v->view.host->query.keys;
	bool symbols = keys & 1u << HOT_SYMBOL;
	struct layout l = { .self = SHARE };
	int room;

	l.kind = symbols ? KIND : 0;
	l.children = hot_order_children(v, hot) ? CHILDREN : 0;
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

/* Its end at @end, exclusive; the sorted one stands out. */
static void head(struct area a, int end, const char *text, bool sorted)
{
	area_text_right(a, 0, end, sorted ? ROLE_SORTED : ROLE_HEADER, text);
}

void hot_list_header(struct hot_view *v, const struct hot *hot,
		     struct area a)
{
	const struct layout l = fit(v, hot, a.cols);
	bool children = l.children && v->view.host->query.by_children;
	int col = 1 + with_gap(l.bar);

	area_fill(a, 0, 0, a.cols, ROLE_HEADER, ' ');
	v->self_col = col;
	col += with_gap(l.self);
	head(a, col - 1, "SELF", !children);
	v->children_col = l.children ? col : -1;
	col += with_gap(l.children);
	if (l.children)
		head(a, col - 1, "CHILDREN", children);
	v->error_col = col;
	col += with_gap(l.error);
	if (l.error)
		head(a, col - 1, error_header(a), false);
	col += with_gap(l.kind);
	for (int key = 0; key < HOT_KEYS; key++) {
		if (l.keys[key] > 0)
			area_text(a, 0, col, l.keys[key], ROLE_HEADER,
				  hot_key_info((enum hot_key)key)->header);
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

/* Of a path too long for its column the last part. */
static void draw_key(struct area a, int line, int col, int width,
		     enum hot_key key, enum role role, const char *text)
{
	const char *slash = strrchr(text, '/');

	if (key == HOT_DSO && text_width(text) > width && slash && slash[1])
		text = slash + 1;
	area_text(a, line, col, width, role, text);
}

static void draw_keys(const struct layout *l, const struct hot *hot,
		      const struct hot_row *row, struct area a, int line,
		      int col)
{
	enum role role = widget_kind(row->kind)->role;
	char text[256];

	if (l->kind)
		area_put(a, line, col - 2, role,
			 (uint32_t)widget_kind(row->kind)->letter);
	for (int key = 0; key < HOT_KEYS; key++) {
		if (l->keys[key] <= 0)
			continue;
		hot_value_text(hot, (enum hot_key)key, &row->value, text,
			       sizeof(text));
		draw_key(a, line, col, l->keys[key], (enum hot_key)key,
			 key == HOT_SYMBOL ? role : ROLE_DEFAULT, text);
		col += l->keys[key] + 1;
	}
}

static void draw_row(const struct hot_view *v, const struct layout *l,
		     const struct hot *hot, struct area a, int line,
		     size_t at)
{
	const struct hot_row *row = &v->rows.rows[at], *most = v->rows.rows;
	bool children = l->children && v->view.host->query.by_children;
	int col = 1;

	if (l->bar)
		widget_hbar(a, line, col, l->bar,
			    children ? row->children : row->self,
			    children ? most->children : most->self,
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
	draw_keys(l, hot, row, a, line, col + with_gap(l->kind));
}

void hot_list_draw(struct hot_view *v, const struct hot *hot, struct area a)
{
	const struct layout l = fit(v, hot, a.cols);

	list_fit(&v->list, v->rows.nr, a.rows);
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
