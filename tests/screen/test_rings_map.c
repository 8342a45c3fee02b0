/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"

static int setup(void **state)
{
	*state = screen_new(&view_rings);
	return 0;
}

static int teardown(void **state)
{
	screen_free(*state);
	return 0;
}

static void make_fills(struct frame *f)
{
	for (size_t i = 0; i < f->nr_rings; i++) {
		double fill = (double)(i % 11) / 10;

		frames_fill(&f->rings[i], fill / 2, fill);
	}
}

static void make_crowd(struct frame *f)
{
	make_fills(f);
	frames_lossy(&f->rings[100]);
	f->rings[20].gone = true;
	f->rings[21].paused = true;
	frames_overwrite(&f->rings[22], false);
	frames_sum(f);
}

TEST(map_of_300)
{
	struct screen *s = *state;

	screen_open(s, 18, 80, 300);
	make_crowd(s->frame);
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 17),
			    " m: all rings as a map");
	screen_act(s, ACTION_MAP);
	assert_screen(s->canvas, EXPECTED_TEXT, "rings_map/map_of_300");
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_RIGHT);
	screen_act(s, ACTION_TAG);
	screen_act(s, ACTION_LEFT);
	assert_screen_rows(s->canvas, 0, 2, EXPECTED_LOOKS,
			   "rings_map/map_of_300_2");
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.shown_ring, 33);
	screen_click(s, 4, 8, true); /* the first of line 3 */
	assert_int_equal(s->shell.shown_ring, 96);
	screen_act(s, ACTION_END);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.shown_ring, 299);
	screen_act(s, ACTION_MAP);
	assert_memory_equal(screen_row(s->canvas, 15), "   CPU 299", 10);
}

/* Rings are in the usual order; those that do not match are left out. */
TEST(map_filtered)
{
	struct screen *s = *state;

	screen_open(s, 10, 80, 64);
	for (size_t i = 0; i < 64; i++)
		frames_fill(&s->frame->rings[i], 0, i < 32 ? 1 : .5);
	frames_lossy(&s->frame->rings[9]);
	screen_draw(s);
	screen_act(s, ACTION_MAP);
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "CPU 5");
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "rings_map/map_filtered");
}

TEST(sorted_by_what_is_shown)
{
	struct screen *s = *state;

	screen_open(s, 8, 80, 4);
	s->shell.config.sort = FIGURE_RATE;
	screen_draw(s);
	assert_null(strstr(screen_row(s->canvas, 7), "sorted by"));
}

TEST(sorted_by_what_is_not_shown)
{
	struct screen *s = *state;

	screen_open(s, 8, 40, 4);
	s->shell.config.sort = FIGURE_RATE;
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 7),
			    " sorted by B/S, which is not shown");
}

/* A click may come before the first picture of the map. */
TEST(click_undrawn)
{
	struct screen *s = *state;

	screen_open(s, 10, 80, 4);
	screen_draw(s);
	assert_true(view_rings.action(s->view, s->frame, ACTION_MAP));
	assert_false(view_rings.click(s->view, s->frame, 1, 20, false));
}

TEST(map_at_40x10)
{
	struct screen *s = *state;

	screen_open(s, 7, 40, 300);
	make_crowd(s->frame);
	screen_draw(s);
	screen_act(s, ACTION_MAP);
	/* the chosen order is used here too */
	screen_act(s, ACTION_WORST);
	assert_string_equal(screen_row(s->canvas, 6), " worst on top (W)");
	screen_act(s, ACTION_WORST);
	screen_act(s, ACTION_INVERT);
	assert_string_equal(screen_row(s->canvas, 6), " by RING▼");
	screen_act(s, ACTION_INVERT);
	screen_act(s, ACTION_PAGE_DOWN);
	assert_screen(s->canvas, EXPECTED_TEXT, "rings_map/map_at_40x10");
	view_rings.wheel(s->view, s->frame, -30);
	screen_draw(s);
	assert_memory_equal(screen_row(s->canvas, 0), "CPU 0", 5);
}

/* The loss is in the cell itself; the scale and the legend are there although
 * the notes have no room for one. */
TEST(map_of_6)
{
	struct screen *s = *state;

	screen_open(s, 12, 80, 6);
	make_fills(s->frame);
	frames_lossy(&s->frame->rings[1]);
	frames_lossy(&s->frame->rings[2]);
	frames_lossy(&s->frame->rings[3]);
	screen_draw(s);
	screen_act(s, ACTION_MAP);
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "CPU");
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_LOOKS, "rings_map/map_of_6");
	screen_act(s, ACTION_RIGHT);
	screen_act(s, ACTION_TAG);
	assert_screen_rows(s->canvas, 1, 1, EXPECTED_LOOKS,
			   "rings_map/map_of_6_2");
}

TEST_GROUP(rings_map, .each_setup = setup, .each_teardown = teardown);
