/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Host screen. */
#include "tests/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring/figures.h"
#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/kit/list.h"

struct rig {
	struct screen *s;
	struct host *host;
};

static int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	r->s = screen_new(&view_host_rings);
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

/* As with --host: no own rings, so no totals above the list. */
static void open_at(struct rig *r, int rows, int cols)
{
	screen_open(r->s, rows, cols, 0);
	r->s->frame->host = r->host;
	screen_draw(r->s);
}

static bool has(const struct rig *r, int row, const char *text)
{
	return strstr(screen_row(r->s->canvas, row), text) != NULL;
}

/* The row of the screen with a text; -1: none. */
static int row_of(const struct rig *r, const char *text)
{
	for (int row = 0; row < r->s->canvas->rows; row++) {
		if (has(r, row, text))
			return row;
	}
	return -1;
}

/*
 * The view's part of 80x24: the worst on top, rings that are gone at the
 * bottom.
 */
TEST(look)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	assert_screen_rows(r->s->canvas, 0, 9, EXPECTED_LOOKS, "host/look");
	assert_true(has(r, 19, "worst on top (W)"));
}

TEST(narrow_and_ascii)
{
	struct rig *r = *state;

	open_at(r, 6, 40);
	r->s->canvas->ascii = true;
	screen_draw(r->s);
	assert_screen(r->s->canvas, EXPECTED_TEXT, "host/narrow_and_ascii");
}

/* All columns are shown, and the bar has the remaining room. */
TEST(wide)
{
	struct rig *r = *state;

	open_at(r, 16, 200);
	assert_int_equal(row_of(r, "› OWNER"), -1);
	assert_true(has(r, 1, "UNDRN"));
	assert_true(has(r, 1, "AUXHEAD"));
	assert_true(has(r, 1, "PINNED USER"));
	assert_true(has(r, 3, "intel_pt/tsc,mtc/ +1 "));
	/* bounds keep their marks */
	assert_true(has(r, 4, " >12s "));
	assert_true(has(r, 5, " >800ms "));
	assert_true(has(r, 5, " >63% "));
}

/* Where there is room, or where it was chosen. */
TEST(command_lines)
{
	struct rig *r = *state;
	struct config_columns *chosen =
		&r->s->shell.config.columns[CONFIG_HOST];

	r->host->rows[0].cmdline = "perf record -m 8 -e cpu-clock -o /dev/null";
	open_at(r, 16, 230);
	assert_true(has(r, 1, "COMMAND"));
	assert_int_not_equal(row_of(r, "perf record -m 8"), -1);
	open_at(r, 16, 159);
	assert_false(has(r, 1, "COMMAND"));
	*chosen = (struct config_columns){
		{ FIGURE_OWNER, FIGURE_LOST, FIGURE_COMMAND }, 3
	};
	open_at(r, 16, 80);
	assert_true(has(r, 1, "COMMAND"));
	assert_int_not_equal(row_of(r, "perf record -m 8 -e cpu-clock"), -1);
	/* none is known */
	r->host->rows[0].cmdline = NULL;
	chosen->nr = 0;
	screen_free(r->s);
	r->s = screen_new(&view_host_rings);
	open_at(r, 16, 230);
	assert_false(has(r, 1, "COMMAND"));
}

/* Columns that would be empty are left out. */
TEST(columns_that_say_nothing)
{
	struct rig *r = *state;

	for (size_t i = 0; i < r->host->nr_rows; i++) {
		r->host->rows[i].warnings = 0;
		r->host->rows[i].aux.size = 0;
		if (r->host->rows[i].lost != UNKNOWN)
			r->host->rows[i].lost_pending = 0;
	}
	frames_host_sum(r->host);
	open_at(r, 16, 200);
	assert_true(has(r, 1, "LOST"));
	assert_false(has(r, 1, "WARN"));
	assert_false(has(r, 1, "PEND"));
	assert_false(has(r, 1, "AUX"));
}

/*
 * A column that had something to show stays, so that the table does not move at
 * each loss.
 */
