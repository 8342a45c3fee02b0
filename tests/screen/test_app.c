/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front end without a terminal: a fake source, keys in, the screen out. */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "tests/screen/app_rig.h"
#include "tests/screen/expected.h"
#include "ui/term/term_curses.h"

static void test_header(void **state)
{
	struct app_rig *f = *state;

	rig_tick(f);
	f->lost = 5;
	rig_tick(f);
	canvas_free(f->canvas);
	f->canvas = canvas_new(10, 80, false);
	app_draw(&f->app, f->canvas);
	f->canvas->rows = 3;
	assert_screen(f->canvas, EXPECTED_LOOKS, "app/header");
	f->canvas->rows = 10;
}

/* What the column LOST has: some losses are not reported yet. */
static void test_lost_counts_the_pending(void **state)
{
	struct app_rig *f = *state;

	f->lost = 5;
	f->counted = 7;
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "lost 21 "));
	assert_true(rig_row_has(f, 1, "pending 6"));
}

/* At first no time has passed. */
static void test_first_has_no_rates(void **state)
{
	struct app_rig *f = *state;

	assert_true(rig_row_has(f, 1, "rec/s -  "));
	assert_true(rig_row_has(f, 1, "B/s -  "));
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "rec/s 300  "));
	assert_true(rig_row_has(f, 1, "B/s 12K  "));
}

static void test_small(void **state)
{
	struct app_rig *f = *state;

	rig_resize(f, 10, 40);
	assert_true(rig_row_has(f, 0, "rbtop - system-wide"));
	assert_true(rig_row_has(f, 0, "22:13:21"));
	assert_true(rig_row_has(f, 1, "used 0%"));
	assert_true(rig_row_has(f, 1, "lost 0"));
	assert_true(rig_shows(f, "CPU 2"));
	assert_true(rig_row_has(f, 9, "q Quit"));
	rig_resize(f, 9, 80);
	assert_string_equal(screen_row(f->canvas, 4),
	"                             too small: needs 40x10");
	rig_resize(f, 5, 20);
	assert_true(rig_shows(f, "too small: needs"));
	assert_true(rig_shows(f, "40x10"));
	rig_resize(f, 1, 8);
	assert_string_equal(screen_row(f->canvas, 0), "too");
	/* nothing is there to be clicked */
	rig_click(f, 0, 3);
	rig_resize(f, 80, 300);
	assert_true(rig_row_has(f, 1, "wakeups/s"));
	assert_true(rig_row_has(f, 1, "throttled 0"));
}

static void test_screens(void **state)
{
	struct app_rig *f = *state;

	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_SAMPLES);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_HOT);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_AUX);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_LOG);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_HOST);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_press(f, "S-Tab");
	assert_int_equal(rig_on_top(f), VIEW_HOST);
	rig_press(f, "1 Enter");
	assert_int_equal(rig_on_top(f), VIEW_RING_DETAIL);
	assert_true(rig_row_has(f, 2, "1 Rings "));
	rig_press(f, "5");
	assert_int_equal(rig_on_top(f), VIEW_LOG);
	rig_press(f, "7");
	assert_string_equal(screen_row(f->canvas, 23),
			    "no such screen here: 1 Rings, 2 Samples, "
			    "3 Hot, 4 AUX, 5 Log, 6 Host");
	assert_int_equal(rig_on_top(f), VIEW_LOG);
}

/* What rbtop costs stays where there is no room for more. */
static void test_cost(void **state)
{
	struct app_rig *f = *state;

	((struct frame *)(uintptr_t)f->app.frame)->self.decode_every = 8;
	rig_resize(f, 24, 100);
	assert_true(rig_row_has(f, 2, "rbtop 0.0% cpu, 3M decodes 1/8 ──"));
	rig_resize(f, 24, 80);
	assert_true(rig_row_has(f, 2, "rbtop 0.0% cpu, 3M ──"));
}

