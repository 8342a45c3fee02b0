/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/views/ring/ring_detail.h"

enum {
	TALL = 90,		/* rows in which all of a detail has room */
};

static int setup(void **state)
{
	*state = screen_new(&view_ring_detail);
	return 0;
}

static int teardown(void **state)
{
	screen_free(*state);
	return 0;
}

/* The detail of one of eight rings. */
static void open_ring(struct screen *s, int rows, int cols, size_t ring)
{
	static const uint64_t listed[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	screen_open(s, rows, cols, 8);
	s->shell.shell.listed = listed;
	s->shell.shell.nr_listed = 8;
	view_ring_detail.focus(s->view, ring);
}

TEST(calm_at_80)
{
	struct screen *s = *state;

	open_ring(s, TALL, 80, 3);
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "ring_detail/calm_at_80");
}

/* The view's part of 80x24 shows all that matters for a loss. */
TEST(losing_at_80x24)
{
	struct screen *s = *state;

	open_ring(s, 21, 80, 3);
	frames_lossy(&s->frame->rings[3]);
	s->frame->rings[3].paused = true;
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_LOOKS, "ring_detail/losing_at_80x24");
}

TEST(scrolls_at_40x10)
{
	struct screen *s = *state;

	open_ring(s, 7, 40, 0);
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "ring_detail/scrolls_at_40x10");
	screen_act(s, ACTION_PAGE_DOWN);
	assert_screen(s->canvas, EXPECTED_TEXT,
		      "ring_detail/scrolls_at_40x10_2");
	screen_act(s, ACTION_END);
	assert_screen(s->canvas, EXPECTED_TEXT,
		      "ring_detail/scrolls_at_40x10_3");
	view_ring_detail.wheel(s->view, s->frame, -3);
	screen_draw(s);
	assert_memory_equal(screen_row(s->canvas, 3),
			    "  33us-66us ", 12);
	screen_act(s, ACTION_HOME);
	assert_memory_equal(screen_row(s->canvas, 0), "CPU 0", 5);
	for (int i = 0; i < 9; i++)
		screen_act(s, ACTION_PAGE_DOWN);
	assert_screen(s->canvas, EXPECTED_TEXT,
		      "ring_detail/scrolls_at_40x10_4");
}

TEST(two_columns)
{
	struct screen *s = *state;

	open_ring(s, 45, 140, 3);
	frames_lossy(&s->frame->rings[3]);
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "ring_detail/two_columns");
}

TEST(three_columns)
{
	struct screen *s = *state;

	open_ring(s, TALL, 200, 3);
	s->frame->rings[3].events[1].name =
		"syscalls:sys_enter_rt_sigprocmask";
	screen_draw(s);
	assert_screen_rows(s->canvas, 5, s->canvas->rows, EXPECTED_TEXT,
			   "ring_detail/three_columns");
}

/* Names first: other columns make room. */
TEST(event_names)
{
	static const struct {
		int cols;
		const char *name, *expected;
	} rows[] = {
		{ 80, "cpu-clock",
		  "cpu-clock                                 20000        20000            0  2.00k" },
		{ 58, "cpu-clock",
		  "cpu-clock           20000        20000            0  2.00k" },
		{ 58, "raw_syscalls:sys_enter",
		  "raw_syscalls:sys_enter         20.0k   20.0k      0  2.00k" },
		{ 58, "syscalls:sys_enter_newfstatat",
		  "syscalls:sys_enter_newfstatat  20.0k   20.0k      0  2.00k" },
		{ 39, "cpu-clock",
		  "cpu-clock   20.0k   20.0k      0  2.00k" },
		{ 39, "raw_syscalls:sys_enter",
		  "raw_syscalls:sys_enter     20.0k      0" },
		{ 39, "syscalls:sys_enter_newfstatat",
		  "syscalls:sy…r_newfstatat   20.0k      0" },
	};
	struct screen *s = *state;
	struct ring_row *r;

	open_ring(s, 4, 80, 0);
	r = &s->frame->rings[0];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r->events[1].name = rows[i].name;
		canvas_clear(s->canvas);
		ring_tables_events(area_sub(canvas_area(s->canvas), 0, 0, 4,
					    rows[i].cols), 0, r);
		assert_string_equal(screen_row(s->canvas, 3),
				    rows[i].expected);
	}
}

