/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/samples.h"
#include "tests/screen/app_rig.h"
#include "tests/screen/expected.h"
#include "ui/draw/chart.h"

/* The front end with a recording as its source. */

static struct playback playback;
static struct playback_column columns[100];

/* Rising twice; records are lost at 10 s and from 30 s on, trace at 20 s. */
static void fill_columns(void)
{
	for (size_t i = 0; i < 100; i++)
		columns[i] = (struct playback_column){
			.bytes = (double)(i % 50),
			.lost = i == 25 || i >= 75,
			.worst = i == 80,
			.truncated = i == 50 || i == 80,
		};
}

static int setup(void **state)
{
	int ret = rig_setup(state);
	struct app_rig *f = *state;

	if (ret)
		return ret;
	playback = (struct playback){
		.position = 2, .mark = NAN, .length = 40, .speed = 2, .playing = true,
		.columns = columns, .nr_columns = 100, .column = 0.4,
	};
	fill_columns();
	f->playback = &playback;
	f->lost = 7;
	rig_tick(f);
	return 0;
}

TEST(look)
{
	struct app_rig *f = *state;

	assert_screen(f->canvas, EXPECTED_LOOKS, "app/recording");
	rig_resize(f, 10, 40);
	assert_screen(f->canvas, EXPECTED_TEXT, "app/recording-narrow");
}

TEST(time_line)
{
	struct app_rig *f = *state;

	playback.position = 10.4;	/* the first loss has been played */
	rig_resize(f, 60, 200);
	assert_screen_rows(f->canvas, 0, 6, EXPECTED_LOOKS,
			   "app/recording-time-line-tall");
	canvas_free(f->canvas);
	f->canvas = canvas_new(20, 80, true);
	app_draw(&f->app, f->canvas);
	assert_screen_rows(f->canvas, 0, 4, EXPECTED_LOOKS,
			   "app/recording-time-line-ascii");
	rig_resize(f, 19, 80);
	assert_true(rig_row_has(f, 2, "1 Rings"));
	rig_resize(f, 20, 40);
	assert_true(rig_row_has(f, 2, "0s▕") && rig_row_has(f, 2, "▏40s"));
	rig_resize(f, 20, 1000);	/* as wide as charts are, at most */
	assert_int_equal(f->canvas->cells[2 * 1000 + 3 + CHART_MAX + 1].ch,
			 '4');
	playback.nr_columns = 0;	/* no record has a time */
	rig_resize(f, 24, 80);
	assert_true(rig_row_has(f, 2, "1 Rings"));
}

TEST(time_line_on_all_screens)
{
	static const char *const keys[] = { "2", "3", "v", "4", "5", "6", "1",
					    "Enter", "h", "F2" };
	struct app_rig *f = *state;
	char first[400];

	snprintf(first, sizeof(first), "%s", screen_row(f->canvas, 2));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		rig_press(f, keys[i]);
		assert_string_equal(screen_row(f->canvas, 2), first);
	}
}

/* The column of the cursor from the left end of the time line, on 80x24. */
static int cursor(const struct app_rig *f)
{
	for (int col = 0; col < 80; col++) {
		if (f->canvas->cells[2 * 80 + col].ch == 0x2503)
			return col - 3;
	}
	return -1;
}

TEST(time_line_cursor)
{
	struct app_rig *f = *state;

	playback.position = 0;
	rig_tick(f);
	assert_int_equal(cursor(f), 0);
	playback.position = 19;
	rig_tick(f);
	assert_int_equal(cursor(f), 34);
	assert_int_equal(f->canvas->cells[2 * 80 + 37].role, ROLE_TICK);
	/* on a mark, it has its colour */
	playback.position = 20;
	rig_tick(f);
	assert_int_equal(cursor(f), 36);
	assert_int_equal(f->canvas->cells[2 * 80 + 39].role, ROLE_BAD);
	playback.position = 40;
	rig_tick(f);
	assert_int_equal(cursor(f), 72);
}

