/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <string.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/kit/list.h"
#include "ui/kit/listing.h"
#include "ui/views/ring_history.h"

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

/* Make one ring of every kind that the table distinguishes. */
static void make_motley(struct frame *f)
{
	frames_fill(&f->rings[1], .62, .75);
	f->rings[2].paused = true;
	frames_lossy(&f->rings[3]);
	f->rings[4].gone = true;
	frames_overwrite(&f->rings[5], false);
	frames_unknown(&f->rings[6]);
	frames_thread(&f->rings[7], 31337, "evil\033[31m\xff\x9b");
	f->rings[7].enabled = false;
	frames_sum(f);
}

TEST(at_80x24)
{
	struct screen *s = *state;

	screen_open(s, 10, 80, 8);
	make_motley(s->frame);
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_LOOKS, "rings/at_80x24");
}

TEST(at_80x24_ascii)
{
	struct screen *s = *state;

	screen_open(s, 10, 80, 8);
	s->canvas->ascii = true;
	make_motley(s->frame);
	screen_draw(s);
	assert_screen_rows(s->canvas, 0, 6, EXPECTED_TEXT,
			   "rings/at_80x24_ascii");
}

/* The view's part of 40x10: header lines and a footer are the app's. */
TEST(at_40x10)
{
	struct screen *s = *state;

	screen_open(s, 7, 40, 8);
	make_motley(s->frame);
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "rings/at_40x10");
}

TEST(at_200x60)
{
	struct screen *s = *state;

	screen_open(s, 58, 200, 4);
	frames_lossy(&s->frame->rings[3]);
	frames_sum(s->frame);
	screen_draw(s);
	assert_screen_rows(s->canvas, 0, 5, EXPECTED_TEXT, "rings/at_200x60");
	assert_string_equal(screen_row(s->canvas, 55), "");
	assert_string_equal(screen_row(s->canvas, 56), " bar: │ watermark  "
			    "▐ peak · ! losing  × gone  P paused  D disabled  "
			    "O overwrite");
	assert_int_equal(strncmp(screen_row(s->canvas, 57), "   all 4", 8),
			 0);
}

/* On a line that no row needs; what does not fit is left out. */
TEST(legend)
{
	struct screen *s = *state;

	screen_open(s, 12, 44, 8);
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 10),
			    " bar: │ watermark  ▐ peak · ! losing  × gone");
	screen_open(s, 12, 40, 9);
	s->canvas->ascii = true;
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 10),
			    " bar: | watermark  > peak - ! losing");
	screen_open(s, 12, 80, 10);
	screen_draw(s);
	assert_false(screen_has(s, "watermark  "));
	/* without bars they need no legend */
	s->shell.config.columns[CONFIG_RINGS] = (struct config_columns){
		{ FIGURE_RING, FIGURE_LOST }, 2
	};
	screen_open(s, 12, 80, 2);
	screen_draw(s);
	assert_int_equal(screen_find(s, " ! losing  × gone  P paused"), 10);
}

/* No control character of a name reaches the terminal. */
TEST(hostile_names)
{
	struct screen *s = *state;
	struct ring_row *r;

	screen_open(s, 4, 60, 1);
	r = &s->frame->rings[0];
	frames_thread(r, 7, "\033]0;x\a\xc3z\x9b" "2J\n\r");
	strcpy(r->label, "\033[2J\ntid 7");
	s->shell.config.columns[CONFIG_RINGS].shown[1] = FIGURE_COMM;
	s->shell.config.columns[CONFIG_RINGS].nr = 2;
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "rings/hostile_names");
	for (int i = 0; i < 4 * 60; i++)
		assert_in_range(s->canvas->cells[i].ch, 0x20, 0x2fff);
	r->comm[0] = '\0';
	screen_draw(s);
	assert_non_null(strstr(screen_row(s->canvas, 1), " -"));
}

TEST(one_ring_has_no_total)
{
	struct screen *s = *state;

	screen_open(s, 4, 80, 1);
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "rings/one_ring_has_no_total");
}

