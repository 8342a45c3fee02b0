/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list screen with a list of fruit. */
#include "tests/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/draw/widgets.h"
#include "ui/kit/listing.h"

enum { MOST = 40, ROWS = 8, COLS = 40 };

enum fruit_column { NAME, COUNT, BAR, NOTE, FRUIT_COLUMNS };

struct fruit {
	uint64_t id;
	const char *name, *note;
	int count;		/* -1: not known */
	bool gone;
};

struct fruits {
	struct listing list;
	struct fruit rows[MOST];
	size_t nr;
	bool total;
	uint64_t opened;	/* the last one */
	int sorted;		/* number of calls of sorted */
};

struct fixture {
	struct fake_shell shell;
	struct fruits *v;
	struct frame *frame;
	struct canvas *canvas;
};

static struct fruits *fruits(const struct listing *l)
{
	return (struct fruits *)(uintptr_t)l;
}

static size_t fruit_nr(const struct listing *l)
{
	return fruits(l)->nr;
}

static const void *fruit_at(const struct listing *l, size_t i)
{
	return &fruits(l)->rows[i];
}

static uint64_t fruit_id(const struct listing *l, const void *row)
{
	(void)l;
	return ((const struct fruit *)row)->id;
}

static bool fruit_match(const struct listing *l, const void *row,
			const char *needle)
{
	const struct fruit *f = row;

	(void)l;
	return list_match(f->name, needle) || list_match(f->note, needle);
}

static int fruit_group(const void *a, const void *b)
{
	const struct fruit *x = a, *y = b;

	return x->gone - y->gone;
}

static int fruit_compare(int column, const void *a, const void *b)
{
	const struct fruit *x = a, *y = b;

	return column == NAME ? strcmp(x->name, y->name) : x->count - y->count;
}

static bool fruit_known(int column, const void *row)
{
	return column != COUNT || ((const struct fruit *)row)->count >= 0;
}

/* The worst are those that begin with a "b". */
static int fruit_worst(const void *a, const void *b)
{
	const struct fruit *x = a, *y = b;

	return (*y->name == 'b') - (*x->name == 'b');
}

static void fruit_sorted(struct listing *l)
{
	fruits(l)->sorted++;
}

static size_t fruit_columns(struct listing *l, int cols,
			    struct list_column *columns)
{
	const struct list_column all[FRUIT_COLUMNS] = {
		{ .id = NAME, .header = "NAME", .help = "its name",
		  .width = 8, .min = 4, .left = true, .fixed = true,
		  .marked = true, .sorts = true },
		{ .id = COUNT, .header = "COUNT", .help = "how many",
		  .width = 6, .rank = 1, .sorts = true, .falls = true },
		{ .id = BAR, .header = "BAR", .width = 6, .rank = 3,
		  .fair = 8, .rest = true, .left = true },
		{ .id = NOTE, .header = "NOTE", .width = 10, .rank = 2,
		  .left = true, .marked = true, .scrolls = true },
	};

	(void)l;
	(void)cols;
	memcpy(columns, all, sizeof(all));
	return FRUIT_COLUMNS;
}

static enum role fruit_cell(struct listing *l, const void *row,
			    const struct list_column *column, struct area cell,
			    char *text)
{
	const struct fruit *f = row;	/* NULL: the totals */

	(void)l;
	if (column->id == NAME)
		snprintf(text, LISTING_CELL, "%s", f ? f->name : "all");
	else if (column->id == COUNT && f)
		snprintf(text, LISTING_CELL, "%d", f->count);
	else if (column->id == NOTE && f)
		snprintf(text, LISTING_CELL, "%s", f->note);
	else if (column->id == BAR && f)
		widget_hbar(cell, 0, 0, cell.cols, f->count, 10, ROLE_BAR_LOW);
	return column->id == COUNT ? ROLE_VALUE : ROLE_DEFAULT;
}

static void fruit_gutter(const struct listing *l, const void *row,
			 struct area a)
{
	(void)l;
	if (((const struct fruit *)row)->gone)
		area_put(a, 0, 1, ROLE_DIM, 'x');
}

static bool fruit_total(const struct listing *l)
{
	return fruits(l)->total;
}

static void fruit_picture(struct listing *l, struct area a)
{
	(void)l;
	area_text(a, 0, 0, 0, ROLE_DEFAULT, "a picture");
}

