/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "samples/flame.h"
#include "tests/screen/expected.h"
#include "tests/screen/view_rig.h"

static int setup(void **state)
{
	*state = view_rig_new(&view_flame);
	return 0;
}

/* Whether the chosen box has that name: its line is the last one. */
static bool on(const struct view_rig *r, const char *text)
{
	return has(r, r->s->canvas->rows - 1, text);
}

TEST(test_look)
{
	struct view_rig *r = *state;

	open_at(r, 12, 80);
	act(r, ACTION_DOWN);
	act(r, ACTION_RIGHT);
	assert_screen(r->s->canvas, EXPECTED_LOOKS, "flame/look");
}

/* Fewer rows than levels: those around the chosen box. */
TEST(test_small)
{
	struct view_rig *r = *state;

	open_at(r, 6, 40);
	assert_true(has(r, 1, "›all"));
	act(r, ACTION_END);
	assert_screen(r->s->canvas, EXPECTED_TEXT, "flame/small");
	act(r, ACTION_HOME);
	assert_true(has(r, 1, "›all"));
}

TEST(test_ascii)
{
	struct view_rig *r = *state;

	open_at(r, 12, 80);
	r->s->canvas->ascii = true;
	act(r, ACTION_DOWN);
	assert_true(has(r, 2, ">app "));
	assert_true(has(r, 3, "|main "));
	for (int i = 0; i < 12 * 80; i++)
		assert_true(r->s->canvas->cells[i].ch < 0x80);
}

TEST(test_arrows)
{
	struct view_rig *r = *state;

	open_at(r, 14, 80);
	act(r, ACTION_UP);
	assert_true(on(r, " all"));
	/* down: the callee with most samples */
	act(r, ACTION_DOWN);
	assert_true(on(r, " 75.00%  750 samples  app"));
	act(r, ACTION_DOWN);
	act(r, ACTION_DOWN);
	act(r, ACTION_DOWN);
	assert_true(on(r, " crunch "));
	act(r, ACTION_RIGHT);
	assert_true(on(r, " read "));
	act(r, ACTION_RIGHT);
	assert_true(on(r, " read "));
	act(r, ACTION_LEFT);
	act(r, ACTION_LEFT);
	assert_true(on(r, " 40.00%  self 30.00%  400 samples  crunch "));
	act(r, ACTION_UP);
	assert_true(on(r, " work_loop"));
	/* neighbours may have different callers */
	act(r, ACTION_RIGHT);
	assert_true(on(r, " LazyCompile:*render app.js:12  JIT "));
	act(r, ACTION_LEFT);
	assert_true(on(r, " work_loop"));
	act(r, ACTION_PAGE_DOWN);
	assert_true(on(r, " crunch "));
	act(r, ACTION_DOWN);
	assert_true(on(r, " 10.00%  self 10.00%  100 samples  crunch "));
	act(r, ACTION_PAGE_UP);
	assert_true(on(r, " all"));
}

TEST(test_zoom)
{
	struct view_rig *r = *state;

	open_at(r, 14, 80);
	for (int i = 0; i < 4; i++)
		act(r, ACTION_DOWN);
	act(r, ACTION_RIGHT);
	act(r, ACTION_OPEN);
	assert_true(has(r, 0, "zoom read"));
	/* its callers stay above it, with the same width */
	assert_true(has(r, 1, "▏all"));
	assert_true(has(r, 4, "▏work_loop"));
	assert_true(has(r, 5, "›read"));
	assert_true(has(r, 9, "rep_movs_alternative"));
	assert_false(screen_has(r->s, "crunch"));
	assert_false(screen_has(r->s, "node"));
	/* up to a caller and down again */
	act(r, ACTION_UP);
	act(r, ACTION_UP);
	assert_true(on(r, " main "));
	act(r, ACTION_LEFT);
	act(r, ACTION_DOWN);
	act(r, ACTION_DOWN);
	assert_true(on(r, " read "));
	act(r, ACTION_CANCEL);
	assert_false(has(r, 0, "zoom"));
	assert_true(screen_has(r->s, "node"));
	screen_passes_on(r->s, ACTION_CANCEL);
}

/*
 * Zoom and chosen box stay on their functions; if they are gone, on their
 * callers.
 */
TEST(test_next_frame)
{
	struct view_rig *r = *state;

	open_at(r, 14, 80);
	for (int i = 0; i < 4; i++)
		act(r, ACTION_DOWN);
	act(r, ACTION_RIGHT);
	act(r, ACTION_OPEN);
	act(r, ACTION_DOWN);
	assert_true(on(r, " entry_SYSCALL_64_after_hwframe "));
	r->cells[7].total.sum = 0;	/* node is gone */
	r->cells[0].total.sum = 900;
	tick(r);
	assert_true(has(r, 0, "zoom read"));
	assert_true(on(r, " entry_SYSCALL_64_after_hwframe "));
	r->cells[3].total.sum = r->cells[4].total.sum = 0;
	tick(r);
	assert_true(has(r, 0, "zoom work_loop"));
	assert_true(on(r, " work_loop"));
	for (int i = 0; i < CELLS; i++)
		r->cells[i].total.sum = 0;
	tick(r);
	assert_true(screen_has(r->s, "no samples yet"));
	screen_passes_on(r->s, ACTION_DOWN);
	r->cells[0].total.sum = 1;
	tick(r);
	assert_true(screen_has(r->s, "›all"));
}