TEST(columns_stay)
{
	struct rig *r = *state;
	struct ring_row *rows = r->host->rows;
	char header[512];

	/* a text column is as wide as its longest text */
	rows[1].advice.verdict = VERDICT_TOO_SLOW;
	open_at(r, 16, 200);
	strcpy(header, screen_row(r->s->canvas, 1));
	assert_non_null(strstr(header, "PEND"));
	for (size_t i = 0; i < r->host->nr_rows; i++) {
		rows[i].warnings = 0;
		rows[i].aux.size = 0;
	}
	rows[1].lost_pending = 0;
	rows[1].advice.verdict = VERDICT_OK;
	frames_host_sum(r->host);
	screen_draw(r->s);
	assert_string_equal(screen_row(r->s->canvas, 1), header);
	/* nor with the names listed */
	open_at(r, 16, 80);
	strcpy(header, screen_row(r->s->canvas, 1));
	strcpy(rows[0].event, "a:b");
	strcpy(rows[0].comm, "b");
	screen_draw(r->s);
	assert_string_equal(screen_row(r->s->canvas, 1), header);
	open_at(r, 16, 200);
	/* until a reset */
	screen_passes_on(r->s, ACTION_RESET);
	assert_false(has(r, 1, "PEND"));
	assert_false(has(r, 1, "AUX"));
	assert_false(has(r, 1, "WARN"));
	/* pending losses are unknown: nothing to show either */
	r->host->total.row.lost_pending = UNKNOWN;
	screen_draw(r->s);
	assert_false(has(r, 1, "PEND"));
}

/* The list shows the cause, not its effects. */
TEST(causes)
{
	struct rig *r = *state;
	struct ring_row *rows = r->host->rows;

	rows[1].warnings |= 1u << RING_WARN_UNDRAINED;
	open_at(r, 20, 160);
	assert_true(has(r, 2, " undrained"));
	rows[1].warnings |= 1u << RING_WARN_STOPPED;
	screen_draw(r->s);
	assert_true(has(r, 2, " stopped"));
}

/* A stopped owner alone is a warning, and counted as one. */
TEST(stopped_warns)
{
	struct rig *r = *state;
	struct ring_row *rows = r->host->rows;

	for (size_t i = 0; i < r->host->nr_rows; i++)
		rows[i].warnings = 0;
	rows[0].warnings = 1u << RING_WARN_STOPPED;
	frames_host_sum(r->host);
	screen_open(r->s, 16, 120, 2);
	r->s->frame->host = r->host;
	screen_draw(r->s);
	assert_true(has(r, 0, "!1 warned"));
	assert_true(has(r, 3, "!  perf        1234 CPU 0 "));
	assert_true(has(r, 3, " stopped"));
	assert_screen_rows(r->s->canvas, 3, 1, EXPECTED_LOOKS,
			   "host/stopped_warns");
}

static void make_dummies(struct host *host, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		host->rows[i].dummies = true;
		host->rows[i].lost = host->rows[i].lost_before = 0;
	}
}

/* Rings are hidden, and the screen says how many. */
TEST(hides)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	assert_true(row_of(r, "java") > 0);
	screen_act(r->s, ACTION_HIDE_GONE);
	assert_int_equal(row_of(r, "java"), -1);
	assert_int_equal(row_of(r, " 1 gone hidden (H)"), 1);
	/* dummies are hidden by default, unless they lost something */
	r->host->rows[0].dummies = true;
	r->host->rows[0].lost = 5;
	screen_draw(r->s);
	assert_true(row_of(r, "1234 CPU 0") > 0);
	assert_int_equal(row_of(r, "dummy-only"), -1);
	make_dummies(r->host, 1);
	screen_draw(r->s);
	assert_int_equal(row_of(r, "1234 CPU 0"), -1);
	assert_int_equal(row_of(r, " 1 gone hidden (H) · 1 dummy-only hidden "
				   "(D)"), 1);
	assert_true(row_of(r, "1234 CPU 1") > 0);
	assert_string_equal(view_host_rings.label(r->s->view,
						  ACTION_HIDE_DUMMIES),
			    "Show dummies");
	screen_act(r->s, ACTION_HIDE_DUMMIES);
	assert_true(row_of(r, "1234 CPU 0") > 0);
	assert_true(r->s->shell.config.dummies);
	assert_string_equal(view_host_rings.label(r->s->view,
						  ACTION_HIDE_DUMMIES),
			    "Hide dummies");
	screen_act(r->s, ACTION_HIDE_GONE);
	assert_int_equal(row_of(r, "hidden"), -1);
	assert_true(row_of(r, "java") > 0);
}

/* A ring that is over is not listed, unless the user's cursor is on it. */
TEST(over)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	r->host->rows[5].over = true;
	screen_draw(r->s);
	assert_int_equal(row_of(r, "java"), -1);
	assert_int_equal(row_of(r, "hidden"), -1);
	r->host->rows[5].over = false;
	screen_draw(r->s);
	screen_act(r->s, ACTION_END);
	assert_int_equal(screen_cursor(r->s), row_of(r, "java"));
	r->host->rows[5].over = true;
	screen_draw(r->s);
	assert_int_equal(screen_cursor(r->s), row_of(r, "java"));
	screen_act(r->s, ACTION_UP);
	assert_int_equal(row_of(r, "java"), -1);
	/* it is as if there were none */
	for (size_t i = 0; i < r->host->nr_rows; i++) {
		r->host->rows[i].over = true;
		r->host->rows[i].id += 100;
	}
	screen_draw(r->s);
	assert_true(row_of(r, "There are none now") > 0);
}

