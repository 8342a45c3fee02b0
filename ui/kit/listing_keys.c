/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys, the mouse and prompts. */
#include "ui/kit/listing.h"

#include <string.h>

#include "base/text.h"
#include "ui/kit/keys.h"

enum { SCROLL = 8 };		/* screen columns of text per key */

static struct listing *listing(struct view *view)
{
	return (struct listing *)(void *)view;
}

/* To the right columns first, then cut text; to the left text first. */
static void scroll(struct listing *l, bool right)
{
	if (right && l->more_columns)
		l->scroll++;
	else if (right)
		l->text_scroll += l->cut ? SCROLL : 0;
	else if (l->text_scroll)
		l->text_scroll -= SCROLL;
	else if (l->scroll)
		l->scroll--;
}

static bool move(struct listing *l, enum action action)
{
	if (action == ACTION_LEFT || action == ACTION_RIGHT) {
		scroll(l, action == ACTION_RIGHT);
		return true;
	}
	if (!list_action(&l->list, action))
		return false;
	listing_place(l, l->list.cursor);
	/* stay at the top, also when other rows get there */
	if (action == ACTION_HOME && !l->ops->follows_end)
		listing_leave(l);
	return true;
}

static void search_done(struct view *view, const char *text, bool final)
{
	struct listing *l = listing(view);

	/* Enter: stay where keys moved the cursor while typing; without a text
	 * the search goes on */
	if (final && text && (!*text || !strcmp(text, l->search)))
		return;
	text_copy(l->search, sizeof(l->search), text ? text : "");
	l->no_match = false;
	l->seek = *l->search;
	if (l->seek)
		return;
	l->current = l->search_from;	/* back to where the search began */
	l->placed = l->search_placed;
}

static void ask_search(struct listing *l)
{
	struct shell *shell = l->view.shell;

	l->search_from = l->current;
	l->search_placed = l->placed;
	shell->prompt(shell, "search: ", "", true, search_done, &l->view);
}

/* The next match after or before the cursor, wrapping around. */
static void search_on(struct listing *l, bool back)
{
	size_t at = l->list.cursor, nr = l->list.nr;

	if (*l->search)
		listing_seek(l, back ? at + nr - 1 : at + 1, back);
}

static void set_filter(struct listing *l, const char *text, bool final)
{
	text_copy(l->typed, sizeof(l->typed), text);
	if (l->ops->filter)
		l->ops->filter(l, l->typed, final);
	else
		text_copy(l->filter, sizeof(l->filter), text);
}

static void filter_done(struct view *view, const char *text, bool final)
{
	set_filter(listing(view), text ? text : "", final);
}

static void ask_filter(struct listing *l)
{
	const char *label = l->ops->filter_label;
	struct shell *shell = l->view.shell;

	text_copy(l->before, sizeof(l->before), l->filter);
	shell->prompt(shell, label ? label : "filter: ", l->typed, true,
		     filter_done, &l->view);
}

static bool cancel(struct listing *l)
{
	if (*l->search)
		*l->search = '\0';
	else if (*l->filter)
		set_filter(l, "", true);
	else
		return false;
	return true;
}

static bool find_keys(struct listing *l, enum action action)
{
	if (!l->ops->match)
		return false;
	switch ((int)action) {
	case ACTION_SEARCH:
		ask_search(l);
		return true;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREV:
		search_on(l, action == ACTION_SEARCH_PREV);
		return true;
	case ACTION_FILTER:
		ask_filter(l);
		return true;
	case ACTION_CANCEL:
		return cancel(l);
	default:
		return false;
	}
}

static bool open_pick(struct listing *l)
{
	const struct list_column *c;
	size_t nr = 0, now = 0;

	for (; (c = listing_sortable(l, nr)) != NULL; nr++)
		now = c->id == l->sort ? nr : now;
	if (nr)
		pick_open(&l->pick, nr, now);
	return nr;
}

static bool take_pick(struct listing *l, enum pick_result result)
{
	const struct list_column *c = listing_sortable(l, l->pick.list.cursor);

	/* the column may be gone since the popup was opened */
	if (result == PICK_CHOSEN && c)
		listing_sort(l, c->id);
	return result != PICK_OTHER;
}

static bool invert(struct listing *l)
{
	if (!listing_sortable(l, 0))
		return false;
	l->invert = !l->invert;
	if (l->ops->sorted)
		l->ops->sorted(l);
	return true;
}

/* Switch between worst on top and the order of appearance. */
static bool toggle_worst(struct listing *l)
{
	if (!l->ops->worst)
		return false;
	l->worst = !l->worst;
	l->invert = false;
	if (!l->worst)
		l->sort = LISTING_UNSORTED;
	if (l->ops->sorted)
		l->ops->sorted(l);
	return true;
}