TEST(no_rings)
{
	struct screen *s = *state;

	screen_open(s, 5, 80, 0);
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 2), "  no rings yet");
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_TAG);
	screen_act(s, ACTION_GROW);
	screen_act(s, ACTION_OPEN);
	screen_act(s, ACTION_MAP);
	screen_act(s, ACTION_RIGHT);
	assert_int_equal(s->shell.nr_requests, 0);
	assert_int_equal(s->shell.shown, VIEW_NONE);
}

TEST(many_rings_scroll)
{
	struct screen *s = *state;

	screen_open(s, 8, 80, 300);
	frames_lossy(&s->frame->rings[150]);
	frames_sum(s->frame);
	screen_draw(s);
	for (int i = 0; i < 30; i++)
		screen_act(s, ACTION_PAGE_DOWN);
	assert_screen_rows(s->canvas, 0, 6, EXPECTED_TEXT,
			   "rings/many_rings_scroll");
	screen_act(s, ACTION_END);
	assert_memory_equal(screen_row(s->canvas, 5), "   CPU 299", 10);
	screen_act(s, ACTION_HOME);
	assert_memory_equal(screen_row(s->canvas, 1), "   CPU 0 ", 9);
	view_rings.wheel(s->view, s->frame, 3);
	screen_draw(s);
	assert_memory_equal(screen_row(s->canvas, 1), "   CPU 3 ", 9);
}

TEST(columns_scroll)
{
	struct screen *s = *state;

	screen_open(s, 5, 40, 3);
	screen_draw(s);
	screen_act(s, ACTION_RIGHT);
	screen_act(s, ACTION_RIGHT);
	screen_act(s, ACTION_RIGHT);
	assert_screen(s->canvas, EXPECTED_TEXT, "rings/columns_scroll");
	for (int i = 0; i < 20; i++)
		screen_act(s, ACTION_RIGHT);
	assert_string_equal(screen_row(s->canvas, 0),
			    "‹  RING▲  VERDICT         HIST");
	for (int i = 0; i < 20; i++)
		screen_act(s, ACTION_LEFT);
	assert_string_equal(screen_row(s->canvas, 0),
			    " › RING▲  FILL         FILL% PEAK   LOST");
}

TEST(sort_by_click)
{
	struct screen *s = *state;
	struct frame *f;

	screen_open(s, 6, 80, 4);
	f = s->frame;
	f->rings[1].bytes_per_s = 5e6;
	f->rings[2].bytes_per_s = NAN;
	f->rings[3].bytes_per_s = 7;
	screen_draw(s);
	screen_click(s, 0, 43, false);
	assert_int_equal(s->shell.config.sort, FIGURE_RATE);
	assert_screen_rows(s->canvas, 0, 2, EXPECTED_LOOKS,
			   "rings/sort_by_click");
	/* again: inverted; unknown values stay last */
	screen_click(s, 0, 43, false);
	assert_screen_rows(s->canvas, 0, 5, EXPECTED_TEXT,
			   "rings/sort_by_click_2");
	screen_act(s, ACTION_INVERT);
	assert_memory_equal(screen_row(s->canvas, 1), "   CPU 1 ", 9);
	/* a heading as wide as its column: the arrow has room of its own */
	screen_click(s, 0, 49, false);
	assert_int_equal(s->shell.config.sort, FIGURE_RECORDS);
	assert_non_null(strstr(screen_row(s->canvas, 0),
			       "PEAK   B/S ▼REC/S WAKE/S"));
}

TEST(sort_by_popup)
{
	struct screen *s = *state;

	screen_open(s, 12, 80, 4);
	screen_draw(s);
	screen_act(s, ACTION_SORT);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_DOWN);
	assert_screen_rows(s->canvas, 0, 5, EXPECTED_TEXT,
			   "rings/sort_by_popup");
	screen_act(s, ACTION_CANCEL);
	assert_int_equal(s->shell.config.sort, FIGURES);
	screen_act(s, ACTION_SORT);
	screen_act(s, ACTION_END);
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.config.sort, FIGURE_COLLISION);
	assert_int_equal(s->shell.shown, VIEW_NONE);
	screen_act(s, ACTION_SORT);
	screen_click(s, 3, 20, false);
	assert_int_not_equal(s->shell.config.sort, FIGURE_COLLISION);
	screen_act(s, ACTION_SORT);
	screen_click(s, 3, 0, false);
	screen_act(s, ACTION_DOWN); /* closed: this moves the cursor again */
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.shown, VIEW_RING_DETAIL);
}

