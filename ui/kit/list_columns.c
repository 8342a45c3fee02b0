/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/list_columns.h"

#include <stdio.h>

#include "base/text.h"
#include "ui/draw/widgets.h"

enum {
	LEAST_END = 3,		/* columns of a name whose middle is cut */
	CUT_TEXT = 256,		/* bytes of one that is cut */
};

/* The columns that are being placed. */
struct placing {
	struct list_column *columns;
	size_t nr;
	int scroll;		/* columns scrolled out at the left */
};

/*
 * The width includes the arrow of a sorted column: in the blank beside it the
 * arrow would look like the neighbour's.
 */
static int heading_width(const struct list_column *c)
{
	return text_width(c->header) + (c->sort != LIST_UNSORTED);
}

static int least_width(const struct list_column *c)
{
	int heading = heading_width(c), least = c->least ? c->least : c->width;

	return least > heading ? least : heading;
}

static int normal_width(const struct list_column *c)
{
	int least = least_width(c);

	return c->width > least ? c->width : least;
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

/* The widest column that may be narrowed further; NULL: none. */
static struct list_column *widest(struct placing *p)
{
	struct list_column *found = NULL;

	for (size_t i = 0; i < p->nr; i++) {
		struct list_column *c = &p->columns[i];

		if (c->cols > least_width(c) &&
		    (!found || c->cols > found->cols))
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
		int most = fair ? c->fair : c->rest ? 0 : c->most;
		int more = most - c->cols < left ? most - c->cols : left;

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
			    (c->most && c->cols >= c->most))
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
	if (head < LEAST_END)
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