static size_t fruit_picture_at(const struct listing *l, int row, int col)
{
	(void)l;
	return row == 0 ? (size_t)col : LIST_NONE;
}

static void fruit_open(struct listing *l, const void *row)
{
	fruits(l)->opened = ((const struct fruit *)row)->id;
}

static void fruit_init(struct view *view);

static const struct view_ops view_fruits = {
	.id = VIEW_RINGS,
	.size = sizeof(struct fruits),
	.init = fruit_init,
	.release = listing_release,
	.draw = listing_draw,
	.action = listing_action,
	.click = listing_click,
	.wheel = listing_wheel,
	.label = listing_label,
};

static const struct listing_ops sorted_fruits = {
	.nr = fruit_nr,
	.at = fruit_at,
	.id = fruit_id,
	.match = fruit_match,
	.group = fruit_group,
	.compare = fruit_compare,
	.is_known = fruit_known,
	.worst = fruit_worst,
	.sorted = fruit_sorted,
	.columns = fruit_columns,
	.cell = fruit_cell,
	.gutter = fruit_gutter,
	.has_total = fruit_total,
	.picture = fruit_picture,
	.picture_at = fruit_picture_at,
	.open = fruit_open,
	.gutter_cols = 3,
	.natural = LISTING_UNSORTED,
	.tags = true,
};

/* In order of appearance, the latest at the bottom. */
static const struct listing_ops latest_fruits = {
	.nr = fruit_nr,
	.at = fruit_at,
	.id = fruit_id,
	.match = fruit_match,
	.columns = fruit_columns,
	.cell = fruit_cell,
	.natural = NAME,
	.follows_end = true,
};

static void fruit_init(struct view *view)
{
	struct listing *l = (struct listing *)(void *)view;

	listing_init(l, view, &sorted_fruits);
}

static const struct fruit initial[] = {
	{ 10, "cherry", "red", 7, false },
	{ 20, "apple", "green or red", 3, false },
	{ 30, "banana", "yellow", 9, false },
	{ 40, "date", "brown", -1, false },
	{ 50, "elder", "black; for a syrup", 5, false },
	{ 60, "fig", "purple", 1, true },
};

enum { INITIAL = sizeof(initial) / sizeof(initial[0]) };

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	fake_shell_init(&f->shell);
	f->v = (struct fruits *)(void *)view_new(&view_fruits,
						      &f->shell.shell);
	memcpy(f->v->rows, initial, sizeof(initial));
	f->v->nr = INITIAL;
	f->frame = frames_new(1);
	f->canvas = canvas_new(ROWS, COLS, false);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	view_free(&f->v->list.view);
	frames_free(f->frame);
	canvas_free(f->canvas);
	free(f);
	return 0;
}

static void draw(struct fixture *f)
{
	frames_draw(&f->v->list.view, f->frame, f->canvas);
}

static bool act(struct fixture *f, enum action action)
{
	bool used = listing_action(&f->v->list.view, f->frame, action);

	draw(f);
	return used;
}

static void answer(struct fixture *f, enum action action, const char *text)
{
	assert_true(act(f, action));
	fake_shell_answer(&f->shell, text);
	draw(f);
}

static bool click(struct fixture *f, int row, int col, bool twice)
{
	bool used = listing_click(&f->v->list.view, f->frame, row, col, twice);

	draw(f);
	return used;
}

/* The names in their order from the top: "cherry apple". */
static const char *order(struct fixture *f)
{
	static char text[400];
	const struct listing *l = &f->v->list;

	*text = '\0';
	for (size_t i = 0; i < l->list.nr; i++) {
		strcat(text, i ? " " : "");
		strcat(text, ((const struct fruit *)l->order[i])->name);
	}
	return text;
}

/* The name under the cursor. */
static const char *current(const struct fixture *f)
{
	const struct fruit *row = listing_current(&f->v->list);

	return row ? row->name : "";
}

static bool shows(const struct fixture *f, const char *text)
{
	for (int row = 0; row < f->canvas->rows; row++) {
		if (strstr(screen_row(f->canvas, row), text))
			return true;
	}
	return false;
}

static void resize(struct fixture *f, int rows, int cols)
{
	canvas_free(f->canvas);
	f->canvas = canvas_new(rows, cols, false);
	draw(f);
}