TEST(time_line_mark)
{
	struct app_rig *f = *state;

	playback.position = 20;
	rig_press(f, "|");
	assert_int_equal(f->request.kind, REQUEST_MARK);
	assert_true(f->request.on);
	assert_true(rig_shows(f, "Samples, Hot and Flame now show what comes"));
	playback.mark = 20;
	rig_tick(f);
	/* all of it, not what came in the last seconds */
	assert_false(f->app.shell.query.recent);
	rig_press(f, "|");
	assert_false(f->request.on);
	playback.mark = NAN;
	rig_tick(f);
	assert_true(f->app.shell.query.recent);
	playback.mark = 20;
	rig_tick(f);
	/* it is drawn where one is after it */
	assert_int_equal(f->canvas->cells[2 * 80 + 39].role, ROLE_BAD);
	playback.position = 30;
	rig_tick(f);
	assert_int_equal(f->canvas->cells[2 * 80 + 39].ch, '[');
	assert_int_equal(cursor(f), 54);
}

/* At the end, all that was played counts. */
TEST(total_at_the_end)
{
	struct app_rig *f = *state;

	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "3");
	assert_true(rig_shows(f, "recent, half-life 5 s"));
	playback.playing = false;
	playback.position = playback.length;
	rig_tick(f);
	assert_true(rig_shows(f, "total of"));
	/* also after a mark was removed there */
	playback.mark = 20;
	rig_tick(f);
	assert_true(rig_shows(f, "from mark to cursor"));
	playback.mark = NAN;
	rig_tick(f);
	assert_true(rig_shows(f, "total of"));
	playback.position = 2;
	rig_tick(f);
	assert_true(rig_shows(f, "recent, half-life 5 s"));
	playback.playing = true;
}

/* A mark is gone with what was counted from it. */
TEST(reset_removes_the_mark)
{
	struct app_rig *f = *state;

	rig_press(f, "z");
	assert_int_equal(f->requests, 0);
	assert_true(rig_shows(f, "hot counts were reset"));
	assert_false(rig_shows(f, "the mark was removed"));
	playback.mark = 1;
	rig_tick(f);
	rig_press(f, "z");
	assert_int_equal(f->requests, 1);
	assert_int_equal(f->request.kind, REQUEST_MARK);
	assert_false(f->request.on);
	assert_true(rig_shows(f, "and the mark was removed"));
}

static bool asked_for(const struct app_rig *f, double seconds)
{
	return f->request.kind == REQUEST_SEEK &&
	       f->request.value == REQUEST_TO_TIME &&
	       fabs(f->request.time - seconds) < 1e-6;
}

/* The cursor is where the click was. */
TEST(time_line_clicks)
{
	static const int cols[] = { 0, 1, 20, 40, 72 };
	struct app_rig *f = *state;
	int reads = f->reads;

	f->config.readonly = true;	/* nothing is changed */
	for (size_t i = 0; i < sizeof(cols) / sizeof(cols[0]); i++) {
		rig_click(f, 2, 3 + cols[i]);
		assert_true(asked_for(f, (cols[i] + 1) * 40.0 / 73));
		assert_true(f->reads > reads);
		playback.position = f->request.time;
		rig_tick(f);
		assert_int_equal(cursor(f), cols[i]);
	}
	/* a mark in two columns */
	rig_click(f, 2, 3 + 36);
	assert_true(asked_for(f, 51 * 0.4));
	rig_click(f, 2, 3 + 37);
	assert_true(asked_for(f, 38 * 40.0 / 73));
	/* the times at the ends */
	rig_click(f, 2, 0);
	assert_true(asked_for(f, 0));
	rig_click(f, 2, 79);
	assert_true(asked_for(f, 40));
	/* both rows */
	rig_resize(f, 30, 100);
	for (int row = 2; row < 4; row++) {
		rig_click(f, row, 3);
		assert_true(asked_for(f, 40.0 / 93));
		f->request.time = -1;
	}
	rig_click(f, 4, 15);
	assert_int_equal(rig_on_top(f), VIEW_SAMPLES);
	assert_true(asked_for(f, -1));
}

