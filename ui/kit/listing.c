/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/listing.h"

#include <stdlib.h>

#include "base/array.h"

/* The context of compare_rows(). */
struct sorting {
	const struct listing *l;
	bool falls;		/* the largest first, with l->invert applied */
};

void listing_init(struct listing *l, const struct view *view,
		  const struct listing_ops *ops)
{
	l->view = *view;
	l->ops = ops;
	l->sort = LISTING_UNSORTED;
}

void listing_release(struct view *view)
{
	struct listing *l = (struct listing *)(void *)view;
	struct shell *shell = view->shell;

	if (shell->listed == l->listed)
		shell->nr_listed = 0;
	free(l->listed);
	free(l->order);
	free(l->tagged);
	free(l->targets);
}

/* Make room for @nr rows.  Returns for how many: fewer if out of memory. */
static size_t reserve(struct listing *l, size_t nr)
{
	return array_fit(l->order, l->order_cap, nr) ? l->order_cap : nr;
}

static size_t gather(struct listing *l)
{
	bool all = !*l->filter || l->ops->filter || !l->ops->match;
	size_t rows = reserve(l, l->ops->nr(l)), nr = 0, there = 0;

	for (size_t i = 0; i < rows; i++) {
		const void *row = l->ops->at(l, i);

		there += row != NULL;
		if (row && (all || l->ops->match(l, row, l->filter)))
			l->order[nr++] = row;
	}
	if (!l->ops->filter)
		l->all = there;
	return nr;
}

static int compare_column(const struct sorting *s, const void *x,
			  const void *y)
{
	const struct listing_ops *ops = s->l->ops;
	int column = s->l->sort;
	bool known_x = !ops->is_known || ops->is_known(column, x);
	bool known_y = !ops->is_known || ops->is_known(column, y);

	if (known_x != known_y)
		return known_x ? -1 : 1;
	return s->falls ? ops->compare(column, y, x) :
			  ops->compare(column, x, y);
}

/* By id, which is the order of appearance. */
static int compare_ids(const struct listing *l, const void *x, const void *y)
{
	uint64_t id_x = l->ops->id(l, x), id_y = l->ops->id(l, y);

	return id_x < id_y ? -1 : id_x > id_y;
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct sorting *s = ctx;
	const struct listing *l = s->l;
	const void *x = *(const void *const *)a, *y = *(const void *const *)b;
	int by = 0;

	if (l->ops->group)
		by = l->ops->group(x, y);
	if (by)
		return by;
	if (l->worst)
		by = l->invert ? l->ops->worst(y, x) : l->ops->worst(x, y);
	else if (l->sort != LISTING_UNSORTED)
		by = compare_column(s, x, y);
	else if (l->invert)
		return compare_ids(l, y, x);
	return by ? by : compare_ids(l, x, y);
}

/* Invert the order of rows that the view sorts itself. */
static void turn_round(const void **order, size_t nr)
{
	for (size_t i = 0; i < nr / 2; i++) {
		const void *row = order[i];

		order[i] = order[nr - 1 - i];
		order[nr - 1 - i] = row;
	}
}

static void sort(struct listing *l, size_t nr)
{
	struct sorting sorting = { .l = l };

	if (!l->ops->compare || !nr) {
		if (l->invert)
			turn_round(l->order, nr);
		return;
	}
	for (size_t i = 0; i < l->nr_columns; i++) {
		if (l->columns[i].id == l->sort)
			sorting.falls = l->columns[i].falls != l->invert;
	}
	qsort_r(l->order, nr, sizeof(*l->order), compare_rows, &sorting);
}

static uint64_t id_at(const struct listing *l, size_t at)
{
	return l->ops->id(l, l->order[at]);
}

/*
 * The index in l->order of the row @id.  If it is gone: with follows_end, where
 * rows are in order of their ids, that of the next one, else LIST_NONE.
 */
static size_t line_of(const struct listing *l, uint64_t id)
{
	size_t nr = l->list.nr;

	for (size_t at = 0; at < nr; at++) {
		if (id_at(l, at) == id)
			return at;
	}
	if (!l->ops->follows_end || !nr)
		return LIST_NONE;
	for (size_t at = 0; at < nr; at++) {
		if (id_at(l, at) > id)
			return at;
	}
	return nr - 1;
}

/* After sorting: the cursor follows its row, which stays on its line of the
 * screen. */
static void follow(struct listing *l, size_t nr)
{
	size_t line = l->list.cursor - l->list.top, at = l->list.cursor, found;

	l->list.nr = nr;
	if (l->placed) {
		found = line_of(l, l->current);
		at = found == LIST_NONE ? at : found;
	} else {
		at = l->ops->follows_end && nr ? nr - 1 : 0;
	}
	l->list.top = at > line ? at - line : 0;
	list_set(&l->list, at);
	if (nr)
		l->current = id_at(l, l->list.cursor);
}

