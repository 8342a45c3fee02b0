/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/kit/view.h"

struct fixture {
	struct fake_shell shell;
	struct view *view;
	struct frame *frame;
	struct canvas *canvas;
	struct log *log;	/* the frame's own log, when replaced */
	const struct log *frames_log;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	fake_shell_init(&f->shell);
	f->view = view_new(&view_log, &f->shell.shell);
	f->frame = frames_new(4);
	f->frames_log = f->frame->log;
	f->canvas = canvas_new(9, 62, false);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	view_free(f->view);
	f->frame->log = f->frames_log;
	frames_free(f->frame);
	canvas_free(f->canvas);
	log_free(f->log);
	free(f);
	return 0;
}

/* A log of its own: "event 0", "event 1", ... a second apart. */
static void use_long_log(struct fixture *f, int nr)
{
	f->log = log_new(20);
	for (int i = 0; i < nr; i++)
		log_add(f->log, 1700000000 + i, LOG_INFO, "event %d", i);
	f->frame->log = f->log;
}

static void draw(struct fixture *f)
{
	frames_draw(f->view, f->frame, f->canvas);
}

static bool act(struct fixture *f, enum action action)
{
	bool used = view_log.action(f->view, f->frame, action);

	draw(f);
	return used;
}

/* The number of the event on a row of the screen. */
static int event_on(struct fixture *f, int row)
{
	const char *text = strstr(screen_row(f->canvas, row), "event ");

	return text ? atoi(text + 6) : -1;
}

static int cursor_row(const struct fixture *f)
{
	return screen_cursor_row(f->canvas);
}

TEST(test_kinds)
{
	struct fixture *f = *state;

	canvas_free(f->canvas);
	f->canvas = canvas_new(11, 62, false);
	draw(f);
	assert_screen(f->canvas, EXPECTED_LOOKS, "log/kinds");
}

TEST(test_narrow)
{
	struct fixture *f = *state;

	canvas_free(f->canvas);
	f->canvas = canvas_new(4, 34, false);
	draw(f);
	assert_screen(f->canvas, EXPECTED_TEXT, "log/narrow");
}

TEST(test_kernel_clock)
{
	struct fixture *f = *state;

	f->shell.config.clock = TIMES_KERNEL;
	draw(f);
	assert_screen(f->canvas, EXPECTED_TEXT, "log/kernel_clock");
	canvas_free(f->canvas);
	f->canvas = canvas_new(4, 34, false);
	draw(f);
	assert_non_null(strstr(screen_row(f->canvas, 3), "5122     X"));
}

/* Those chosen in Setup, in that order. */
TEST(test_columns)
{
	struct fixture *f = *state;

	f->shell.config.columns[CONFIG_LOG] = (struct config_columns){
		{ CONFIG_LOG_KIND, CONFIG_LOG_WHAT }, 2,
	};
	draw(f);
	assert_memory_equal(screen_row(f->canvas, 0), "KIND        WHAT", 16);
	f->shell.config.columns[CONFIG_LOG] = (struct config_columns){
		{ CONFIG_LOG_WHAT, CONFIG_LOG_TIME }, 2,
	};
	draw(f);
	assert_memory_equal(screen_row(f->canvas, 0), "WHAT  ", 6);
	assert_non_null(strstr(screen_row(f->canvas, 0), "TIME"));
	assert_null(strstr(screen_row(f->canvas, 0), "KIND"));
}

TEST(test_empty)
{
	struct fixture *f = *state;

	use_long_log(f, 0);
	draw(f);
	assert_non_null(strstr(screen_row(f->canvas, 4), "nothing so far"));
	/* nothing to move to */
	assert_true(act(f, ACTION_UP));
	assert_true(act(f, ACTION_END));
}

