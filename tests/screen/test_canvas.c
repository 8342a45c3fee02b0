/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <limits.h>
#include <stdlib.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/draw/canvas.h"

static int setup(void **state)
{
	*state = canvas_new(3, 10, false);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	canvas_free(*state);
	return 0;
}

TEST(test_text_is_clipped)
{
	struct canvas *c = *state;
	struct area a = canvas_area(c);

	assert_int_equal(area_text(a, 0, 0, 0, ROLE_TITLE, "0123456789abc"),
			 10);
	assert_int_equal(area_text(a, 1, 2, 3, ROLE_BAD, "abcdef"), 3);
	assert_int_equal(area_text(a, 2, 8, 5, ROLE_BAD, "xyz"), 2);
	/* outside, in each direction */
	assert_int_equal(area_text(a, 3, 0, 0, ROLE_BAD, "no"), 0);
	assert_int_equal(area_text(a, -1, 0, 0, ROLE_BAD, "no"), 0);
	assert_int_equal(area_text(a, 0, 10, 0, ROLE_BAD, "no"), 0);
	assert_rows(c, EXPECTED_LOOKS,
		      "0123456789\n"
		      "tttttttttt\n"
		      "  abc\n"
		      "..bbb\n"
		      "        xy\n"
		      "........bb\n");
}

TEST(test_wrapped)
{
	struct canvas *c = *state;
	struct area a = area_sub(canvas_area(c), 0, 1, 2, 6);

	/* rows outside the area are counted too */
	assert_int_equal(area_wrapped(a, 0, ROLE_BAD, "ab cd  ef gh"), 2);
	assert_rows(c, EXPECTED_TEXT, " ab cd\n ef gh\n\n");
	canvas_clear(c);
	assert_int_equal(area_wrapped(a, 1, ROLE_BAD, "éééééééé x 012345"),
			 4);
	assert_rows(c, EXPECTED_TEXT, "\n éééééé\n\n");
	assert_int_equal(area_wrapped(a, 1, ROLE_BAD, ""), 1);
	a.cols = 0;
	assert_int_equal(area_wrapped(a, 0, ROLE_BAD, "ab"), 0);
}

TEST(test_text_from_left_of_area)
{
	struct canvas *c = *state;

	area_text(canvas_area(c), 0, -2, 0, ROLE_DEFAULT, "abcd");
	area_text_right(canvas_area(c), 1, 3, ROLE_DEFAULT, "vwxyz");
	assert_rows(c, EXPECTED_TEXT, "cd\nxyz\n\n");
}

TEST(test_control_bytes_are_not_drawn)
{
	struct canvas *c = *state;

	area_text(canvas_area(c), 0, 0, 0, ROLE_DEFAULT,
		  "a\033[2Jb\177\t");
	/* C1 as UTF-8, and an invalid byte */
	area_text(canvas_area(c), 1, 0, 0, ROLE_DEFAULT, "a\xc2\x9b" "b\xff");
	/* text with right-to-left override */
	area_text(canvas_area(c), 2, 0, 0, ROLE_DEFAULT, "a\xe2\x80\xae" "b");
	for (int i = 0; i < c->rows * c->cols; i++) {
		assert_false(c->cells[i].ch < 0x20 || c->cells[i].ch == 0x7f);
		assert_false(c->cells[i].ch >= 0x80 && c->cells[i].ch < 0xa0);
		assert_int_not_equal(c->cells[i].ch, 0x202e);
	}
	assert_string_equal(screen_row(c, 0), "a?[2Jb??");
}

TEST(test_wide_characters)
{
	struct canvas *c = *state;
	struct area a = canvas_area(c);

	assert_int_equal(area_text(a, 0, 0, 0, ROLE_DEFAULT, "漢字x"), 5);
	assert_int_equal(c->cells[0].ch, 0x6f22);
	assert_int_equal(c->cells[1].ch, 0);
	assert_int_equal(c->cells[4].ch, 'x');
	/* does not fit in the last column */
	assert_int_equal(area_text(a, 1, 9, 0, ROLE_DEFAULT, "漢"), 0);
	/* only its right half is inside */
	area_text(a, 2, -1, 0, ROLE_DEFAULT, "漢b");
	assert_rows(c, EXPECTED_TEXT, "漢字x\n\n b\n");
}