/* Take a row out. */
static void take_out(struct fixture *f, const char *name)
{
	struct fruits *v = f->v;

	for (size_t i = 0; i < v->nr; i++) {
		if (strcmp(v->rows[i].name, name))
			continue;
		memmove(&v->rows[i], &v->rows[i + 1],
			(v->nr - i - 1) * sizeof(v->rows[0]));
		v->nr--;
	}
}

/* Rows "00", "01", ... with rising ids. */
static void use_many(struct fixture *f, size_t nr)
{
	static char names[MOST][24];

	f->v->nr = nr;
	for (size_t i = 0; i < nr; i++) {
		snprintf(names[i], sizeof(names[i]), "%02zu", i);
		f->v->rows[i] = (struct fruit){ i + 1, names[i], "", 1, false };
	}
}

TEST(test_look)
{
	struct fixture *f = *state;

	f->v->total = true;
	draw(f);
	act(f, ACTION_DOWN);
	assert_screen(f->canvas, EXPECTED_LOOKS, "listing/look");
	resize(f, 14, 60);
	assert_screen(f->canvas, EXPECTED_TEXT, "listing/roomy");
}

TEST(test_order)
{
	struct fixture *f = *state;

	draw(f);
	/* rows that are gone are at the bottom in any order */
	assert_string_equal(order(f), "cherry apple banana date elder fig");
	listing_sort(&f->v->list, COUNT);
	draw(f);
	/* the largest first, unknown values last */
	assert_string_equal(order(f), "banana cherry elder apple date fig");
	assert_true(shows(f, "▼COUNT"));
	assert_true(act(f, ACTION_INVERT));
	assert_string_equal(order(f), "apple elder cherry banana date fig");
	assert_true(shows(f, "▲COUNT"));
	listing_sort(&f->v->list, NAME);
	draw(f);
	assert_string_equal(order(f), "apple banana cherry date elder fig");
	listing_sort(&f->v->list, NAME);
	draw(f);
	assert_string_equal(order(f), "elder date cherry banana apple fig");
	assert_int_equal(f->v->sorted, 4);
	/* and by the worst, which resets the column */
	assert_true(act(f, ACTION_WORST));
	assert_string_equal(order(f), "banana cherry apple date elder fig");
	act(f, ACTION_INVERT);
	assert_true(shows(f, "worst at the bottom (I)"));
	act(f, ACTION_WORST);
	assert_string_equal(order(f), "cherry apple banana date elder fig");
	assert_true(shows(f, "in order of arrival (W)"));
	act(f, ACTION_INVERT);
	assert_string_equal(order(f), "elder date banana apple cherry fig");
	assert_true(shows(f, "in reverse order (I)"));
}

/*
 * Sorting by the column that has the arrow at first inverts the order at once.
 */
TEST(test_natural_order)
{
	struct fixture *f = *state;
	struct listing_ops ops = sorted_fruits;

	ops.natural = NAME;
	f->v->list.ops = &ops;
	draw(f);
	assert_true(shows(f, "NAME▲"));
	assert_true(click(f, 0, 3, false));
	assert_true(shows(f, "NAME▼"));
	assert_string_equal(order(f), "elder date cherry banana apple fig");
}

TEST(test_cursor_follows_its_row)
{
	struct fixture *f = *state;

	draw(f);
	/* at the top, whatever row is there, until it is moved */
	listing_sort(&f->v->list, NAME);
	draw(f);
	assert_string_equal(current(f), "apple");
	act(f, ACTION_DOWN);
	act(f, ACTION_DOWN);
	assert_string_equal(current(f), "cherry");
	listing_sort(&f->v->list, COUNT);
	draw(f);
	assert_string_equal(current(f), "cherry");
	assert_int_equal(f->v->list.list.cursor, 1);
	/* if moved to the top, it stays on that row */
	act(f, ACTION_UP);
	assert_string_equal(current(f), "banana");
	act(f, ACTION_INVERT);
	assert_string_equal(current(f), "banana");
	/* Home: at the top again */
	act(f, ACTION_HOME);
	assert_string_equal(current(f), "apple");
	act(f, ACTION_INVERT);
	assert_string_equal(current(f), "banana");
	/* rows appear and disappear above it */
	act(f, ACTION_END);
	act(f, ACTION_UP);
	assert_string_equal(current(f), "date");
	take_out(f, "cherry");
	draw(f);
	assert_string_equal(current(f), "date");
	/* if it is gone, the row in its place */
	take_out(f, "date");
	draw(f);
	assert_string_equal(current(f), "fig");
}

/*
 * The row under the cursor keeps its line of the screen, also when others
 * appear.
 */
