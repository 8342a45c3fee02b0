/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/screen/expected.h"
#include "tests/screen/view_rig.h"
#include "ui/kit/list.h"

static int setup(void **state)
{
	struct view_rig *r = view_rig_new(&view_hot);

	r->s->shell.shell.query = (struct hot_query){
		.keys = 1u << HOT_SYMBOL | 1u << HOT_DSO,
	};
	*state = r;
	return 0;
}

/* Whether the row under the cursor has that name. */
static bool on(const struct view_rig *r, const char *text)
{
	return has(r, screen_cursor(r->s), text);
}

TEST(test_look)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	assert_screen_rows(r->s->canvas, 0, 11, EXPECTED_LOOKS, "hot/look");
}

/* Those chosen in Setup; NAME is all that it groups by. */
TEST(test_columns)
{
	struct view_rig *r = *state;

	r->s->shell.config.columns[CONFIG_HOT] = (struct config_columns){
		{ CONFIG_HOT_NAME, CONFIG_HOT_SELF }, 2,
	};
	open_at(r, 20, 80);
	assert_memory_equal(screen_row(r->s->canvas, 1), " SYMBOL ", 8);
	assert_true(has(r, 1, " DSO "));
	assert_true(has(r, 1, "SELF"));
	assert_false(has(r, 1, "CHILDREN"));
	/* what is hidden can be sorted by */
	r->s->shell.shell.query.by_children = true;
	screen_draw(r->s);
	assert_true(has(r, 19, "sorted by CHILDREN, which is not shown"));
}

/* Shares and names stay on a narrow screen. */
TEST(test_narrow_screen)
{
	struct view_rig *r = *state;

	open_at(r, 6, 40);
	assert_screen(r->s->canvas, EXPECTED_TEXT, "hot/narrow_screen");
	r->s->canvas->ascii = true;
	r->hot.thinned = true;
	tick(r);
	assert_true(has(r, 1, "+- "));
	for (int i = 0; i < 6 * 40; i++)
		assert_true(r->s->canvas->cells[i].ch < 0x80);
}

TEST(test_wide_screen)
{
	struct view_rig *r = *state;

	open_at(r, 20, 200);
	assert_true(screen_has(r->s, " libc.so.6"));
	assert_true(has(r, 19, "/usr/bin/app"));
	while (!on(r, "start_thread"))
		act(r, ACTION_DOWN);
	assert_true(has(r, 19, "/usr/lib/x86_64-linux-gnu/libc.so.6"));
	assert_true(screen_has(r->s, "work_loop(std::vector<int> const&) "));
}

TEST(test_recent_or_total)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	act(r, ACTION_TOTAL);
	assert_true(has(r, 0, "recent, half-life 5 s"));
	assert_true(has(r, 2, " 40.00%   40.00% k rep_movs_alternative"));
	assert_true(has(r, 3, " 20.00%   20.00% u crunch"));
	act(r, ACTION_TOTAL);
	assert_true(has(r, 0, "total of 1.00k samples"));
	assert_true(has(r, 2, "crunch"));
}

/* Of a recording. */
TEST(test_mark)
{
	struct view_rig *r = *state;
	struct playback playback = { .mark = (double)NAN };

	prepare_at(r, 20, 80);
	r->s->frame->playback = &playback;
	screen_draw(r->s);
	assert_true(has(r, 0, "total of 1.00k samples"));
	playback.mark = 3;
	screen_draw(r->s);
	assert_true(has(r, 0, "1.00k samples from mark to cursor · unweighted"));
	act(r, ACTION_WRITE_FLAME);
	assert_non_null(strstr(r->s->shell.flame_title,
			       "cpu-clock, samples from mark to cursor, unw"));
	act(r, ACTION_TOTAL);
	assert_true(has(r, 0, "recent, half-life 5 s"));
	r->s->frame->playback = NULL;
}

