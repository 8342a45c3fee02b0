/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots and recordings requested from any screen, and their messages. */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/screen/app_rig.h"

static struct snapshots snapshots;

static int setup(void **state)
{
	struct app_rig *f;

	if (rig_setup(state) < 0)
		return -1;
	f = *state;
	frames_snapshots(&snapshots);
	snapshots.armed[0] = '\0';
	snapshots.nr = 0;
	f->snapshots = &snapshots;
	f->aux = true;
	rig_tick(f);
	return 0;
}

/* From every tab, a popup and a detail. */
TEST(test_key_everywhere)
{
	static const char *const screens[] = {
		"1", "2", "3", "4", "5", "1 Enter", "h",
	};
	struct app_rig *f = *state;

	for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
		rig_press(f, screens[i]);
		f->requests = 0;
		rig_press(f, "s");
		assert_int_equal(f->requests, 1);
		assert_int_equal(f->request.kind, REQUEST_SNAPSHOT);
		assert_int_equal(f->request.nr_rings, 0);
		assert_string_equal(f->request.text, "key");
		assert_true(rig_row_has(f, 23,
					"key: a snapshot of all rings is "
					"being taken"));
		rig_press(f, "X");
		assert_int_equal(f->request.kind, REQUEST_SNAPSHOT_CANCEL);
	}
}

TEST(test_some)
{
	struct app_rig *f = *state;

	rig_press(f, "Down S");
	assert_int_equal(f->request.kind, REQUEST_SNAPSHOT);
	assert_int_equal(f->request.nr_rings, 1);
	assert_true(rig_row_has(f, 23, "key: a snapshot of 1 ring is being taken"));
	rig_press(f, "Home Space Space S");
	assert_int_equal(f->request.nr_rings, 2);
	rig_press(f, "Enter S");
	assert_int_equal(rig_on_top(f), VIEW_RING_DETAIL);
	assert_int_equal(f->request.nr_rings, 1);
	f->requests = 0;
	rig_press(f, "2 S");
	assert_string_equal(screen_row(f->canvas, 23),
			    "S works in Rings (1) and AUX (4)");
	assert_int_equal(f->requests, 0);
}

TEST(test_refused)
{
	struct app_rig *f = *state;

	f->refuse = -EIO;
	rig_press(f, "s");
	assert_true(rig_row_has(f, 23, "over perf_event_mlock_kb"));
	f->refuse = 0;
	f->requests = 0;
	f->config.readonly = true;
	rig_press(f, "s w X");
	assert_int_equal(f->requests, 0);
	assert_true(rig_row_has(f, 23, "read-only"));
	/* the sender of the signal could also start another rbtop */
	app_snapshot_signal(&f->app);
	assert_int_equal(f->requests, 1);
}

/* The message of a queued request says so, and gives the snapshot's number. */
TEST(test_queued)
{
	struct app_rig *f = *state;

	f->granted = (struct request_snapshot){ 2, 1, true };
	rig_press(f, "s");
	assert_string_equal(screen_row(f->canvas, 23),
			    "key: snapshot 2 is queued until the current one is written");
	f->granted.requests = 2;
	rig_press(f, "s");
	assert_string_equal(screen_row(f->canvas, 23),
			    "key: merged into snapshot 2, which is queued: 2 requests");
	/* the one being taken has ended */
	f->granted.queued = false;
	rig_press(f, "S");
	assert_string_equal(screen_row(f->canvas, 23),
			    "key: merged into snapshot 2, which is taken next: 2 requests");
	rig_press(f, "X");
	assert_true(rig_row_has(f, 23, "snapshot cancelled; the queued "
				"snapshot 2 is taken next"));
	f->granted.number = 0;
	rig_press(f, "X");
	assert_string_equal(screen_row(f->canvas, 23),
			    "snapshot cancelled");
}

TEST(test_signal)
{
	struct app_rig *f = *state;

	app_snapshot_signal(&f->app);
	assert_int_equal(f->request.kind, REQUEST_SNAPSHOT);
	assert_string_equal(f->request.text, "SIGUSR2");
	app_draw(&f->app, f->canvas);
	assert_true(rig_row_has(f, 23, "SIGUSR2: a snapshot of all rings"));
}

/* Each end has one message; snapshots at intervals have none. */
TEST(test_news)
{
	struct app_rig *f = *state;

	frames_snapshots(&snapshots);
	snapshots.nr = 1;
	rig_tick(f);
	assert_string_equal(screen_row(f->canvas, 23),
			    "snapshot 1: 16M, tracing stopped for 340us: "
			    "rbtop-20231114-221321-001.data");
	rig_press(f, "Up");
	rig_tick(f);
	assert_false(rig_shows(f, "snapshot 1:"));
	snapshots.nr = 2;
	rig_tick(f);
	assert_true(rig_shows(f, "no space left on device"));
	rig_press(f, "Up");
	/* cancelled: no message, since the user did it */
	snapshots.nr = 4;
	rig_tick(f);
	assert_false(rig_shows(f, "snapshot"));
	snapshots.list[3].state = SNAPSHOT_DONE;
	rig_tick(f);
	assert_false(rig_shows(f, "tracing stopped"));
}

/* The final frame stays, unless snapshots are requested then. */
TEST(test_after_the_end)
{
	struct app_rig *f = *state;
	int reads;

	f->ended = true;
	rig_tick(f);
	reads = f->reads;
	rig_tick(f);
	assert_int_equal(f->reads, reads);
	frames_snapshots(&snapshots);
	snapshots.nr = 0;
	f->granted = (struct request_snapshot){ 1, 1, false };
	rig_press(f, "s");
	/* two requests that are merged into one */
	f->granted = (struct request_snapshot){ 2, 1, true };
	rig_press(f, "s");
	f->granted.requests = 2;
	rig_press(f, "s");
	rig_tick(f);
	assert_int_equal(f->reads, ++reads);
	snapshots.nr = 1;
	rig_tick(f);
	assert_int_equal(f->reads, ++reads);
	snapshots.nr = 2;
	rig_tick(f);
	assert_int_equal(f->reads, ++reads);
	rig_tick(f);
	assert_int_equal(f->reads, reads);
}