/* A source that counts itself: counts have no age. */
TEST(counts_without_age)
{
	struct screen *s = *state;

	open_ring(s, 4, 40, 0);
	frames_reads(&s->frame->rings[0])->counts_age = 0;
	ring_tables_events(canvas_area(s->canvas), 0, &s->frame->rings[0]);
	assert_string_equal(screen_row(s->canvas, 0),
			    "Events ─────────────────────────────────");
}

TEST(in_ascii)
{
	struct screen *s = *state;

	open_ring(s, TALL, 80, 4);
	s->canvas->ascii = true;
	frames_fill(&s->frame->rings[4], .6, .7);
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "ring_detail/in_ascii");
	for (int i = 0; i < TALL * 80; i++)
		assert_in_range(s->canvas->cells[i].ch, 0x20, 0x7e);
}

TEST(overwrite_ring)
{
	struct screen *s = *state;

	open_ring(s, TALL, 80, 2);
	frames_overwrite(&s->frame->rings[2], false);
	screen_draw(s);
	assert_screen_rows(s->canvas, 0, screen_find(s, "Overwrite ─") + 3,
			   EXPECTED_TEXT, "ring_detail/overwrite_ring");
	screen_act(s, ACTION_READ);
	assert_int_equal(s->shell.requests[0].kind, REQUEST_READ);
	assert_int_equal(s->shell.requests[0].ring, 2);
	frames_overwrite(&s->frame->rings[2], true);
	screen_draw(s);
	assert_screen_rows(s->canvas, screen_find(s, "Overwrite ─"), 7,
			   EXPECTED_TEXT, "ring_detail/overwrite_ring_2");
}

/* Of a recording: bytes, as in the line below. */
TEST(chart_of_bytes)
{
	struct screen *s = *state;

	open_ring(s, TALL, 80, 0);
	s->frame->rings[0].size = s->frame->rings[0].used = UNKNOWN;
	screen_draw(s);
	assert_true(screen_has(s, "  100K/s"));
}

TEST(copies_the_command)
{
	struct screen *s = *state;
	char *setting;

	open_ring(s, 20, 80, 0);
	setting = s->frame->rings[0].advice.setting;
	setting[0] = '\0';
	screen_draw(s);
	assert_null(view_ring_detail.label(s->view, ACTION_COPY));
	strcpy(setting, "perf record -m 128");
	screen_draw(s);
	assert_true(screen_has(s, "For perf's reader: perf record -m 128"));
	assert_string_equal(view_ring_detail.label(s->view, ACTION_COPY),
			    "Copy");
	screen_act(s, ACTION_COPY);
	assert_string_equal(s->shell.copied, "perf record -m 128");
}

/* Unknown is "-", never 0. */
TEST(aux_ring)
{
	struct screen *s = *state;

	open_ring(s, TALL, 80, 0);
	frames_aux(&s->frame->rings[0], true);
	frames_aux_flags(&s->frame->rings[0]);
	screen_draw(s);
	assert_true(screen_find(s, "AUX ring, full trace") > 0);
	assert_screen_rows(s->canvas, screen_find(s, "AUX ring ─"), 9,
			   EXPECTED_TEXT, "ring_detail/aux_ring");
	screen_act(s, ACTION_END);
	assert_true(screen_has(s, "AUX fill "));
	frames_aux(&s->frame->rings[0], false);
	frames_reads(&s->frame->rings[0])->aux.read_cost = 34e-6;
	screen_act(s, ACTION_HOME);
	assert_true(screen_has(s, "wraps                 12+  "));
	assert_true(screen_has(s, "since last stop      3.2s"));
	assert_true(screen_has(s, "stopped by r         34us"));
	assert_true(screen_has(s, "tail                    -  "));
	/* the key for some rings is for this one */
	screen_act(s, ACTION_SNAPSHOT_SOME);
	assert_int_equal(s->shell.requests[0].kind, REQUEST_SNAPSHOT);
	assert_int_equal(s->shell.nr_rings, 1);
	assert_int_equal(s->shell.rings[0], 0);
}

