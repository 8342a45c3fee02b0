/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/hot.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/draw/widgets.h"

enum {
	SHARE = 7,		/* "100.00%" */
	CHILDREN_SHARE = 8,	/* its header */
	ERROR_WIDTH = 6,	/* "±12.34" */
	LEAST_MAIN = 8,		/* the first key is narrowed to this */
	OWN_MAIN = 20,		/* its normal width */
	FAIR_MAIN = 28,		/* its width before there is a bar */
	LEAST_BAR = 6, MOST_BAR = 20,
	LEAST_DSO = 14, LEAST_EVENT = 9,
	WIDE = 120,		/* from which other keys may be twice as wide */
};

/* Ids of columns after those of enum hot_sort; OTHERS + key for other keys. */
enum { BAR = HOT_SORTS, ERROR, KIND, OTHERS };

/* The columns that are no keys. */
static const struct list_column own[CONFIG_HOT_NAME] = {
	[CONFIG_HOT_BAR] = {
		.id = BAR, .header = "", .width = LEAST_BAR, .most = MOST_BAR,
		.rank = 9, .rest = true, .fixed = true,
	},
	[CONFIG_HOT_SELF] = {
		.id = HOT_SORT_SELF, .header = "SELF", .width = SHARE,
		.sorts = true, .falls = true, .rank = 1, .fixed = true,
	},
	[CONFIG_HOT_CHILDREN] = {
		.id = HOT_SORT_CHILDREN, .header = "CHILDREN",
		.width = CHILDREN_SHARE,
		.sorts = true, .falls = true, .rank = 2, .fixed = true,
	},
	[CONFIG_HOT_ERROR] = {
		.id = ERROR, .rank = 3, .width = ERROR_WIDTH, .fixed = true,
	},
	[CONFIG_HOT_KIND] = {
		.id = KIND, .header = "", .width = 1, .rank = 1, .fixed = true,
	},
};

/* The first key, whose column takes the remaining room. */
static enum hot_key main_key(unsigned int keys)
{
	return (enum hot_key)__builtin_ctz(keys);
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

/* The column of a field has the field's name. */
static const char *key_header(const struct hot *hot, enum hot_key key)
{
	const char *field = narrow_field_name(hot->field);

	if (key == HOT_FIELD && *field)
		return field;
	return hot_key_info(key)->header;
}

static const char *error_header(bool ascii)
{
	return ascii ? "+-" : "±";
}

static struct list_column key_column(const struct hot *hot,
					enum hot_key key, bool first, int cols)
{
	struct list_column c = {
		.id = OTHERS + (int)key, .header = key_header(hot, key),
		.width = least_width(key), .fair = good_width(key, cols),
		.rank = 5, .left = true, .fixed = true, .marked = true,
		.spare = true, .ends = key == HOT_EVENT,
	};

	if (!first)
		return c;
	c.id = HOT_SORT_NAME;
	c.help = "what it is grouped by";
	c.least = LEAST_MAIN;
	c.width = OWN_MAIN;
	c.fair = FAIR_MAIN;
	c.rank = 0;
	c.spare = c.ends = false;
	c.rest = c.scrolls = c.sorts = true;
	return c;
}

/* The width of all columns at their fair widths, including blanks. */
static int sum_of_widths(const struct list_column *columns, size_t nr)
{
	int sum = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct list_column *c = &columns[i];

		if (!c->hidden)
			sum += (c->fair > c->width ? c->fair : c->width) + 1;
	}
	return sum;
}

static struct list_column own_column(const struct listing *l,
				     unsigned int column)
{
	struct list_column c = own[column];

	c.help = config_columns_info(CONFIG_HOT, column).help;
	if (c.id == ERROR) {
		c.header = error_header(l->ascii);
		c.hidden = !l->frame->samples->hot->thinned;
	} else if (c.id == KIND) {
		c.hidden = !(l->view.shell->query.keys & 1u << HOT_SYMBOL);
	}
	return c;
}

/* The columns of all keys.  Returns their number. */
static size_t key_columns(const struct listing *l, int cols,
			  struct list_column *columns)
{
	unsigned int keys = l->view.shell->query.keys;
	size_t nr = 0;

	for (unsigned int key = main_key(keys); key < HOT_KEYS; key++) {
		if (keys & 1u << key)
			columns[nr++] = key_column(l->frame->samples->hot,
						   (enum hot_key)key,
						   key == main_key(keys),
						   cols);
	}
	return nr;
}

/* The chosen columns, then the others, hidden, which can be sorted by; all of
 * them if none is chosen. */
size_t hot_list_columns(struct listing *l, int cols,
			struct list_column *columns)
{
	const struct config_columns *chosen =
		&l->view.shell->config->columns[CONFIG_HOT];
	bool children = hot_order_children((struct hot_view *)(void *)l,
					   l->frame->samples->hot);
	unsigned int order[CONFIG_COLUMNS];
	size_t all = config_columns_order(CONFIG_HOT, chosen, order), nr = 0;

	for (size_t i = 0; i < all; i++) {
		size_t from = nr;

		if (order[i] == CONFIG_HOT_NAME)
			nr += key_columns(l, cols, columns + nr);
		else if (order[i] != CONFIG_HOT_CHILDREN || children)
			columns[nr++] = own_column(l, order[i]);
		for (; chosen->nr && i >= chosen->nr && from < nr; from++)
			columns[from].hidden = true;
	}
	/* names are more important than a bar */
	for (size_t i = 0; i < nr; i++) {
		if (columns[i].id == BAR)
			columns[i].hidden |= sum_of_widths(columns, nr) > cols;
	}
	return nr;
}

static void key_text(const struct hot *hot, enum hot_key key,
		     const struct hot_row *row, char *text)
{
	char buf[LISTING_CELL];

	hot_key_text(hot, key, &row->value, buf, sizeof(buf));
	text_copy(text, LISTING_CELL,
		  key == HOT_DSO ? symbol_file_name(buf) : buf);
}

static void draw_bar(const struct hot_view *v, const struct hot_row *row,
		     struct area cell)
{
	bool symbols = v->query.keys & 1u << HOT_SYMBOL;

	widget_hbar(cell, 0, 0, cell.cols,
		    v->query.by_children ? row->children : row->self, v->most,
		    symbols ? widget_kind(row->kind)->role : ROLE_SPARK);
}

enum role hot_list_cell(struct listing *l, const void *row,
			const struct list_column *column, struct area cell,
			char *text)
{
	const struct hot_view *v = (const void *)l;
	const struct hot_row *r = row;
	enum hot_key key = main_key(v->query.keys);

	switch (column->id) {
	case BAR:
		draw_bar(v, r, cell);
		return ROLE_DEFAULT;
	case HOT_SORT_SELF:
	case HOT_SORT_CHILDREN:
		snprintf(text, LISTING_CELL, "%.2f%%", 100 *
			 (column->id == HOT_SORT_SELF ? r->self :
							r->children));
		return ROLE_VALUE;
	case ERROR:
		snprintf(text, LISTING_CELL, "%s%.*f",
			 error_header(cell.canvas->ascii),
			 r->error < .0995 ? 2 : 1, r->error * 100);
		return ROLE_DIM;
	case KIND:
		snprintf(text, LISTING_CELL, "%c",
			 widget_kind(r->kind)->letter);
		return widget_kind(r->kind)->role;
	default:
		if (column->id != HOT_SORT_NAME)
			key = (enum hot_key)(column->id - OTHERS);
		key_text(l->frame->samples->hot, key, r, text);
		return key == HOT_SYMBOL ? widget_kind(r->kind)->role :
					   ROLE_DEFAULT;
	}
}
