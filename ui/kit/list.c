/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/list.h"

#include <string.h>
#include <strings.h>

#include "ui/draw/widgets.h"

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