/* Two rings of an owner on a CPU differ by their events; one of dummy events
 * has no charts. */
TEST(charts)
{
	struct rig *r = *state;

	r->s->shell.config.charts = r->s->shell.config.dummies = true;
	r->host->rows[0].dummies = true;
	open_at(r, 56, 200);
	assert_true(row_of(r, "perf[1234] CPU 1 cpu-clock ─") > 0);
	assert_int_equal(row_of(r, "perf[1234] CPU 0"), -1);
	assert_true(row_of(r, "1234 CPU 0") > 0);
	r->host->rows[0].dummies = false;
	screen_draw(r->s);
	assert_true(row_of(r, "perf[1234] CPU 0 cpu-clock ─") > 0);
	for (size_t i = 0; i < r->host->nr_rows; i++)
		r->host->rows[i].dummies = true;
	screen_draw(r->s);
	assert_int_equal(row_of(r, " now"), -1);
}

TEST(all_hidden)
{
	struct rig *r = *state;

	make_dummies(r->host, r->host->nr_rows);
	open_at(r, 20, 80);
	assert_true(row_of(r, " 7 dummy-only hidden (D)") >= 0);
	assert_true(row_of(r, "all rings are hidden") > 0);
}

/* u: the rings of one user, those of users without a name too. */
TEST(one_user)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_USER);
	assert_true(row_of(r, "Rings of") > 0);
	assert_true(row_of(r, "all users") > 0);
	assert_true(row_of(r, "root                 6 rings") > 0);
	assert_true(row_of(r, "alice                1 ring ") > 0);
	screen_act(r->s, ACTION_END);
	screen_act(r->s, ACTION_OPEN);
	assert_int_equal(row_of(r, " only rings of alice (u): 6 hidden"), 1);
	assert_true(row_of(r, "java") > 0);
	assert_int_equal(row_of(r, "1234"), -1);
	/* Esc keeps it; the first line is for all */
	screen_act(r->s, ACTION_USER);
	screen_act(r->s, ACTION_CANCEL);
	assert_int_equal(row_of(r, "1234"), -1);
	screen_act(r->s, ACTION_USER);
	screen_act(r->s, ACTION_HOME);
	screen_act(r->s, ACTION_OPEN);
	assert_true(row_of(r, "1234") > 0);
	assert_int_equal(row_of(r, "hidden"), -1);
	/* with the mouse */
	screen_act(r->s, ACTION_USER);
	screen_click(r->s, row_of(r, "alice   "), 30, false);
	assert_true(row_of(r, "only rings of alice") >= 0);
}

/* K: perf rings, then BPF ring buffers, ftrace's buffers, and all again. */
TEST(one_kind)
{
	struct rig *r = *state;

	open_at(r, 20, 100);
	screen_act(r->s, ACTION_KIND);
	assert_true(row_of(r, " only perf rings (K): 1 hidden") > 0);
	assert_true(row_of(r, "1234") > 0);
	assert_int_equal(row_of(r, "tetragon"), -1);
	screen_act(r->s, ACTION_KIND);
	assert_true(row_of(r, " only bpf rings (K): 6 hidden") > 0);
	assert_int_equal(row_of(r, "1234"), -1);
	screen_act(r->s, ACTION_KIND);
	assert_true(row_of(r, " only ftrace rings (K): 7 hidden") > 0);
	assert_true(row_of(r, "all rings are hidden") > 0);
	r->host->rows[0].kind = RING_FTRACE;
	screen_draw(r->s);
	assert_true(row_of(r, " T ") > 0);
	assert_true(row_of(r, "1234 CPU 0") > 0);
	screen_act(r->s, ACTION_KIND);
	assert_int_equal(row_of(r, "hidden"), -1);
	/* of packet captures, if there are any */
	r->host->rows[0].kind = RING_PACKET;
	r->host->total.nr[RING_PACKET] = 1;
	for (unsigned int kind = 0; kind < 4; kind++)
		screen_act(r->s, ACTION_KIND);
	assert_true(row_of(r, " only packet rings (K): 6 hidden") > 0);
	assert_true(row_of(r, "1234") > 0);
	screen_act(r->s, ACTION_KIND);
	assert_int_equal(row_of(r, "hidden"), -1);
}