TEST(test_cursor_keeps_its_line)
{
	struct fixture *f = *state;

	use_many(f, 30);
	draw(f);
	for (int i = 0; i < 20; i++)
		act(f, ACTION_DOWN);
	assert_int_equal(screen_cursor_row(f->canvas), 6);
	act(f, ACTION_UP);
	assert_int_equal(screen_cursor_row(f->canvas), 5);
	take_out(f, "03");
	draw(f);
	assert_string_equal(current(f), "19");
	assert_int_equal(screen_cursor_row(f->canvas), 5);
}

TEST(test_follows_the_end)
{
	struct fixture *f = *state;
	struct listing *l = &f->v->list;

	l->ops = &latest_fruits;
	use_many(f, 20);
	draw(f);
	assert_string_equal(current(f), "19");
	use_many(f, 21);
	draw(f);
	assert_string_equal(current(f), "20");
	assert_null(listing_label(&l->view, ACTION_END));
	act(f, ACTION_UP);
	assert_true(shows(f, "End follows"));
	assert_string_equal(listing_label(&l->view, ACTION_END), "Follow");
	use_many(f, 25);
	draw(f);
	assert_string_equal(current(f), "19");
	/* its row is gone: the next one */
	take_out(f, "19");
	draw(f);
	assert_string_equal(current(f), "20");
	act(f, ACTION_HOME);
	assert_string_equal(current(f), "00");
	take_out(f, "00");
	draw(f);
	assert_string_equal(current(f), "01");
	/* the wheel to the end follows again */
	for (int i = 0; i < 10; i++)
		listing_wheel(&l->view, f->frame, 3);
	use_many(f, 30);
	draw(f);
	assert_string_equal(current(f), "29");
	listing_wheel(&l->view, f->frame, -3);
	draw(f);
	assert_string_equal(current(f), "26");
	/* a search begins there, and Esc returns and follows again */
	act(f, ACTION_END);
	answer(f, ACTION_SEARCH, "0");
	assert_string_equal(current(f), "00");
	answer(f, ACTION_SEARCH, NULL);
	assert_string_equal(current(f), "00");
	act(f, ACTION_END);
	answer(f, ACTION_SEARCH, NULL);
	use_many(f, 31);
	draw(f);
	assert_string_equal(current(f), "30");
	/* the view's order can be inverted, but not sorted */
	assert_false(act(f, ACTION_WORST));
	assert_false(act(f, ACTION_TAG));
	assert_false(act(f, ACTION_OPEN));
}

TEST(test_filter)
{
	struct fixture *f = *state;

	f->v->total = true;
	draw(f);
	act(f, ACTION_DOWN);
	answer(f, ACTION_FILTER, "red");
	assert_true(f->shell.live);
	assert_string_equal(f->shell.prompt, "filter: ");
	assert_string_equal(order(f), "cherry apple");
	assert_string_equal(current(f), "apple");
	assert_true(shows(f, "filter \"red\": 2 of 6"));
	assert_string_equal(listing_label(&f->v->list.view, ACTION_CANCEL),
			    "Clear");
	/* the last filter can be edited */
	act(f, ACTION_FILTER);
	assert_string_equal(f->shell.initial, "red");
	fake_shell_answer(&f->shell, "no such");
	draw(f);
	assert_string_equal(order(f), "");
	assert_string_equal(current(f), "");
	assert_true(shows(f, "nothing matches the filter"));
	/* nothing to move to, open or tag */
	act(f, ACTION_DOWN);
	act(f, ACTION_OPEN);
	act(f, ACTION_TAG);
	act(f, ACTION_SEARCH_NEXT);
	assert_int_equal(f->v->opened, 0);
	assert_int_equal(f->v->list.nr_tagged, 0);
	/* Esc removes it, and the cursor is on the same row */
	assert_true(act(f, ACTION_CANCEL));
	assert_int_equal(f->v->list.list.nr, INITIAL);
	assert_string_equal(current(f), "apple");
	assert_false(act(f, ACTION_CANCEL));
	/* Esc while typing removes the filter */
	answer(f, ACTION_FILTER, "red");
	answer(f, ACTION_FILTER, NULL);
	assert_int_equal(f->v->list.list.nr, INITIAL);
}