TEST(test_children)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	act(r, ACTION_CHILDREN);
	assert_true(has(r, 2, " 75.00% u main") ||
		    has(r, 2, " 75.00% u work_loop"));
	assert_true(has(r, 4, " 40.00% u crunch"));
	assert_screen_rows(r->s->canvas, 1, 1, EXPECTED_LOOKS, "hot/children");
	/* a click in the header */
	assert_true(screen_click(r->s, 1, 12, false));
	assert_true(has(r, 2, "crunch"));
	assert_true(screen_click(r->s, 1, 20, false));
	assert_true(has(r, 4, "crunch"));
	assert_false(screen_click(r->s, 1, 60, false));
}

TEST(test_no_chains)
{
	struct view_rig *r = *state;

	r->hot.chains = false;
	open_at(r, 20, 80);
	assert_false(screen_has(r->s, "CHILDREN"));
	act(r, ACTION_CHILDREN);
	assert_non_null(strstr(r->s->shell.message, "chain=DEPTH"));
	r->s->frame->source = "session";
	act(r, ACTION_CHILDREN);
	assert_non_null(strstr(r->s->shell.message, "-g"));
	assert_false(r->s->shell.shell.query.by_children);
	assert_false(screen_click(r->s, 1, 0, false));
}

TEST(test_thinned)
{
	struct view_rig *r = *state;

	r->hot.thinned = true;
	r->samples.status.decode_every = 8;
	for (int i = 0; i < CELLS; i++)
		r->cells[i].total.squares *= 8;
	open_at(r, 20, 83);
	assert_true(has(r, 0, "1 in 8 decoded · ± is 95 %"));
	/* shown in full or not at all */
	resize(r, 20, 80);
	assert_true(has(r, 0, "1 in 8 decoded"));
	assert_false(has(r, 0, "±"));
	assert_true(has(r, 1, "▼SELF CHILDREN      ± "));
	/* Wilson's interval of .4 with 125 samples: 8.46 */
	assert_true(has(r, 2, " 40.00%   40.00%  ±8.46 u crunch"));
}

TEST(test_narrowing)
{
	struct view_rig *r = *state;
	static const char *const by[] = { "comm", "pid", "cpu", "event" };

	open_at(r, 20, 80);
	act(r, ACTION_DOWN);
	assert_true(on(r, "rep_movs_alternative"));
	for (int i = 0; i < 4; i++) {
		char text[32];

		act(r, ACTION_OPEN);
		snprintf(text, sizeof(text), "by %s · total of 200", by[i]);
		assert_true(has(r, 0, text));
		assert_true(has(r, 3, "100.00%"));
	}
	assert_string_equal(screen_row(r->s->canvas, 1),
	" only rep_movs_alternative › comm app › pid 4242 › CPU 1");
	assert_true(has(r, 3, "cpu-clock"));
	act(r, ACTION_OPEN);
	assert_string_equal(r->s->shell.message,
			    "nothing is left to narrow to");
	for (int i = 3; i > 0; i--) {
		act(r, ACTION_CANCEL);
		assert_true(has(r, 0, by[i - 1]));
	}
	act(r, ACTION_CANCEL);
	/* back on the row that was narrowed to */
	assert_true(on(r, "rep_movs_alternative"));
	assert_int_equal(r->s->shell.shell.query.nr_where, 0);
	screen_passes_on(r->s, ACTION_CANCEL);
}

/* Sorted by children, a function is narrowed to with its callees. */
TEST(test_narrows_through_functions)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	act(r, ACTION_CHILDREN);
	while (!on(r, "start_thread"))
		act(r, ACTION_DOWN);
	act(r, ACTION_OPEN);
	assert_true(has(r, 0, "160 samples"));
	assert_true(has(r, 1, "only through start_thread"));
	assert_true(has(r, 3, "100.00% node"));
	/* otherwise only its own samples */
	act(r, ACTION_CANCEL);
	act(r, ACTION_CHILDREN);
	assert_true(on(r, "start_thread"));
	act(r, ACTION_OPEN);
	assert_true(has(r, 0, "10 samples"));
	assert_true(has(r, 1, " only start_thread"));
}

