/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The detail of one of the host's rings. */
#include "tests/group.h"

#include <stdlib.h>
#include <string.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"

struct rig {
	struct screen *s;
	struct host *host;
};

enum {
	TALL = 90,		/* rows in which all of a detail has room */
};

static int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	r->s = screen_new(&view_host_detail);
	r->host = frames_host_new();
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct rig *r = *state;

	frames_host_free(r->host);
	screen_free(r->s);
	free(r);
	return 0;
}

/* As Host does when it opens it: the ids of its rows, as sorted then. */
static const uint64_t listed[] = { 2, 7, 3, 1, 4, 5, 6 };

static void open_at(struct rig *r, int rows, int cols, size_t id)
{
	r->s->shell.shell.listed = listed;
	r->s->shell.shell.nr_listed = sizeof(listed) / sizeof(listed[0]);
	screen_open(r->s, rows, cols, 0);
	r->s->frame->host = r->host;
	r->s->view->ops->focus(r->s->view, id);
	screen_draw(r->s);
}

static bool has(const struct rig *r, const char *text)
{
	for (int row = 0; row < r->s->canvas->rows; row++) {
		if (strstr(screen_row(r->s->canvas, row), text))
			return true;
	}
	return false;
}

/*
 * Warnings first, then the advice, the ring and the figures; bounds are marked,
 * and the start of counting is shown.
 */
TEST(look)
{
	struct rig *r = *state;

	open_at(r, TALL, 80, 2);
	assert_screen(r->s->canvas, EXPECTED_TEXT, "host_detail/look");
	canvas_free(r->s->canvas);
	r->s->canvas = canvas_new(20, 80, false);
	screen_draw(r->s);
	assert_false(has(r, "History"));
	screen_act(r->s, ACTION_END);
	assert_true(has(r, "History"));
}

/*
 * At 80x24 all warnings, the cause first, and the recommended size are visible.
 */
TEST(losing_at_80x24)
{
	struct rig *r = *state;

	r->host->rows[1].warnings |= 1u << RING_WARN_UNDRAINED |
				     1u << RING_WARN_STOPPED;
	r->host->rows[1].stopped = true;
	open_at(r, 20, 80, 2);
	assert_true(strstr(screen_row(r->s->canvas, 0), "  stopped "));
	assert_true(strstr(screen_row(r->s->canvas, 1),
			   "! its owner is stopped (SIGSTOP or a debugger)"));
	assert_true(has(r, "its owner has not drained it for"));
	assert_true(has(r, "records are being lost"));
	assert_true(has(r, "fits: peak seen 63% of 512K"));
}

/* perf's side-band rings have a watermark of 1 byte. */
TEST(every_record_wakes)
{
	struct rig *r = *state;
	struct ring_row *row = &r->host->rows[0];

	row->watermark = 1;
	row->head = row->crossings = 63352;
	row->next_crossing = 814;
	open_at(r, 40, 80, 1);
	assert_true(has(r, "watermark    every record"));
	assert_true(has(r, "crossings               -"));
	assert_false(has(r, "▲ wakes"));
	row->watermark = row->next_crossing = 65536;
	row->crossings = 0;
	screen_draw(r->s);
	assert_true(has(r, "watermark             64K"));
	assert_true(has(r, "crossings               0"));
}

/* Warnings have a mark and a colour. */
TEST(warnings)
{
	struct rig *r = *state;

	open_at(r, 30, 80, 3);
	assert_true(has(r, "! its owner was woken and has not drained it for "
			   "12s or more"));
	assert_int_equal(r->s->canvas->cells[80].ch, '!');
	assert_int_equal(r->s->canvas->cells[80].role, ROLE_WARN);
	r->host->rows[2].warnings = 1u << RING_WARN_LOSING |
				    1u << RING_WARN_PAUSED |
				    1u << RING_WARN_MLOCK;
	r->host->rows[2].paused = true;
	screen_draw(r->s);
	assert_int_equal(r->s->canvas->cells[80].role, ROLE_BAD);
	assert_true(has(r, "! output is paused"));
	assert_true(has(r, "mlock limit"));
	assert_true(has(r, "  paused "));
}

TEST(aux)
{
	struct rig *r = *state;

	open_at(r, 60, 80, 7);
	assert_true(has(r, "AUX ring, full trace "));
	assert_true(has(r, "tail 0, head 0"));
	assert_true(has(r, "tail              4194304  fill                 100%"));
	assert_true(has(r, "intel_pt/tsc,mtc/ off "));
	/* as in snapshot mode, with the head of the last stop */
	r->host->rows[6].aux.overwrite = true;
	r->host->rows[6].aux.head = r->host->rows[6].aux.position = 3 << 20;
	screen_draw(r->s);
	assert_true(has(r, "AUX ring, snapshot mode: at the last stop"));
	assert_true(has(r, "head 3145728"));
	/* /proc would only show size and watermark */
	frames_host_proc(r->host);
	screen_draw(r->s);
	assert_false(has(r, "AUX ring"));
}

