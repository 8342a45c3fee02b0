/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/list.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"

static void keep_in_view(struct list *l)
{
	if (l->cursor < l->top)
		l->top = l->cursor;
	else if (l->page && l->cursor >= l->top + l->page)
		l->top = l->cursor - l->page + 1;
}

/* With this top the last row is at the bottom: no blank lines below it. */
static size_t highest_top(const struct list *l)
{
	return l->nr > l->page ? l->nr - l->page : 0;
}

void list_fit(struct list *l, size_t nr, int page)
{
	l->nr = nr;
	l->page = page > 0 ? (size_t)page : 0;
	list_set(l, l->cursor);
}

void list_set(struct list *l, size_t row)
{
	if (row >= l->nr)
		row = l->nr ? l->nr - 1 : 0;
	l->cursor = row;
	if (l->top > highest_top(l))
		l->top = highest_top(l);
	keep_in_view(l);
}

/* @row moved by @by rows, clamped to 0..@max. */
static size_t step(size_t row, long by, size_t max)
{
	if (by < 0)
		return (size_t)-by > row ? 0 : row - (size_t)-by;
	return (size_t)by > max - row ? max : row + (size_t)by;
}

/* Set @by to the rows that @action moves by; false if it does not move. */
static bool distance(const struct list *l, enum action action, long *by)
{
	long page = l->page > 1 ? (long)l->page - 1 : 1;

	switch ((int)action) {
	case ACTION_UP:
		*by = -1;
		return true;
	case ACTION_DOWN:
		*by = 1;
		return true;
	case ACTION_PAGE_UP:
		*by = -page;
		return true;
	case ACTION_PAGE_DOWN:
		*by = page;
		return true;
	case ACTION_HOME:
		*by = -(long)l->nr;
		return true;
	case ACTION_END:
		*by = (long)l->nr;
		return true;
	default:
		return false;
	}
}

bool list_action(struct list *l, enum action action)
{
	long by;

	if (!distance(l, action, &by))
		return false;
	if (l->nr)
		list_set(l, step(l->cursor, by, l->nr - 1));
	return true;
}

bool list_scroll_action(struct list *l, enum action action)
{
	long by;

	if (!distance(l, action, &by))
		return false;
	l->top = step(l->top, by, highest_top(l));
	l->cursor = l->top;
	return true;
}

void list_scroll(struct list *l, int lines)
{
	size_t offset = l->cursor - l->top;

	if (!l->nr)
		return;
	l->top = step(l->top, lines, highest_top(l));
	list_set(l, l->top + offset);
}

size_t list_row_at(const struct list *l, int line)
{
	size_t row = l->top + (size_t)line;

	return line >= 0 && (size_t)line < l->page && row < l->nr ? row :
								     LIST_NONE;
}

void list_scrollbar(const struct list *l, struct area a)
{
	widget_scrollbar(a, l->nr, l->page, l->top);
}

bool list_match(const char *text, const char *needle)
{
	return strcasestr(text, needle) != NULL;
}

enum {
	MIN_END = 3,		/* columns of a name whose middle is cut */
	CUT_TEXT = 256,		/* bytes of one that is cut */
};

/* The columns that are being placed. */
struct placing {
	struct list_column *columns;
	size_t nr;
	int scroll;		/* columns scrolled out at the left */
};

static int min_width(const struct list_column *c)
{
	/*
	 * With the arrow of a sorted column: in the blank next to it, it would
	 * look like the neighbour's.
	 */
	int heading = text_width(c->header) + (c->sort != LIST_UNSORTED);
	int min = c->min ? c->min : c->width;

	return min > heading ? min : heading;
}

static int normal_width(const struct list_column *c)
{
	int min = min_width(c);

	return c->width > min ? c->width : min;
}

/* Width of the columns shown, including the blanks between them. */
static int total_width(const struct placing *p)
{
	int width = -1;

	for (size_t i = 0; i < p->nr; i++)
		width += p->columns[i].cols ? p->columns[i].cols + 1 : 0;
	return width;
}

/*
 * Give all columns that are not hidden or scrolled out their normal width.
 * Returns how many columns can be scrolled.
 */
static int take_columns(struct placing *p)
{
	int scrolling = 0, skip = p->scroll;

	for (size_t i = 0; i < p->nr; i++) {
		struct list_column *c = &p->columns[i];

		c->cols = 0;
		if (c->hidden)
			continue;
		scrolling += !c->fixed;
		if (c->fixed || skip-- <= 0)
			c->cols = normal_width(c);
	}
	return scrolling;
}