TEST(test_flags)
{
	struct app_rig *f = *state;

	frames_snapshots(&snapshots);
	frames_recording(&snapshots);
	rig_tick(f);
	assert_true(rig_row_has(f, 0, " ARMED   SNAPSHOT 4   REC 120M  "));
	rig_resize(f, 10, 40);
	assert_true(rig_row_has(f, 0, " SNAP   REC  "));
	rig_resize(f, 24, 80);
	snapshots.list[3].state = SNAPSHOT_DONE;
	snapshots.cooldown_left = 3;
	snapshots.record_missed = 1;
	rig_tick(f);
	assert_false(rig_row_has(f, 0, "SNAPSHOT"));
	assert_false(rig_row_has(f, 0, "ARMED"));
	assert_true(rig_row_has(f, 0, " REC! 120M "));
	snapshots.recording = false;
	rig_tick(f);
	assert_false(rig_row_has(f, 0, "REC"));
}

/* It starts and stops by the last request, if the frame is older. */
TEST(test_record)
{
	struct app_rig *f = *state;

	rig_press(f, "w");
	assert_int_equal(f->requests, 0);
	assert_true(rig_row_has(f, 23, "press w again to record 3 rings into "
				       "/data/rbtop-*.data"));
	rig_press(f, "w");
	assert_int_equal(f->request.kind, REQUEST_RECORD);
	assert_true(f->request.on);
	assert_true(rig_row_has(f, 23, "recording started"));
	rig_press(f, "w");
	assert_false(f->request.on);
	assert_true(rig_row_has(f, 23, "recording stopped"));
	frames_recording(&snapshots);
	rig_tick(f);
	f->refuse = -EIO;
	rig_press(f, "w");
	assert_false(f->request.on);
	/* it continues */
	rig_press(f, "w");
	assert_false(f->request.on);
}

/* Messages about a recording: begin, end, failure. */
TEST(test_record_news)
{
	struct app_rig *f = *state;

	rig_press(f, "w w");
	frames_recording(&snapshots);
	rig_tick(f);
	assert_string_equal(screen_row(f->canvas, 23),
			    "recording into rbtop-20231114-221400.data");
	rig_press(f, "Up");
	rig_tick(f);
	assert_false(rig_shows(f, "recording into"));
	snapshots.recording = false;
	rig_tick(f);
	assert_string_equal(screen_row(f->canvas, 23),
			    "recorded 120M into rbtop-20231114-221400.data");
	snapshots.recording = true;
	rig_tick(f);
	snapshots.recording = false;
	strcpy(snapshots.record_error, "the disk is nearly full");
	rig_tick(f);
	assert_string_equal(screen_row(f->canvas, 23),
			    "recording ended: the disk is nearly full");
	/* once */
	rig_press(f, "Up");
	rig_tick(f);
	assert_false(rig_row_has(f, 23, "recording ended"));
}

/* The bottom line shows only keys that have an effect. */
TEST(test_footer)
{
	struct app_rig *f = *state;

	rig_press(f, "4");
	assert_true(rig_row_has(f, 23, "s Snapshot"));
	assert_false(rig_row_has(f, 23, "X Cancel"));
	frames_snapshots(&snapshots);
	rig_resize(f, 24, 160);
	rig_tick(f);
	rig_press(f, "Up");
	assert_true(rig_row_has(f, 23, "X Cancel"));
	f->config.readonly = true;
	rig_tick(f);
	assert_false(rig_row_has(f, 23, "s Snapshot"));
	assert_false(rig_row_has(f, 23, "w Record"));
	f->config.readonly = false;
	f->snapshots = NULL;
	rig_tick(f);
	assert_false(rig_row_has(f, 23, "s Snapshot"));
	assert_false(rig_row_has(f, 23, "w Record"));
	assert_true(rig_row_has(f, 23, "r Read heads"));
}

/* A line per recording, and one of the snapshots. */
TEST(test_report)
{
	struct log *log = log_new(8);
	struct frame frame = { .log = log };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	log_add(log, 1, LOG_RECORD, "recording into a.data");
	log_add(log, 2, LOG_RECORD, "recorded 9.2M into a.data");
	log_add(log, 3, LOG_OUTPUT, "recorded by somebody else");
	app_report(&frame, out);
	frame.snapshots = &(struct snapshots){ .taken = 2, .dir = "/var/tmp" };
	app_report(&frame, out);
	fclose(out);
	assert_string_equal(text, "recorded 9.2M into a.data\n"
				  "recorded 9.2M into a.data\n"
				  "2 snapshots in /var/tmp\n");
	free(text);
	log_free(log);
}

/* The message about reading a head says where its cost is shown. */
TEST(test_read)
{
	struct app_rig *f = *state;

	rig_press(f, "4 r");
	assert_int_equal(f->request.kind, REQUEST_READ);
	assert_true(rig_row_has(f, 23, "CPU 0: ring read; AUX shows how "));
	rig_press(f, "Up");
	assert_true(rig_shows(f, "(last time, tracing stopped for "));
	assert_true(rig_row_has(f, 23, "r Read heads"));
}

TEST_GROUP(app_snapshots, .each_setup = setup, .each_teardown = rig_teardown);