TEST(test_search)
{
	struct fixture *f = *state;

	draw(f);
	act(f, ACTION_DOWN);
	assert_null(listing_label(&f->v->list.view, ACTION_SEARCH_NEXT));
	answer(f, ACTION_SEARCH, "l");
	/* from the cursor on: it matches itself */
	assert_string_equal(current(f), "apple");
	assert_string_equal(listing_label(&f->v->list.view,
					  ACTION_SEARCH_NEXT), "Next");
	assert_true(shows(f, "search \"l\""));
	act(f, ACTION_SEARCH_NEXT);
	assert_string_equal(current(f), "banana");	/* yellow */
	act(f, ACTION_SEARCH_NEXT);
	assert_string_equal(current(f), "elder");
	act(f, ACTION_SEARCH_NEXT);
	assert_string_equal(current(f), "fig");		/* purple */
	act(f, ACTION_SEARCH_NEXT);
	assert_string_equal(current(f), "apple");
	/* and backwards, wrapping at the top */
	act(f, ACTION_SEARCH_PREV);
	assert_string_equal(current(f), "fig");
	act(f, ACTION_SEARCH_PREV);
	assert_string_equal(current(f), "elder");
	assert_screen(f->canvas, EXPECTED_LOOKS, "listing/search");
	assert_true(act(f, ACTION_CANCEL));
	assert_false(shows(f, "search"));
	act(f, ACTION_SEARCH_NEXT);
	assert_string_equal(current(f), "elder");
}

TEST(test_search_no_match)
{
	struct fixture *f = *state;

	draw(f);
	act(f, ACTION_DOWN);
	answer(f, ACTION_SEARCH, "nowhere");
	assert_true(shows(f, "search \"nowhere\": no match"));
	assert_string_equal(current(f), "apple");
	act(f, ACTION_SEARCH_NEXT);
	act(f, ACTION_SEARCH_PREV);
	assert_string_equal(current(f), "apple");
	/* a match that appears later is found */
	f->v->rows[4].note = "nowhere";
	act(f, ACTION_SEARCH_PREV);
	assert_string_equal(current(f), "elder");
	assert_false(shows(f, "no match"));
}

/* Esc while typing goes back to the row where the search began. */
TEST(test_search_given_up)
{
	struct fixture *f = *state;

	draw(f);
	act(f, ACTION_SEARCH);
	f->shell.done(f->shell.prompter, "el", false);
	draw(f);
	assert_string_equal(current(f), "banana");
	f->shell.done(f->shell.prompter, "eld", false);
	draw(f);
	assert_string_equal(current(f), "elder");
	f->shell.done(f->shell.prompter, NULL, true);
	draw(f);
	assert_string_equal(current(f), "cherry");
	/* if the cursor was not moved: at the top, whatever row is there */
	listing_sort(&f->v->list, NAME);
	draw(f);
	assert_string_equal(current(f), "apple");
}

/* A row that matches by text not on screen is marked in its first column. */
TEST(test_search_out_of_sight)
{
	struct fixture *f = *state;

	resize(f, ROWS, 18);
	answer(f, ACTION_SEARCH, "brown");
	assert_string_equal(current(f), "date");
	assert_screen(f->canvas, EXPECTED_LOOKS, "listing/out_of_sight");
}

TEST(test_tags)
{
	struct fixture *f = *state;
	struct listing *l = &f->v->list;

	resize(f, ROWS, 60);
	draw(f);
	assert_string_equal(listing_label(&l->view, ACTION_UNTAG), "");
	/* without tags, the row under the cursor */
	assert_int_equal(listing_targets(l), 1);
	assert_int_equal(l->targets[0], 10);
	act(f, ACTION_TAG);
	assert_string_equal(current(f), "apple");
	act(f, ACTION_DOWN);
	act(f, ACTION_DOWN);
	act(f, ACTION_TAG);
	assert_true(shows(f, "2 tagged"));
	assert_true(listing_has_tag(l, 10) && listing_has_tag(l, 40));
	/* in the order of the rows, not of the tagging */
	act(f, ACTION_HOME);
	act(f, ACTION_TAG);
	act(f, ACTION_UP);
	act(f, ACTION_TAG);
	assert_int_equal(listing_targets(l), 2);
	assert_int_equal(l->targets[0], 10);
	/* tags stay on their rows, whatever the order and the numbers */
	listing_sort(l, COUNT);
	take_out(f, "apple");
	draw(f);
	assert_int_equal(listing_targets(l), 2);
	assert_int_equal(l->targets[0], 10);
	assert_int_equal(l->targets[1], 40);
	/* and count if a filter hides them */
	answer(f, ACTION_FILTER, "yellow");
	assert_int_equal(listing_targets(l), 2);
	act(f, ACTION_CANCEL);
	/* one that is gone does not count until it is back */
	take_out(f, "cherry");
	draw(f);
	assert_int_equal(listing_targets(l), 1);
	assert_int_equal(l->targets[0], 40);
	memcpy(f->v->rows, initial, sizeof(initial));
	f->v->nr = INITIAL;
	draw(f);
	assert_int_equal(listing_targets(l), 2);
	/* untag */
	act(f, ACTION_HOME);
	while (strcmp(current(f), "date"))
		act(f, ACTION_DOWN);
	act(f, ACTION_TAG);
	assert_false(listing_has_tag(l, 40));
	assert_true(listing_has_tag(l, 10));
	assert_true(act(f, ACTION_UNTAG));
	assert_int_equal(l->nr_tagged, 0);
	assert_false(shows(f, "tagged"));
}