/*
 * The widest column that may be narrowed further, of those cut in the middle if
 * there is one; NULL: none.
 */
static struct list_column *widest(struct placing *p)
{
	struct list_column *found = NULL;

	for (size_t i = 0; i < p->nr; i++) {
		struct list_column *c = &p->columns[i];

		if (c->cols > min_width(c) &&
		    (!found || c->ends > found->ends ||
		     (c->ends == found->ends && c->cols > found->cols)))
			found = c;
	}
	return found;
}

/* Narrow columns until they fit in @room; false, with all at their normal
 * width, if they cannot fit. */
static bool narrow(struct placing *p, int room)
{
	int too_much = total_width(p) - room;
	struct list_column *c;

	while (too_much > 0 && (c = widest(p)) != NULL) {
		c->cols--;
		too_much--;
	}
	if (too_much <= 0)
		return true;
	for (size_t i = 0; i < p->nr; i++) {
		if (p->columns[i].cols)
			p->columns[i].cols = normal_width(&p->columns[i]);
	}
	return false;
}

/*
 * The column to leave out next, with @spare only of the spare ones; NULL: none,
 * for one column has to stay.  It is the one of the highest rank; once columns
 * are scrolled it is the rightmost, since scrolling shows the others in turn.
 */
static struct list_column *dispensable(struct placing *p, bool spare)
{
	struct list_column *worst = NULL;
	size_t there = 0;

	for (size_t i = p->nr; i-- > 0;) {
		struct list_column *c = &p->columns[i];

		if (!c->cols)
			continue;
		there++;
		if ((spare && !c->spare) || (c->fixed && p->scroll))
			continue;
		if (!worst || (!p->scroll && c->rank > worst->rank))
			worst = c;
	}
	return there > 1 ? worst : NULL;
}

/* Leave out columns, and narrow others, until they fit. */
static void leave_out(struct placing *p, int room)
{
	struct list_column *c;

	while (total_width(p) > room && (c = dispensable(p, true)) != NULL)
		c->cols = 0;
	while (!narrow(p, room) && (c = dispensable(p, false)) != NULL)
		c->cols = 0;
}

/* Widen columns in order, to fair or most each.  Returns the room left. */
static int grow(struct placing *p, int left, bool fair)
{
	for (size_t i = 0; i < p->nr; i++) {
		struct list_column *c = &p->columns[i];
		int max = fair ? c->fair : c->rest ? 0 : c->max;
		int more = max - c->cols < left ? max - c->cols : left;

		if (!c->cols || more <= 0)
			continue;
		c->cols += more;
		left -= more;
	}
	return left;
}

/* Share @left among the columns with rest set, a screen column each in turn. */
static void share_rest(struct placing *p, int left)
{
	bool any = true;

	while (left > 0 && any) {
		any = false;
		for (size_t i = 0; i < p->nr && left > 0; i++) {
			struct list_column *c = &p->columns[i];

			if (!c->cols || !c->rest ||
			    (c->max && c->cols >= c->max))
				continue;
			c->cols++;
			left--;
			any = true;
		}
	}
}

/* Whether columns are left out that scrolling to the right would show. */
static bool has_more(const struct placing *p)
{
	bool shown = false, out = false;
	int skip = p->scroll;

	for (size_t i = 0; i < p->nr; i++) {
		const struct list_column *c = &p->columns[i];

		if (c->hidden || c->fixed || skip-- > 0)
			continue;
		if (c->cols)
			shown = true;
		else
			out = true;
	}
	return shown && out;
}

bool list_columns_fit(struct list_column *columns, size_t nr, int from,
		      int cols, int *scroll)
{
	struct placing p = { columns, nr, *scroll };
	int scrolling = take_columns(&p), left;

	if (p.scroll && p.scroll >= scrolling) {
		p.scroll = *scroll = scrolling ? scrolling - 1 : 0;
		take_columns(&p);
	}
	leave_out(&p, cols - from);
	left = grow(&p, cols - from - total_width(&p), true);
	share_rest(&p, grow(&p, left, false));
	for (size_t i = 0; i < nr; i++) {
		columns[i].col = from;
		from += columns[i].cols ? columns[i].cols + 1 : 0;
	}
	return has_more(&p);
}