TEST(test_search)
{
	struct view_rig *r = *state;

	open_at(r, 14, 80);
	act(r, ACTION_SEARCH);
	fake_shell_answer(&r->s->shell, "CRUNCH");
	screen_draw(r->s);
	/* crunch within crunch is not counted twice */
	assert_true(has(r, 0, "\"CRUNCH\": 40.00% of all"));
	assert_true(on(r, " 40.00%  self 30.00%  400 samples  crunch "));
	assert_screen_rows(r->s->canvas, 6, 1, EXPECTED_LOOKS, "flame/search");
	act(r, ACTION_SEARCH_NEXT);
	assert_true(on(r, " 10.00%  self 10.00%  100 samples  crunch "));
	act(r, ACTION_SEARCH_NEXT);
	assert_true(on(r, " 40.00%  self 30.00%  400 samples  crunch "));
	/* and backwards, wrapping around */
	act(r, ACTION_SEARCH_PREV);
	assert_true(on(r, " 10.00%  self 10.00%  100 samples  crunch "));
	act(r, ACTION_SEARCH_PREV);
	assert_true(on(r, " 40.00%  self 30.00%  400 samples  crunch "));
	act(r, ACTION_CANCEL);
	assert_false(has(r, 0, "CRUNCH"));
	/* in a zoom, the share of that */
	act(r, ACTION_UP);
	act(r, ACTION_OPEN);
	act(r, ACTION_SEARCH);
	fake_shell_answer(&r->s->shell, "vfs");
	screen_draw(r->s);
	assert_true(has(r, 0, "\"vfs\": 33.33% of work_loop"));
	act(r, ACTION_SEARCH);
	fake_shell_answer(&r->s->shell, "nowhere");
	screen_draw(r->s);
	assert_true(has(r, 0, "\"nowhere\": 0.00% of work_loop"));
}

/* The widest match first, independent of the cursor and of other matches. */
TEST(test_search_widest)
{
	struct view_rig *r = *state;

	open_at(r, 14, 80);
	act(r, ACTION_SEARCH);
	fake_shell_answer(&r->s->shell, "r");
	screen_draw(r->s);
	assert_true(on(r, " 75.00%"));
	assert_true(on(r, "work_loop"));
}

TEST(test_kernel_hidden)
{
	struct view_rig *r = *state;

	open_at(r, 14, 80);
	r->samples.status.kernel_hidden = "kernel.kptr_restrict is 2";
	tick(r);
	assert_true(has(r, 13, "no kernel symbols: kernel.kptr_restrict is 2"));
	assert_true(has(r, 12, " 1.00k samples  all"));
	r->s->frame->samples = NULL;
	screen_draw(r->s);
	assert_true(screen_has(r->s, "--decode 0"));
}

TEST(test_mouse)
{
	struct view_rig *r = *state;

	open_at(r, 14, 80);
	assert_true(screen_click(r->s, 4, 66, false));
	assert_true(on(r, " LazyCompile"));
	assert_true(screen_click(r->s, 3, 2, true));
	assert_true(has(r, 0, "zoom main"));
	assert_false(screen_click(r->s, 6, 75, false));
	assert_false(screen_click(r->s, 0, 0, false));
	assert_false(screen_click(r->s, 13, 0, false));
	/* above the zoom there is one box per level */
	assert_true(screen_click(r->s, 1, 79, true));
	assert_false(has(r, 0, "zoom"));
	assert_true(view_flame.wheel(r->s->view, r->s->frame, 2));
	screen_draw(r->s);
	assert_true(on(r, " main "));
	assert_true(view_flame.wheel(r->s->view, r->s->frame, -1));
	screen_draw(r->s);
	assert_true(on(r, " app"));
}

/* A box too narrow for a column is visible as long as it is chosen. */
TEST(test_narrow_box)
{
	struct view_rig *r = *state;

	r->cells[0].total.sum = 1e6;
	open_at(r, 14, 80);
	assert_false(screen_has(r->s, "read"));
	for (int i = 0; i < 3; i++)
		act(r, ACTION_DOWN);
	act(r, ACTION_SEARCH);
	fake_shell_answer(&r->s->shell, "rep_movs");
	screen_draw(r->s);
	assert_true(on(r, "rep_movs_alternative"));
	assert_true(has(r, 9, "›"));
	act(r, ACTION_LEFT);
	assert_true(on(r, "rep_movs_alternative"));
	act(r, ACTION_OPEN);
	assert_true(has(r, 9, "›rep_movs_alternative"));
	act(r, ACTION_CANCEL);
	act(r, ACTION_CANCEL);
	/* at the right edge it is in the last column */
	assert_true(screen_click(r->s, 1, 5, false));
	act(r, ACTION_SEARCH);
	fake_shell_answer(&r->s->shell, "python3");
	screen_draw(r->s);
	assert_true(on(r, "python3"));
	assert_int_equal(r->s->canvas->cells[2 * 80 + 79].ch, 0x203a);
}