/* While the popup of one key is open, the others open none and hide nothing. */
TEST(one_popup)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_SORT);
	screen_passes_on(r->s, ACTION_USER);
	assert_int_equal(row_of(r, "Rings of"), -1);
	screen_passes_on(r->s, ACTION_HIDE_GONE);
	screen_act(r->s, ACTION_CANCEL);
	assert_int_equal(row_of(r, "hidden"), -1);
	screen_act(r->s, ACTION_USER);
	screen_passes_on(r->s, ACTION_HIDE_GONE);
	screen_passes_on(r->s, ACTION_SORT);
	assert_true(row_of(r, "Rings of") > 0);
	screen_act(r->s, ACTION_CANCEL);
	assert_int_equal(row_of(r, "hidden"), -1);
}

/* Where there is no room for all of them they are cut between words. */
TEST(verdicts_are_cut)
{
	static const char verdicts[] = "reader not scheduled 4, perf (22135) "
		"needs more CPU time or at least -m 1024, perf (22136) needs "
		"more CPU time or at least -m 1024; ok 2";
	struct rig *r = *state;

	strcpy(r->host->verdicts, verdicts);
	r->host->concern = true;
	r->host->total.row.advice.verdict = VERDICT_UNSCHEDULED;
	open_at(r, 12, 80);
	assert_string_equal(screen_row(r->s->canvas, 0),
			    " reader not scheduled 4, perf (22135) needs more "
			    "CPU time or at least -m 1024, ›");
	/* or go on where rows are free */
	open_at(r, 20, 80);
	assert_true(has(r, 1, " perf (22136) needs more CPU time or at least "
			"-m 1024; ok 2"));
	open_at(r, 12, 76);
	assert_string_equal(screen_row(r->s->canvas, 0),
			    " reader not scheduled 4, perf (22135) needs more "
			    "CPU time or at least -m   ›");
	open_at(r, 12, 120);
	assert_true(has(r, 0, " needs more CPU time or at  ›"));
	open_at(r, 20, 200);
	assert_true(has(r, 0, "-m 1024; ok 2 · polled every 100ms"));
}

/* Help opens with the column under the cursor of the popup. */
TEST(popup_asks_help)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_SORT);
	screen_act(r->s, ACTION_HOME);
	for (int i = 0; i < 3; i++)
		screen_act(r->s, ACTION_DOWN);
	screen_passes_on(r->s, ACTION_HELP);
	assert_string_equal(r->s->shell.shell.help_column, "EVENT");
	assert_int_equal(r->s->shell.shell.help_list, VIEW_HOST);
}

/*
 * The whole name of an event fits in 80 columns, longer ones where there is
 * room; next to long names of owners, or long verdicts, its middle is left out.
 */
TEST(events_are_readable)
{
	static const char longest[] = "probe_libc:a_function_of_a_long_name";
	struct rig *r = *state;
	struct ring_row *rows = r->host->rows;

	strcpy(rows[0].event, "sched:sched_switch");
	strcpy(rows[1].event, longest);
	open_at(r, 20, 80);
	assert_true(row_of(r, " sche…witch ") > 0);
	for (size_t i = 0; i < r->host->nr_rows; i++) {
		strcpy(rows[i].comm, "perf");
		strcpy(rows[i].label, "CPU 1");
	}
	screen_passes_on(r->s, ACTION_RESET);
	assert_true(row_of(r, " sched:sched_switch ") > 0);
	assert_true(row_of(r, " FILL%   LOST  LOST/S VERDICT") > 0);
	/* a verdict is shown whole before a name gets the room */
	rows[1].advice.verdict = VERDICT_UNSCHEDULED;
	screen_passes_on(r->s, ACTION_RESET);
	assert_true(row_of(r, " reader not scheduled") > 0);
	canvas_free(r->s->canvas);
	r->s->canvas = canvas_new(20, 220, false);
	screen_draw(r->s);
	assert_true(row_of(r, longest) > 0);
}

/* There is no next wakeup position if each record wakes the owner. */
TEST(every_record_wakes)
{
	struct rig *r = *state;

	open_at(r, 20, 120);
	assert_true(has(r, 5, "perf        1234 CPU 0"));
	assert_true(has(r, 5, "│"));
	r->host->rows[0].watermark = 1;
	screen_draw(r->s);
	assert_false(has(r, 5, "│"));
}