TEST(test_half_of_a_wide_character_is_blank)
{
	struct canvas *c = *state;
	struct area a = canvas_area(c);

	area_text(a, 0, 0, 0, ROLE_DEFAULT, "漢字");
	area_put(a, 0, 1, ROLE_DEFAULT, 'x');
	area_put(a, 0, 2, ROLE_DEFAULT, 'y');
	assert_rows(c, EXPECTED_TEXT, " xy\n\n\n");
	/* also across the border of an area */
	area_text(a, 1, 0, 0, ROLE_DEFAULT, "漢字");
	area_text(area_sub(a, 1, 1, 1, 2), 0, 0, 0, ROLE_DEFAULT, "ab");
	assert_string_equal(screen_row(c, 1), " ab");
}

TEST(test_ascii)
{
	struct canvas *c = canvas_new(1, 10, true);

	area_text(canvas_area(c), 0, 0, 0, ROLE_DEFAULT, "aé漢b");
	area_put(canvas_area(c), 0, 5, ROLE_DEFAULT, 0x2588);
	assert_rows(c, EXPECTED_TEXT, "a??b ?\n");
	canvas_free(c);
}

TEST(test_area_sub_is_clipped)
{
	struct area a = canvas_area(*state);
	struct area sub = area_sub(area_sub(a, 1, 2, 2, 5), 0, 3, 9, 9);

	assert_int_equal(sub.row, 1);
	assert_int_equal(sub.col, 5);
	assert_int_equal(sub.rows, 2);
	assert_int_equal(sub.cols, 2);
	sub = area_sub(a, -5, 20, 3, 3);
	assert_int_equal(sub.rows, 0);
	assert_int_equal(sub.cols, 0);
	assert_int_equal(area_text(sub, 0, 0, 0, ROLE_BAD, "no"), 0);
	area_fill(sub, 0, 0, 4, ROLE_BAD, 'x');
	area_reverse(sub, 0, 0, 4);
	assert_rows(*state, EXPECTED_LOOKS, "\n\n\n\n\n\n");
}

TEST(test_looks)
{
	struct canvas *c = *state;
	struct area a = canvas_area(c);

	area_fill(a, 0, 0, 99, ROLE_DIM, '-');
	area_reverse(a, 0, 2, 3);
	area_role(a, 0, 4, 2, ROLE_GOOD);
	area_reverse(a, 1, 8, 99);
	area_printf(a, 2, 1, ROLE_VALUE, "%d%%", 42);
	assert_rows(c, EXPECTED_LOOKS,
		      "----------\n"
		      "ddDDGgdddd\n"
		      "\n"
		      "........RR\n"
		      " 42%\n"
		      ".vvv\n");
	canvas_clear(c);
	assert_rows(c, EXPECTED_LOOKS, "\n\n\n\n\n\n");
}

/* The text keeps its look, and what is drawn there later is not selected. */
TEST(test_selected)
{
	struct canvas *c = *state;
	struct area a = canvas_area(c);

	area_text(a, 0, 1, 0, ROLE_BAR_LOW, "##");
	area_text(a, 0, 4, 0, ROLE_DEFAULT, "x");
	area_reverse(a, 0, 2, 1);
	area_select(a, 0, 0, 99);
	area_put(a, 0, 6, ROLE_DEFAULT, 'y');
	assert_rows(c, EXPECTED_LOOKS,
		      " ## x y\n"
		      "_xX___.___\n"
		      "\n\n\n\n");
	for (int i = 0; i < c->cols; i++)
		assert_int_equal(c->cells[i].selected, i != 6);
	area_select(a, 1, -1, 3);
	area_select(a, 9, 0, 3);
	assert_true(c->cells[c->cols + 1].selected);
	assert_false(c->cells[c->cols + 2].selected);
}

TEST(test_absurd_sizes)
{
	struct canvas *c = canvas_new(INT_MAX, INT_MAX, false);

	assert_non_null(c);
	assert_int_equal(c->rows, CANVAS_MAX_ROWS);
	assert_int_equal(c->cols, CANVAS_MAX_COLS);
	canvas_free(c);
	c = canvas_new(-1, 0, false);
	assert_int_equal(c->rows, 1);
	assert_int_equal(c->cols, 1);
	canvas_free(c);
}

TEST(test_utf8)
{
	static const struct {
		uint32_t ch;
		const char *bytes;
	} cases[] = {
		{ 'a', "a" },
		{ 0xe9, "\xc3\xa9" },
		{ 0x2588, "\xe2\x96\x88" },
		{ 0x1f600, "\xf0\x9f\x98\x80" },
	};
	char buf[5];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(canvas_utf8(cases[i].ch, buf), i + 1);
		assert_string_equal(buf, cases[i].bytes);
	}
}

TEST_GROUP(canvas, .setup = frames_utf8, .each_setup = setup,
	   .each_teardown = teardown);
