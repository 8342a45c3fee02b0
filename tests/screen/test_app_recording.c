/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdlib.h>
#include <string.h>

#include "tests/screen/app_rig.h"
#include "tests/screen/expected.h"

/* The front end with a recording as its source. */

static struct playback playback;

static int setup(void **state)
{
	int ret = rig_setup(state);
	struct app_rig *f = *state;

	if (ret)
		return ret;
	playback = (struct playback){
		.position = 2, .length = 40, .speed = 2, .playing = true,
	};
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

/* The keys of rings are refused at once, not when pressed twice. */
TEST(keys_of_rings)
{
	struct app_rig *f = *state;

	f->refuse = -95;
	rig_press(f, "e");
	assert_int_equal(f->request.kind, REQUEST_ENABLE);
	assert_true(rig_shows(f, "over perf_event_mlock_kb"));
}

TEST(screens_without_contents)
{
	struct app_rig *f = *state;

	rig_press(f, "2");
	assert_true(rig_shows(f, "of perf record --threads are not read"));
	rig_press(f, "3");
	assert_true(rig_shows(f, "of perf record --threads are not read"));
	rig_press(f, "6");
	assert_true(rig_shows(f, "not read from recordings: they have only"));
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

	rig_press(f, "(");
	assert_true(rig_shows(f, "only a recording is played"));
	assert_int_equal(f->requests, 0);
	assert_false(rig_shows(f, "Next loss"));
}

TEST_GROUP(app_recording, .each_setup = setup, .each_teardown = rig_teardown);