TEST(test_follows_until_moved)
{
	struct fixture *f = *state;

	use_long_log(f, 12);
	draw(f);
	assert_int_equal(event_on(f, 8), 11);
	assert_int_equal(cursor_row(f), 8);
	log_add(f->log, 1700000100, LOG_INFO, "event 12");
	draw(f);
	assert_int_equal(event_on(f, 8), 12);

	act(f, ACTION_UP);
	assert_int_equal(event_on(f, cursor_row(f)), 11);
	for (int i = 13; i < 25; i++) {
		log_add(f->log, 1700000100, LOG_INFO, "event %d", i);
		draw(f);
		/* the same entry on the same line, while the log holds it */
		assert_int_equal(event_on(f, 7), 11);
		assert_int_equal(cursor_row(f), 7);
	}
	assert_string_equal(screen_row(f->canvas, 8), " End follows");
	act(f, ACTION_END);
	assert_int_equal(event_on(f, 8), 24);
	log_add(f->log, 1700000100, LOG_INFO, "event 25");
	draw(f);
	assert_int_equal(event_on(f, 8), 25);
}

TEST(test_entry_falls_off_under_the_cursor)
{
	struct fixture *f = *state;

	use_long_log(f, 20);
	draw(f);
	act(f, ACTION_HOME);
	assert_int_equal(event_on(f, 1), 0);
	for (int i = 20; i < 50; i++)
		log_add(f->log, 1700000100, LOG_INFO, "event %d", i);
	draw(f);
	/* the oldest entry left */
	assert_int_equal(event_on(f, 1), 30);
	assert_int_equal(cursor_row(f), 1);
}

TEST(test_filter)
{
	struct fixture *f = *state;

	draw(f);
	assert_true(act(f, ACTION_FILTER));
	fake_shell_answer(&f->shell, "cpu 2");
	draw(f);
	assert_screen(f->canvas, EXPECTED_TEXT, "log/filter");
	/* Esc removes it, then has no further effect here */
	assert_true(act(f, ACTION_CANCEL));
	assert_non_null(strstr(screen_row(f->canvas, 8), "X exit"));
	assert_false(act(f, ACTION_CANCEL));
	/* kinds match by name too */
	act(f, ACTION_FILTER);
	fake_shell_answer(&f->shell, "throttle");
	draw(f);
	assert_non_null(strstr(screen_row(f->canvas, 1), "CPU 1"));
	act(f, ACTION_FILTER);
	fake_shell_answer(&f->shell, "no such thing");
	draw(f);
	assert_non_null(strstr(screen_row(f->canvas, 4),
			       "no entry matches the filter"));
}

TEST(test_search)
{
	struct fixture *f = *state;

	canvas_free(f->canvas);
	f->canvas = canvas_new(11, 62, false);
	draw(f);
	act(f, ACTION_SEARCH);
	assert_true(f->shell.live);
	fake_shell_answer(&f->shell, "cpu-clock");
	draw(f);
	/* from the newest it wraps to the oldest match */
	assert_int_equal(cursor_row(f), 4);
	assert_screen_rows(f->canvas, 4, 1, EXPECTED_LOOKS, "log/search");
	act(f, ACTION_SEARCH_NEXT);
	assert_int_equal(cursor_row(f), 8);
	act(f, ACTION_SEARCH_PREV);
	assert_int_equal(cursor_row(f), 4);
	act(f, ACTION_SEARCH_NEXT);
	act(f, ACTION_SEARCH_NEXT);
	assert_int_equal(cursor_row(f), 4);
	assert_true(act(f, ACTION_CANCEL));
	assert_int_equal(f->canvas->cells[4 * 62 + 32].role, ROLE_DEFAULT);
}

TEST(test_search_cancelled)
{
	struct fixture *f = *state;

	draw(f);
	act(f, ACTION_SEARCH);
	fake_shell_answer(&f->shell, NULL);
	draw(f);
	assert_int_equal(cursor_row(f), 8); /* following again */
	act(f, ACTION_SEARCH);
	fake_shell_answer(&f->shell, "nowhere");
	draw(f);
	assert_non_null(strstr(screen_row(f->canvas, 8), "no match"));
}