TEST(typed_time)
{
	struct app_rig *f = *state;

	rig_press(f, "@");
	assert_true(rig_shows(f, "time (now 00:00:02.000):"));
	rig_press(f, "1 2 . 5 Enter");
	assert_true(asked_for(f, 12.5));
	rig_press(f, "@ 1 : 0 2 Enter");
	assert_true(asked_for(f, 62));
	assert_int_equal(f->requests, 2);
	rig_press(f, "@ 1 : x Enter");
	assert_true(rig_shows(f, "'1:x': not a time"));
	rig_press(f, "@ 1 Esc");
	rig_press(f, "@ Enter");
	assert_int_equal(f->requests, 2);
	/* the clock that is shown; the recording starts at 5000 s of it */
	rig_press(f, "C @");
	assert_true(rig_shows(f, "time (now 500"));
	rig_press(f, "5 0 0 7 . 2 5 Enter");
	assert_true(asked_for(f, 7.25));
	rig_press(f, "@ 1 2 . 5 Enter");
	assert_true(f->request.time < 0);
}

TEST(play_and_stand_still)
{
	struct app_rig *f = *state;

	rig_press(f, "p");
	assert_int_equal(f->request.kind, REQUEST_PLAY);
	assert_false(f->request.on);
	assert_false(f->app.frozen);
	playback.playing = false;
	rig_tick(f);
	assert_true(rig_row_has(f, 0, " PAUSED "));
	rig_press(f, "Z");
	assert_true(f->request.on);
	playback.position = playback.length;
	rig_tick(f);
	assert_true(rig_row_has(f, 0, " END "));
}

/* On every screen; in Setup it chooses. */
TEST(space_plays)
{
	static const char *const keys[] = { "1", "2", "3", "v", "4", "5", "6",
					    "1 Enter", "h" };
	struct app_rig *f = *state;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		playback.playing = i % 2;
		rig_tick(f);
		rig_press(f, keys[i]);
		f->request.kind = REQUEST_RESIZE;
		rig_press(f, "Space");
		assert_int_equal(f->request.kind, REQUEST_PLAY);
		assert_int_equal(f->request.on, !playback.playing);
	}
	rig_press(f, "q 1");
	assert_true(rig_row_has(f, 23, "( Prev"));
	rig_resize(f, 24, 300);
	assert_true(rig_row_has(f, 23, "Space Play"));
	assert_true(rig_row_has(f, 23, "Ins Tag"));
	rig_press(f, "Ins");
	assert_true(rig_shows(f, "1 tagged"));
	f->requests = 0;
	rig_press(f, "F2 Down Space");
	assert_int_equal(f->requests, 0);
	assert_true(rig_row_has(f, 23, "Space Show/hide"));
}

TEST(keys_of_recordings)
{
	static const struct {
		const char *key;
		enum request_kind kind;
		uint64_t value;
		bool on;
	} keys[] = {
		{ "(", REQUEST_SEEK, REQUEST_TO_TICK, false },
		{ ")", REQUEST_SEEK, REQUEST_TO_TICK, true },
		{ "{", REQUEST_SEEK, REQUEST_TO_LOSS, false },
		{ "}", REQUEST_SEEK, REQUEST_TO_LOSS, true },
		{ "!", REQUEST_SEEK, REQUEST_TO_WORST, false },
		{ "^", REQUEST_SEEK, REQUEST_TO_END, false },
		{ "$", REQUEST_SEEK, REQUEST_TO_END, true },
		{ "_", REQUEST_SPEED, 0, false },
		{ "=", REQUEST_SPEED, 0, true },
	};
	struct app_rig *f = *state;
	int reads;

	f->config.readonly = true;	/* nothing is changed */
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		reads = f->reads;
		rig_press(f, keys[i].key);
		assert_int_equal(f->requests, i + 1);
		assert_int_equal(f->request.kind, keys[i].kind);
		assert_int_equal(f->request.value, keys[i].value);
		assert_int_equal(f->request.on, keys[i].on);
		/* shown at once */
		assert_true(f->reads > reads);
	}
}