TEST(test_many_tags)
{
	struct fixture *f = *state;

	use_many(f, MOST);
	draw(f);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < MOST; i++)
			act(f, ACTION_TAG);
		act(f, ACTION_HOME);
	}
	assert_int_equal(f->v->list.nr_tagged, MOST);
	assert_int_equal(listing_targets(&f->v->list), MOST);
}

/* The width of a column; 0: left out. */
static int width_of(const struct fixture *f, enum fruit_column id)
{
	return f->v->list.columns[id].cols;
}

/* Check the headings on screen: "NAME COUNT". */
static void assert_headings(struct fixture *f, int cols, const char *expected)
{
	char text[80] = "";

	resize(f, ROWS, cols);
	for (size_t i = 0; i < f->v->list.nr_columns; i++) {
		const struct list_column *c = &f->v->list.columns[i];

		if (!c->cols)
			continue;
		assert_true(c->col + c->cols <= (cols > 7 ? cols : 11));
		strcat(text, *text ? " " : "");
		strcat(text, c->header);
	}
	assert_string_equal(text, expected);
}

TEST(test_columns_fit)
{
	struct fixture *f = *state;

	/* the bar takes the rest */
	assert_headings(f, COLS, "NAME COUNT BAR NOTE");
	assert_int_equal(width_of(f, BAR), 10);
	assert_headings(f, 37, "NAME COUNT BAR NOTE");
	assert_int_equal(width_of(f, NAME), 8);
	/* names are narrowed first, then columns are left out by rank */
	assert_headings(f, 33, "NAME COUNT BAR NOTE");
	assert_int_equal(width_of(f, NAME), 5);
	assert_headings(f, 31, "NAME COUNT NOTE");
	assert_headings(f, 20, "NAME COUNT");
	assert_int_equal(width_of(f, NOTE), 0);
	assert_headings(f, 13, "NAME");
	/* the first one stays, cut if necessary */
	for (int cols = 10; cols > 0; cols--)
		assert_headings(f, cols, "NAME");
	for (int rows = 5; rows > 0; rows--)
		resize(f, rows, 1);
}

TEST(test_sorted_by_what_is_not_shown)
{
	struct fixture *f = *state;

	listing_sort(&f->v->list, COUNT);
	resize(f, ROWS, 13);
	assert_int_equal(width_of(f, COUNT), 0);
	assert_true(shows(f, "sorted by C"));
	resize(f, ROWS, COLS);
	assert_false(shows(f, "sorted by"));
	/* in a small area the arrow above the rows' marks shows it */
	act(f, ACTION_WORST);
	assert_string_equal(screen_row(f->canvas, 0),
			    "▼  NAME      COUNT BAR        NOTE");
	assert_false(shows(f, "worst on top"));
	resize(f, 12, COLS);
	assert_true(shows(f, "worst on top (W)"));
}