TEST(in_a_session)
{
	struct rig *r = *state;

	screen_open(r->s, 16, 80, 2);
	r->s->frame->host = r->host;
	r->host->users[1].at_limit = true;
	r->host->status.whole_age = 3;
	screen_draw(r->s);
	assert_screen_rows(r->s->canvas, 0, 3, EXPECTED_LOOKS,
			   "host/in_a_session");
}

/* The whole reason why little is known, and only the columns that are known. */
TEST(proc_alone)
{
	struct rig *r = *state;

	frames_host_proc(r->host);
	open_at(r, 20, 80);
	assert_screen_rows(r->s->canvas, 0, 7, EXPECTED_TEXT,
			   "host/proc_alone");
	canvas_free(r->s->canvas);
	r->s->canvas = canvas_new(6, 40, false);
	screen_draw(r->s);
	/* rows are more important than the text */
	assert_screen_rows(r->s->canvas, 0, 3, EXPECTED_TEXT,
			   "host/proc_alone_2");
}

TEST(failed_poll)
{
	struct rig *r = *state;

	strcpy(r->host->status.error, "a poll failed: out of memory");
	open_at(r, 20, 80);
	assert_true(has(r, 1, "! a poll failed: out of memory"));
	assert_true(has(r, 2, "OWNER"));
}

TEST(empty)
{
	struct rig *r = *state;
	size_t nr = r->host->nr_rows;

	r->host->nr_rows = 0;
	open_at(r, 20, 80);
	/* as with -p */
	r->s->frame->title = "rings of pids 1,2";
	screen_draw(r->s);
	assert_true(row_of(r, "Watched: rings of pids 1,2. There are none now.")
		    > 0);
	assert_true(row_of(r, "perf record") > 0);
	r->s->frame->nr_rings = 2;
	screen_draw(r->s);
	assert_true(row_of(r, "No process has a perf ring") > 0);
	r->s->frame->nr_rings = 0;
	r->host->status.ready = false;
	screen_draw(r->s);
	assert_true(row_of(r, "reading all processes") > 0);
	r->s->frame->host = NULL;
	screen_draw(r->s);
	assert_true(row_of(r, "reading all processes") > 0);
	screen_act(r->s, ACTION_WORST);
	screen_act(r->s, ACTION_DOWN);
	screen_act(r->s, ACTION_OPEN);
	assert_int_equal(r->s->shell.shown, VIEW_NONE);
	r->host->nr_rows = nr;
}

/* If processes could not be read, it does not say that there is no ring. */
TEST(nothing_could_be_read)
{
	struct rig *r = *state;
	size_t nr = r->host->nr_rows;

	r->host->nr_rows = 0;
	frames_host_proc(r->host);
	open_at(r, 20, 80);
	assert_true(row_of(r, "There are no rings in the processes that rbtop")
		    > 0);
	r->host->status.hidden = 39;
	screen_draw(r->s);
	assert_true(row_of(r, "What 39 others") > 0);
	r->host->status.bpf = true;
	screen_draw(r->s);
	assert_true(row_of(r, "What 39 others") > 0);
	r->host->status.hidden = 1;
	screen_draw(r->s);
	assert_true(row_of(r, "What 1 other") > 0);
	assert_int_equal(row_of(r, "What 1 others"), -1);
	r->host->status.hidden = 0;
	strcpy(r->host->status.error, "a poll failed: out of memory");
	screen_draw(r->s);
	assert_true(row_of(r, "There are no rings in the processes") > 0);
	assert_int_equal(row_of(r, "There is none"), -1);
	assert_int_equal(row_of(r, "No process has"), -1);
	r->host->nr_rows = nr;
}

/* In a session, whose line of totals is about its own rings. */
TEST(sums_unknown)
{
	struct rig *r = *state;

	screen_open(r->s, 16, 80, 2);
	r->s->frame->host = r->host;
	r->host->total.row.lost = UNKNOWN;
	r->host->status.hidden = 3;
	screen_draw(r->s);
	assert_true(has(r, 0, " 5+ rings of 5+ owners "));
	assert_true(has(r, 0, " · losses unknown · "));
}

TEST(asks_once_opened)
{
	struct rig *r = *state;
	struct fake_shell *h = &r->s->shell;

	r->s->view->ops->focus(r->s->view, 0);
	assert_int_equal(h->nr_requests, 1);
	assert_int_equal(h->requests[0].kind, REQUEST_HOST);
	h->refuses = true;
	r->s->view->ops->focus(r->s->view, 0);
	screen_open(r->s, 20, 80, 0);
	screen_draw(r->s);
	assert_true(row_of(r, "are not shown here") > 0);
}

/*
 * Check the names on screen from the first row of the table on, "perf rbtop ".
 */
