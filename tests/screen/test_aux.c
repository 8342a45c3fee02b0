/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/kit/list.h"

enum { SNAPSHOT, FULL };

struct rig {
	struct screen *s;
	struct snapshots snapshots;
	struct view *list;	/* below a snapshot's detail */
};

static int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	setenv("TZ", "UTC0", 1);
	tzset();
	r->s = screen_new(&view_aux);
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct rig *r = *state;

	screen_free(r->s);
	free(r);
	return 0;
}

/* @nr rings, the second with all flags, the third never stopped. */
static void open_at(struct rig *r, int rows, int cols, size_t nr, int mode)
{
	struct frame *f;

	screen_open(r->s, rows, cols, nr);
	f = r->s->frame;
	for (size_t i = 0; i < nr; i++)
		frames_aux(&f->rings[i], mode == FULL);
	if (nr > 1)
		frames_aux_flags(&f->rings[1]);
	if (nr > 2 && mode == SNAPSHOT) {
		frames_reads(&f->rings[2])->aux.head_age = (double)NAN;
		f->rings[2].aux.wraps = 0;
		f->rings[2].aux.position = 0;
	}
	frames_sum(f);
	frames_snapshots(&r->snapshots);
	f->snapshots = &r->snapshots;
	screen_draw(r->s);
}

static bool has(const struct rig *r, int row, const char *text)
{
	return strstr(screen_row(r->s->canvas, row), text) != NULL;
}

static int rows_with(const struct rig *r, const char *text)
{
	int nr = 0;

	for (int row = 0; row < r->s->canvas->rows; row++)
		nr += has(r, row, text);
	return nr;
}

/* The view's part of 80x24. */
TEST(snapshot_mode)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 3, SNAPSHOT);
	assert_screen_rows(r->s->canvas, 0, 13, EXPECTED_LOOKS,
			   "aux/snapshot_mode");
	assert_string_equal(screen_row(r->s->canvas, 18),
			    " armed: lost · fired 1 time · snapshot every "
			    "20s");
	assert_string_equal(screen_row(r->s->canvas, 19),
			    " history 12M of 16M · last 34s · 431 processes");
}

/* Those chosen in Setup; the picture stays next to the ring's name. */
TEST(chosen_columns)
{
	struct rig *r = *state;

	r->s->shell.config.columns[CONFIG_AUX] = (struct config_columns){
		{ FIGURE_AUXWRAPS, FIGURE_RING, FIGURE_AUX }, 3,
	};
	open_at(r, 20, 80, 3, SNAPSHOT);
	assert_memory_equal(screen_row(r->s->canvas, 0), "    WRAPS RING", 14);
	assert_true(has(r, 0, "POSITION"));
	assert_true(has(r, 0, " SIZE"));
	assert_false(has(r, 0, "HEAD"));
}

TEST(sort_popup)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 3, SNAPSHOT);
	assert_true(rows_with(r, "CPU 0: ") > 0);
	screen_act(r->s, ACTION_SORT);
	assert_int_equal(rows_with(r, "CPU 0: "), 0);
}

/* Tasks and mappings beyond the limit: their samples will have no names. */
TEST(tasks_without_room)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 4, SNAPSHOT);
	r->snapshots.history_dropped = 1234;
	screen_draw(r->s);
	assert_string_equal(screen_row(r->s->canvas, 19),
			    " history 12M of 16M · last 34s · 431 processes · "
			    "!1.23k tasks and maps dropped");
}

TEST(full_trace)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 2, FULL);
	r->s->canvas->ascii = true;
	screen_draw(r->s);
	assert_screen_rows(r->s->canvas, 0, 7, EXPECTED_TEXT, "aux/full_trace");
}

/* The view's part of 40x10: header lines and a footer are the app's. */
TEST(at_40x10)
{
	struct rig *r = *state;

	open_at(r, 6, 40, 4, SNAPSHOT);
	assert_screen(r->s->canvas, EXPECTED_TEXT, "aux/at_40x10");
}

