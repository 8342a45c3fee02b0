/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawing: notes, header, rows, totals. */
#include "ui/kit/listing.h"

#include "base/text.h"
#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"

enum {
	ROOMY = 12,		/* rows from which a note repeats the arrow */
	PICK_WIDTH = 76,
};

static const char *key_of(const struct listing *l, enum action action,
			  char buf[16])
{
	return keys_text(l->view.shell->keys, action, true, buf, 16);
}

/* Columns */

static enum list_sort sort_of(const struct listing *l,
			      const struct list_column *c)
{
	int by = l->sort == LISTING_UNSORTED ? l->ops->natural : l->sort;

	if (l->worst || c->id != by)
		return LIST_UNSORTED;
	return c->falls != l->invert ? LIST_FALLING : LIST_RISING;
}

/* Place the columns that fit in @cols. */
static void fit_columns(struct listing *l, int cols)
{
	l->nr_columns = l->ops->columns(l, cols, l->columns);
	for (size_t i = 0; i < l->nr_columns; i++)
		l->columns[i].sort = sort_of(l, &l->columns[i]);
	l->more_columns = list_columns_fit(l->columns, l->nr_columns,
					   l->ops->gutter_cols, cols,
					   &l->scroll);
}

/* Notes */

/* The column that the list is sorted by; NULL: by none. */
static const struct list_column *sorted_by(const struct listing *l)
{
	for (size_t i = 0; i < l->nr_columns; i++) {
		if (l->columns[i].sort != LIST_UNSORTED)
			return &l->columns[i];
	}
	return NULL;
}

/* Note the order, unless the arrow of a heading shows it. */
static int note_order(const struct listing *l, struct area a, int col,
		      bool roomy)
{
	const struct list_column *by = sorted_by(l);
	char key[16];

	if (l->worst && l->invert)
		return widget_note(a, col, ROLE_NOTICE,
				   "worst at the bottom (%s)",
				   key_of(l, ACTION_INVERT, key));
	if (l->worst && (roomy || l->pictured))
		return widget_note(a, col, ROLE_NOTICE, "worst on top (%s)",
				   key_of(l, ACTION_WORST, key));
	if (by && l->pictured &&
	    (roomy || l->sort != LISTING_UNSORTED || l->invert))
		return widget_note(a, col, ROLE_NOTICE, "by %s%s", by->header,
				   widget_glyph_text(a, by->sort ==
					LIST_FALLING ? GLYPH_DOWN : GLYPH_UP));
	if (l->worst || !listing_sortable(l, 0) || (by && by->cols))
		return col;
	if (l->sort != LISTING_UNSORTED && by)
		return widget_note(a, col, ROLE_NOTICE,
				   "sorted by %s, which is not shown",
				   by->header);
	if (l->invert)
		return widget_note(a, col, ROLE_NOTICE, "in reverse order (%s)",
				   key_of(l, ACTION_INVERT, key));
	if (l->ops->natural == LISTING_UNSORTED && l->ops->worst)
		return widget_note(a, col, ROLE_NOTICE,
				   "in order of arrival (%s)",
				   key_of(l, ACTION_WORST, key));
	return col;
}

static int note_filter(const struct listing *l, struct area a, int col)
{
	if (!*l->filter)
		return col;
	if (l->all == LIST_NONE)
		return widget_note(a, col, ROLE_NOTICE,
				   "filter \"%s\": %zu rows", l->filter,
				   l->list.nr);
	return widget_note(a, col, ROLE_NOTICE, "filter \"%s\": %zu of %zu",
			   l->filter, l->list.nr, l->all);
}

/* Note what changes the list but cannot be seen in it.  Returns the columns
 * drawn. */
static int draw_notes(const struct listing *l, struct area a, bool roomy)
{
	char key[16];
	int col = note_filter(l, a, 1);

	if (*l->search)
		col = widget_note(a, col, ROLE_MATCH, "search \"%s\"%s",
				  l->search, l->no_match ? ": no match" : "");
	col = note_order(l, a, col, roomy);
	if (l->nr_tagged)
		col = widget_note(a, col, ROLE_TAG, "%zu tagged",
				  l->nr_tagged);
	if (l->ops->follows_end && l->placed)
		col = widget_note(a, col, ROLE_NOTICE, "%s follows",
				  key_of(l, ACTION_END, key));
	if (l->ops->notes)
		col = l->ops->notes(l, a, col);
	return col - 1;
}

/* Header */

/* Mark that scrolling left or right shows more: in the gutter, or at the right
 * if that is too narrow. */
static void draw_scroll_marks(const struct listing *l, struct area line)
{
	int left = l->ops->gutter_cols > 1 ? 0 : line.cols - 2;

	if (l->scroll || l->text_scroll)
		area_put(line, 0, left, ROLE_KEY,
			 widget_glyph(line, GLYPH_LEFT));
	if (l->more_columns)
		area_put(line, 0, left + 1, ROLE_KEY,
			 widget_glyph(line, GLYPH_RIGHT));
}

static void draw_header(const struct listing *l, struct area line)
{
	list_columns_header(l->columns, l->nr_columns, line);
	/* worst on top is no column: the arrow is above the gutter's marks */
	if (l->worst && l->ops->gutter_cols)
		area_put(line, 0, l->scroll ? l->ops->gutter_cols - 1 : 0,
			 ROLE_SORTED,
			 widget_glyph(line, l->invert ? GLYPH_UP : GLYPH_DOWN));
	draw_scroll_marks(l, line);
}

/* Rows */

/* The screen columns of @text that are scrolled out; its end stays. */
static int scrolled_out(const struct listing *l, const struct list_column *c,
			const char *text)
{
	int max = text_width(text) - c->cols;

	if (!c->scrolls || max <= 0)
		return 0;
	/* half of a wide character is not scrolled out */
	max += text_width(text + text_prefix(text, max)) > c->cols;
	return l->text_scroll < max ? l->text_scroll : max;
}