static void assert_order(struct rig *r, const char *expected)
{
	char order[256] = "";

	for (int row = row_of(r, "OWNER") + 1; row < r->s->canvas->rows;
	     row++) {
		char name[16] = "", line[256];

		strcpy(line, screen_row(r->s->canvas, row));
		if (strlen(line) < 20 || line[2] != ' ')
			continue;
		sscanf(line + 3, "%15s", name);
		strcat(order, name);
		strcat(order, " ");
	}
	assert_string_equal(order, expected);
}

TEST(order)
{
	struct rig *r = *state;

	/* one that is gone has a glyph of 2 bytes before its name */
	r->host->nr_rows = 5;
	open_at(r, 20, 120);
	assert_order(r, "perf bpftrace perf parca-agent rbtop ");
	assert_true(row_of(r, "worst on top (W)") > 0);
	screen_act(r->s, ACTION_INVERT);
	assert_order(r, "rbtop parca-agent perf bpftrace perf ");
	assert_true(row_of(r, "worst at the bottom") > 0);
	/* and back to the order of appearance */
	screen_act(r->s, ACTION_WORST);
	assert_order(r, "perf perf bpftrace parca-agent rbtop ");
	assert_true(row_of(r, "in order of arrival") > 0);
	assert_int_equal(row_of(r, "worst"), -1);
	/* by a column: a click on its header, again to invert */
	assert_true(screen_click(r->s, 1, 4, false));
	assert_order(r, "bpftrace parca-agent perf perf rbtop ");
	assert_true(has(r, 1, "OWNER▲"));
	assert_true(screen_click(r->s, 1, 4, false));
	assert_order(r, "rbtop perf perf parca-agent bpftrace ");
	assert_true(has(r, 1, "OWNER▼"));
	screen_act(r->s, ACTION_INVERT);
	assert_order(r, "bpftrace parca-agent perf perf rbtop ");
	screen_act(r->s, ACTION_WORST);
	assert_order(r, "perf bpftrace perf parca-agent rbtop ");
	r->host->nr_rows = 7;
}

/* Unknown values are last in both directions; so are rings that are gone. */
TEST(unknown_last)
{
	struct rig *r = *state;

	enum figure all[FIGURES];

	figure_columns(IN_HOST, all);
	open_at(r, 20, 132);
	screen_act(r->s, ACTION_SORT);
	for (int i = 0; all[i] != FIGURE_LOST; i++)
		screen_act(r->s, ACTION_DOWN);
	screen_act(r->s, ACTION_OPEN);
	assert_true(has(r, 1, "▼LOST"));
	assert_true(has(r, 2, "!12.3k"));
	assert_true(has(r, 7, "parca-agent"));
	assert_true(has(r, 8, "java"));
	screen_act(r->s, ACTION_INVERT);
	assert_true(has(r, 1, "▲LOST"));
	assert_true(has(r, 6, "!12.3k"));
	assert_true(has(r, 7, "parca-agent"));
	assert_true(has(r, 8, "java"));
}

TEST(unknown_texts_last)
{
	struct rig *r = *state;

	r->host->nr_rows = 4;
	*r->host->rows[0].comm = '\0';
	open_at(r, 20, 80);
	assert_true(screen_click(r->s, 1, 4, false));
	assert_true(has(r, 1, "OWNER▲"));
	assert_true(has(r, 5, "   -           1234"));
	assert_true(screen_click(r->s, 1, 4, false));
	assert_true(has(r, 1, "OWNER▼"));
	assert_true(has(r, 2, "  perf "));
	assert_true(has(r, 5, "   -           1234"));
	r->host->nr_rows = 7;
}

TEST(cursor_follows)
{
	struct rig *r = *state;
	int row;

	open_at(r, 20, 80);
	assert_int_equal(screen_cursor(r->s), 2);
	screen_act(r->s, ACTION_DOWN);
	screen_act(r->s, ACTION_DOWN);
	row = screen_cursor(r->s);
	assert_true(has(r, row, "bpftrace"));
	r->host->rows[2].warnings = 1u << RING_WARN_LOSING |
				    1u << RING_WARN_PENDING |
				    1u << RING_WARN_UNDRAINED;
	screen_draw(r->s);
	row = screen_cursor(r->s);
	assert_int_equal(row, 2);
	assert_true(has(r, row, "bpftrace"));
	/* k moves up, and does nothing else */
	screen_act(r->s, ACTION_END);
	screen_act(r->s, ACTION_UP);
	assert_true(has(r, screen_cursor(r->s), "rbtop"));
	assert_int_equal(r->s->shell.nr_requests, 0);
	/* from a row that no longer exists */
	r->host->nr_rows = 4;
	screen_draw(r->s);
	assert_true(screen_cursor(r->s) >= 2);
	r->host->nr_rows = 7;
}