TEST(at_200x60)
{
	struct rig *r = *state;

	open_at(r, 56, 200, 8, FULL);
	assert_true(has(r, 0, " RECORDS WMARK STATE"));
	assert_true(has(r, 0, "ITRACE HW-ID RE-EN"));
	assert_true(has(r, 1, "     3     1     0      40    2M running"));
	assert_true(has(r, 2, "1.23k      40    2M stopped"));
	assert_true(has(r, 9, "all 8"));
	assert_true(has(r, 13, "STATE       RINGS BYTES  STOP SPREAD FILE"));
	assert_true(has(r, 16, "no space left on device; make room or use "
			"--output DIR"));
}

/*
 * The picture of a ring that was never full: the part after the head is free.
 */
TEST(not_wrapped)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 1, SNAPSHOT);
	r->s->frame->rings[0].aux.wraps = 0;
	frames_reads(&r->s->frame->rings[0])->aux.read_cost = 34e-6;
	screen_draw(r->s);
	assert_true(has(r, 1, "▕█████▼·····"));
	assert_true(has(r, 1, " 34us "));
	/* one ring: totals would be the same */
	assert_true(has(r, 2, "CPU 0: the head was at 1572864 of 4194304"));
	assert_true(has(r, 3, "(last time, tracing stopped for 34us)"));
	/* if it was never stopped, nothing is known */
	frames_reads(&r->s->frame->rings[0])->aux.head_age = (double)NAN;
	screen_draw(r->s);
	assert_true(has(r, 2, "CPU 0: the kernel publishes the head"));
}

TEST(recording)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 1, SNAPSHOT);
	frames_recording(&r->snapshots);
	r->snapshots.cooldown_left = 4;
	screen_draw(r->s);
	assert_string_equal(screen_row(r->s->canvas, 17),
		" recording 120M in 26s · rbtop-20231114-221400.data");
	assert_string_equal(screen_row(r->s->canvas, 18),
		" lost: armed again in 4s · fired 1 time · snapshot every "
		"20s");
	r->snapshots.record_missed = 4096;
	screen_draw(r->s);
	assert_true(has(r, 17, "!4K missed: data arrives faster than "));
	r->snapshots.record_cause = RECORD_NO_CPU;
	screen_draw(r->s);
	assert_true(has(r, 17, "!4K missed: the writer waited for a CPU"));
	r->snapshots.record_cause = RECORD_SLOW_DISK;
	screen_draw(r->s);
	assert_true(has(r, 17, "!4K missed: the disk was too slow"));
	r->snapshots.recording = false;
	snprintf(r->snapshots.record_error, sizeof(r->snapshots.record_error),
		 "no space left on device");
	screen_draw(r->s);
	assert_string_equal(screen_row(r->s->canvas, 17),
			    " !recording ended: no space left on device · "
			    "rbtop-20231114-221400.data");
	r->snapshots.record_error[0] = '\0';
	screen_draw(r->s);
	assert_string_equal(screen_row(r->s->canvas, 17),
			    " recorded 120M · rbtop-20231114-221400.data");
}

