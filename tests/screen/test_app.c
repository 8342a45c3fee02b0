/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front end without a terminal: a fake source, keys in, the screen out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "source/source.h"
#include "tests/screen/frames.h"
#include "ui/app_state.h"
#include "ui/term_curses.h"

enum { RINGS = 3, SIZE = 512 * 1024 };

struct fixture {
	struct source source;
	struct config config;
	struct app_opts opts;
	struct app app;
	struct canvas *canvas;
	int reads, fail_read;	/* fail_read: -errno */
	bool ended;
	uint64_t lost;		/* of each ring */
	uint64_t counted;	/* the same, pending included; 0: unknown */
	struct request request;	/* the last one */
	int requests, refuse;	/* refuse: -errno */
	int saves;
};

static double test_clock;

static double fake_now(void)
{
	return test_clock;
}

static struct fixture *fixture_of(struct source *s)
{
	return (struct fixture *)s;
}

static int fake_read(struct source *s, struct reading *r, struct err *err)
{
	struct fixture *f = fixture_of(s);

	if (f->fail_read)
		return err_set(err, f->fail_read, "reading: no memory");
	if (reading_reserve(r, RINGS) < 0)
		return -ENOMEM;
	f->reads++;
	r->mono = f->reads;
	r->wall = 1700000000 + f->reads;
	r->ended = f->ended;
	r->rss = 3 << 20;
	for (int i = 0; i < RINGS; i++) {
		struct reading_ring *ring = &r->rings[i];

		ring->cpu = i;
		ring->enabled = true;
		ring->size = SIZE;
		ring->watermark = SIZE / 2;
		ring->tail = (uint64_t)f->reads * 4096;
		ring->head = ring->tail + 1024;
		ring->stats.bytes = (uint64_t)f->reads * 4096;
		ring->stats.records = (uint64_t)f->reads * 100;
		ring->stats.types[RECORD_SAMPLE] = ring->stats.records;
		ring->stats.lost = f->lost;
		if (!f->counted)
			continue;
		if (reading_reserve_events(ring, 1) < 0)
			return -ENOMEM;
		ring->events[0] = (struct reading_event){
			.name = "cpu-clock", .lost = f->counted,
		};
	}
	return 0;
}

static int fake_request(struct source *s, const struct request *rq,
			struct err *err)
{
	struct fixture *f = fixture_of(s);

	f->request = *rq;
	f->requests++;
	return f->refuse ? err_set(err, f->refuse, "over perf_event_mlock_kb") :
			   0;
}

static void fake_close(struct source *s)
{
	(void)s;
}

static const struct source_ops fake_ops = {
	.name = "fake",
	.read = fake_read,
	.request = fake_request,
	.close = fake_close,
};

static int fake_save(const struct config *config, const char *path,
		     struct err *err)
{
	(void)config;
	return err_set(err, -EACCES, "writing %s: permission denied", path);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct err err;

	if (!f || source_init(&f->source, &fake_ops) < 0)
		return -1;
	snprintf(f->source.title, sizeof(f->source.title),
		 "system-wide: cpu-clock");
	config_default(&f->config);
	f->opts = (struct app_opts){ .config = &f->config,
				     .config_path = "/nowhere/rbtoprc",
				     .save = fake_save };
	f->canvas = canvas_new(24, 80, false);
	*state = f;
	if (app_init(&f->app, &f->source, &f->opts, &err) < 0)
		return -1;
	f->app.now = fake_now;
	app_draw(&f->app, f->canvas);
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	app_free(&f->app);
	source_close(&f->source);
	canvas_free(f->canvas);
	free(f);
	return 0;
}

static void resize(struct fixture *f, int rows, int cols)
{
	canvas_free(f->canvas);
	f->canvas = canvas_new(rows, cols, false);
	app_draw(&f->app, f->canvas);
}

/* Press keys by name, separated by blanks. */
static void press(struct fixture *f, const char *names)
{
	char copy[128], *rest = copy, *name;
	struct term_event ev = { .kind = TERM_KEY };

	snprintf(copy, sizeof(copy), "%s", names);
	while ((name = strsep(&rest, " ")) != NULL) {
		ev.code = keys_parse(name);
		assert_int_not_equal(ev.code, -1);
		app_event(&f->app, &ev);
	}
	app_draw(&f->app, f->canvas);
}

static void tick(struct fixture *f)
{
	app_tick(&f->app);
	app_draw(&f->app, f->canvas);
}

static void click(struct fixture *f, int row, int col)
{
	struct term_event ev = { .kind = TERM_CLICK, .row = row, .col = col };

	app_event(&f->app, &ev);
	app_draw(&f->app, f->canvas);
}

static bool row_has(struct fixture *f, int row, const char *text)
{
	return strstr(screen_row(f->canvas, row), text) != NULL;
}