TEST(unknown_values)
{
	struct screen *s = *state;

	open_ring(s, TALL, 80, 1);
	frames_unknown(&s->frame->rings[1]);
	s->frame->rings[1].events[0].count = 7;
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "ring_detail/unknown_values");
}

TEST(hostile_names)
{
	struct screen *s = *state;
	struct ring_row *r;

	open_ring(s, TALL, 80, 1);
	r = &s->frame->rings[1];
	memcpy(frames_reads(r)->pids[0].comm,
	       "\033[2J\xff\r\n\x9b" "1;31m", 14);
	r->events[1].name = "evil\033]0;title\a";
	memcpy(r->comm, "\xe2\x82\x1b[0m", 7);
	screen_draw(s);
	for (int i = 0; i < TALL * 80; i++) {
		assert_in_range(s->canvas->cells[i].ch, 0x20, 0xfffd);
		assert_not_in_range(s->canvas->cells[i].ch, 0x7f, 0x9f);
	}
	assert_true(screen_find(s, "evil?]0;title? ") > 0);
	assert_true(screen_find(s, " ?[2J") > 0);
}

TEST(other_rings)
{
	struct screen *s = *state;

	open_ring(s, 10, 60, 6);
	screen_draw(s);
	screen_act(s, ACTION_RIGHT);
	assert_int_equal(s->shell.shell.visited, 7);
	screen_act(s, ACTION_RIGHT);
	assert_int_equal(s->shell.shell.visited, 7);
	assert_string_equal(s->shell.message,
			    "this is the last row of the list");
	assert_screen_rows(s->canvas, 0, 1, EXPECTED_TEXT,
			   "ring_detail/other_rings");
	for (int i = 0; i < 10; i++)
		screen_act(s, ACTION_LEFT);
	assert_memory_equal(screen_row(s->canvas, 0), "CPU 0", 5);
	assert_int_equal(s->shell.shell.visited, 0);
	screen_act(s, ACTION_GROW);
	assert_int_equal(s->shell.requests[0].ring, 0);
	assert_true(s->shell.requests[0].on);
	/* Esc is for the app, which closes the view */
	screen_passes_on(s, ACTION_CANCEL);
}

/* In the order of the list, without those that its filter hid. */
TEST(other_rings_of_the_list)
{
	struct screen *s = *state;

	open_ring(s, 10, 60, 6);
	s->shell.shell.listed = (const uint64_t[]){ 2, 6, 1 };
	s->shell.shell.nr_listed = 3;
	screen_act(s, ACTION_LEFT);
	assert_true(screen_has(s, "CPU 2 "));
	assert_true(screen_has(s, "1 of 3"));
	screen_act(s, ACTION_RIGHT);
	screen_act(s, ACTION_RIGHT);
	assert_true(screen_has(s, "CPU 1 "));
	assert_int_equal(s->shell.shell.visited, 1);
}

TEST(ring_went_away)
{
	struct screen *s = *state;

	open_ring(s, 10, 60, 7);
	s->frame->nr_rings = 3;
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 0), "no such ring");
	screen_act(s, ACTION_GROW);
	assert_int_equal(s->shell.nr_requests, 0);
}

TEST(many_events)
{
	struct screen *s = *state;
	struct ring_row *r;

	open_ring(s, 20, 80, 0);
	r = &s->frame->rings[0];
	r->events = reallocarray(r->events, 1000, sizeof(*r->events));
	for (size_t i = 2; i < 1000; i++)
		r->events[i] = r->events[1];
	r->nr_events = 1000;
	screen_draw(s);
	screen_act(s, ACTION_END);
	for (int page = 0; page < 10 && !screen_has(s, "and 800 more"); page++)
		screen_act(s, ACTION_PAGE_UP);
	assert_true(screen_has(s, "and 800 more"));
}

TEST_GROUP(ring_detail, .each_setup = setup, .each_teardown = teardown);