/* The first ones at 80 columns, with those of the screen; the rest where there is
 * room. */
TEST(bottom_line)
{
	struct app_rig *f = *state;

	assert_true(rig_row_has(f, 23, "Enter Open  ( Prev  ) Next  @ Time  "
				"| Mark  } Next loss   "));
	rig_resize(f, 24, 200);
	assert_true(rig_row_has(f, 23, "} Next loss  { Prev loss  ! Worst "
				"loss  = Faster  _ Slower  ^ Start  $ End  "
				"F6 Sort"));
}

/* The keys of rings are refused at once, not when pressed twice. */
TEST(keys_of_rings)
{
	struct app_rig *f = *state;

	f->refuse = -95;
	rig_press(f, "e");
	assert_int_equal(f->request.kind, REQUEST_ENABLE);
	assert_true(rig_shows(f, "over perf_event_mlock_kb"));
}

/* Until the samples of where it stands have been read: they are looked for more
 * often, and the screens that show them say so. */
TEST(catching_up)
{
	static const char *const keys[] = { "2", "3", "v" };
	struct samples samples = *frames_samples();
	struct app_rig *f = *state;

	f->samples = &samples;
	samples.status.stale = true;
	f->config.delay = 1;
	rig_tick(f);
	f->app.early = false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		/* while it plays, they are of the update before */
		playback.playing = true;
		rig_press(f, keys[i]);
		assert_false(rig_shows(f, "catching up"));
		assert_true(app_delay(&f->app) >= 1);
		playback.playing = false;
		rig_tick(f);
		assert_true(rig_shows(f, "catching up"));
		assert_true(app_delay(&f->app) < 0.1);
	}
	samples.status.stale = false;
	rig_tick(f);
	assert_false(rig_shows(f, "catching up"));
	/* Space chooses in a popup */
	f->requests = 0;
	rig_press(f, "3 b Space");
	assert_int_equal(f->requests, 0);
	rig_press(f, "Esc Space");
	assert_int_equal(f->requests, 1);
}

TEST(keys_in_help)
{
	struct app_rig *f = *state;

	rig_resize(f, 200, 100);
	rig_press(f, "h");
	assert_true(rig_shows(f, "Keys of Rings"));
	assert_true(rig_shows(f, "go to the worst loss"));
	assert_true(rig_shows(f, "Space p Z"));
	assert_false(rig_shows(f, "double the tagged rings"));
	assert_false(rig_shows(f, "Live tuning"));
	assert_false(rig_shows(f, "record into a file"));
	rig_press(f, "q F2 h");
	rig_press(f, "Home");
	assert_true(rig_shows(f, "Space Ins "));
	assert_true(rig_shows(f, "double the tagged rings"));
}

TEST(screens_without_contents)
{
	struct app_rig *f = *state;

	rig_press(f, "2");
	assert_true(rig_shows(f, "No samples: the recording cannot be read again"));
	rig_press(f, "3");
	assert_true(rig_shows(f, "No samples: the recording cannot be read again"));
	rig_press(f, "6");
	assert_true(rig_shows(f, "a recording has no rings of other programs"));
	assert_int_equal(f->watches, 0);
	rig_press(f, "4");
	assert_true(rig_shows(f, "nothing was traced"));
	rig_press(f, "5");
	assert_true(rig_shows(f, "CPU 0 lost 7 records"));
	rig_press(f, "1 Enter");
	assert_true(rig_shows(f, "how full its rings were"));
}

/* On live rings. */
TEST_WITH(no_recording, rig_setup, rig_teardown)
{
	struct app_rig *f = *state;

	rig_press(f, "@");
	assert_true(rig_shows(f, "only a recording is played"));
	rig_press(f, "(");
	assert_true(rig_shows(f, "only a recording is played"));
	assert_int_equal(f->requests, 0);
	assert_false(rig_shows(f, "Next loss"));
}

TEST_GROUP(app_recording, .each_setup = setup, .each_teardown = rig_teardown);
