/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen of the machine's rings. */
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

/* As with --host: no rings of rbtop's own to sum up elsewhere. */
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

/* The row of the screen that a text is on, -1. */
static int row_of(const struct rig *r, const char *text)
{
	for (int row = 0; row < r->s->canvas->rows; row++) {
		if (has(r, row, text))
			return row;
	}
	return -1;
}

/* The view's part of 80x24: the worst on top, what is gone at the bottom. */
static void look(void **state)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	assert_screen(r->s->canvas, EXPECTED_LOOKS, "host/look");
	assert_true(has(r, 19, "worst on top (W)"));
}

static void narrow_and_ascii(void **state)
{
	struct rig *r = *state;

	open_at(r, 6, 40);
	r->s->canvas->ascii = true;
	screen_draw(r->s);
	assert_screen(r->s->canvas, EXPECTED_TEXT, "host/narrow_and_ascii");
}

/* Nothing is left out, and the bar has what remains. */
static void wide(void **state)
{
	struct rig *r = *state;

	open_at(r, 16, 200);
	assert_int_equal(row_of(r, "› OWNER"), -1);
	assert_true(has(r, 1, "UNDRN"));
	assert_true(has(r, 1, "AUXHEAD"));
	assert_true(has(r, 1, "LOCKED USER"));
	assert_true(has(r, 3, "intel_pt/tsc,mtc/ +1 "));
	/* bounds keep their marks */
	assert_true(has(r, 4, " >12s "));
	assert_true(has(r, 5, " >800ms "));
	assert_true(has(r, 5, " >63% "));
}

/* Columns that would be empty leave their room to others. */
static void columns_that_say_nothing(void **state)
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

/* What said something once stays: the table does not jump at each loss. */
static void columns_stay(void **state)
{
	struct rig *r = *state;
	struct ring_row *rows = r->host->rows;
	char header[512];

	open_at(r, 16, 200);
	strcpy(header, screen_row(r->s->canvas, 1));
	assert_non_null(strstr(header, "PEND"));
	for (size_t i = 0; i < r->host->nr_rows; i++) {
		rows[i].warnings = 0;
		rows[i].aux.size = 0;
	}
	rows[1].lost_pending = 0;
	frames_host_sum(r->host);
	screen_draw(r->s);
	assert_string_equal(screen_row(r->s->canvas, 1), header);
	/* until all starts afresh */
	screen_passes_on(r->s, ACTION_RESET);
	assert_false(has(r, 1, "PEND"));
	assert_false(has(r, 1, "AUX"));
	assert_false(has(r, 1, "WARN"));
	/* nobody knows of pending ones: nothing to say either */
	r->host->total.row.lost_pending = UNKNOWN;
	screen_draw(r->s);
	assert_false(has(r, 1, "PEND"));
}

/* The cause stands in the list, not what comes of it. */
static void causes(void **state)
{
	struct rig *r = *state;
	struct ring_row *rows = r->host->rows;

	rows[1].warnings |= 1u << RING_WARN_UNDRAINED;
	open_at(r, 20, 80);
	assert_true(has(r, 2, "!12.3k undrained"));
	rows[1].stopped = true;
	screen_draw(r->s);
	assert_true(has(r, 2, "!12.3k stopped"));
	/* it is known before anything goes wrong */
	for (size_t i = 0; i < r->host->nr_rows; i++)
		rows[i].warnings = 0;
	frames_host_sum(r->host);
	screen_passes_on(r->s, ACTION_RESET);
	assert_true(row_of(r, "stopped") > 0);
	rows[1].gone = true;
	screen_draw(r->s);
	assert_int_equal(row_of(r, "stopped"), -1);
}

/* No position wakes the owner next where each record does. */
static void every_record_wakes(void **state)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	assert_true(has(r, 5, "perf        1234 CPU 0"));
	assert_true(has(r, 5, "│"));
	r->host->rows[0].watermark = 1;
	screen_draw(r->s);
	assert_false(has(r, 5, "│"));
}