/* By losses, then by the peak of the tick, then by fill. */
TEST(worst_on_top)
{
	struct screen *s = *state;
	struct frame *f;

	screen_open(s, 9, 80, 6);
	f = s->frame;
	f->rings[2].peak_tick = .9;
	f->rings[3].fill = .4;
	frames_lossy(&f->rings[4]);
	frames_overwrite(&f->rings[5], false);
	frames_sum(f);
	screen_draw(s);
	screen_act(s, ACTION_WORST);
	assert_screen_rows(s->canvas, 0, 7, EXPECTED_TEXT,
			   "rings/worst_on_top");
	screen_act(s, ACTION_WORST);
	assert_memory_equal(screen_row(s->canvas, 1), "   CPU 0 ", 9);
}

TEST(cursor_stays_on_its_ring)
{
	struct screen *s = *state;

	screen_open(s, 9, 80, 6);
	screen_draw(s);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_DOWN);
	assert_int_equal(screen_cursor(s), 3);
	frames_lossy(&s->frame->rings[2]);
	screen_act(s, ACTION_WORST);
	assert_int_equal(screen_cursor(s), 1);
	s->frame->rings[5].lost_per_s = 1e6;
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 2);
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.shown_ring, 2);
}

/* Left and Right in the detail move it too, unless the filter hides that. */
TEST(cursor_follows_the_detail)
{
	struct screen *s = *state;

	screen_open(s, 14, 80, 8);
	screen_draw(s);
	assert_true(s->shell.shell.visited == VIEW_NO_ROW);
	s->shell.shell.visited = 5;
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 6);
	assert_true(s->shell.shell.visited == VIEW_NO_ROW);
	screen_act(s, ACTION_UP);
	assert_int_equal(screen_cursor(s), 5);
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "CPU 2");
	s->shell.shell.visited = 7;
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 1);
}

/* Nobody moved it: it stays at the top, whatever comes there. */
TEST(cursor_starts_on_top)
{
	struct screen *s = *state;

	screen_open(s, 9, 80, 6);
	screen_draw(s);
	screen_act(s, ACTION_WORST);
	s->frame->rings[5].lost_per_s = 1e6;
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 1);
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.shown_ring, 5);
}

TEST(search_while_typing)
{
	struct screen *s = *state;

	screen_open(s, 7, 80, 40);
	frames_thread(&s->frame->rings[30], 4711, "Worker");
	screen_draw(s);
	screen_act(s, ACTION_SEARCH);
	assert_true(s->shell.live);
	fake_shell_answer(&s->shell, "worker");
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_LOOKS, "rings/search_while_typing");
	screen_act(s, ACTION_SEARCH_NEXT);
	assert_int_equal(screen_cursor(s), 4);
	screen_act(s, ACTION_CANCEL);
	assert_null(strstr(screen_row(s->canvas, 6), "search"));
	screen_passes_on(s, ACTION_CANCEL);
}

/* A search that is typed and deleted again leaves the cursor where it was. */
TEST(search_taken_back)
{
	struct screen *s = *state;

	screen_open(s, 14, 80, 8);
	screen_draw(s);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_SEARCH);
	s->shell.done(s->view, "6", false);
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 7);
	s->shell.done(s->view, "", false);
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 2);
}

TEST(search_wraps)
{
	struct screen *s = *state;

	screen_open(s, 8, 80, 4);
	screen_draw(s);
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, "cpu");
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 1);
	screen_act(s, ACTION_SEARCH_NEXT);
	assert_int_equal(screen_cursor(s), 2);
	screen_act(s, ACTION_SEARCH_NEXT);
	screen_act(s, ACTION_SEARCH_NEXT);
	screen_act(s, ACTION_SEARCH_NEXT);
	assert_int_equal(screen_cursor(s), 1);
}