TEST(test_next_frame_forgets_nothing)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	/* if the cursor was not moved, it stays on the hottest */
	r->cells[4].total.sum = 900;
	tick(r);
	assert_true(on(r, "vfs_read"));
	act(r, ACTION_DOWN);
	assert_true(on(r, "crunch"));
	/* if it was moved, it stays on its row */
	r->cells[5].total.sum = 800;
	tick(r);
	assert_true(on(r, "crunch"));
	assert_int_equal(screen_cursor(r->s), 4);
	act(r, ACTION_HOME);
	r->cells[8].total.sum = 5000;
	tick(r);
	assert_true(on(r, "worker_thread"));
}

/* Rows are made again only after a change, not at each key. */
TEST(test_rows_are_kept)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	r->cells[4].total.sum = 900;
	act(r, ACTION_DOWN);
	assert_true(on(r, "rep_movs_alternative"));
	assert_true(has(r, 2, "crunch"));
	tick(r);
	assert_true(has(r, 2, "vfs_read"));
}

/*
 * With one event, samples are weighted by period: here vfs_read() has fewer
 * samples than others, but more events.
 */
TEST(test_shares_of_events)
{
	struct view_rig *r = *state;

	r->hot.nr_cells--;	/* the other event's */
	r->cells[4].total.events *= 100;
	open_at(r, 20, 80);
	assert_true(has(r, 0, "total of 950 samples · weighted by period"));
	assert_true(has(r, 2, " 84.75%   88.14% k vfs_read"));
	assert_true(on(r, "vfs_read"));
	/* not with several events, which are not separated then */
	r->hot.nr_cells++;
	tick(r);
	assert_true(has(r, 0, "1.00k samples · unweighted"));
	assert_true(has(r, 2, " 40.00%   40.00% u crunch"));
}

/* Several keys: the first columns get narrower so that the last one fits. */
TEST(test_by_event)
{
	struct view_rig *r = *state;

	r->s->shell.shell.query.keys |= 1u << HOT_EVENT;
	open_at(r, 20, 80);
	assert_true(has(r, 0, "by symbol, dso, event"));
	assert_string_equal(screen_row(r->s->canvas, 1),
	"   ▼SELF CHILDREN   SYMBOL                       DSO                  EVENT");
	assert_string_equal(screen_row(r->s->canvas, 7),
	"   5.00%    5.00% k worker_thread                [kernel.kallsyms]    sche…witch");
	r->hot.thinned = true;
	tick(r);
	assert_true(has(r, 1, "± "));
	assert_true(has(r, 7, "sche"));
}

TEST(test_notes)
{
	struct view_rig *r = *state;

	r->samples.status.name_bytes = r->samples.status.name_limit;
	open_at(r, 20, 80);
	assert_string_equal(screen_row(r->s->canvas, 19),
			    " memory for names is full · /usr/bin/app");
}

TEST(test_grouping)
{
	struct view_rig *r = *state;
	struct screen *s = r->s;

	open_at(r, 20, 80);
	act(r, ACTION_GROUP);
	assert_true(screen_has(s, "─ Group by ─"));
	assert_true(screen_has(s, "● symbol"));
	act(r, ACTION_DOWN);
	act(r, ACTION_DOWN);
	act(r, ACTION_OPEN);
	assert_false(screen_has(s, "Group by"));
	assert_true(has(r, 0, "by comm "));
	assert_true(has(r, 2, " 75.00% app"));
	/* Enter narrows to a row */
	act(r, ACTION_OPEN);
	assert_true(has(r, 0, "by symbol, dso · total of 750 samples"));
	act(r, ACTION_CANCEL);
	/* several, with Space */
	act(r, ACTION_GROUP);
	assert_true(screen_has(s, "● comm"));
	act(r, ACTION_DOWN);
	act(r, ACTION_TAG);
	assert_true(has(r, 0, "by comm, pid"));
	act(r, ACTION_UP);
	act(r, ACTION_TAG);
	assert_true(has(r, 0, "by pid "));
	/* at least one key has to stay */
	act(r, ACTION_DOWN);
	act(r, ACTION_TAG);
	assert_true(has(r, 0, "by pid "));
	act(r, ACTION_GROUP);
	assert_false(screen_has(s, "Group by"));
	assert_int_equal(s->shell.nr_requests, 0);
}