TEST(opens_detail)
{
	struct rig *r = *state;
	struct fake_shell *h = &r->s->shell;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_OPEN);
	assert_int_equal(h->shown, VIEW_HOST_DETAIL);
	assert_int_equal(h->shown_ring, 2);
	assert_true(screen_click(r->s, 4, 10, false));
	assert_true(screen_click(r->s, 4, 10, true));
	assert_int_equal(h->shown_ring, 3);
	assert_false(screen_click(r->s, 15, 10, false));
	/* back from a row that the detail went to */
	h->shell.visited = 5;
	screen_draw(r->s);
	assert_true(has(r, screen_cursor(r->s), "rbtop"));
	assert_true(h->shell.visited == VIEW_NO_ROW);
}

/* The detail goes through the rows listed when it was opened. */
TEST(keeps_what_was_listed)
{
	struct rig *r = *state;
	struct fake_shell *h = &r->s->shell;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_OPEN);
	assert_int_equal(h->shell.nr_listed, 7);
	assert_int_equal(h->shell.listed[0], 2);
	assert_int_equal(h->shell.listed[6], 6);
	screen_act(r->s, ACTION_FILTER);
	fake_shell_answer(h, "perf");
	screen_draw(r->s);
	/* not the rows listed later */
	assert_int_equal(h->shell.nr_listed, 7);
	assert_true(screen_click(r->s, 3, 10, true));
	assert_int_equal(h->shell.nr_listed, 3);
	assert_int_equal(h->shell.listed[0], 2);
	assert_int_equal(h->shell.listed[1], 7);
	assert_int_equal(h->shell.listed[2], 1);
}

/* The key of the heat map does not work here, and says so. */
TEST(no_heat_map)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_MAP);
	assert_non_null(strstr(r->s->shell.message, "Host has no heat map"));
}

TEST(filter)
{
	struct rig *r = *state;
	struct fake_shell *h = &r->s->shell;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_FILTER);
	assert_true(h->live);
	/* not the filter syntax of Samples */
	assert_string_equal(h->prompt, "filter by text: ");
	fake_shell_answer(h, "PERF");
	screen_draw(r->s);
	assert_true(row_of(r, "filter \"PERF\": 3 of 7") > 0);
	assert_int_equal(row_of(r, "bpftrace"), -1);
	screen_act(r->s, ACTION_FILTER);
	assert_string_equal(h->initial, "PERF");
	/* by event, by user, by pid, by map */
	fake_shell_answer(h, "intel_pt");
	screen_draw(r->s);
	assert_true(row_of(r, "1 of 7") > 0);
	screen_act(r->s, ACTION_FILTER);
	fake_shell_answer(h, "alice");
	screen_draw(r->s);
	assert_true(row_of(r, "java") > 0);
	screen_act(r->s, ACTION_FILTER);
	fake_shell_answer(h, "1234");
	screen_draw(r->s);
	assert_true(row_of(r, "2 of 7") > 0);
	screen_act(r->s, ACTION_FILTER);
	fake_shell_answer(h, "printf");
	screen_draw(r->s);
	assert_true(row_of(r, "bpftrace") > 0);
	screen_act(r->s, ACTION_FILTER);
	fake_shell_answer(h, "nobody");
	screen_draw(r->s);
	assert_true(row_of(r, "no ring matches the filter; it searches")
		    > 0);
	screen_act(r->s, ACTION_OPEN);
	assert_int_equal(h->shown, VIEW_NONE);
	screen_act(r->s, ACTION_CANCEL);
	assert_true(row_of(r, "bpftrace") > 0);
	screen_passes_on(r->s, ACTION_CANCEL);
}

TEST(search)
{
	struct rig *r = *state;
	struct fake_shell *h = &r->s->shell;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_SEARCH);
	fake_shell_answer(h, "perf");
	screen_draw(r->s);
	assert_int_equal(screen_cursor(r->s), 2);
	screen_act(r->s, ACTION_SEARCH_NEXT);
	assert_int_equal(screen_cursor(r->s), 3);
	screen_act(r->s, ACTION_SEARCH_NEXT);
	assert_int_equal(screen_cursor(r->s), 5);
	screen_act(r->s, ACTION_SEARCH);
	fake_shell_answer(h, "zzz");
	screen_draw(r->s);
	assert_true(row_of(r, "search \"zzz\": no match") > 0);
	assert_int_equal(screen_cursor(r->s), 5);
	screen_act(r->s, ACTION_CANCEL);
	assert_int_equal(row_of(r, "search"), -1);
	/* Esc in the prompt goes back to the row where the search began */
	screen_act(r->s, ACTION_SEARCH);
	fake_shell_answer(h, "java");
	screen_draw(r->s);
	assert_int_equal(screen_cursor(r->s), 8);
	screen_act(r->s, ACTION_SEARCH);
	fake_shell_answer(h, NULL);
	screen_draw(r->s);
	assert_int_equal(screen_cursor(r->s), 8);
}