/* Only the samples that Hot is narrowed to are drawn. */
TEST(test_narrowed)
{
	struct view_rig *r = *state;
	struct hot_query *q = &r->s->shell.shell.query;

	open_at(r, 14, 80);
	q->where[0] = (struct hot_where){ .key = HOT_COMM,
					  .value.comm = r->cells[5].comm };
	q->nr_where = 1;
	screen_draw(r->s);
	assert_true(has(r, 0, "160 samples"));
	assert_string_equal(screen_row(r->s->canvas, 1), " only comm node");
	assert_true(has(r, 5, "LazyCompile"));
	act(r, ACTION_TOTAL);
	assert_true(has(r, 0, "recent, half-life 5 s"));
	assert_false(on(r, "samples"));
	act(r, ACTION_WRITE_FLAME);
	assert_string_equal(r->s->shell.flame_title,
			    "system-wide: cpu-clock: comm node, recent "
			    "samples, weighted by period");
	/* all, node, start_thread, the JIT function */
	assert_int_equal(r->s->shell.flame_boxes, 4);
	act(r, ACTION_FLAME);
	assert_int_equal(r->s->shell.shown, VIEW_NONE);
	q->where[0].value.comm = "nobody";
	screen_draw(r->s);
	assert_true(screen_has(r->s, "no samples match"));
}

/* With one event, widths are numbers of events, not of samples. */
TEST(test_shares_of_events)
{
	struct view_rig *r = *state;

	r->hot.nr_cells--;	/* the other event's */
	r->cells[5].total.events *= 10;
	open_at(r, 14, 80);
	assert_true(has(r, 0, "950 samples · weighted by period"));
	act(r, ACTION_DOWN);
	assert_true(on(r, " 65.65%  160 samples  node"));
}

TEST(test_without_callchains)
{
	struct view_rig *r = *state;

	r->hot.chains = false;
	screen_open(r->s, 14, 80, 2);
	r->s->frame->samples = &r->samples;
	r->s->frame->source = "session";
	screen_draw(r->s);
	assert_string_equal(screen_row(r->s->canvas, 1),
	" functions only, no callchains: start rbtop with -g");
	assert_true(has(r, 2, "›all"));
	assert_true(screen_click(r->s, 3, 5, false));
	assert_true(on(r, " app"));
	r->s->frame->source = "sim";
	screen_draw(r->s);
	assert_true(has(r, 1, "chain=DEPTH"));
}

TEST(test_nothing_there)
{
	struct view_rig *r = *state;

	open_at(r, 14, 80);
	r->s->frame->samples = NULL;
	screen_draw(r->s);
	assert_true(screen_has(r->s, "not decoded"));
	screen_passes_on(r->s, ACTION_WRITE_FLAME);
	assert_false(screen_click(r->s, 3, 5, true));
	assert_false(view_flame.wheel(r->s->view, r->s->frame, 1));
	assert_int_equal(r->s->shell.flame_boxes, 0);
}

/* Names are untrusted. */
TEST(test_names)
{
	struct view_rig *r = *state;

	r->cells[0].comm = r->cells[1].comm = "\033[2J漢字";
	open_at(r, 14, 80);
	assert_true(screen_has(r->s, "▏?[2J漢字"));
	act(r, ACTION_DOWN);
	assert_true(on(r, "?[2J漢字"));
	for (int i = 0; i < 14 * 80; i++)
		assert_true(r->s->canvas->cells[i].ch == 0 ||
			    r->s->canvas->cells[i].ch >= 0x20);
}

/* Any size and any position of a click work. */
TEST(test_any_size)
{
	static const int sizes[][2] = {
		{ 1, 1 }, { 2, 3 }, { 3, 1 }, { 4, 2 }, { 5, 400 }, { 90, 7 },
	};
	struct view_rig *r = *state;

	screen_open(r->s, 14, 80, 2);
	r->s->frame->samples = &r->samples;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		resize(r, sizes[i][0], sizes[i][1]);
		act(r, ACTION_END);
		act(r, ACTION_OPEN);
		for (int row = -1; row <= sizes[i][0]; row++)
			screen_click(r->s, row, sizes[i][1], true);
		act(r, ACTION_HOME);
		act(r, ACTION_OPEN);
	}
}

TEST_GROUP(flame, .each_setup = setup, .each_teardown = view_rig_teardown);