/* Returns whether a match of the search is visible in the cell. */
static bool draw_cell(struct listing *l, const void *row,
		      const struct list_column *c, struct area line)
{
	int skip;
	char text[LISTING_CELL] = "";
	enum role role = l->ops->cell(l, row, c,
				      area_sub(line, 0, c->col, 1, c->cols),
				      text);

	if (!*text)
		return false;
	skip = scrolled_out(l, c, text);
	l->cut |= c->scrolls &&
		  text_width(text + text_prefix(text, skip)) > c->cols;
	return list_columns_cell(c, line, role, text, skip,
				 c->marked ? l->search : "");
}

/* The row matches by a text that is not on screen: mark its first column. */
static void mark_row(const struct listing *l, struct area line)
{
	for (size_t i = 0; i < l->nr_columns; i++) {
		const struct list_column *c = &l->columns[i];

		if (c->cols && c->marked) {
			area_role(line, 0, c->col, c->cols, ROLE_MATCH);
			return;
		}
	}
}

static void draw_cells(struct listing *l, const void *row, struct area line)
{
	bool marked = false;

	for (size_t i = 0; i < l->nr_columns; i++) {
		if (l->columns[i].cols)
			marked |= draw_cell(l, row, &l->columns[i], line);
	}
	if (row && !marked && listing_found(l, row))
		mark_row(l, line);
}

void listing_draw_row(struct listing *l, const void *row, struct area line)
{
	if (l->ops->gutter)
		l->ops->gutter(l, row,
			       area_sub(line, 0, 0, 1, l->ops->gutter_cols));
	if (l->nr_tagged && listing_has_tag(l, l->ops->id(l, row)))
		area_put(line, 0, 0, ROLE_TAG, widget_glyph(line, GLYPH_TAG));
	draw_cells(l, row, line);
	if (row == listing_current(l) && !l->idle)
		area_select(line, 0, 0, line.cols);
}

static void draw_total(struct listing *l, struct area line)
{
	area_fill(line, 0, 0, line.cols, ROLE_HEADER, ' ');
	draw_cells(l, NULL, line);
}

static void draw_table(struct listing *l, struct area a)
{
	struct area rows = area_sub(a, 1, 0, a.rows - 1, a.cols);
	bool bar;

	list_fit(&l->list, l->list.nr, rows.rows);
	bar = l->list.nr > l->list.page;
	fit_columns(l, a.cols - bar);
	l->cut = false;
	draw_header(l, area_sub(a, 0, 0, 1, a.cols));
	for (int line = 0; line < rows.rows; line++) {
		size_t at = list_row_at(&l->list, line);

		if (at == LIST_NONE)
			break;
		listing_draw_row(l, l->order[at],
				 area_sub(rows, line, 0, 1, a.cols - bar));
	}
	list_scrollbar(&l->list, rows);
}

static void draw_empty(const struct listing *l, struct area a)
{
	if (l->ops->empty)
		l->ops->empty(l, a);
	else
		area_text(a, a.rows / 2, 2, 0, ROLE_DIM, *l->filter ?
			  "nothing matches the filter" : "nothing so far");
}

static void draw_choice(const void *ctx, struct area line, size_t row)
{
	const struct listing *l = ctx;
	const struct list_column *c = listing_sortable(l, row);

	if (!c)
		return;
	if (c->sort != LIST_UNSORTED)
		area_put(line, 0, 1, ROLE_SORTED,
			 widget_glyph(line, GLYPH_TAG));
	area_text(line, 0, 3, 10, ROLE_VALUE, c->header);
	if (c->help)
		widget_words(area_sub(line, 0, 14, 1, line.cols - 15), 0,
			     ROLE_DEFAULT, c->help);
}

static bool has_total(const struct listing *l)
{
	return l->ops->has_total && l->ops->has_total(l);
}

int listing_lines(const struct listing *l)
{
	bool notes = *l->filter || *l->search || l->nr_tagged;
	size_t nr = l->list.nr ? l->list.nr : 1;

	return 1 + (int)nr + has_total(l) + notes;
}

static void draw_body(struct listing *l, struct area a)
{
	bool total = has_total(l);
	struct area rows = area_sub(a, 0, 0, a.rows - total, a.cols);

	if (l->pictured && l->list.nr)
		l->ops->picture(l, rows);
	else
		draw_table(l, rows);
	if (!l->list.nr)
		draw_empty(l, area_sub(rows, 1, 0, rows.rows - 1, rows.cols));
	else if (l->ops->legend && !l->pictured &&
		 l->list.nr + 1 < (size_t)rows.rows)
		l->ops->legend(l, area_sub(rows, rows.rows - 1, 0, 1,
					   rows.cols));
	if (total)
		draw_total(l, area_sub(a, rows.rows, 0, 1, a.cols));
}

void listing_draw_pick(struct listing *l, struct area area)
{
	if (l->pick.open)
		pick_draw(&l->pick, area, PICK_WIDTH, "Sort by", draw_choice,
			  l);
}

void listing_draw(struct view *view, const struct frame *frame,
		  struct area area)
{
	struct listing *l = (struct listing *)(void *)view;
	struct area a = area_sub(area, l->above, 0,
				 area.rows - l->above - l->below, area.cols);
	struct area last = area_sub(a, a.rows - 1, 0, 1, a.cols);

	l->ascii = area.canvas->ascii;
	listing_update(l, frame);
	fit_columns(l, a.cols);
	if (draw_notes(l, last, area.rows >= ROOMY))
		a.rows--;
	draw_body(l, a);
	listing_draw_pick(l, area);
}