static bool shows(struct fixture *f, const char *text)
{
	for (int row = 0; row < f->canvas->rows; row++) {
		if (row_has(f, row, text))
			return true;
	}
	return false;
}

static enum view_id on_top(const struct fixture *f)
{
	return app_view(&f->app)->ops->id;
}

static void test_header(void **state)
{
	struct fixture *f = *state;

	tick(f);
	f->lost = 5;
	tick(f);
	canvas_free(f->canvas);
	f->canvas = canvas_new(10, 80, false);
	app_draw(&f->app, f->canvas);
	f->canvas->rows = 3;
	assert_screen(f->canvas, FRAMES_ATTRIBUTES,
"rbtop - system-wide: cpu-clock                                      1s  22:13:23\n"
"ttttt...............................................................dd\n"
"rings 3    used 0% of 1.5M    rec/s 300    B/s 12K    lost 15!     pending -\n"
"lllll.v....llll.vvvvvvvvvv....lllll.vvv....lll.vvv....llll.bbb.....lllllll.v\n"
"─ 1 Rings ─ 5 Log ──────────────────────────────────────── rbtop 0.0% cpu, 3M ──\n"
"dTTTTTTTTTd.c.....dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd\n");
	f->canvas->rows = 10;
}

/* What the column LOST has: some losses are not reported yet. */
static void test_lost_counts_the_pending(void **state)
{
	struct fixture *f = *state;

	f->lost = 5;
	f->counted = 7;
	tick(f);
	assert_true(row_has(f, 1, "lost 21 "));
	assert_true(row_has(f, 1, "pending 6"));
}

/* At first no time has passed. */
static void test_first_has_no_rates(void **state)
{
	struct fixture *f = *state;

	assert_true(row_has(f, 1, "rec/s -  "));
	assert_true(row_has(f, 1, "B/s -  "));
	tick(f);
	assert_true(row_has(f, 1, "rec/s 300  "));
	assert_true(row_has(f, 1, "B/s 12K  "));
}

static void test_small(void **state)
{
	struct fixture *f = *state;

	resize(f, 10, 40);
	assert_true(row_has(f, 0, "rbtop - system-wide"));
	assert_true(row_has(f, 0, "22:13:21"));
	assert_true(row_has(f, 1, "used 0%"));
	assert_true(row_has(f, 1, "lost 0"));
	assert_true(shows(f, "CPU 2"));
	assert_true(row_has(f, 9, "q Quit"));
	resize(f, 9, 80);
	assert_string_equal(screen_row(f->canvas, 4),
	"                             too small: needs 40x10");
	resize(f, 1, 8);
	assert_string_equal(screen_row(f->canvas, 0), "too smal");
	/* nothing is there to be clicked */
	click(f, 0, 3);
	resize(f, 80, 300);
	assert_true(row_has(f, 1, "wakeups/s"));
	assert_true(row_has(f, 1, "throttled 0"));
}

static void test_screens(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(on_top(f), VIEW_RINGS);
	press(f, "Tab");
	assert_int_equal(on_top(f), VIEW_LOG);
	press(f, "Tab");
	assert_int_equal(on_top(f), VIEW_RINGS);
	press(f, "S-Tab");
	assert_int_equal(on_top(f), VIEW_LOG);
	press(f, "1 Enter");
	assert_int_equal(on_top(f), VIEW_RING_DETAIL);
	assert_true(row_has(f, 2, "1 Rings "));
	press(f, "5");
	assert_int_equal(on_top(f), VIEW_LOG);
	press(f, "4");
	assert_string_equal(screen_row(f->canvas, 23),
			    "no such screen here: 1 Rings, 5 Log");
	assert_int_equal(on_top(f), VIEW_LOG);
}

static void test_escape_closes_never_quits(void **state)
{
	struct fixture *f = *state;

	press(f, "Enter h");
	assert_int_equal(on_top(f), VIEW_HELP);
	press(f, "F2");
	assert_int_equal(on_top(f), VIEW_SETUP);
	/* what is open is not opened twice */
	press(f, "Esc");
	assert_int_equal(on_top(f), VIEW_HELP);
	press(f, "Esc");
	assert_int_equal(on_top(f), VIEW_RING_DETAIL);
	press(f, "Esc");
	assert_int_equal(on_top(f), VIEW_RINGS);
	press(f, "Esc Esc Esc");
	assert_false(f->app.quit);
	press(f, "h h");
	assert_int_equal(on_top(f), VIEW_RINGS);
}

static void test_quit(void **state)
{
	struct fixture *f = *state;

	press(f, "q");
	assert_true(f->app.quit);
	f->app.quit = false;
	press(f, "h F10");
	assert_true(f->app.quit);
}