bool listing_found(const struct listing *l, const void *row)
{
	return *l->search && l->ops->match(l, row, l->search);
}

bool listing_seek(struct listing *l, size_t from, bool back)
{
	size_t nr = l->list.nr;

	l->no_match = false;
	for (size_t i = 0; i < nr; i++) {
		size_t at = (back ? from + nr - i : from + i) % nr;

		if (!listing_found(l, l->order[at]))
			continue;
		listing_place(l, at);
		return true;
	}
	l->no_match = true;
	return false;
}

/* Move the cursor to the row that the user went to in a detail. */
static void follow_detail(struct listing *l)
{
	struct shell *shell = l->view.shell;

	if (shell->visited == VIEW_NO_ROW || shell->lister != &l->view)
		return;
	listing_go_to(l, shell->visited);
	shell->visited = VIEW_NO_ROW;
}

void listing_update(struct listing *l, const struct frame *frame)
{
	size_t nr, from;

	l->frame = frame;
	follow_detail(l);
	if (l->ops->update)
		l->ops->update(l);
	nr = gather(l);
	if (nr && !l->nr_columns)	/* not drawn yet */
		l->nr_columns = l->ops->columns(l, 0, l->columns);
	sort(l, nr);
	follow(l, nr);
	if (!l->seek)
		return;
	l->seek = false;
	from = line_of(l, l->search_from);
	listing_seek(l, from == LIST_NONE ? 0 : from, false);
}

const void *listing_current(const struct listing *l)
{
	return l->list.cursor < l->list.nr ? l->order[l->list.cursor] : NULL;
}

void listing_place(struct listing *l, size_t at)
{
	list_set(&l->list, at);
	if (!l->list.nr)
		return;
	l->current = id_at(l, l->list.cursor);
	l->placed = !l->ops->follows_end || l->list.cursor + 1 < l->list.nr;
}

void listing_go_to(struct listing *l, uint64_t id)
{
	l->current = id;
	l->placed = true;
}

void listing_leave(struct listing *l)
{
	l->placed = false;
}

void listing_detail(struct listing *l, enum view_id detail, uint64_t id)
{
	struct shell *shell = l->view.shell;
	size_t nr = l->list.nr;

	shell->lister = &l->view;
	shell->visited = VIEW_NO_ROW;
	/* out of memory: no next or previous */
	shell->nr_listed = array_fit(l->listed, l->listed_cap, nr) ? 0 : nr;
	shell->listed = l->listed;
	for (size_t i = 0; i < shell->nr_listed; i++)
		l->listed[i] = id_at(l, i);
	shell->show(shell, detail, (size_t)id);
}

void listing_sort(struct listing *l, int column)
{
	int now = l->sort == LISTING_UNSORTED ? l->ops->natural : l->sort;

	l->invert = now == column && !l->worst && !l->invert;
	l->sort = column;
	l->worst = false;
	if (l->ops->sorted)
		l->ops->sorted(l);
}

const struct list_column *listing_sortable(const struct listing *l,
					   size_t line)
{
	for (size_t i = 0; i < l->nr_columns; i++) {
		if (l->columns[i].sorts && !line--)
			return &l->columns[i];
	}
	return NULL;
}

const struct list_column *listing_column_at(const struct listing *l, int col)
{
	for (size_t i = 0; i < l->nr_columns; i++) {
		const struct list_column *c = &l->columns[i];

		if (c->cols && col >= c->col - 1 && col < c->col + c->cols)
			return c;
	}
	return NULL;
}

/* Tags */

static size_t tag_of(const struct listing *l, uint64_t id)
{
	size_t i = 0;

	while (i < l->nr_tagged && l->tagged[i] != id)
		i++;
	return i;
}

bool listing_has_tag(const struct listing *l, uint64_t id)
{
	return tag_of(l, id) < l->nr_tagged;
}

void listing_tag(struct listing *l)
{
	size_t at = tag_of(l, l->current);
	uint64_t *tag;

	if (!l->list.nr)
		return;
	if (at < l->nr_tagged) {
		l->tagged[at] = l->tagged[--l->nr_tagged];
	} else {
		tag = array_add(l->tagged, l->nr_tagged, l->tagged_cap);
		if (tag)	/* out of memory: the row is not tagged */
			*tag = l->current;
	}
	listing_place(l, l->list.cursor + 1);
}

size_t listing_targets(struct listing *l)
{
	size_t rows = l->ops->nr(l), nr = 0;

	if (array_fit(l->targets, l->targets_cap, rows + 1))
		return 0;
	for (size_t i = 0; i < rows && l->nr_tagged; i++) {
		const void *row = l->ops->at(l, i);

		if (row && listing_has_tag(l, l->ops->id(l, row)))
			l->targets[nr++] = (size_t)l->ops->id(l, row);
	}
	if (!nr && listing_current(l))
		l->targets[nr++] = (size_t)l->current;
	return nr;
}