TEST(test_grouping_by_field)
{
	struct view_rig *r = *state;
	struct screen *s = r->s;

	open_at(r, 20, 80);
	act(r, ACTION_GROUP);
	assert_true(screen_has(s, "sched:sched_switch.prev_state"));
	act(r, ACTION_END);
	act(r, ACTION_OPEN);
	assert_int_equal(s->shell.nr_requests, 1);
	assert_int_equal(s->shell.requests[0].kind, REQUEST_FIELD);
	assert_string_equal(s->shell.requests[0].text,
			    "sched:sched_switch.next_comm");
	assert_int_equal(s->shell.shell.query.keys, 1u << HOT_FIELD);
	/* the source has collected the field since */
	snprintf(r->hot.field, sizeof(r->hot.field),
		 "sched:sched_switch.next_comm");
	r->cells[8].field = "swapper/3";
	tick(r);
	assert_true(has(r, 0, "by sched:sched_switch.next_comm"));
	/* only samples with the field; its name is the heading */
	assert_true(has(r, 0, "50 samples"));
	assert_true(has(r, 1, " next_comm"));
	assert_true(screen_has(s, "100.00% swapper/3"));
	assert_false(screen_has(s, " - "));
	/* it is not requested twice */
	act(r, ACTION_GROUP);
	assert_true(screen_has(s, "● sched:sched_switch.next_comm"));
	act(r, ACTION_OPEN);
	assert_int_equal(s->shell.nr_requests, 1);
	/* a narrowing keeps its own copy of the text */
	act(r, ACTION_OPEN);
	r->cells[8].field = strdup("swapper/3");
	tick(r);
	assert_true(has(r, 1, "only next_comm swapper/3"));
	assert_true(has(r, 0, "50 samples"));
	free((char *)(uintptr_t)r->cells[8].field);
}

/* After the end another field cannot be collected. */
TEST(test_refused_field)
{
	struct view_rig *r = *state;

	r->s->shell.refuses = true;
	open_at(r, 20, 80);
	act(r, ACTION_GROUP);
	act(r, ACTION_END);
	act(r, ACTION_OPEN);
	assert_int_equal(r->s->shell.nr_requests, 1);
	assert_true(has(r, 0, "by symbol, dso"));
	/* granted, but no sample has it yet */
	r->s->shell.refuses = false;
	act(r, ACTION_GROUP);
	act(r, ACTION_END);
	act(r, ACTION_OPEN);
	assert_true(screen_has(r->s, "no sample has had this field since"));
}

TEST(test_sorting)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	act(r, ACTION_SORT);
	assert_true(screen_has(r->s, "─ Sort by ─"));
	assert_true(screen_has(r->s, "● SELF"));
	act(r, ACTION_END);
	act(r, ACTION_OPEN);
	assert_true(has(r, 1, "SYMBOL▲"));
	assert_true(has(r, 2, "j LazyCompile"));
	assert_true(has(r, 3, "? [unknown]"));
	assert_true(has(r, 4, "u crunch"));
	assert_true(has(r, 4, " ████████ "));
	act(r, ACTION_SORT);
	act(r, ACTION_UP);
	act(r, ACTION_OPEN);
	assert_true(has(r, 1, "▼CHILDREN"));
	/* a click in the header */
	assert_true(screen_click(r->s, 1, 30, false));
	assert_true(has(r, 1, "SYMBOL▲"));
	r->hot.chains = false;
	tick(r);
	act(r, ACTION_SORT);
	assert_false(screen_has(r->s, "share with all callees"));
	assert_true(screen_has(r->s, "● SYMBOL"));
	act(r, ACTION_SORT);
	assert_false(screen_has(r->s, "Sort by"));
}