TEST(search_without_match)
{
	struct screen *s = *state;

	screen_open(s, 8, 80, 4);
	screen_draw(s);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, "3x");
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 7),
			    " search \"3x\": no match");
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, NULL);
	screen_draw(s);
	assert_null(strstr(screen_row(s->canvas, 7), "search"));
	assert_int_equal(screen_cursor(s), 2);
}

TEST(filter_hides)
{
	struct screen *s = *state;

	screen_open(s, 7, 80, 40);
	screen_draw(s);
	screen_act(s, ACTION_END);
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "cpu 1");
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "rings/filter_hides");
	screen_act(s, ACTION_FILTER);
	assert_string_equal(s->shell.initial, "cpu 1");
	fake_shell_answer(&s->shell, "nothing");
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 2),
			    "  no ring matches the filter");
	screen_act(s, ACTION_CANCEL);
	assert_memory_equal(screen_row(s->canvas, 1), "   CPU", 6);
}

TEST(tags)
{
	struct screen *s = *state;

	screen_open(s, 7, 80, 4);
	screen_draw(s);
	screen_act(s, ACTION_TAG);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_TAG);
	assert_screen_rows(s->canvas, 0, 4, EXPECTED_LOOKS, "rings/tags");
	screen_act(s, ACTION_GROW);
	assert_int_equal(s->shell.nr_requests, 2);
	assert_int_equal(s->shell.requests[0].kind, REQUEST_RESIZE);
	assert_int_equal(s->shell.requests[0].ring, 0);
	assert_true(s->shell.requests[0].on);
	assert_int_equal(s->shell.requests[1].ring, 2);
	screen_act(s, ACTION_UNTAG);
	screen_act(s, ACTION_SHRINK);
	assert_int_equal(s->shell.nr_requests, 3);
	assert_int_equal(s->shell.requests[2].ring, 3);
	assert_false(s->shell.requests[2].on);
}

TEST(toggles)
{
	struct screen *s = *state;

	screen_open(s, 7, 80, 3);
	screen_draw(s);
	screen_act(s, ACTION_PAUSE);
	assert_int_equal(s->shell.requests[0].kind, REQUEST_PAUSE);
	assert_true(s->shell.requests[0].on);
	s->frame->rings[0].paused = true;
	screen_act(s, ACTION_PAUSE);
	assert_false(s->shell.requests[1].on);
	screen_act(s, ACTION_ENABLE);
	assert_int_equal(s->shell.requests[2].kind, REQUEST_ENABLE);
	assert_false(s->shell.requests[2].on);
	screen_act(s, ACTION_READ);
	assert_int_equal(s->shell.nr_requests, 3);
	assert_non_null(strstr(s->shell.message, "overwrite"));
	frames_overwrite(&s->frame->rings[0], false);
	screen_act(s, ACTION_READ);
	assert_int_equal(s->shell.requests[3].kind, REQUEST_READ);
	/* tagged rings of both states get the same state */
	screen_act(s, ACTION_TAG);
	screen_act(s, ACTION_TAG);
	screen_act(s, ACTION_PAUSE);
	assert_int_equal(s->shell.nr_requests, 6);
	assert_false(s->shell.requests[4].on);
	assert_false(s->shell.requests[5].on);
}

