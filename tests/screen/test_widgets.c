/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/draw/widgets.h"
#include "ui/kit/list.h"

struct sheet {
	struct fake_shell shell;	/* for the locale */
	struct canvas *utf8, *ascii;
};

static int setup(void **state)
{
	static struct sheet sheet;

	fake_shell_init(&sheet.shell);
	sheet.utf8 = canvas_new(10, 40, false);
	sheet.ascii = canvas_new(10, 40, true);
	*state = &sheet;
	return 0;
}

static int teardown(void **state)
{
	struct sheet *s = *state;

	canvas_free(s->utf8);
	canvas_free(s->ascii);
	return 0;
}

static void draw_bars(struct canvas *c)
{
	static const struct widget_bar bars[] = {
		{ .fill = 0, .peak = NAN, .mark = NAN },
		{ .fill = .001, .peak = NAN, .mark = NAN },
		{ .fill = .4, .peak = .7, .mark = .5 },
		{ .fill = .4, .peak = .3, .mark = .2 },
		{ .fill = .6, .peak = .95, .mark = 1.2 },
		{ .fill = .999, .peak = 1, .mark = 1 },
		{ .fill = 1, .peak = 1, .mark = NAN },
		{ .fill = .5, .peak = .9, .mark = .2, .role = ROLE_DIM },
		{ .fill = NAN, .peak = NAN, .mark = NAN },
	};

	for (int i = 0; i < 9; i++)
		widget_bar(canvas_area(c), i, 1, 22, &bars[i]);
}

/* Each line differs from its neighbours in glyphs, not in colour alone. */
TEST(bar_utf8)
{
	struct sheet *s = *state;

	draw_bars(s->utf8);
	assert_screen(s->utf8, EXPECTED_LOOKS, "widgets/bar_utf8");
}

TEST(bar_ascii)
{
	struct sheet *s = *state;

	draw_bars(s->ascii);
	assert_screen(s->ascii, EXPECTED_LOOKS, "widgets/bar_ascii");
}

TEST(bar_without_room)
{
	struct sheet *s = *state;
	struct widget_bar bar = { .fill = 1, .peak = 1, .mark = .5 };

	widget_bar(canvas_area(s->utf8), 0, 0, 2, &bar);
	widget_bar(canvas_area(s->utf8), 1, 0, 0, &bar);
	widget_bar(canvas_area(s->utf8), 2, 0, -5, &bar);
	widget_bar(canvas_area(s->utf8), 3, 38, 3, &bar);
	assert_screen(s->utf8, EXPECTED_TEXT, "widgets/bar_without_room");
}

static void draw_sparks(struct canvas *c)
{
	struct area a = canvas_area(c);
	struct history h = { .nr = 0 };

	for (int i = 0; i <= 8; i++)
		history_push(&h, i / 8.);
	history_push(&h, NAN);
	history_push(&h, 2);
	widget_sparkline(a, 0, 0, 20, &h, 1, (double)NAN,
			 ROLE_DEFAULT);
	widget_sparkline(a, 1, 0, 20, &h, 0, (double)NAN, ROLE_SPARK);
	widget_sparkline(a, 2, 0, 4, &h, 1, (double)NAN, ROLE_BAD);
	widget_sparkline(a, 3, 0, 4, NULL, 1, (double)NAN, ROLE_BAD);
	h = (struct history){ .nr = 0 };
	history_push(&h, 0);
	widget_sparkline(a, 4, 0, 4, &h, 0, (double)NAN, ROLE_SPARK);
}

TEST(sparkline_utf8)
{
	struct sheet *s = *state;

	draw_sparks(s->utf8);
	assert_screen(s->utf8, EXPECTED_LOOKS, "widgets/sparkline_utf8");
}

TEST(sparkline_ascii)
{
	struct sheet *s = *state;

	draw_sparks(s->ascii);
	assert_screen(s->ascii, EXPECTED_TEXT, "widgets/sparkline_ascii");
}

TEST(hbar)
{
	struct sheet *s = *state;
	struct area a = canvas_area(s->utf8);

	widget_hbar(a, 0, 2, 10, 5, 10, ROLE_SPARK);
	widget_hbar(a, 1, 2, 10, .0001, 10, ROLE_SPARK);
	widget_hbar(a, 2, 2, 10, 0, 10, ROLE_SPARK);
	widget_hbar(a, 3, 2, 10, 10, 10, ROLE_SPARK);
	widget_hbar(a, 4, 2, 10, 1, 0, ROLE_SPARK);
	assert_screen(s->utf8, EXPECTED_TEXT, "widgets/hbar");
}

TEST_WITH(ring, NULL, NULL)
{
	/* wraps at the end; a small amount is visible; full */
	struct widget_ring round = { 100, 80, 40 }, little = { 100, 250, 1 },
			   full = { 100, 37, 100 }, empty = { 100, 37, 0 };
	struct canvas *c = canvas_new(4, 12, false);
	struct area a = canvas_area(c);

	widget_ring(a, 0, 0, 12, &round, ROLE_SPARK);
	widget_ring(a, 1, 0, 12, &little, ROLE_SPARK);
	widget_ring(a, 2, 0, 12, &full, ROLE_BAR_HIGH);
	widget_ring(a, 3, 1, 11, &empty, ROLE_SPARK);
	assert_screen(c, EXPECTED_LOOKS, "widgets/ring");
	/* a free-running position; the last cell is the last one */
	assert_int_equal(widget_ring_cell(&round, 999, 10), 9);
	assert_int_equal(widget_ring_cell(&round, 1000, 10), 0);
	canvas_clear(c);
	widget_ring(a, 0, 0, 2, &round, ROLE_SPARK);
	assert_string_equal(screen_row(c, 0), "");
	canvas_free(c);
}