TEST(no_aux_rings)
{
	struct rig *r = *state;

	screen_open(r->s, 20, 80, 2);
	screen_draw(r->s);
	assert_screen(r->s->canvas, EXPECTED_TEXT, "aux/no_aux_rings");
	snprintf(r->snapshots.dir, sizeof(r->snapshots.dir), ".");
	r->s->frame->snapshots = &r->snapshots;
	screen_draw(r->s);
	assert_true(has(r, 5, "Overwrite rings (--overwrite) can also be"));
	assert_string_equal(screen_row(r->s->canvas, 8),
			    "  N TIME     TRIGGER      STATE       BYTES  STOP "
			    "FILE");
	assert_true(has(r, 7, "Snapshots: 0 taken, in the current directory"));
	assert_true(has(r, 9, "no ring here to take a snapshot of"));
	assert_string_equal(view_aux.label(r->s->view, ACTION_GROW), "");
	assert_string_equal(view_aux.label(r->s->view, ACTION_TAG), "");
	frames_overwrite(&r->s->frame->rings[0], false);
	screen_draw(r->s);
	assert_true(has(r, 4, "none yet; press s to take one"));
	assert_true(has(r, 0, "s saves the records of 1 overwrite ring to"));
	r->s->shell.config.readonly = true;
	screen_draw(r->s);
	assert_string_equal(screen_row(r->s->canvas, 4), "  none yet");
	assert_true(has(r, 0, "A snapshot saves the records of 1 overwrite "
			   "ring"));
	r->s->shell.config.readonly = false;
	/* at 40x10 the list is still shown */
	canvas_free(r->s->canvas);
	r->s->canvas = canvas_new(6, 40, false);
	screen_draw(r->s);
	assert_true(has(r, 0, "s saves the records of 1 overwrite ring"));
	assert_true(has(r, 2, "  N TIME"));
	assert_true(has(r, 3, "none yet"));
	/* it gets more rows once there are snapshots */
	frames_snapshots(&r->snapshots);
	screen_draw(r->s);
	assert_true(has(r, 0, "s saves the records"));
	assert_true(has(r, 1, "  N TIME"));
	assert_true(has(r, 4, "  2 22:13:40"));
}

/* The cursor goes from one list to the other, and stays on its snapshot. */
TEST(cursor)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 2, SNAPSHOT);
	assert_int_equal(screen_cursor(r->s), 1);
	screen_act(r->s, ACTION_DOWN);
	assert_int_equal(screen_cursor(r->s), 2);
	screen_act(r->s, ACTION_DOWN);
	assert_int_equal(screen_cursor(r->s), 8);
	screen_act(r->s, ACTION_UP);
	assert_int_equal(screen_cursor(r->s), 2);
	screen_act(r->s, ACTION_RIGHT);
	screen_act(r->s, ACTION_DOWN);
	assert_int_equal(screen_cursor(r->s), 9);
	assert_true(has(r, 9, "SIGUSR2"));
	/* another snapshot is added */
	r->snapshots.list[4] = r->snapshots.list[3];
	r->snapshots.list[4].number = 5;
	r->snapshots.nr = 5;
	screen_draw(r->s);
	assert_int_equal(screen_cursor(r->s), 10);
	assert_true(has(r, 10, "SIGUSR2"));
	/* at the top it stays there */
	screen_act(r->s, ACTION_HOME);
	r->snapshots.list[5] = r->snapshots.list[4];
	r->snapshots.list[5].number = 6;
	r->snapshots.nr = 6;
	screen_draw(r->s);
	assert_int_equal(screen_cursor(r->s), 8);
	assert_true(has(r, 8, "  6 "));
	screen_act(r->s, ACTION_LEFT);
	assert_int_equal(screen_cursor(r->s), 2);
	screen_passes_on(r->s, ACTION_CANCEL);
}

/* Open the detail that was requested, in place of the list. */
static void open_snapshot(struct rig *r)
{
	assert_int_equal(r->s->shell.shown, VIEW_SNAPSHOT_DETAIL);
	r->list = r->s->view;
	r->s->view = view_new(&view_snapshot_detail, &r->s->shell.shell);
	view_snapshot_detail.focus(r->s->view, r->s->shell.shown_ring);
	screen_draw(r->s);
}

static void close_snapshot(struct rig *r)
{
	view_free(r->s->view);
	r->s->view = r->list;
	screen_draw(r->s);
}

TEST(detail)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 2, SNAPSHOT);
	screen_act(r->s, ACTION_OPEN);
	assert_int_equal(r->s->shell.shown, VIEW_RING_DETAIL);
	assert_int_equal(r->s->shell.shown_ring, 0);
	screen_act(r->s, ACTION_RIGHT);
	screen_act(r->s, ACTION_DOWN);
	screen_act(r->s, ACTION_DOWN);
	screen_act(r->s, ACTION_OPEN);
	open_snapshot(r);
	assert_true(screen_has(r->s, "Snapshot 2"));
	assert_true(screen_has(r->s, "3 of 4"));
	assert_true(screen_has(r->s, "lost: 12 records on ring 3"));
	assert_true(screen_has(r->s, "device; make room or use --output DIR"));
	assert_true(screen_has(r->s, "46us from first to last ring"));
	screen_act(r->s, ACTION_RIGHT);
	assert_true(screen_has(r->s, "/var/tmp/rbtop-20231114-221321-001.data"));
	assert_true(screen_has(r->s, "perf script -i FILE"));
	/*
	 * Esc is for the app; back in the list the cursor is on the row last
	 * shown
	 */
	screen_passes_on(r->s, ACTION_CANCEL);
	close_snapshot(r);
	assert_int_equal(screen_cursor(r->s), 11);
}