TEST(rate_prompt)
{
	struct screen *s = *state;
	static const struct {
		const char *text;
		enum request_kind kind;
		uint64_t value;	/* 0: refused */
	} cases[] = {
		{ "4000", REQUEST_FREQ, 4000 },
		{ "c1000", REQUEST_PERIOD, 1000 },
		{ "C7", REQUEST_PERIOD, 7 },
		{ "0", REQUEST_FREQ, 0 },
		{ "c", REQUEST_FREQ, 0 },
		{ "fast", REQUEST_FREQ, 0 },
		{ "-5", REQUEST_FREQ, 0 },
		{ "99999999999999999999", REQUEST_FREQ, 0 },
	};

	screen_open(s, 7, 80, 2);
	screen_draw(s);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s->shell.nr_requests = 0;
		s->shell.message[0] = '\0';
		screen_act(s, ACTION_RATE);
		fake_shell_answer(&s->shell, cases[i].text);
		assert_int_equal(s->shell.nr_requests, !!cases[i].value);
		if (!cases[i].value) {
			assert_int_equal(s->shell.message_role, ROLE_BAD);
			assert_true(*s->shell.message);
			continue;
		}
		assert_int_equal(s->shell.requests[0].kind, cases[i].kind);
		assert_int_equal(s->shell.requests[0].value,
				 cases[i].value);
	}
	s->shell.nr_requests = 0;
	screen_act(s, ACTION_RATE);
	fake_shell_answer(&s->shell, NULL);
	assert_int_equal(s->shell.nr_requests, 0);
}

/* A clock's period below the kernel's limit needs a second Enter. */
TEST(short_period)
{
	struct screen *s = *state;

	screen_open(s, 7, 80, 2);
	/* no whole number of ns, as after the kernel lowered it */
	s->frame->rates = (struct event_rates){ .max = 79750, .clock = true };
	screen_draw(s);
	screen_act(s, ACTION_RATE);
	fake_shell_answer(&s->shell, "c10");
	assert_int_equal(s->shell.nr_requests, 0);
	assert_string_equal(s->shell.prompt, "Enter again to set it: ");
	assert_string_equal(s->shell.message, "a sample every 10 ns exceeds "
			    "kernel.perf_event_max_sample_rate, 79750 per "
			    "second: interrupts may fill the CPUs");
	assert_string_equal(s->shell.initial, "c10");
	fake_shell_answer(&s->shell, NULL);
	assert_int_equal(s->shell.nr_requests, 0);
	/* another period has to be confirmed again */
	screen_act(s, ACTION_RATE);
	fake_shell_answer(&s->shell, "c10");
	fake_shell_answer(&s->shell, "c11");
	assert_int_equal(s->shell.nr_requests, 0);
	fake_shell_answer(&s->shell, "c11");
	assert_int_equal(s->shell.nr_requests, 1);
	assert_int_equal(s->shell.requests[0].kind, REQUEST_PERIOD);
	assert_int_equal(s->shell.requests[0].value, 11);
	/* however it is written */
	screen_act(s, ACTION_RATE);
	for (int i = 0; i < 2; i++)
		fake_shell_answer(&s->shell, "c0000000000000000000000000000000010");
	assert_int_equal(s->shell.nr_requests, 2);
	/* not for a period that the kernel allows, nor for a frequency */
	screen_act(s, ACTION_RATE);
	fake_shell_answer(&s->shell, "c12539");
	screen_act(s, ACTION_RATE);
	fake_shell_answer(&s->shell, "9000");
	assert_int_equal(s->shell.nr_requests, 4);
}

/* As in htop; from the column's natural end, however often. */
TEST(htop_keys)
{
	static const struct {
		enum action action;
		unsigned int sort;
	} keys[] = {
		{ ACTION_SORT_RATE, FIGURE_RATE },
		{ ACTION_SORT_SIZE, FIGURE_SIZE },
		{ ACTION_SORT_TOTAL, FIGURE_BYTES },
		{ ACTION_SORT_NUMBER, FIGURES },
	};
	struct screen *s = *state;

	screen_open(s, 8, 80, 3);
	s->frame->rings[0].bytes_per_s = 1;
	s->frame->rings[2].bytes_per_s = 1e9;
	s->frame->rings[1].bytes = 1ULL << 50;
	screen_draw(s);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		screen_act(s, ACTION_INVERT);
		screen_act(s, keys[i].action);
		screen_act(s, keys[i].action);
		assert_int_equal(s->shell.config.sort, keys[i].sort);
		assert_false(s->shell.config.invert);
		if (keys[i].action == ACTION_SORT_RATE)
			assert_true(screen_find(s, "CPU 2") <
				    screen_find(s, "CPU 1"));
		else if (keys[i].action == ACTION_SORT_TOTAL)
			assert_int_equal(screen_find(s, "CPU 1"), 1);
	}
	assert_int_equal(screen_find(s, "CPU 0"), 1);
	/* they end the order of the worst */
	screen_act(s, ACTION_WORST);
	screen_act(s, ACTION_SORT_SIZE);
	assert_false(screen_has(s, "worst"));
}