TEST(popup)
{
	struct sheet *s = *state;
	struct area in;

	for (int row = 0; row < 10; row++)
		area_fill(canvas_area(s->utf8), row, 0, 40, ROLE_DIM, 'x');
	in = widget_popup(canvas_area(s->utf8), 5, 20, "Pick");
	assert_int_equal(in.rows, 3);
	assert_int_equal(in.cols, 18);
	area_text(in, 0, 0, 0, ROLE_DEFAULT, "first");
	assert_screen_rows(s->utf8, 1, 7, EXPECTED_TEXT, "widgets/popup");
	in = widget_popup(canvas_area(s->ascii), 100, 100, "Large");
	assert_int_equal(in.rows, 8);
	assert_int_equal(in.cols, 38);
}

TEST(scrollbar)
{
	struct sheet *s = *state;
	struct area a = area_sub(canvas_area(s->ascii), 0, 0, 10, 1);
	struct list list = { 0 };

	list_fit(&list, 10, 10);
	list_scrollbar(&list, a);
	assert_string_equal(screen_row(s->ascii, 0), "");
	list_fit(&list, 20, 10);
	list_scrollbar(&list, a);
	assert_string_equal(screen_row(s->ascii, 0), "#");
	assert_string_equal(screen_row(s->ascii, 4), "#");
	assert_string_equal(screen_row(s->ascii, 5), "|");
	list_set(&list, 19);
	list_scrollbar(&list, a);
	assert_string_equal(screen_row(s->ascii, 4), "|");
	assert_string_equal(screen_row(s->ascii, 9), "#");
}

TEST_WITH(list_moves, NULL, NULL)
{
	struct list l = { 0 };

	list_fit(&l, 0, 10);
	assert_true(list_action(&l, ACTION_DOWN));
	assert_int_equal(l.cursor, 0);
	assert_int_equal(list_row_at(&l, 0), LIST_NONE);
	list_fit(&l, 100, 10);
	list_action(&l, ACTION_DOWN);
	assert_int_equal(l.cursor, 1);
	list_action(&l, ACTION_PAGE_DOWN);
	assert_int_equal(l.cursor, 10);
	assert_int_equal(l.top, 1);
	list_action(&l, ACTION_END);
	assert_int_equal(l.cursor, 99);
	assert_int_equal(l.top, 90);
	list_action(&l, ACTION_DOWN);
	assert_int_equal(l.cursor, 99);
	list_action(&l, ACTION_HOME);
	assert_int_equal(l.cursor, 0);
	assert_int_equal(l.top, 0);
	list_action(&l, ACTION_UP);
	assert_int_equal(l.cursor, 0);
	assert_false(list_action(&l, ACTION_TAG));
}

/* Fewer rows, or a smaller screen: the cursor stays on a visible row. */
TEST_WITH(list_shrinks, NULL, NULL)
{
	struct list l = { 0 };

	list_fit(&l, 100, 10);
	list_set(&l, 99);
	list_fit(&l, 50, 10);
	assert_int_equal(l.cursor, 49);
	assert_int_equal(l.top, 40);
	list_fit(&l, 50, 3);
	assert_int_equal(l.top, 47);
	list_fit(&l, 50, 40);
	assert_int_equal(l.top, 10);
	list_fit(&l, 5, 40);
	assert_int_equal(l.top, 0);
	assert_int_equal(l.cursor, 4);
	list_fit(&l, 0, -1);
	assert_int_equal(l.cursor, 0);
}

TEST_WITH(list_wheel, NULL, NULL)
{
	struct list l = { 0 };

	list_scroll(&l, 3);
	list_fit(&l, 100, 10);
	list_set(&l, 4);
	list_scroll(&l, 3);
	assert_int_equal(l.top, 3);
	assert_int_equal(l.cursor, 7);
	list_scroll(&l, -10);
	assert_int_equal(l.top, 0);
	assert_int_equal(l.cursor, 4);
	list_scroll(&l, 1000);
	assert_int_equal(l.top, 90);
	assert_int_equal(l.cursor, 94);
}

TEST_WITH(test_match, NULL, NULL)
{
	assert_true(list_match("CPU 3", "cpu"));
	assert_true(list_match("CPU 3", ""));
	assert_false(list_match("CPU 3", "cpu3"));
}

TEST_WITH(test_notes, NULL, NULL)
{
	struct canvas *c = canvas_new(1, 12, false);
	struct area a = canvas_area(c);
	int col;

	col = widget_note(a, 1, ROLE_WARN, "%d s", 3);
	assert_int_equal(col, 4);
	assert_int_equal(widget_note(a, col, ROLE_DIM, "behind"), 12);
	assert_string_equal(screen_row(c, 0), " 3 s · behi›");
	canvas_free(c);
}

TEST_GROUP(widgets, .each_setup = setup, .each_teardown = teardown);