TEST(scrolls_columns)
{
	struct rig *r = *state;

	open_at(r, 20, 40);
	assert_true(has(r, 0, "OWNER") || has(r, 1, "OWNER"));
	assert_int_equal(row_of(r, "USER"), -1);
	for (int i = 0; i < 30; i++)
		screen_act(r->s, ACTION_RIGHT);
	assert_true(has(r, 1, "‹"));
	assert_false(has(r, 1, "›"));
	assert_true(has(r, 1, "OWNER"));
	assert_true(has(r, 1, "WARN"));
	for (int i = 0; i < 30; i++)
		screen_act(r->s, ACTION_LEFT);
	assert_true(has(r, 1, "FILL%"));
}

/* Owner, ring and pid stay, unless they leave too little room. */
TEST(scrolling_keeps_names)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	for (int i = 0; i < 4; i++)
		screen_act(r->s, ACTION_RIGHT);
	assert_true(has(r, 1, "OWNER"));
	assert_true(has(r, 1, " PID RING "));
	assert_false(has(r, 1, "EVENT"));
	open_at(r, 20, 40);
	assert_true(has(r, 1, "OWNER"));
	assert_false(has(r, 1, "RING"));
}

/* Shown in their order, as many as fit, without those that say nothing yet. */
TEST(columns_as_chosen)
{
	struct rig *r = *state;
	struct config_columns *chosen =
		&r->s->shell.config.columns[CONFIG_HOST];

	*chosen = (struct config_columns){
		{ FIGURE_RATE, FIGURE_PENDING, FIGURE_OWNER, FIGURE_EVENT,
		  FIGURE_AUX, FIGURE_LOCKED, FIGURE_FILLPCT }, 7
	};
	r->host->total.row.lost_pending = 0;
	for (size_t i = 0; i < r->host->nr_rows; i++)
		r->host->rows[i].aux.size = 0;
	open_at(r, 20, 80);
	assert_screen_rows(r->s->canvas, 0, 4, EXPECTED_TEXT,
			   "host/columns_as_chosen");
	open_at(r, 20, 40);
	assert_false(has(r, 1, "PINNED"));
	for (int i = 0; i < 5; i++)
		screen_act(r->s, ACTION_RIGHT);
	assert_true(has(r, 1, "PINNED"));
	for (int i = 0; i < 5; i++)
		screen_act(r->s, ACTION_LEFT);
	/* without BPF, what needs it is left out; if that is all, the list is
	 * as if nothing had been chosen */
	r->host->status.bpf = false;
	open_at(r, 20, 80);
	assert_int_equal(row_of(r, "B/S"), -1);
	assert_true(row_of(r, "OWNER") >= 0);
	assert_int_equal(row_of(r, "PID"), -1);
	*chosen = (struct config_columns){ { FIGURE_RATE }, 1 };
	open_at(r, 20, 80);
	assert_int_equal(row_of(r, "B/S"), -1);
	assert_true(row_of(r, "PID") >= 0);
}

/* More rows than lines, and a frame that shrinks between two keys. */
TEST(many_rows)
{
	struct rig *r = *state;
	struct host *h = r->host;
	struct ring_row *rows = h->rows;

	h->rows = calloc(500, sizeof(*h->rows));
	for (size_t i = 0; i < 500; i++) {
		h->rows[i] = rows[0];
		h->rows[i].id = i + 1;
		h->rows[i].pid = (pid_t)(1000 + i);
	}
	h->nr_rows = 500;
	open_at(r, 10, 80);
	screen_act(r->s, ACTION_END);
	assert_true(has(r, 9, "1499"));
	h->nr_rows = 3;
	screen_act(r->s, ACTION_DOWN);
	assert_true(has(r, screen_cursor(r->s), "1002"));
	assert_true(r->s->view->ops->wheel(r->s->view, r->s->frame, 3));
	free(h->rows);
	h->rows = rows;
	h->nr_rows = 7;
}

TEST_GROUP(host, .setup = frames_utf8, .each_setup = setup,
	   .each_teardown = teardown);