/* A key that does nothing here says where it does something. */
static void test_keys_of_other_screens(void **state)
{
	struct app_rig *f = *state;

	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "2 Space");
	assert_string_equal(screen_row(f->canvas, 23),
			    "only in Rings (1), AUX (4)");
	rig_press(f, "F6");
	assert_string_equal(screen_row(f->canvas, 23),
			    "only in Rings (1), Hot (3), Host (6)");
	rig_press(f, "F");
	assert_string_equal(screen_row(f->canvas, 23),
			    "only in Hot (3), Flame (v)");
	rig_press(f, "3 x");
	assert_string_equal(screen_row(f->canvas, 23), "only in Samples (2)");
	assert_int_equal(f->requests, 0);
	rig_press(f, "Up");
	assert_true(rig_row_has(f, 23, "Enter Narrow"));
	rig_press(f, "v");
	assert_true(rig_row_has(f, 23, "Enter Zoom  Esc Zoom out"));
	rig_press(f, "b");
	assert_string_equal(screen_row(f->canvas, 23), "only in Hot (3)");
	/* and it gives way to the keys again */
	rig_clock += 6;
	app_timer(&f->app);
	rig_resize(f, 24, 80);
	assert_true(rig_row_has(f, 23, "Enter Zoom"));
	/* nothing is said of moving about */
	rig_press(f, "h Left");
	assert_false(rig_row_has(f, 23, "only in"));
}

static void test_escape_closes_never_quits(void **state)
{
	struct app_rig *f = *state;

	rig_press(f, "Enter h");
	assert_int_equal(rig_on_top(f), VIEW_HELP);
	rig_press(f, "F2");
	assert_int_equal(rig_on_top(f), VIEW_SETUP);
	/* what is open is not opened twice */
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_HELP);
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_RING_DETAIL);
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_press(f, "Esc Esc Esc");
	assert_false(f->app.quit);
	rig_press(f, "h h");
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
}

static void test_quit(void **state)
{
	struct app_rig *f = *state;

	rig_press(f, "q");
	assert_true(f->app.quit);
	f->app.quit = false;
	rig_press(f, "h F10");
	assert_true(f->app.quit);
}

static void test_freeze(void **state)
{
	struct app_rig *f = *state;
	int reads = f->reads;

	rig_press(f, "p");
	assert_true(rig_row_has(f, 0, " FROZEN "));
	rig_tick(f);
	rig_tick(f);
	assert_int_equal(f->reads, reads);
	assert_true(rig_row_has(f, 0, "22:13:21"));
	/* keys still work on the frozen picture */
	rig_press(f, "5");
	assert_int_equal(rig_on_top(f), VIEW_LOG);
	rig_press(f, "Z");
	assert_false(rig_shows(f, "FROZEN"));
	assert_int_equal(f->reads, reads + 1);
	assert_true(rig_row_has(f, 0, "22:13:22"));
}

static void test_ended(void **state)
{
	struct app_rig *f = *state;

	f->ended = true;
	rig_tick(f);
	assert_true(rig_row_has(f, 3, "! ended: final figures, q quits"));
	f->source.has_status = true;
	f->source.exit_status = 128 + 9;
	f->source.exit_signal = 9;
	app_draw(&f->app, f->canvas);
	assert_true(rig_row_has(f, 3, "ended by signal 9: final figures, "
				"q quits"));
	f->source.exit_status = 3;
	f->source.exit_signal = 0;
	app_draw(&f->app, f->canvas);
	assert_true(rig_row_has(f, 3, "ended, exit status 3: final figures, "
				"q quits"));
	f->ended = false;
	rig_tick(f);
	/* they stay final */
	assert_true(rig_row_has(f, 3, "ended, exit status 3"));
	assert_false(f->app.quit);
}

/* The last picture has its time as the others have. */
static void test_ends_after_so_many(void **state)
{
	struct app_rig *f = *state;

	f->opts.ticks = 2;
	app_timer(&f->app);
	app_timer(&f->app);
	assert_int_equal(f->reads, 3);
	app_tick(&f->app);	/* the source asked for it: not counted */
	/* nor what is not taken */
	rig_press(f, "p");
	app_timer(&f->app);
	rig_press(f, "p");
	assert_false(f->app.quit);
	app_timer(&f->app);
	assert_true(f->app.quit);
}

static void test_notice(void **state)
{
	struct app_rig *f = *state;

	snprintf(f->source.notice, sizeof(f->source.notice),
		 "rings halved to 64K");
	rig_tick(f);
	assert_true(rig_row_has(f, 3, "! rings halved to 64K"));
	f->ended = true;
	rig_tick(f);
	assert_true(rig_row_has(f, 3, "ended"));
	assert_true(rig_row_has(f, 4, "! rings halved to 64K"));
}