static void in_a_session(void **state)
{
	struct rig *r = *state;

	screen_open(r->s, 16, 80, 2);
	r->s->frame->host = r->host;
	r->host->users[1].at_limit = true;
	r->host->status.whole_age = 3;
	screen_draw(r->s);
	assert_screen(r->s->canvas, EXPECTED_LOOKS, "host/in_a_session");
}

/* Why so little is known, in full, and only the columns that are known. */
static void proc_alone(void **state)
{
	struct rig *r = *state;

	frames_host_proc(r->host);
	open_at(r, 20, 80);
	assert_screen(r->s->canvas, EXPECTED_TEXT, "host/proc_alone");
	canvas_free(r->s->canvas);
	r->s->canvas = canvas_new(6, 40, false);
	screen_draw(r->s);
	/* the rows are what one came for */
	assert_screen(r->s->canvas, EXPECTED_TEXT, "host/proc_alone_2");
}

static void failing_looks(void **state)
{
	struct rig *r = *state;

	strcpy(r->host->status.error, "a look failed: out of memory");
	open_at(r, 20, 80);
	assert_true(has(r, 1, "! a look failed: out of memory"));
	assert_true(has(r, 2, "OWNER"));
}

static void empty(void **state)
{
	struct rig *r = *state;
	size_t nr = r->host->nr_rows;

	r->host->nr_rows = 0;
	open_at(r, 20, 80);
	/* as with -p, which chooses */
	r->s->frame->title = "rings of pids 1,2";
	screen_draw(r->s);
	assert_true(row_of(r, "Watched: rings of pids 1,2. There is none now.")
		    > 0);
	assert_true(row_of(r, "perf record") > 0);
	r->s->frame->nr_rings = 2;
	screen_draw(r->s);
	assert_true(row_of(r, "No process has a perf ring") > 0);
	r->s->frame->nr_rings = 0;
	r->host->status.ready = false;
	screen_draw(r->s);
	assert_true(row_of(r, "looking at all processes") > 0);
	r->s->frame->host = NULL;
	screen_draw(r->s);
	assert_true(row_of(r, "looking at all processes") > 0);
	screen_act(r->s, ACTION_WORST);
	screen_passes_on(r->s, ACTION_DOWN);
	screen_passes_on(r->s, ACTION_OPEN);
	r->host->nr_rows = nr;
}

/* Where nobody could see a ring, it is not said that there is none. */
static void nothing_could_be_read(void **state)
{
	struct rig *r = *state;
	size_t nr = r->host->nr_rows;

	r->host->nr_rows = 0;
	frames_host_proc(r->host);
	open_at(r, 20, 80);
	assert_true(row_of(r, "No ring is seen of the processes that may be")
		    > 0);
	r->host->status.hidden = 39;
	screen_draw(r->s);
	assert_true(row_of(r, "What 39 others") > 0);
	r->host->status.bpf = true;
	screen_draw(r->s);
	assert_true(row_of(r, "What 39 others") > 0);
	r->host->status.hidden = 1;
	screen_draw(r->s);
	assert_true(row_of(r, "What 1 other ") > 0);
	r->host->status.hidden = 0;
	strcpy(r->host->status.error, "a look failed: out of memory");
	screen_draw(r->s);
	assert_true(row_of(r, "No ring is seen of the processes") > 0);
	assert_int_equal(row_of(r, "There is none"), -1);
	assert_int_equal(row_of(r, "No process has"), -1);
	r->host->nr_rows = nr;
}

/* In a session, whose totals line has other sums. */
static void sums_unknown(void **state)
{
	struct rig *r = *state;

	screen_open(r->s, 16, 80, 2);
	r->s->frame->host = r->host;
	r->host->total.row.lost = UNKNOWN;
	r->host->status.hidden = 3;
	screen_draw(r->s);
	assert_true(has(r, 0, " 5+ rings of 5+ owners "));
	assert_true(has(r, 0, " · lost unknown · "));
}

static void asks_once_opened(void **state)
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
	assert_true(row_of(r, "are not looked at here") > 0);
}

