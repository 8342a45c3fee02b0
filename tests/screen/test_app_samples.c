/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front end with samples: Hot, Flame, early pictures. */
#include "tests/group.h"

#include <errno.h>

#include "samples/hot_table.h"
#include "samples/samples.h"
#include "tests/screen/app_rig.h"

/*
 * Rates need a second frame, and a symbol its file: until then pictures come
 * sooner, but not forever, and only the last of them counts.
 */
TEST(test_first_pictures_come_soon)
{
	struct app_rig *f = *state;
	const struct hot none = { .nr_symbols = 0 };
	struct samples samples = *frames_samples();

	samples.hot = &none;
	f->samples = &samples;
	assert_true(app_delay(&f->app) == .25);
	app_timer(&f->app);
	app_timer(&f->app);
	assert_true(app_delay(&f->app) == .25);
	assert_int_equal(f->app.frames, 0);
	samples.hot = frames_samples()->hot;
	app_timer(&f->app);
	assert_true(app_delay(&f->app) == 1);
	assert_int_equal(f->app.frames, 1);
	/* it does not start again */
	samples.hot = &none;
	app_timer(&f->app);
	assert_true(app_delay(&f->app) == 1);
	assert_int_equal(f->app.frames, 2);
}

TEST(test_first_pictures_end)
{
	struct app_rig *f = *state;
	const struct hot none = { .nr_symbols = 0 };
	struct samples samples = *frames_samples();

	samples.hot = &none;
	f->samples = &samples;
	rig_clock = 1.9;
	app_timer(&f->app);
	assert_true(app_delay(&f->app) == .25);
	rig_clock = 2;
	app_timer(&f->app);
	assert_true(app_delay(&f->app) == 1);
	assert_int_equal(f->app.frames, 1);
}

/* If the delay is as short, every picture counts. */
TEST(test_short_delay_counts)
{
	struct app_rig *f = *state;
	const struct hot none = { .nr_symbols = 0 };
	struct samples samples = *frames_samples();

	samples.hot = &none;
	f->samples = &samples;
	f->config.delay = .1;
	app_timer(&f->app);
	app_timer(&f->app);
	assert_true(app_delay(&f->app) == .1);
	assert_int_equal(f->app.frames, 2);
}

TEST(test_hot_and_flame)
{
	struct app_rig *f = *state;

	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "3");
	assert_int_equal(rig_on_top(f), VIEW_HOT);
	/* recent samples, by function */
	assert_true(rig_row_has(f, 3, "by symbol, dso · recent, half-life 5 s"));
	rig_press(f, "b Down Down Enter Enter v");
	assert_int_equal(rig_on_top(f), VIEW_FLAME);
	assert_true(rig_row_has(f, 2, "6 Host ─ › Flame "));
	assert_true(rig_shows(f, "only comm app"));
	/* on top of one another, and back */
	rig_press(f, "h");
	assert_int_equal(rig_on_top(f), VIEW_HELP);
	rig_press(f, "Esc Down Enter Esc");
	assert_int_equal(rig_on_top(f), VIEW_FLAME);
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_HOT);
	rig_press(f, "v v");
	assert_int_equal(rig_on_top(f), VIEW_HOT);
	rig_press(f, "v 1 3");
	assert_int_equal(rig_on_top(f), VIEW_HOT);
}

/* Hot groups by event from the start if there are several. */
TEST(test_hot_by_event)
{
	struct app_rig *f = *state;

	app_free(&f->app);
	f->counted = 1;
	f->other_event = "sched:sched_switch";
	assert_int_equal(app_init(&f->app, &f->source, &f->opts, NULL), 0);
	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "3");
	assert_true(rig_row_has(f, 3, "by symbol, dso, event · recent"));
	assert_true(rig_shows(f, " cpu-clock"));
}

/* Setup begins at the columns of the list it was opened from. */
TEST(test_setup_of_samples)
{
	struct app_rig *f = *state;

	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "2 F2");
	assert_int_equal(rig_on_top(f), VIEW_SETUP);
	assert_true(rig_row_has(f, 3, "Columns of Samples"));
	assert_false(rig_shows(f, "Columns of Rings"));
	rig_press(f, "1 F2");
	assert_true(rig_shows(f, "Columns of Rings"));
}

TEST(test_writes_flame)
{
	struct app_rig *f = *state;

	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "3 v F");
	assert_int_equal(f->written, 1);
	assert_string_equal(f->title,
			    "system-wide: cpu-clock, recent samples, "
			    "unweighted");
	assert_string_equal(screen_row(f->canvas, 23),
			    "/flames/rbtop-1700000002.svg written, with "
			    "folded stacks in .folded");
	f->fail_write = -ENOSPC;
	rig_press(f, "F");
	assert_true(rig_row_has(f, 23, "writing in /flames: full"));
	assert_int_equal(f->canvas->cells[23 * 80].role, ROLE_BAD);
	f->opts.write_flame = NULL;
	rig_press(f, "F");
	assert_true(rig_row_has(f, 23, "cannot be written"));
}

/* At the end, all of the run counts, unless t was pressed. */
TEST(test_total_at_the_end)
{
	struct app_rig *f = *state;

	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "3");
	assert_true(rig_shows(f, "recent, half-life 5 s"));
	f->ended = true;
	rig_tick(f);
	assert_true(rig_shows(f, "samples of the run"));
	rig_press(f, "v F");
	assert_string_equal(f->title, "system-wide: cpu-clock, all samples of "
				      "the run, unweighted");
	rig_press(f, "t");
	assert_true(rig_shows(f, "recent, half-life 5 s"));
}

TEST(test_chosen_weights_at_the_end)
{
	struct app_rig *f = *state;

	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "3 t t");
	f->ended = true;
	rig_tick(f);
	assert_true(rig_shows(f, "recent, half-life 5 s"));
}

TEST(test_reset)
{
	struct app_rig *f = *state;

	assert_int_equal(source_watch_host(&f->source, NULL, NULL), 0);
	rig_press(f, "z");
	assert_int_equal(f->resets, 1);
	assert_true(rig_row_has(f, 23, "were reset"));
}

/* If tabs do not fit, only the keys of closed ones are shown. */
TEST(test_narrow_tabs)
{
	struct app_rig *f = *state;

	f->samples = frames_samples();
	rig_tick(f);
	rig_resize(f, 12, 40);
	assert_string_equal(screen_row(f->canvas, 2),
			    "─ 1 Rings ─ 2 ─ 3 ─ 4 ─ 5 ─ 6 ──────────");
	rig_resize(f, 12, 56);
	assert_string_equal(screen_row(f->canvas, 2),
			    "─ 1 Rings ─ 2 Samples ─ 3 Hot ─ 4 AUX ─ 5 Log ─ "
			    "6 Host ─");
	rig_resize(f, 12, 40);
	rig_press(f, "3 v");
	assert_string_equal(screen_row(f->canvas, 2),
			    "─ 1 ─ 2 ─ 3 Hot ─ 4 ─ 5 ─ 6 ─ › Flame ──");
	rig_click(f, 2, 10);
	assert_int_equal(rig_on_top(f), VIEW_HOT);
}

TEST_GROUP(app_samples, .each_setup = rig_setup, .each_teardown = rig_teardown);