TEST(test_scrolls_sideways)
{
	struct fixture *f = *state;

	use_long_log(f, 0);
	log_add(f->log, 1700000000, LOG_OUTPUT,
		"0123456789abcdefghijklmnopqrstuvwxyz0123456789");
	log_add(f->log, 1700000001, LOG_OUTPUT, "short");
	log_add(f->log, 1700000002, LOG_OUTPUT,
		"0123456789abcdefghijklmnopqrstuvwxy\u6f22\u5b57");
	draw(f);
	assert_screen(f->canvas, EXPECTED_TEXT, "log/scrolls_sideways");
	act(f, ACTION_RIGHT);
	assert_screen(f->canvas, EXPECTED_TEXT, "log/scrolls_sideways_2");
	/* no line beyond its end */
	for (int i = 0; i < 4; i++)
		act(f, ACTION_RIGHT);
	assert_screen(f->canvas, EXPECTED_TEXT, "log/scrolls_sideways_3");
	act(f, ACTION_LEFT);
	act(f, ACTION_LEFT);
	assert_non_null(strstr(screen_row(f->canvas, 1), "  0123"));
	assert_null(strstr(screen_row(f->canvas, 0), "‹"));
}

/* Enter shows all of a line, and stays on it; where there is no room for the
 * list, in its place. */
TEST(test_whole_line)
{
	struct fixture *f = *state;

	use_long_log(f, 3);
	log_add(f->log, 1700000000, LOG_OUTPUT,
		"0123456789abcdefghijklmnopqrstuvwxyz 0123456789abcdefghij"
		"klmnopqrstuvwxyz the end");
	draw(f);
	assert_string_equal(view_log.label(f->view, ACTION_OPEN),
			    "Whole line");
	assert_true(act(f, ACTION_OPEN));
	assert_screen(f->canvas, EXPECTED_TEXT, "log/whole_line");
	assert_string_equal(view_log.label(f->view, ACTION_CANCEL), "Close");
	log_add(f->log, 1700000001, LOG_INFO, "another");
	draw(f);
	assert_non_null(strstr(screen_row(f->canvas, 8), "the end"));
	/* it is that under the cursor */
	assert_true(act(f, ACTION_UP));
	assert_non_null(strstr(screen_row(f->canvas, 8), "event 2"));
	assert_true(act(f, ACTION_DOWN));
	canvas_free(f->canvas);
	f->canvas = canvas_new(5, 62, false);
	draw(f);
	assert_non_null(strstr(screen_row(f->canvas, 0), "22:13:20.000"));
	assert_non_null(strstr(screen_row(f->canvas, 2), "the end"));
	assert_true(act(f, ACTION_CANCEL));
	assert_non_null(strstr(screen_row(f->canvas, 0), "WHAT"));
	/* now it clears a search, of which there is none */
	assert_false(act(f, ACTION_CANCEL));
	assert_true(act(f, ACTION_OPEN));
	assert_true(act(f, ACTION_END));
	assert_non_null(strstr(screen_row(f->canvas, 4), "another"));
}

TEST(test_mouse)
{
	struct fixture *f = *state;

	use_long_log(f, 20);
	draw(f);
	assert_true(view_log.click(f->view, f->frame, 3, 10, false));
	draw(f);
	assert_int_equal(cursor_row(f), 3);
	assert_false(view_log.click(f->view, f->frame, 0, 10, false));
	assert_true(view_log.wheel(f->view, f->frame, -3));
	draw(f);
	assert_int_equal(event_on(f, 7), 15);
	for (int i = 0; i < 3; i++)
		view_log.wheel(f->view, f->frame, 3);
	log_add(f->log, 1700000100, LOG_INFO, "event 20");
	draw(f);
	assert_int_equal(event_on(f, 8), 20); /* follows again */
}

static int group_setup(void **state)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	return frames_utf8(state);
}

TEST_GROUP(log, .setup = group_setup, .each_setup = setup,
	   .each_teardown = teardown);