static void test_freeze(void **state)
{
	struct fixture *f = *state;
	int reads = f->reads;

	press(f, "p");
	assert_true(row_has(f, 0, " FROZEN "));
	tick(f);
	tick(f);
	assert_int_equal(f->reads, reads);
	assert_true(row_has(f, 0, "22:13:21"));
	/* keys still work on the frozen picture */
	press(f, "5");
	assert_int_equal(on_top(f), VIEW_LOG);
	press(f, "Z");
	assert_false(shows(f, "FROZEN"));
	assert_int_equal(f->reads, reads + 1);
	assert_true(row_has(f, 0, "22:13:22"));
}

static void test_ended(void **state)
{
	struct fixture *f = *state;

	f->ended = true;
	tick(f);
	assert_true(row_has(f, 3, "! ended: final figures, q quits"));
	f->source.has_status = true;
	f->source.exit_status = 128 + 9;
	f->source.exit_signal = 9;
	app_draw(&f->app, f->canvas);
	assert_true(row_has(f, 3, "ended by signal 9: final figures, q quits"));
	f->source.exit_status = 3;
	f->source.exit_signal = 0;
	app_draw(&f->app, f->canvas);
	assert_true(row_has(f, 3, "ended, exit status 3: final figures, q quits"));
	f->ended = false;
	tick(f);
	/* they stay final */
	assert_true(row_has(f, 3, "ended, exit status 3"));
	assert_false(f->app.quit);
}

/* The last picture has its time as the others have. */
static void test_ends_after_so_many(void **state)
{
	struct fixture *f = *state;

	f->opts.ticks = 2;
	app_timer(&f->app);
	app_timer(&f->app);
	assert_int_equal(f->reads, 3);
	app_tick(&f->app);	/* the source asked for it: not counted */
	/* nor what is not taken */
	press(f, "p");
	app_timer(&f->app);
	press(f, "p");
	assert_false(f->app.quit);
	app_timer(&f->app);
	assert_true(f->app.quit);
}

static void test_notice(void **state)
{
	struct fixture *f = *state;

	snprintf(f->source.notice, sizeof(f->source.notice),
		 "rings halved to 64K");
	tick(f);
	assert_true(row_has(f, 3, "! rings halved to 64K"));
	f->ended = true;
	tick(f);
	assert_true(row_has(f, 3, "ended"));
	assert_true(row_has(f, 4, "! rings halved to 64K"));
}

static void test_delay(void **state)
{
	struct fixture *f = *state;

	press(f, "d");
	assert_string_equal(screen_row(f->canvas, 23),
			    "delay in seconds (now 1):");
	assert_int_equal(f->canvas->cursor_row, 23);
	assert_int_equal(f->canvas->cursor_col, 26);
	/* q is a letter here */
	press(f, "q Enter");
	assert_false(f->app.quit);
	assert_true(row_has(f, 23, "delay"));
	assert_true(f->config.delay == 1);
	press(f, "d 0 . 2 Enter");
	assert_true(f->config.delay == 0.2);
	assert_true(row_has(f, 0, "0.2s"));
	assert_int_equal(f->canvas->cursor_row, -1);
	press(f, "d 5 Esc");
	assert_true(f->config.delay == 0.2);
}

static void test_requests(void **state)
{
	struct fixture *f = *state;

	press(f, "Down +");
	assert_int_equal(f->requests, 1);
	assert_int_equal(f->request.kind, REQUEST_RESIZE);
	assert_int_equal(f->request.ring, 1);
	assert_true(f->request.on);
	assert_true(row_has(f, 23, "CPU 1: twice the size from now on"));
	/* a message goes with the next key */
	press(f, "Down");
	assert_false(row_has(f, 23, "from now on"));
	f->refuse = -EPERM;
	press(f, "+");
	assert_true(row_has(f, 23, "over perf_event_mlock_kb"));
	assert_int_equal(f->canvas->cells[23 * 80].role, ROLE_BAD);
}

static void test_readonly(void **state)
{
	struct fixture *f = *state;

	f->config.readonly = true;
	press(f, "+ - o e");
	assert_int_equal(f->requests, 0);
	assert_string_equal(screen_row(f->canvas, 23),
			    "read-only: rbtop was started with --readonly");
	assert_true(row_has(f, 0, " READ-ONLY "));
	/* at once, not after a line was typed */
	press(f, "Down f");
	assert_false(f->app.prompting);
	assert_true(row_has(f, 23, "read-only"));
}