static void test_delay(void **state)
{
	struct app_rig *f = *state;

	rig_press(f, "d");
	assert_string_equal(screen_row(f->canvas, 23),
			    "delay in seconds (now 1):");
	assert_int_equal(f->canvas->cursor_row, 23);
	assert_int_equal(f->canvas->cursor_col, 26);
	/* q is a letter here */
	rig_press(f, "q Enter");
	assert_false(f->app.quit);
	assert_true(rig_row_has(f, 23, "delay"));
	assert_true(f->config.delay == 1);
	rig_press(f, "d 0 . 2 Enter");
	assert_true(f->config.delay == 0.2);
	assert_true(rig_row_has(f, 0, "0.2s"));
	assert_int_equal(f->canvas->cursor_row, -1);
	rig_press(f, "d 5 Esc");
	assert_true(f->config.delay == 0.2);
}

static void test_requests(void **state)
{
	struct app_rig *f = *state;

	rig_press(f, "Down +");
	assert_int_equal(f->requests, 1);
	assert_int_equal(f->request.kind, REQUEST_RESIZE);
	assert_int_equal(f->request.ring, 1);
	assert_true(f->request.on);
	assert_true(rig_row_has(f, 23, "CPU 1: ring doubled to 1M"));
	/* this frame does not say from what size */
	rig_press(f, "+");
	assert_true(rig_row_has(f, 23, "CPU 1: ring doubled"));
	assert_false(rig_row_has(f, 23, "1M"));
	/* a message goes with the next key */
	rig_press(f, "Down");
	assert_false(rig_row_has(f, 23, "doubled"));
	f->refuse = -EPERM;
	rig_press(f, "+");
	assert_true(rig_row_has(f, 23, "over perf_event_mlock_kb"));
	assert_int_equal(f->canvas->cells[23 * 80].role, ROLE_BAD);
}

/* One outcome of all tagged rings: how many, and why the first was refused. */
static void test_requests_of_tagged_rings(void **state)
{
	struct app_rig *f = *state;

	rig_press(f, "Space Space +");
	assert_int_equal(f->requests, 2);
	assert_true(rig_row_has(f, 23, "2 rings doubled to 1M"));
	rig_press(f, "o");
	assert_true(rig_row_has(f, 23, "2 rings paused; records are lost"));
	f->refuse = -EPERM;
	f->refuse_from = 1;
	rig_press(f, "+");
	assert_true(rig_row_has(f, 23, "1 of 2 rings doubled; CPU 1: over "
				"perf_event_mlock_kb"));
	assert_int_equal(f->canvas->cells[23 * 80].role, ROLE_BAD);
	f->refuse_from = 0;
	rig_press(f, "-");
	assert_true(rig_row_has(f, 23, "0 of 2 rings halved; CPU 0: over "));
}

static void test_readonly(void **state)
{
	struct app_rig *f = *state;

	f->config.readonly = true;
	rig_press(f, "+ - o e");
	assert_int_equal(f->requests, 0);
	assert_string_equal(screen_row(f->canvas, 23),
			    "read-only: rbtop was started with --readonly");
	assert_true(rig_row_has(f, 0, " READ-ONLY "));
	/* what changes nothing that is watched is no matter */
	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "3 b End Enter");
	assert_int_equal(f->requests, 1);
	assert_int_equal(f->request.kind, REQUEST_FIELD);
	/* Hot says it all the time; the keys go on being named */
	assert_true(rig_row_has(f, 23, "q Quit"));
	rig_press(f, "1");
	/* at once, not after a line was typed */
	rig_press(f, "Down f");
	assert_false(f->app.prompting);
	assert_true(rig_row_has(f, 23, "read-only"));
}

static void test_long_message(void **state)
{
	struct app_rig *f = *state;
	struct shell *shell = &f->app.shell;
	char text[300] = "";

	shell->message(shell, ROLE_BAD,
		       "rings of 64M: over the 516K that perf_event_mlock_kb "
		       "leaves to a user; take -m 1M, or raise it with sysctl "
		       "kernel.perf_event_mlock_kb");
	app_draw(&f->app, f->canvas);
	assert_screen_from(f->canvas, 22, EXPECTED_TEXT, "app/long_message");
	for (int i = 0; i < 29; i++)
		strcat(text, "123456789 ");
	rig_press(f, "Down");
	shell->message(shell, ROLE_BAD, text);
	app_draw(&f->app, f->canvas);
	assert_false(rig_row_has(f, 20, "123456789"));
	assert_true(rig_row_has(f, 21, "123456789 123456789"));
	assert_true(rig_row_has(f, 23, "123456789›"));
	/* the key that takes it off gives the view its rows back */
	rig_press(f, "Down");
	assert_true(rig_row_has(f, 22, "all 3"));
	assert_true(rig_row_has(f, 23, "q Quit"));
}