TEST(clicks)
{
	struct screen *s = *state;

	screen_open(s, 7, 80, 4);
	screen_draw(s);
	screen_click(s, 3, 10, false);
	assert_int_equal(screen_cursor(s), 3);
	assert_int_equal(s->shell.shown, VIEW_NONE);
	screen_click(s, 3, 10, true);
	assert_int_equal(s->shell.shown, VIEW_RING_DETAIL);
	assert_int_equal(s->shell.shown_ring, 2);
	screen_click(s, 5, 10, false); /* below the rings */
	assert_int_equal(screen_cursor(s), 3);
}

/* Rings appear and disappear between frames. */
TEST(rings_come_and_go)
{
	struct screen *s = *state;

	screen_open(s, 10, 80, 8);
	screen_draw(s);
	screen_act(s, ACTION_END);
	screen_act(s, ACTION_TAG);
	s->frame->nr_rings = 3;
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 3);
	screen_act(s, ACTION_GROW);
	assert_int_equal(s->shell.nr_requests, 1);
	assert_int_equal(s->shell.requests[0].ring, 2);
	s->frame->nr_rings = 8;
	screen_draw(s);
	screen_act(s, ACTION_END);
	assert_int_equal(screen_cursor(s), 7); /* above totals and tags */
}

/* Columns of AUX rings are left out if there are none. */
TEST(aux_columns)
{
	struct screen *s = *state;
	s->shell.config.columns[CONFIG_RINGS] = (struct config_columns){
		{ FIGURE_RING, FIGURE_FILLPCT, FIGURE_AUX, FIGURE_AUXHEAD,
		  FIGURE_AUXFILL, FIGURE_AUXWRAPS, FIGURE_TRUNCATED,
		  FIGURE_PARTIAL }, 8
	};
	screen_open(s, 5, 80, 2);
	screen_draw(s);
	assert_screen_rows(s->canvas, 0, 2, EXPECTED_TEXT, "rings/aux_columns");
	frames_aux(&s->frame->rings[0], true);
	frames_aux(&s->frame->rings[1], true);
	frames_aux_flags(&s->frame->rings[1]);
	s->frame->rings[1].aux.fill = .9;
	frames_sum(s->frame);
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_LOOKS, "rings/aux_columns_2");
}

/* What perf record needs, of the ring under the cursor, else of all. */
TEST(copies_the_command)
{
	struct screen *s = *state;
	struct ring_row *total;
	struct advice *one;

	screen_open(s, 20, 80, 3);
	total = &s->frame->total.row;
	one = &s->frame->rings[0].advice;
	one->setting[0] = total->advice.setting[0] = '\0';
	screen_draw(s);
	assert_null(view_rings.label(s->view, ACTION_COPY));
	screen_act(s, ACTION_COPY);
	assert_non_null(strstr(s->shell.message, "nothing to copy"));
	assert_string_equal(s->shell.copied, "");
	strcpy(total->advice.setting, "perf record -m 64");
	screen_act(s, ACTION_COPY);
	assert_string_equal(s->shell.copied, "perf record -m 64");
	strcpy(one->setting, "perf record -m 128");
	one->verdict = VERDICT_OK;
	assert_null(view_rings.label(s->view, ACTION_COPY));
	one->verdict = VERDICT_TOO_SMALL;
	assert_string_equal(view_rings.label(s->view, ACTION_COPY), "Copy");
	screen_act(s, ACTION_COPY);
	assert_string_equal(s->shell.copied, "perf record -m 128");
	assert_non_null(strstr(s->shell.message, "clipboard: perf record"));
}