/* The names on screen from the first row of the table on, "perf rbtop ". */
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

static void order(void **state)
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
	/* and back to how they came */
	screen_act(r->s, ACTION_WORST);
	assert_order(r, "perf perf bpftrace parca-agent rbtop ");
	assert_true(row_of(r, "in the order in which they came") > 0);
	assert_int_equal(row_of(r, "worst"), -1);
	/* by a column: a click on its header, again to turn round */
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

/* What is unknown comes last in either direction; so does what is gone. */
static void unknown_last(void **state)
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

static void unknown_texts_last(void **state)
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

static void cursor_follows(void **state)
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
	/* off a row that is no more */
	r->host->nr_rows = 4;
	screen_draw(r->s);
	assert_true(screen_cursor(r->s) >= 2);
	r->host->nr_rows = 7;
}

static void opens_detail(void **state)
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
	/* back from a neighbour that the detail went on to */
	h->shell.visited_row = 5;
	screen_draw(r->s);
	assert_true(has(r, screen_cursor(r->s), "rbtop"));
	assert_int_equal(h->shell.visited_row, 0);
}

/* The detail walks what stood there when it was opened. */
static void keeps_what_was_listed(void **state)
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
	/* not what is listed meanwhile */
	assert_int_equal(h->shell.nr_listed, 7);
	assert_true(screen_click(r->s, 3, 10, true));
	assert_int_equal(h->shell.nr_listed, 3);
	assert_int_equal(h->shell.listed[0], 2);
	assert_int_equal(h->shell.listed[1], 7);
	assert_int_equal(h->shell.listed[2], 1);
}

/* A key that looks as if it were for this screen. */
static void no_heat_map(void **state)
{
	struct rig *r = *state;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_MAP);
	assert_non_null(strstr(r->s->shell.message, "no heat map of other"));
}

static void filter(void **state)
{
	struct rig *r = *state;
	struct fake_shell *h = &r->s->shell;

	open_at(r, 20, 80);
	screen_act(r->s, ACTION_FILTER);
	assert_true(h->live);
	/* not the language of Samples' filters */
	assert_string_equal(h->prompt, "filter, a part of a row's text: ");
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
	assert_true(row_of(r, "no ring matches the filter: it is looked for in")
		    > 0);
	screen_act(r->s, ACTION_OPEN);
	assert_int_equal(h->shown, VIEW_NONE);
	screen_act(r->s, ACTION_CANCEL);
	assert_true(row_of(r, "bpftrace") > 0);
	screen_passes_on(r->s, ACTION_CANCEL);
}

static void search(void **state)
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
	/* Esc in the prompt goes back to where it began */
	screen_act(r->s, ACTION_SEARCH);
	fake_shell_answer(h, "java");
	screen_draw(r->s);
	assert_int_equal(screen_cursor(r->s), 8);
	screen_act(r->s, ACTION_SEARCH);
	fake_shell_answer(h, NULL);
	screen_draw(r->s);
	assert_int_equal(screen_cursor(r->s), 8);
}

static void scrolls_columns(void **state)
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

/* More rows than lines, and a frame that shrinks between two keys. */
static void many_rows(void **state)
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
	TEST(look),
	TEST(narrow_and_ascii),
	TEST(wide),
	TEST(columns_that_say_nothing),
	TEST(columns_stay),
	TEST(causes),
	TEST(every_record_wakes),
	TEST(in_a_session),
	TEST(proc_alone),
	TEST(failing_looks),
	TEST(empty),
	TEST(nothing_could_be_read),
	TEST(sums_unknown),
	TEST(asks_once_opened),
	TEST(order),
	TEST(unknown_last),
	TEST(unknown_texts_last),
	TEST(cursor_follows),
	TEST(opens_detail),
	TEST(keeps_what_was_listed),
	TEST(no_heat_map),
	TEST(filter),
	TEST(search),
	TEST(scrolls_columns),
	TEST(many_rows),
};

TEST_GROUP(host, tests, frames_utf8, NULL);