TEST(ringbuf)
{
	struct rig *r = *state;

	open_at(r, 40, 80, 4);
	assert_true(has(r, "parca-agent[900]  all CPUs  BPF ring buffer"));
	assert_true(has(r, "bpf_ringbuf_reserve()"));
	assert_true(has(r, "BPF map            events"));
	assert_false(has(r, "EVENT"));
	assert_false(has(r, "▲ wakes"));
	assert_false(has(r, "counted for"));
	/* --ringbuf-drops */
	r->host->rows[3].lost = 2048;
	r->host->rows[3].lost_bytes = 96 << 10;
	r->host->rows[3].lost_from = r->host->rows[3].last_seen - 12;
	screen_draw(r->s);
	assert_true(has(r, "lost bytes"));
	assert_true(has(r, "98304"));
	assert_true(has(r, "counted for"));
	assert_true(has(r, "12s"));
	assert_false(has(r, "do not count losses"));
}

TEST(ftrace)
{
	struct rig *r = *state;

	r->host->rows[3].kind = RING_FTRACE;
	strcpy(r->host->rows[3].label, "CPU 3");
	strcpy(r->host->rows[3].event, "ftrace:x");
	open_at(r, 40, 80, 4);
	assert_true(has(r, "parca-agent[900]  CPU 3  ftrace buffer  ftrace:x"));
	assert_true(has(r, "reads it"));
	assert_false(has(r, "BPF ring buffers do not"));
	r->host->rows[3].nr_holders = 0;
	r->host->rows[3].mapped = false;
	r->host->rows[3].pid = -1;
	screen_draw(r->s);
	assert_true(has(r, "no process seen"));
	assert_false(has(r, "mapping"));
}

TEST(gone)
{
	struct rig *r = *state;

	open_at(r, 40, 80, 6);
	assert_true(has(r, "gone: last figures"));
	assert_true(has(r, "rings of alice pin 1M of the 1M"));
	assert_true(has(r, "beyond that, one process pins 64K of its "
			   "RLIMIT_MEMLOCK of 64K"));
	/* and stays when its row is removed, until the user goes to another */
	r->host->rows[5].id = 99;
	screen_draw(r->s);
	assert_true(has(r, "this ring is gone"));
	r->s->shell.shell.listed = (const uint64_t[]){ 5, 6, 1 };
	r->s->shell.shell.nr_listed = 3;
	screen_act(r->s, ACTION_LEFT);
	assert_true(has(r, "rbtop[4000]  rbtop's own"));
	assert_true(has(r, "1 of 3"));
	assert_int_equal(r->s->shell.shell.visited, 5);
	/* the removed one is skipped on the way back */
	screen_act(r->s, ACTION_RIGHT);
	assert_true(has(r, "3 of 3"));
	screen_act(r->s, ACTION_RIGHT);
	assert_true(has(r, "3 of 3"));
	r->s->frame->host = NULL;
	screen_draw(r->s);
	assert_true(has(r, "this ring is gone"));
	screen_act(r->s, ACTION_RIGHT);
}

/* In the order of the list. */
TEST(neighbours)
{
	struct rig *r = *state;
	struct shell *h = &r->s->shell.shell;

	open_at(r, 20, 80, 2);
	screen_act(r->s, ACTION_DOWN);
	assert_false(has(r, "1 of 7"));
	screen_act(r->s, ACTION_RIGHT);
	/* a new page begins at its top */
	assert_true(has(r, "2 of 7"));
	assert_true(has(r, "perf[2000]"));
	assert_int_equal(h->visited, 7);
	screen_act(r->s, ACTION_LEFT);
	screen_act(r->s, ACTION_LEFT);
	assert_true(has(r, "1 of 7"));
	for (int i = 0; i < 9; i++)
		screen_act(r->s, ACTION_RIGHT);
	assert_true(has(r, "7 of 7"));
	screen_passes_on(r->s, ACTION_CANCEL);
	screen_passes_on(r->s, ACTION_GROW);
	/* its position is that in the list when it was opened */
	r->host->rows++;
	r->host->nr_rows--;
	screen_draw(r->s);
	assert_true(has(r, "7 of 7"));
	r->host->rows--;
	r->host->nr_rows++;
}