/* In little room it scrolls; and the snapshot may have been dropped. */
TEST(detail_without_room)
{
	struct rig *r = *state;

	open_at(r, 6, 40, 2, SNAPSHOT);
	screen_act(r->s, ACTION_RIGHT);
	screen_act(r->s, ACTION_END);
	screen_act(r->s, ACTION_OPEN);
	open_snapshot(r);
	assert_true(screen_has(r->s, "Snapshot 1"));
	assert_false(screen_has(r->s, "perf script"));
	screen_act(r->s, ACTION_END);
	assert_true(screen_has(r->s, "perf script"));
	r->snapshots.list[0].number = 99;
	screen_draw(r->s);
	assert_true(screen_has(r->s, "the snapshot is no longer listed"));
	close_snapshot(r);
}

/*
 * A snapshot for several requests: their number, the time, and how long it
 * took.
 */
TEST(merged)
{
	struct rig *r = *state;
	struct snapshot_info *info = &r->snapshots.list[0];

	open_at(r, 24, 80, 2, SNAPSHOT);
	info->requests = 4;
	info->wait = 0.002;
	info->took = 0.084;
	info->reach = 0.016;
	info->short_rings = 2;
	r->snapshots.requests = 8;
	r->snapshots.merged = 3;
	screen_draw(r->s);
	assert_true(screen_has(r->s, "Snapshots: 1 taken for 8 requests, 1 failed"));
	assert_true(screen_has(r->s, " (4) "));
	r->snapshots.queued = 2;
	screen_draw(r->s);
	assert_true(screen_has(r->s, "1 taken, 1 queued for 2 requests, 1 failed"));
	screen_act(r->s, ACTION_RIGHT);
	screen_act(r->s, ACTION_END);
	screen_act(r->s, ACTION_OPEN);
	open_snapshot(r);
	assert_true(screen_has(r->s, "stopped 2ms, written 84ms after the request"));
	assert_true(screen_has(r->s, "(CPU 0-3), 16ms of trace; "));
	assert_true(screen_has(r->s, "cover less time than the trace on 2 rings"));
	assert_true(screen_has(r->s, "perf script -i FILE"));
	info->reach = NAN;
	info->short_rings = 0;
	screen_draw(r->s);
	assert_false(screen_has(r->s, "of trace;"));
	assert_false(screen_has(r->s, "cover less time"));
	close_snapshot(r);
}

/* The cursor is on the ring that the detail was left on. */
TEST(back_from_detail)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 2, SNAPSHOT);
	screen_act(r->s, ACTION_OPEN);
	r->s->shell.shell.visited = 1;
	screen_draw(r->s);
	assert_int_equal(screen_cursor(r->s), 2);
	assert_true(r->s->shell.shell.visited == VIEW_NO_ROW);
	/* it is for Rings */
	r->s->shell.shell.lister = NULL;
	r->s->shell.shell.visited = 0;
	screen_draw(r->s);
	assert_int_equal(r->s->shell.shell.visited, 0);
}