/* The area's rows that the app leaves of 24: nine rings leave eight. */
TEST(charts_in_few_rows)
{
	struct screen *s = *state;

	s->shell.config.charts = true;
	screen_open(s, 20, 80, 9);
	frames_lossy(&s->frame->rings[8]);
	frames_sum(s->frame);
	screen_draw(s);
	assert_screen_rows(s->canvas, 11, 9, EXPECTED_LOOKS,
			   "rings/charts_in_few_rows");
	/* five rows are enough, four are not */
	screen_open(s, 20, 80, 12);
	screen_draw(s);
	assert_int_equal(screen_find(s, "100%"), 16);
	assert_int_equal(screen_find(s, " now"), 19);
	screen_open(s, 20, 80, 13);
	screen_draw(s);
	assert_false(screen_has(s, " now"));
}

/* They take all rows there are, and show more than fill. */
TEST(charts_in_many_rows)
{
	struct screen *s = *state;

	s->shell.config.charts = true;
	screen_open(s, 56, 200, 2);
	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "rings/charts_in_many_rows");
	/* of all rings with fill alone, rather than only of some */
	screen_open(s, 56, 200, 16);
	screen_draw(s);
	assert_int_equal(screen_find(s, "CPU 15  fits"), 45);
	assert_int_equal(screen_find(s, " now"), 24);
	assert_false(screen_has(s, "wakeups"));
	assert_string_equal(screen_row(s->canvas, 50), " fill: solid mean, "
			    "dotted peak, line watermark · red: lost");
	/* of some, from the selected one on */
	screen_open(s, 56, 200, 30);
	screen_draw(s);
	listing_place((struct listing *)(void *)s->view, 20);
	screen_draw(s);
	assert_int_equal(screen_find(s, "CPU 22 ─"), 34);
	assert_int_equal(screen_find(s, "6 of 30 rings"), 54);
	screen_act(s, ACTION_END);
	assert_int_equal(screen_find(s, "CPU 24 ─"), 34);
}

/* For as long as was asked for, or as is held, in columns of 2, 4, 8, ... ticks
 * where there are fewer columns than ticks. */
TEST(charts_cover_history)
{
	static const struct {
		double seconds;
		const char *ago;
	} cases[] = {
		{ 60, "2m22 ago" }, { 300, "9m28 ago" }, { 1800, "37m52 ago" },
		{ 7200, "2h31 ago" }, { 86400, "11h22 ago" },
	};
	struct screen *s = *state;
	struct history *times;

	screen_open(s, 20, 80, 1);
	times = (struct history *)(uintptr_t)
		&s->frame->rings[0].histories->time;
	*times = (struct history){ .merge = HISTORY_MEAN };
	for (int i = 0; i < HISTORY_TICKS; i++)
		history_push(times, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		canvas_clear(s->canvas);
		s->canvas->history = cases[i].seconds;
		ring_history_draw(canvas_area(s->canvas), s->frame->rings);
		assert_int_equal(screen_find(s, cases[i].ago), 19);
	}
}

/* Until that time has passed, columns are of fewer ticks. */
TEST(charts_of_a_short_time)
{
	static const struct {
		int ticks;
		const char *ago;
	} cases[] = {
		{ 72, "1m12 ago" }, { 142, "2m22 ago" }, { 144, "2m24 ago" },
		{ 283, "4m44 ago" },
	};
	struct screen *s = *state;
	struct history *times;

	screen_open(s, 20, 80, 1);
	times = (struct history *)(uintptr_t)
		&s->frame->rings[0].histories->time;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		*times = (struct history){ .merge = HISTORY_MEAN };
		for (int j = 0; j < cases[i].ticks; j++)
			history_push(times, 1);
		canvas_clear(s->canvas);
		ring_history_draw(canvas_area(s->canvas), s->frame->rings);
		assert_int_equal(screen_find(s, cases[i].ago), 19);
	}
}

TEST_GROUP(rings, .each_setup = setup, .each_teardown = teardown);