TEST(test_scrolls)
{
	struct fixture *f = *state;
	struct listing *l = &f->v->list;

	resize(f, ROWS, 22);
	assert_string_equal(screen_row(f->canvas, 0), " › NAME      COUNT");
	assert_string_equal(listing_label(&l->view, ACTION_RIGHT), "More");
	act(f, ACTION_RIGHT);
	assert_string_equal(screen_row(f->canvas, 0), "‹› NAME     BAR");
	act(f, ACTION_RIGHT);
	assert_string_equal(screen_row(f->canvas, 0), "‹  NAME     NOTE");
	/* the last column, then its text */
	assert_true(shows(f, "elder    black; fo›"));
	act(f, ACTION_RIGHT);
	assert_true(shows(f, "elder    or a syrup"));
	assert_null(listing_label(&l->view, ACTION_RIGHT));
	act(f, ACTION_RIGHT);
	assert_true(shows(f, "elder    or a syrup"));
	act(f, ACTION_LEFT);
	assert_true(shows(f, "elder    black; fo›"));
	act(f, ACTION_LEFT);
	act(f, ACTION_LEFT);
	act(f, ACTION_LEFT);
	assert_string_equal(screen_row(f->canvas, 0), " › NAME      COUNT");
	/* if all columns fit, none are scrolled */
	resize(f, ROWS, 80);
	act(f, ACTION_RIGHT);
	assert_int_equal(l->scroll, 0);
	assert_true(shows(f, "a syrup"));
}

/* Cut in the middle, also before wide characters; at the end if there is no
 * room for two ends. */
TEST(test_cuts_the_middle)
{
	struct list_column c = { .left = true, .ends = true, .cols = 9 };
	struct canvas *canvas = canvas_new(1, 12, false);
	struct area line = canvas_area(canvas);

	list_columns_cell(&c, line, ROLE_DEFAULT, "abcdefghijkl", 0, "");
	assert_string_equal(screen_row(canvas, 0), "abcd…ijkl");
	canvas_clear(canvas);
	list_columns_cell(&c, line, ROLE_DEFAULT, "a界界界界界bc", 0, "");
	assert_string_equal(screen_row(canvas, 0), "a界…界bc");
	canvas_clear(canvas);
	c.cols = 5;
	list_columns_cell(&c, line, ROLE_DEFAULT, "abcdefghijkl", 0, "");
	assert_string_equal(screen_row(canvas, 0), "abcd›");
	canvas_free(canvas);
}

TEST(test_header_clicks)
{
	struct fixture *f = *state;

	draw(f);
	assert_true(click(f, 0, 3, false));
	assert_string_equal(order(f), "apple banana cherry date elder fig");
	assert_true(click(f, 0, 16, false));
	assert_string_equal(order(f), "banana cherry elder apple date fig");
	assert_true(click(f, 0, 16, false));
	assert_string_equal(order(f), "apple elder cherry banana date fig");
	/* not all can be sorted by; no heading there */
	assert_false(click(f, 0, 22, false));
	assert_false(click(f, 0, COLS - 1, false));
	assert_false(click(f, 0, 0, false));
}

TEST(test_mouse)
{
	struct fixture *f = *state;
	struct listing *l = &f->v->list;

	l->above = 1;
	l->below = 1;
	draw(f);
	assert_null(strstr(screen_row(f->canvas, 0), "NAME"));
	assert_non_null(strstr(screen_row(f->canvas, 1), "NAME"));
	assert_true(click(f, 3, 5, false));
	assert_string_equal(current(f), "apple");
	assert_int_equal(f->v->opened, 0);
	assert_true(click(f, 4, 5, true));
	assert_int_equal(f->v->opened, 30);
	assert_true(act(f, ACTION_OPEN));
	assert_false(click(f, 0, 5, false));
	assert_false(click(f, 7, 5, false));
	use_many(f, 30);
	act(f, ACTION_HOME);
	listing_wheel(&l->view, f->frame, 3);
	draw(f);
	assert_true(shows(f, "03"));
	assert_false(shows(f, "00"));
}

TEST(test_pick)
{
	struct fixture *f = *state;
	struct listing *l = &f->v->list;

	resize(f, 12, 50);
	assert_true(act(f, ACTION_SORT));
	assert_screen(f->canvas, EXPECTED_TEXT, "listing/pick");
	act(f, ACTION_DOWN);
	assert_true(act(f, ACTION_OPEN));
	assert_int_equal(l->sort, COUNT);
	assert_false(shows(f, "Sort by"));
	/* it opens on the current column; the same key closes it */
	act(f, ACTION_SORT);
	assert_int_equal(l->pick.list.cursor, 1);
	assert_true(act(f, ACTION_SORT));
	act(f, ACTION_SORT);
	assert_true(act(f, ACTION_CANCEL));
	assert_int_equal(l->sort, COUNT);
	assert_false(l->invert);
	/* the mouse */
	act(f, ACTION_SORT);
	listing_wheel(&l->view, f->frame, 1);
	assert_true(click(f, l->pick.area.row, l->pick.area.col, false));
	assert_int_equal(l->sort, NAME);
	act(f, ACTION_SORT);
	assert_true(click(f, 0, 0, false));
	assert_false(l->pick.open);
	/* other keys are for the app, with the popup open */
	act(f, ACTION_SORT);
	assert_string_equal(listing_label(&l->view, ACTION_OPEN), "Choose");
	assert_string_equal(listing_label(&l->view, ACTION_FILTER), "");
	assert_false(act(f, ACTION_QUIT));
	assert_true(l->pick.open);
}