static bool sort_key(struct listing *l, enum action action)
{
	const struct listing_key *key = l->ops->keys;

	while (key && key->action != ACTION_NONE && key->action != action)
		key++;
	if (!key || key->action == ACTION_NONE)
		return false;
	l->sort = key->column;
	l->worst = l->invert = false;
	if (l->ops->sorted)
		l->ops->sorted(l);
	return true;
}

/* False if Enter does nothing on this screen. */
static bool open_row(struct listing *l)
{
	const struct listing_ops *ops = l->ops;

	if (ops->detail != VIEW_NONE && l->list.nr)
		listing_detail(l, ops->detail, l->current);
	else if (ops->open && l->list.nr)
		ops->open(l, listing_current(l));
	return ops->open || ops->detail != VIEW_NONE;
}

static bool row_keys(struct listing *l, enum action action)
{
	switch ((int)action) {
	case ACTION_SORT:
		return open_pick(l);
	case ACTION_INVERT:
		return invert(l);
	case ACTION_WORST:
		return toggle_worst(l);
	case ACTION_MAP:
		l->pictured = l->ops->picture && !l->pictured;
		return l->ops->picture;
	case ACTION_TAG:
		if (l->ops->tags)
			listing_tag(l);
		return l->ops->tags;
	case ACTION_UNTAG:
		l->nr_tagged = 0;
		return l->ops->tags;
	case ACTION_OPEN:
		return open_row(l);
	default:
		return false;
	}
}

/* Help opens at the column in the popup. */
static void ask_help(const struct listing *l)
{
	const struct list_column *c =
		listing_sortable(l, l->pick.list.cursor);

	l->view.shell->help_column = c ? c->header : NULL;
	l->view.shell->help_list = l->view.ops->id;
}

bool listing_action(struct view *view, const struct frame *frame,
		    enum action action)
{
	struct listing *l = listing(view);

	if (l->pick.open && action == ACTION_HELP)
		ask_help(l);
	if (l->pick.open)
		return take_pick(l, pick_action(&l->pick, action, ACTION_SORT));
	listing_update(l, frame);
	return move(l, action) || find_keys(l, action) ||
	       row_keys(l, action) || sort_key(l, action);
}

static bool click_header(struct listing *l, int col)
{
	const struct list_column *c = listing_column_at(l, col);

	if (!c || !c->sorts)
		return false;
	listing_sort(l, c->id);
	return true;
}

bool listing_click(struct view *view, const struct frame *frame, int row,
		   int col, bool twice)
{
	struct listing *l = listing(view);
	bool pictured;
	size_t at;

	if (l->pick.open)
		return take_pick(l, pick_click(&l->pick, row, col));
	listing_update(l, frame);
	row -= l->above;
	pictured = l->pictured && l->list.nr;
	if (row == 0 && !pictured)
		return click_header(l, col);
	at = pictured ? l->ops->picture_at(l, row, col) :
			list_row_at(&l->list, row - 1);
	if (at == LIST_NONE)
		return false;
	listing_place(l, at);
	if (twice)
		open_row(l);
	return true;
}

bool listing_wheel(struct view *view, const struct frame *frame, int lines)
{
	struct listing *l = listing(view);
	struct list *list = &l->list;

	if (l->pick.open) {
		list_scroll(&l->pick.list, lines);
		return true;
	}
	listing_update(l, frame);
	list_scroll(list, lines);
	/* scrolled down to the end: follow it again */
	if (l->ops->follows_end && lines > 0 &&
	    list->top + list->page >= list->nr)
		list_set(list, list->nr);
	listing_place(l, list->cursor);
	return true;
}

const char *listing_label(const struct view *view, enum action action)
{
	const struct listing *l = (const void *)view;

	if (l->pick.open)
		return pick_label(action);
	switch ((int)action) {
	case ACTION_SEARCH_NEXT:
		return *l->search ? "Next" : NULL;
	case ACTION_SEARCH_PREV:
		return *l->search ? "Previous" : NULL;
	case ACTION_CANCEL:
		return *l->search || *l->filter ? "Clear" : NULL;
	case ACTION_SORT:
	case ACTION_INVERT:
		return listing_sortable(l, 0) ? NULL : "";
	case ACTION_MAP:
		return l->pictured ? "Table" : NULL;
	case ACTION_TAG:
		return l->ops->tags ? NULL : "";
	case ACTION_UNTAG:
		return l->nr_tagged ? NULL : "";
	case ACTION_RIGHT:
		return !l->pictured && (l->more_columns || l->cut) ? "More" :
								     NULL;
	case ACTION_END:
		return l->ops->follows_end && l->placed ? "Follow" : NULL;
	default:
		return NULL;
	}
}