TEST(requests)
{
	struct rig *r = *state;
	struct fake_shell *h = &r->s->shell;

	open_at(r, 20, 80, 3, SNAPSHOT);
	screen_act(r->s, ACTION_DOWN);
	screen_act(r->s, ACTION_READ);
	assert_int_equal(h->nr_requests, 1);
	assert_int_equal(h->requests[0].kind, REQUEST_READ);
	assert_int_equal(h->requests[0].ring, 1);
	screen_act(r->s, ACTION_SNAPSHOT_SOME);
	assert_int_equal(h->requests[1].kind, REQUEST_SNAPSHOT);
	assert_string_equal(h->requests[1].text, "key");
	assert_int_equal(h->nr_rings, 1);
	assert_int_equal(h->rings[0], 1);
	screen_act(r->s, ACTION_HOME);
	screen_act(r->s, ACTION_TAG);
	screen_act(r->s, ACTION_DOWN);
	screen_act(r->s, ACTION_TAG);
	assert_true(has(r, 1, "●"));
	assert_true(has(r, 3, "●"));
	screen_act(r->s, ACTION_SNAPSHOT_SOME);
	assert_int_equal(h->nr_rings, 2);
	assert_int_equal(h->rings[0], 0);
	assert_int_equal(h->rings[1], 2);
	screen_act(r->s, ACTION_UNTAG);
	assert_false(has(r, 1, "●"));
	/* keys of all tabs are for the app */
	screen_passes_on(r->s, ACTION_SNAPSHOT);
	screen_passes_on(r->s, ACTION_RECORD);
	screen_passes_on(r->s, ACTION_SNAPSHOT_CANCEL);
	/* among the snapshots there is no ring under the cursor */
	screen_act(r->s, ACTION_RIGHT);
	screen_act(r->s, ACTION_SNAPSHOT_SOME);
	assert_int_equal(h->nr_requests, 3);
	assert_memory_equal(h->message, "no ring is tagged", 17);
}

/* In full trace the head is read all the time. */
TEST(read_of_full_trace)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 1, FULL);
	screen_act(r->s, ACTION_READ);
	assert_int_equal(r->s->shell.nr_requests, 0);
	assert_int_equal(r->s->shell.message_role, ROLE_NOTICE);
}

TEST(mouse)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 3, SNAPSHOT);
	assert_true(screen_click(r->s, 3, 5, false));
	assert_int_equal(screen_cursor(r->s), 3);
	assert_true(screen_click(r->s, 10, 5, false));
	assert_int_equal(screen_cursor(r->s), 10);
	assert_true(screen_click(r->s, 10, 5, true));
	assert_int_equal(r->s->shell.shown, VIEW_SNAPSHOT_DETAIL);
	assert_int_equal(r->s->shell.shown_ring, 3);
	assert_true(screen_click(r->s, 2, 5, true));
	assert_int_equal(r->s->shell.shown_ring, 1);
	/* sort by a heading */
	assert_true(screen_click(r->s, 0, 30, false));
	assert_true(has(r, 0, "▼HEAD"));
	/* totals, the text about the ring, headings of the snapshots */
	assert_false(screen_click(r->s, 4, 5, false));
	assert_false(screen_click(r->s, 7, 5, false));
	assert_false(screen_click(r->s, 8, 5, false));
	assert_false(screen_click(r->s, 19, 5, false));
}

/* While recording there are AUX rings, but no snapshots. */
TEST(mouse_without_snapshots)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 3, FULL);
	r->s->frame->snapshots = NULL;
	screen_draw(r->s);
	assert_true(screen_click(r->s, 3, 5, true));
	assert_int_equal(r->s->shell.shown_ring, 2);
	assert_string_equal(view_aux.label(r->s->view, ACTION_RIGHT), "");
	assert_null(view_aux.label(r->s->view, ACTION_GROW));
}

TEST(many_rings)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 256, SNAPSHOT);
	/* half of the rings, and all snapshots */
	assert_true(has(r, 8, "CPU 7"));
	assert_true(has(r, 9, "all 256"));
	assert_true(has(r, 17, "rbtop-20231114-221321-001.data"));
	screen_act(r->s, ACTION_END);
	assert_true(has(r, 8, "CPU 255"));
	assert_true(r->s->view->ops->wheel(r->s->view, r->s->frame, -100));
	screen_draw(r->s);
	assert_false(screen_has(r->s, "CPU 255"));
}

TEST_GROUP(aux, .each_setup = setup, .each_teardown = teardown);