static void test_bad_news_stay(void **state)
{
	struct app_rig *f = *state;
	struct shell *shell = &f->app.shell;

	shell->message(shell, ROLE_BAD, "first\033[2J");
	shell->message(shell, ROLE_GOOD, "second");
	app_draw(&f->app, f->canvas);
	assert_string_equal(screen_row(f->canvas, 23), "first?[2J");
	rig_press(f, "Down");
	shell->save(shell);
	app_draw(&f->app, f->canvas);
	assert_true(rig_row_has(f, 23, "/nowhere/rbtoprc: permission denied"));
	f->opts.config_path = NULL;
	shell->save(shell);
	app_draw(&f->app, f->canvas);
	assert_true(rig_row_has(f, 23, "not saved"));
}

static void test_source_fails(void **state)
{
	struct app_rig *f = *state;

	f->fail_read = -ENOMEM;
	app_tick(&f->app);
	assert_true(f->app.quit);
	assert_int_equal(f->app.failure.code, -ENOMEM);
}

/* The column of a text on a row. */
static int column_of(struct app_rig *f, int row, const char *text)
{
	for (int col = 0; col < f->canvas->cols; col++) {
		int i = 0;

		while (text[i] && col + i < f->canvas->cols &&
		       f->canvas->cells[row * f->canvas->cols + col + i].ch ==
			       (unsigned char)text[i])
			i++;
		if (!text[i])
			return col;
	}
	return -1;
}

static void test_mouse(void **state)
{
	struct app_rig *f = *state;
	struct term_event wheel = { .kind = TERM_WHEEL, .row = 8, .by = 3 };

	rig_click(f, 2, column_of(f, 2, "5 Log"));
	assert_int_equal(rig_on_top(f), VIEW_LOG);
	rig_click(f, 2, column_of(f, 2, "1 Rings"));
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_click(f, 23, column_of(f, 23, "h Help"));
	assert_int_equal(rig_on_top(f), VIEW_HELP);
	assert_true(rig_shows(f, "Screens"));
	app_event(&f->app, &wheel);
	app_draw(&f->app, f->canvas);
	assert_false(rig_shows(f, " Screens"));
	rig_click(f, 23, column_of(f, 23, "q Quit"));
	assert_true(f->app.quit);
}

static void test_double_click(void **state)
{
	struct app_rig *f = *state;

	rig_clock = 10;
	rig_click(f, 5, 10);
	rig_clock = 11;
	rig_click(f, 5, 10);
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_clock = 11.2;
	rig_click(f, 5, 10);
	assert_int_equal(rig_on_top(f), VIEW_RING_DETAIL);
}

static void test_rebound_keys_show(void **state)
{
	struct app_rig *f = *state;

	snprintf(f->config.keys[0].action, sizeof(f->config.keys[0].action),
		 "quit");
	snprintf(f->config.keys[0].keys, sizeof(f->config.keys[0].keys), "x");
	f->config.nr_keys = 1;
	rig_press(f, "q");
	assert_false(f->app.quit);
	assert_true(rig_row_has(f, 23, "x Quit"));
	rig_press(f, "x");
	assert_true(f->app.quit);
}

static void test_bad_keys_are_refused(void **state)
{
	struct app_rig *f = *state;
	struct err err = { .kind = ERR_NONE };
	struct app app;

	snprintf(f->config.keys[0].action, sizeof(f->config.keys[0].action),
		 "fly");
	f->config.nr_keys = 1;
	assert_true(app_init(&app, &f->source, &f->opts, &err) < 0);
	assert_int_equal(err_exit_status(&err), 2);
	assert_non_null(strstr(err.text, "fly"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, \
						    rig_teardown)

static const struct CMUnitTest tests[] = {
	TEST(test_header),
	TEST(test_lost_counts_the_pending),
	TEST(test_first_has_no_rates),
	TEST(test_small),
	TEST(test_screens),
	TEST(test_cost),
	TEST(test_keys_of_other_screens),
	TEST(test_escape_closes_never_quits),
	TEST(test_quit),
	TEST(test_freeze),
	TEST(test_ended),
	TEST(test_ends_after_so_many),
	TEST(test_notice),
	TEST(test_delay),
	TEST(test_requests), TEST(test_requests_of_tagged_rings),
	TEST(test_readonly),
	TEST(test_long_message),
	TEST(test_bad_news_stay),
	TEST(test_source_fails),
	TEST(test_mouse),
	TEST(test_double_click),
	TEST(test_rebound_keys_show),
	TEST(test_bad_keys_are_refused),
};

TEST_GROUP(app, tests, NULL, NULL);