static void test_long_message(void **state)
{
	struct fixture *f = *state;
	struct view_host *host = &f->app.host;
	char text[300] = "";

	host->message(host, ROLE_BAD,
		      "rings of 64M: over the 516K that perf_event_mlock_kb "
		      "leaves to a user; take -m 128K, or raise it with sysctl "
		      "kernel.perf_event_mlock_kb");
	app_draw(&f->app, f->canvas);
	assert_screen_from(f->canvas, 22, FRAMES_TEXT,
"rings of 64M: over the 516K that perf_event_mlock_kb leaves to a user; take -m\n"
"128K, or raise it with sysctl kernel.perf_event_mlock_kb\n");
	for (int i = 0; i < 29; i++)
		strcat(text, "123456789 ");
	press(f, "Down");
	host->message(host, ROLE_BAD, text);
	app_draw(&f->app, f->canvas);
	assert_false(row_has(f, 20, "123456789"));
	assert_true(row_has(f, 21, "123456789 123456789"));
	assert_true(row_has(f, 23, "123456789›"));
	/* the key that takes it off gives the view its rows back */
	press(f, "Down");
	assert_true(row_has(f, 22, "all 3"));
	assert_true(row_has(f, 23, "q Quit"));
}

static void test_bad_news_stay(void **state)
{
	struct fixture *f = *state;
	struct view_host *host = &f->app.host;

	host->message(host, ROLE_BAD, "first\033[2J");
	host->message(host, ROLE_GOOD, "second");
	app_draw(&f->app, f->canvas);
	assert_string_equal(screen_row(f->canvas, 23), "first?[2J");
	press(f, "Down");
	host->save(host);
	app_draw(&f->app, f->canvas);
	assert_true(row_has(f, 23, "/nowhere/rbtoprc: permission denied"));
	f->opts.config_path = NULL;
	host->save(host);
	app_draw(&f->app, f->canvas);
	assert_true(row_has(f, 23, "not saved"));
}

static void test_source_fails(void **state)
{
	struct fixture *f = *state;

	f->fail_read = -ENOMEM;
	app_tick(&f->app);
	assert_true(f->app.quit);
	assert_int_equal(f->app.failure.code, -ENOMEM);
}

/* The column of a text on a row. */
static int column_of(struct fixture *f, int row, const char *text)
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
	struct fixture *f = *state;
	struct term_event wheel = { .kind = TERM_WHEEL, .row = 8, .by = 3 };

	click(f, 2, column_of(f, 2, "5 Log"));
	assert_int_equal(on_top(f), VIEW_LOG);
	click(f, 2, column_of(f, 2, "1 Rings"));
	assert_int_equal(on_top(f), VIEW_RINGS);
	click(f, 23, column_of(f, 23, "h Help"));
	assert_int_equal(on_top(f), VIEW_HELP);
	assert_true(shows(f, "Screens"));
	app_event(&f->app, &wheel);
	app_draw(&f->app, f->canvas);
	assert_false(shows(f, " Screens"));
	click(f, 23, column_of(f, 23, "q Quit"));
	assert_true(f->app.quit);
}

static void test_double_click(void **state)
{
	struct fixture *f = *state;

	test_clock = 10;
	click(f, 5, 10);
	test_clock = 11;
	click(f, 5, 10);
	assert_int_equal(on_top(f), VIEW_RINGS);
	test_clock = 11.2;
	click(f, 5, 10);
	assert_int_equal(on_top(f), VIEW_RING_DETAIL);
}

static void test_rebound_keys_show(void **state)
{
	struct fixture *f = *state;

	snprintf(f->config.keys[0].action, sizeof(f->config.keys[0].action),
		 "quit");
	snprintf(f->config.keys[0].keys, sizeof(f->config.keys[0].keys), "x");
	f->config.nr_keys = 1;
	press(f, "q");
	assert_false(f->app.quit);
	assert_true(row_has(f, 23, "x Quit"));
	press(f, "x");
	assert_true(f->app.quit);
}

static void test_bad_keys_are_refused(void **state)
{
	struct fixture *f = *state;
	struct err err = { .kind = ERR_NONE };
	struct app app;

	snprintf(f->config.keys[0].action, sizeof(f->config.keys[0].action),
		 "fly");
	f->config.nr_keys = 1;
	assert_true(app_init(&app, &f->source, &f->opts, &err) < 0);
	assert_int_equal(err_exit_status(&err), 2);
	assert_non_null(strstr(err.text, "fly"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_header),
		TEST(test_lost_counts_the_pending),
		TEST(test_first_has_no_rates),
		TEST(test_small),
		TEST(test_screens),
		TEST(test_escape_closes_never_quits),
		TEST(test_quit),
		TEST(test_freeze),
		TEST(test_ended),
		TEST(test_ends_after_so_many),
		TEST(test_notice),
		TEST(test_delay),
		TEST(test_requests),
		TEST(test_readonly),
		TEST(test_long_message),
		TEST(test_bad_news_stay),
		TEST(test_source_fails),
		TEST(test_mouse),
		TEST(test_double_click),
		TEST(test_rebound_keys_show),
		TEST(test_bad_keys_are_refused),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TZ", "UTC0", 1);
	tzset();
	return cmocka_run_group_tests_name("app", tests, NULL, NULL);
}