/* With a filter that lists two of them, and for a ring that was not listed. */
TEST(neighbours_of_a_filter)
{
	struct rig *r = *state;
	struct shell *h = &r->s->shell.shell;

	open_at(r, 20, 80, 2);
	h->listed = (const uint64_t[]){ 2, 1 };
	h->nr_listed = 2;
	screen_draw(r->s);
	assert_true(has(r, "1 of 2"));
	screen_act(r->s, ACTION_RIGHT);
	assert_true(has(r, "2 of 2"));
	assert_int_equal(h->visited, 1);
	screen_act(r->s, ACTION_RIGHT);
	assert_int_equal(h->visited, 1);
	h->nr_listed = 1;
	screen_draw(r->s);
	assert_false(has(r, " of 1 ›"));
	screen_act(r->s, ACTION_RIGHT);
	assert_int_equal(h->visited, 1);
}

TEST(proc_alone)
{
	struct rig *r = *state;

	frames_host_proc(r->host);
	open_at(r, 40, 80, 1);
	assert_true(has(r, "the fill is unknown"));
	assert_true(has(r, "size                 512K"));
	assert_true(has(r, "fill                    -"));
	assert_true(has(r, "has it mapped"));
	assert_false(has(r, "Sizing"));
	assert_false(has(r, "History"));
}

TEST(held_by_many)
{
	struct rig *r = *state;
	struct ring_row *row = &r->host->rows[0];

	row->nr_holders = 7;
	for (int i = 0; i < RING_HOLDERS; i++) {
		row->holders[i].pid = 100 + i;
		strcpy(row->holders[i].comm, "worker");
		row->holders[i].maps = false;
	}
	row->mapped = false;
	open_at(r, 50, 80, 1);
	assert_true(has(r, "103  worker  holds a file descriptor"));
	assert_true(has(r, "and 3 more"));
	assert_true(has(r, "no process has it mapped"));
	row->programs[0].id = 4711;
	strcpy(row->programs[0].name, "feed");
	row->nr_programs = 1;
	screen_draw(r->s);
	assert_true(has(r, "Used by BPF programs"));
	assert_true(has(r, "4711  feed"));
	assert_false(has(r, "runs, mean"));
	row->programs[0].runs = 2000000;
	row->programs[0].run_ns = 680000000;
	screen_draw(r->s);
	assert_true(has(r, "4711  feed  2.00M runs, mean 340ns"));
	assert_false(has(r, "and 1 more"));
	row->nr_programs = RING_PROGRAMS + 1;
	screen_draw(r->s);
	assert_true(has(r, "and 1 more"));
	row->nr_programs = 0;
	screen_draw(r->s);
	assert_false(has(r, "Used by BPF programs"));
	row->nr_holders = 0;
	row->pid = -1;
	screen_draw(r->s);
	assert_true(has(r, "owner unknown"));
	assert_true(has(r, "no process seen"));
}

TEST(many_events)
{
	struct rig *r = *state;
	struct ring_row *row = &r->host->rows[0];
	struct ring_event event = row->events[1];

	free(row->events);
	row->nr_events = 3000;
	row->events = calloc(row->nr_events, sizeof(*row->events));
	for (size_t i = 0; i < row->nr_events; i++)
		row->events[i] = event;
	row->events[0].throttled = true;
	row->events[1].state = RING_EVENT_ERROR;
	row->events[2].cpu = -1;
	row->events[2].tid = 77;
	row->events[3].freq = false;
	open_at(r, 300, 132, 1);
	assert_true(has(r, "throttled"));
	assert_true(has(r, "error"));
	assert_true(has(r, "tid 77"));
	assert_true(has(r, "c4.00k"));
	assert_true(has(r, "and 2800 more"));
	assert_true(has(r, "Held by"));
}

/* If two columns fit, later parts are at the right. */
TEST(wide)
{
	struct rig *r = *state;

	open_at(r, 60, 200, 1);
	assert_false(has(r, "┃"));
	assert_true(has(r, "redirected"));
	assert_true(has(r, "   Pinned memory ───"));
	canvas_free(r->s->canvas);
	r->s->canvas = canvas_new(6, 40, true);
	screen_draw(r->s);
	assert_true(has(r, "perf[1234]  CPU 0"));
}

/* The command that its owner is to be started by, if it is known. */
TEST(command)
{
	struct rig *r = *state;

	open_at(r, 40, 80, 1);
	assert_false(has(r, "Restart it with:"));
	assert_null(view_host_detail.label(r->s->view, ACTION_COPY));
	r->host->rows[0].advice.command = "perf record -m 1024 -a";
	screen_draw(r->s);
	assert_true(has(r, "Restart it with:"));
	assert_true(has(r, "perf record -m 1024 -a"));
	assert_string_equal(view_host_detail.label(r->s->view, ACTION_COPY),
			    "Copy");
}

TEST_GROUP(host_detail, .setup = frames_utf8, .each_setup = setup,
	   .each_teardown = teardown);