static void draw_heading(const struct list_column *c, struct area line)
{
	bool sorted = c->sort != LIST_UNSORTED;
	enum role role = sorted ? ROLE_SORTED : ROLE_HEADER;
	struct area a = area_sub(line, 0, c->col, 1, c->cols);
	int width = text_width(c->header);
	int col = c->left || width > a.cols ? 0 : a.cols - width;

	area_text(a, 0, col, 0, role, c->header);
	if (sorted && width < a.cols)
		area_put(a, 0, c->left ? width : col - 1, role,
			 widget_glyph(a, c->sort == LIST_FALLING ?
						 GLYPH_DOWN : GLYPH_UP));
}

void list_columns_header(const struct list_column *columns, size_t nr,
			 struct area line)
{
	area_fill(line, 0, 0, line.cols, ROLE_HEADER, ' ');
	for (size_t i = 0; i < nr; i++) {
		if (columns[i].cols)
			draw_heading(&columns[i], line);
	}
}

/* Put @text without its middle in @buf, in @cols screen columns; "" if there is
 * no room for both ends. */
static void cut_middle(struct area a, const char *text, char *buf, size_t size)
{
	int tail = a.cols / 2, head = a.cols - 1 - tail;
	size_t from = text_prefix(text, text_width(text) - tail);

	buf[0] = '\0';
	if (head < MIN_END)
		return;
	/* in front of a wide character the tail may be too wide */
	while (text_width(text + from) > tail)
		from += text_prefix(text + from, 2);
	snprintf(buf, size, "%.*s%s%s", (int)text_prefix(text, head), text,
		 widget_glyph_text(a, GLYPH_CUT), text + from);
}

bool list_columns_cell(const struct list_column *column, struct area line,
		       enum role role, const char *text, int skip,
		       const char *needle)
{
	struct area a = area_sub(line, 0, column->col, 1, column->cols);
	char ends[CUT_TEXT];
	int width, indent;

	text += text_prefix(text, skip);
	width = text_width(text);
	if (column->ends && width > a.cols) {
		cut_middle(a, text, ends, sizeof(ends));
		text = *ends ? ends : text;
		width = text_width(text);
	}
	indent = column->left || width > a.cols ? 0 : a.cols - width;
	a = area_sub(a, 0, indent, 1, a.cols);
	area_text(a, 0, 0, 0, role, text);
	if (width > a.cols)
		widget_more(a, 0);
	return widget_mark(a, 0, text, needle);
}

void pick_open(struct pick *p, size_t nr, size_t cursor)
{
	*p = (struct pick){ .open = true, .list = { .nr = nr } };
	list_set(&p->list, cursor);
}

void pick_draw(struct pick *p, struct area a, int width, const char *title,
	       void (*draw)(const void *ctx, struct area line, size_t row),
	       const void *ctx)
{
	struct area in = widget_popup(a, (int)p->list.nr + 2, width, title);

	list_fit(&p->list, p->list.nr, in.rows);
	for (int line = 0; line < in.rows; line++) {
		size_t row = list_row_at(&p->list, line);

		if (row == LIST_NONE)
			continue;
		draw(ctx, area_sub(in, line, 0, 1, in.cols - 1), row);
		if (row == p->list.cursor)
			area_select(in, line, 0, in.cols - 1);
	}
	list_scrollbar(&p->list, in);
	p->area = in;		/* relative to @a, as clicks are */
	p->area.row -= a.row;
	p->area.col -= a.col;
}

static enum pick_result finish(struct pick *p, enum pick_result result)
{
	p->open = false;
	return result;
}

enum pick_result pick_action(struct pick *p, enum action action,
			     enum action opener)
{
	if (list_action(&p->list, action))
		return PICK_MOVED;
	if (action == ACTION_OPEN)
		return finish(p, PICK_CHOSEN);
	if (action == ACTION_CANCEL || action == opener)
		return finish(p, PICK_CLOSED);
	return PICK_OTHER;
}

const char *pick_label(enum action action)
{
	if (action == ACTION_OPEN)
		return "Choose";
	if (action == ACTION_CANCEL)
		return "Close";
	/* of a recording, Space is FREEZE, but may choose here */
	return keys_info(action)->section == KEYS_GENERAL &&
			       action != ACTION_FREEZE ? NULL : "";
}

enum pick_result pick_click(struct pick *p, int row, int col)
{
	const struct area *a = &p->area;
	size_t at = list_row_at(&p->list, row - a->row);

	if (col < a->col || col >= a->col + a->cols || at == LIST_NONE)
		return finish(p, PICK_CLOSED);
	list_set(&p->list, at);
	return finish(p, PICK_CHOSEN);
}