/* Scrolling shows the ends of names with the same beginning. */
TEST(test_scrolls_names)
{
	struct view_rig *r = *state;

	open_at(r, 20, 60);
	assert_true(has(r, 5, "work_loop(std::vector<in›"));
	act(r, ACTION_RIGHT);
	assert_true(has(r, 1, "‹"));
	assert_true(has(r, 5, " p(std::vector<int> const›"));
	for (int i = 0; i < 4; i++)
		act(r, ACTION_RIGHT);
	assert_true(has(r, 5, " const&) "));
	for (int i = 0; i < 5; i++)
		act(r, ACTION_LEFT);
	assert_true(has(r, 5, "work_loop(std::vector<in›"));
	assert_false(has(r, 1, "‹"));
}

TEST(test_mouse)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	assert_true(screen_click(r->s, 4, 10, false));
	assert_true(on(r, "LazyCompile"));
	assert_true(screen_click(r->s, 4, 10, true));
	assert_true(has(r, 1, "only LazyCompile:*render app.js:12"));
	assert_false(screen_click(r->s, 9, 10, false));
	act(r, ACTION_CANCEL);
	assert_true(view_hot.wheel(r->s->view, r->s->frame, 3));
	/* a click outside closes the popup */
	act(r, ACTION_GROUP);
	assert_true(screen_click(r->s, 0, 0, false));
	assert_false(screen_has(r->s, "Group by"));
	act(r, ACTION_GROUP);
	for (int row = 0; row < 20; row++) {
		if (has(r, row, "name of the task")) {
			assert_true(screen_click(r->s, row, 30, false));
			break;
		}
	}
	assert_true(has(r, 0, "by comm"));
}

TEST(test_search)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	act(r, ACTION_SEARCH);
	fake_shell_answer(&r->s->shell, "READ");
	screen_draw(r->s);
	assert_true(on(r, "vfs_read"));
	assert_true(has(r, 19, "search \"READ\""));
	act(r, ACTION_SEARCH_NEXT);
	assert_true(on(r, "worker_thread"));
	act(r, ACTION_SEARCH);
	fake_shell_answer(&r->s->shell, "nowhere");
	screen_draw(r->s);
	assert_true(has(r, 19, "search \"nowhere\": no match"));
	act(r, ACTION_CANCEL);
	assert_false(has(r, 19, "search"));
}

TEST(test_filter)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	act(r, ACTION_FILTER);
	fake_shell_answer(&r->s->shell, "kallsyms");
	screen_draw(r->s);
	assert_true(has(r, 19, "filter \"kallsyms\": 5 rows"));
	assert_true(has(r, 2, " 20.00%   20.00% k rep_movs_alternative"));
	assert_false(screen_has(r->s, "crunch"));
	act(r, ACTION_FILTER);
	fake_shell_answer(&r->s->shell, "nowhere");
	screen_draw(r->s);
	assert_true(screen_has(r->s, "nothing matches the filter"));
	act(r, ACTION_OPEN);
	act(r, ACTION_CANCEL);
	assert_true(screen_has(r->s, "crunch"));
}

TEST(test_says_what_is_missing)
{
	struct view_rig *r = *state;

	r->samples.status.kernel_hidden =
		"kernel.kptr_restrict is 2, which hides kernel addresses from "
		"everyone; as root: sysctl kernel.kptr_restrict=1";
	r->samples.status.lag = 3;
	r->hot.merged.sum = 25;
	open_at(r, 20, 80);
	assert_screen_rows(r->s->canvas, 17, r->s->canvas->rows, EXPECTED_TEXT,
			   "hot/says_what_is_missing");
}