/*
 * In a picture, clicks are located by picture_at, and keys use the same order.
 */
TEST(test_picture)
{
	struct fixture *f = *state;

	act(f, ACTION_MAP);
	assert_true(shows(f, "a picture"));
	assert_false(shows(f, "NAME"));
	assert_true(click(f, 0, 2, false));
	assert_string_equal(current(f), "banana");
	assert_false(click(f, 1, 2, false));
	/* there is no heading to show the order */
	listing_sort(&f->v->list, NAME);
	draw(f);
	assert_true(shows(f, "by NAME▲"));
	assert_string_equal(current(f), "banana");
	act(f, ACTION_WORST);
	assert_true(shows(f, "worst on top (W)"));
	listing_sort(&f->v->list, NAME);
	draw(f);
	click(f, 0, 0, false);
	assert_string_equal(current(f), "apple");
	/* without rows it shows why */
	answer(f, ACTION_FILTER, "no such");
	assert_true(shows(f, "nothing matches the filter"));
}

TEST(test_empty)
{
	struct fixture *f = *state;

	f->v->nr = 0;
	draw(f);
	assert_true(shows(f, "nothing so far"));
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		act(f, (enum action)i);
		f->v->list.pick.open = false;
	}
	click(f, 1, 1, true);
	listing_wheel(&f->v->list.view, f->frame, 3);
	assert_int_equal(f->v->opened, 0);
	assert_int_equal(listing_targets(&f->v->list), 0);
	assert_null(listing_current(&f->v->list));
	answer(f, ACTION_SEARCH, "x");
	assert_true(shows(f, "search \"x\": no match"));
	/* rows that appear then are shown, with the cursor */
	memcpy(f->v->rows, initial, sizeof(initial));
	f->v->nr = INITIAL;
	act(f, ACTION_CANCEL);
	assert_ptr_equal(listing_current(&f->v->list), f->v->list.order[0]);
}

/* Any size down to a cell, with everything on it; and a click there. */
TEST(test_no_room)
{
	struct fixture *f = *state;

	f->v->total = true;
	f->v->list.sort = COUNT;
	answer(f, ACTION_SEARCH, "red");
	answer(f, ACTION_FILTER, "e");
	act(f, ACTION_TAG);
	for (int rows = 1; rows <= ROWS; rows++) {
		for (int cols = 1; cols <= 24; cols++) {
			resize(f, rows, cols);
			act(f, ACTION_RIGHT);
			act(f, ACTION_MAP);
			click(f, rows - 1, cols - 1, true);
			act(f, ACTION_MAP);
			act(f, ACTION_SORT);
			act(f, ACTION_END);
			click(f, rows - 1, cols - 1, true);
			listing_wheel(&f->v->list.view, f->frame, 3);
			draw(f);
		}
	}
	assert_string_equal(f->v->list.filter, "e");
}

/*
 * Typed text may be wide; a column that cuts a wide character shows none of it.
 */
TEST(test_wide_text)
{
	struct fixture *f = *state;

	f->v->rows[1].name = "Äpfel, süß";
	f->v->rows[2].name = "日本の果物です";
	answer(f, ACTION_FILTER, "süß");
	assert_int_equal(f->v->list.list.nr, 1);
	answer(f, ACTION_FILTER, "果物");
	assert_int_equal(f->v->list.list.nr, 1);
	assert_true(shows(f, "filter \"果物\": 1 of 6"));
	for (int cols = 1; cols < COLS; cols++) {
		resize(f, ROWS, cols);
		act(f, ACTION_RIGHT);
	}
	act(f, ACTION_CANCEL);
	assert_int_equal(f->v->list.list.nr, INITIAL);
}

TEST_GROUP(listing, .setup = frames_utf8, .each_setup = setup,
	   .each_teardown = teardown);
