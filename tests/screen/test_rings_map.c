/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>

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

static void make_crowd(struct frame *f)
{
	for (size_t i = 0; i < f->nr_rings; i++) {
		double fill = (double)(i % 11) / 10;

		frames_fill(&f->rings[i], fill / 2, fill);
	}
	frames_lossy(&f->rings[100]);
	f->rings[20].gone = true;
	f->rings[21].paused = true;
	frames_overwrite(&f->rings[22], false);
	frames_sum(f);
}

static void map_of_300(void **state)
{
	struct screen *s = *state;

	screen_open(s, 18, 80, 300);
	make_crowd(s->frame);
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 17),
			    " m: all rings as a map");
	screen_act(s, ACTION_MAP);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 0   ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ × P █ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █\n"
		"CPU 32  █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇\n"
		"CPU 64  █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆\n"
		"CPU 96  ▇ █ █ ▁ █!▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆\n"
		"CPU 128 ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅\n"
		"CPU 160 ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄\n"
		"CPU 192 ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄\n"
		"CPU 224 ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃\n"
		"CPU 256 ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂\n"
		"CPU 288 ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃\n"
		"   RING    FILL                FILL% PEAK  RATE REC/S WAKE/S   LOST HIST\n"
		"   CPU 0   ▕        │        ▏    0%   0%  100K 2.00k    0.4      0 ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		"   CPU 100 ▕████████████████│▏   98% 100%  100K 2.00k    0.4 !12.3k ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		"   CPU 10  ▕████████▌       │▏   50% 100%  100K 2.00k    0.4      0 ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		" P CPU 21  ▕████████▌       │▏   50% 100%  100K 2.00k    0.4      0 ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		"   CPU 32  ▕████████▌       │▏   50% 100%  100K 2.00k    0.4      0 ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		"   all 300 ▕████▍            ▏   25% 100% 29.3M  601k    120 !12.3k\n"
		" fullest in the last tick: ▁ 0 to █ 100% · ! losing  P paused  × gone\n");
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_RIGHT);
	screen_act(s, ACTION_TAG);
	screen_act(s, ACTION_LEFT);
	assert_screen_from(s->canvas, 0, FRAMES_ATTRIBUTES,
		"CPU 0   ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ × P █ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █\n"
		"lllll...x.x.x.x.x.y.y.y.z.z.z.x.x.x.x.x.y.y.y.z.d.w.p.x.x.x.x.y.y.y.z.z\n"
		"CPU 32  █ ▁*▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇ █ █ ▁ ▂ ▃ ▄ ▄ ▅ ▆ ▆ ▇\n"
		"llllll..z.XAx.x.x.x.y.y.y.z.z.z.x.x.x.x.x.y.y.y.z.z.z.x.x.x.x.x.y.y.y.z\n");
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->host.shown_ring, 33);
	screen_click(s, 3, 8, true); /* the first of line 3 */
	assert_int_equal(s->host.shown_ring, 96);
	screen_act(s, ACTION_END);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->host.shown_ring, 299);
	screen_act(s, ACTION_MAP);
	assert_memory_equal(screen_row(s->canvas, 15), "   CPU 299", 10);
}

/* Rings stand where they always do; those that do not match are left out. */
static void map_filtered(void **state)
{
	struct screen *s = *state;

	screen_open(s, 10, 80, 64);
	for (size_t i = 0; i < 64; i++)
		frames_fill(&s->frame->rings[i], 0, i < 32 ? 1 : .5);
	frames_lossy(&s->frame->rings[9]);
	screen_draw(s);
	screen_act(s, ACTION_MAP);
	screen_act(s, ACTION_FILTER);
	fake_host_answer(&s->host, "CPU 5");
	screen_draw(s);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 0  · · · · · █ · · · · · · · · · · · · · · · · · · · · · · · · · ·\n"
		"CPU 32 · · · · · · · · · · · · · · · · · · ▅ ▅ ▅ ▅ ▅ ▅ ▅ ▅ ▅ ▅ · · · ·\n"
		"   RING   FILL                 FILL% PEAK  RATE REC/S WAKE/S   LOST HIST\n"
		"   CPU 0  ▕         │       ▐▏    0% 100%  100K 2.00k    0.4      0 ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		"   CPU 5  ▕         │       ▐▏    0% 100%  100K 2.00k    0.4      0 ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		"   CPU 50 ▕        ▐│        ▏    0%  50%  100K 2.00k    0.4      0 ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		"   CPU 51 ▕        ▐│        ▏    0%  50%  100K 2.00k    0.4      0 ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		"   CPU 52 ▕        ▐│        ▏    0%  50%  100K 2.00k    0.4      0 ▂▃▄▅▂▃▄▅▂▃▄▅\n"
		"   all 64 ▕██▎               ▏   12%  63%  6.2M  128k   25.6      0\n"
		" filter \"CPU 5\": 11 of 64\n");
}

static void sorted_by_what_is_shown(void **state)
{
	struct screen *s = *state;

	screen_open(s, 8, 80, 4);
	s->host.config.sort = COLUMN_RATE;
	screen_draw(s);
	assert_null(strstr(screen_row(s->canvas, 7), "sorted by"));
}

static void sorted_by_what_is_not_shown(void **state)
{
	struct screen *s = *state;

	screen_open(s, 8, 40, 4);
	s->host.config.sort = COLUMN_RATE;
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 7),
			    " sorted by RATE, which is not shown");
}

static void map_at_40x10(void **state)
{
	struct screen *s = *state;

	screen_open(s, 7, 40, 300);
	make_crowd(s->frame);
	screen_draw(s);
	screen_act(s, ACTION_MAP);
	screen_act(s, ACTION_PAGE_DOWN);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 24  ▃▄▄▅▆▆▇██▁▂▃▄▄▅▆▆▇██▁▂▃▄       ┃\n"
		"CPU 48  ▄▅▆▆▇██▁▂▃▄▄▅▆▆▇██▁▂▃▄▄▅       │\n"
		"CPU 72  ▆▆▇██▁▂▃▄▄▅▆▆▇██▁▂▃▄▄▅▆▆       │\n"
		" › RING    FILL        FILL% PEAK   LOST\n"
		"   CPU 72  ▕██▊ │▐   ▏   30%  60%      0\n"
		"   CPU 100 ▕████████│▏   98% 100% !12.3k\n"
		"   all 300 ▕██▎      ▏   25% 100% !12.3k\n");
	view_rings.wheel(s->view, s->frame, -30);
	screen_draw(s);
	assert_memory_equal(screen_row(s->canvas, 0), "CPU 0", 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(map_of_300), TEST(map_at_40x10), TEST(map_filtered),
	TEST(sorted_by_what_is_shown),
	TEST(sorted_by_what_is_not_shown),
};

TEST_GROUP(rings_map, tests, NULL, NULL);