TEST(test_nothing_there)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	r->s->frame->samples = NULL;
	screen_draw(r->s);
	assert_true(screen_has(r->s, "--decode 0"));
	screen_passes_on(r->s, ACTION_DOWN);
	assert_false(screen_click(r->s, 3, 3, true));
	assert_false(view_hot.wheel(r->s->view, r->s->frame, 3));
	r->s->frame->samples = &r->samples;
	r->hot.nr_cells = 0;
	r->hot.total.sum = 0;
	tick(r);
	assert_true(screen_has(r->s, "no samples yet"));
	act(r, ACTION_OPEN);
	act(r, ACTION_END);
	r->s->frame->samples = NULL;
	r->s->frame->rings[0].overwrite = r->s->frame->rings[1].overwrite =
		true;
	screen_draw(r->s);
	assert_true(screen_has(r->s, "Overwrite rings are read on demand"));
}

/* Names are untrusted: no control characters, no overflow. */
TEST(test_names)
{
	static const char escape[] = "\033[2J\x9b\xff";
	struct view_rig *r = *state;
	char wide[601] = "";

	for (int i = 0; i < 100; i++)
		strcat(wide, "漢字");
	r->symbols[2].name = escape;
	r->symbols[7].name = wide;
	r->symbols[7].dso = "/a/漢字漢字漢字漢字漢字漢字漢字漢字漢字/";
	r->cells[5].comm = escape;
	open_at(r, 20, 80);
	assert_true(has(r, 2, " u ?[2J"));
	assert_true(has(r, 3, " k 漢字漢字"));
	assert_true(has(r, 3, "/a/漢字"));
	act(r, ACTION_OPEN);
	assert_true(has(r, 1, "only ?[2J"));
	act(r, ACTION_CANCEL);
	act(r, ACTION_DOWN);
	act(r, ACTION_OPEN);
	act(r, ACTION_OPEN);
	assert_true(has(r, 1, "only 漢字漢字"));
	for (int i = 0; i < 20 * 80; i++) {
		uint32_t ch = r->s->canvas->cells[i].ch;

		assert_true(ch == 0 || (ch >= 0x20 && ch < 0x7f) || ch > 0x9f);
	}
}

/* Narrowing is limited: more is refused. */
TEST(test_narrowing_is_bounded)
{
	struct view_rig *r = *state;
	struct hot_query *q = &r->s->shell.shell.query;

	q->keys = 1u << HOT_EVENT;
	for (q->nr_where = 0; q->nr_where < HOT_WHERES; q->nr_where++)
		q->where[q->nr_where] = (struct hot_where){ .key = HOT_CPU,
							    .value.cpu = 1 };
	open_at(r, 20, 80);
	assert_true(has(r, 3, "100.00% cpu-clock"));
	act(r, ACTION_OPEN);
	assert_int_equal(q->nr_where, HOT_WHERES);
	assert_non_null(strstr(r->s->shell.message, "narrowed any further"));
}

TEST(test_flame)
{
	struct view_rig *r = *state;

	open_at(r, 20, 80);
	act(r, ACTION_FLAME);
	assert_int_equal(r->s->shell.shown, VIEW_FLAME);
	act(r, ACTION_OPEN);
	act(r, ACTION_WRITE_FLAME);
	assert_string_equal(r->s->shell.flame_title,
			    "system-wide: cpu-clock: crunch, all samples, "
			    "weighted by period");
	/* all, app, main, work_loop, crunch, crunch */
	assert_int_equal(r->s->shell.flame_boxes, 6);
}

TEST_GROUP(hot, .each_setup = setup, .each_teardown = view_rig_teardown);
