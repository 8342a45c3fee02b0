/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <linux/perf_event.h>
#include "tests/screen/expected.h"
#include "tests/screen/view_rig.h"

static int setup(void **state)
{
	struct view_rig *f = view_rig_new(&view_sample_detail);

	prepare_at(f, 19, 80);
	*state = f;
	return 0;
}

static void show(struct view_rig *f, uint64_t serial)
{
	view_sample_detail.focus(f->s->view, serial);
	screen_draw(f->s);
}

/* Use a feed with room for @entries, with @sample in it. */
static void use_sample(struct view_rig *f, size_t entries,
		       const struct feed_sample *sample)
{
	f->feed = feed_new(entries, 1 << 20);
	f->samples.feed = f->feed;
	assert_int_equal(feed_add(f->feed, sample), 0);
}

TEST(callchain)
{
	struct view_rig *f = *state;

	show(f, 0);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "sample_detail/callchain");
	/* kernel and user have their colours */
	assert_int_equal(f->s->canvas->cells[12 * 80 + 20].role, ROLE_KERNEL);
	assert_int_equal(f->s->canvas->cells[18 * 80 + 20].role, ROLE_USER);
}

TEST(tracepoint)
{
	struct view_rig *f = *state;

	show(f, 7);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "sample_detail/tracepoint");
}

TEST(small_screen_scrolls)
{
	struct view_rig *f = *state;

	resize(f, 7, 40);
	show(f, 0);
	assert_screen(f->s->canvas, EXPECTED_TEXT,
		      "sample_detail/small_screen_scrolls");
	screen_act(f->s, ACTION_END);
	assert_screen(f->s->canvas, EXPECTED_TEXT,
		      "sample_detail/small_screen_scrolls_2");
	view_sample_detail.wheel(f->s->view, f->s->frame, -100);
	screen_draw(f->s);
	assert_true(screen_has(f->s, "event        cpu-clock"));
	screen_act(f->s, ACTION_END);
	show(f, 1); /* another sample, from its top */
	assert_true(screen_has(f->s, "event        cpu-clock"));
}

TEST(every_field)
{
	struct view_rig *f = *state;
	struct feed_frame frame = {
		0x401000,
		{ "[unknown]", "[unknown]", SYMBOL_UNKNOWN, false, 0 },
	};
	struct feed_sample sample = {
		.time = 1000000001, .cpu = 0, .pid = 1, .tid = 1,
		.comm = "init", .event = "mem-loads", .weight = 16,
		.fields = PERF_SAMPLE_PERIOD | PERF_SAMPLE_ADDR |
			  PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
			  PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR |
			  PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
			  PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_BRANCH_STACK,
		.period = 7, .addr = 0x1000, .sample_weight = 312,
		.data_src = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) |
			    PERF_MEM_S(LVLNUM, L3),
		.transaction = 0x21, .phys_addr = 0x2000, .cgroup = 99,
		.data_page_size = 2 << 20, .nr_branches = 32,
		.frames = &frame, .nr_frames = 1, .text = "", .values = "",
	};

	use_sample(f, 4, &sample);
	show(f, 0);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "sample_detail/every_field");
	screen_act(f->s, ACTION_END);
	assert_true(screen_has(f->s, "no callchain: start rbtop with -g"));
}

static void list(struct view_rig *f, const uint64_t *listed, size_t nr)
{
	f->s->shell.shell.listed = listed;
	f->s->shell.shell.nr_listed = nr;
}

TEST(steps)
{
	struct view_rig *f = *state;
	struct shell *shell = &f->s->shell.shell;
	static const uint64_t all[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
					12 };

	list(f, all, 13);
	show(f, 0);
	screen_act(f->s, ACTION_LEFT); /* no previous one */
	assert_true(screen_has(f->s, "Sample 1 "));
	assert_string_equal(f->s->shell.message,
			    "this is the first row of the list");
	screen_act(f->s, ACTION_RIGHT);
	assert_int_equal(shell->visited, 1);
	assert_true(screen_has(f->s, "Sample 2"));
	assert_true(screen_has(f->s, "symbol       crunch+0x12"));
	/* to the samples that Samples lists, whatever the source takes in */
	list(f, (const uint64_t[]){ 1, 5 }, 2);
	f->samples.filter = "comm==nobody";
	screen_act(f->s, ACTION_RIGHT);
	assert_int_equal(shell->visited, 5);
	screen_act(f->s, ACTION_RIGHT);
	assert_int_equal(shell->visited, 5);
	list(f, all, 13);
	show(f, 12);
	screen_act(f->s, ACTION_RIGHT);
	assert_true(screen_has(f->s, "Sample 13"));
	assert_string_equal(f->s->shell.message,
			    "this is the last row of the list");
	/* the feed held by Samples is used before the frame's */
	shell->feed = f->samples.feed;
	f->samples.feed = f->feed = feed_new(2, 4096);
	show(f, 4);
	screen_act(f->s, ACTION_RIGHT);
	assert_int_equal(shell->visited, 5);
	assert_true(screen_has(f->s, "Sample 6"));
	assert_false(screen_has(f->s, "no longer listed"));
	shell->feed = NULL;
}

TEST(outlives_the_feed)
{
	struct view_rig *f = *state;
	struct feed_sample sample = {
		.pid = 5, .tid = 5, .comm = "kept", .event = "e",
		.text = "", .values = "",
	};

	use_sample(f, 1, &sample);
	list(f, (const uint64_t[]){ 0, 1 }, 2);
	show(f, 0);
	assert_true(screen_has(f->s, "task         kept, process 5"));
	sample.comm = "next";
	feed_add(f->feed, &sample);
	screen_draw(f->s);
	assert_true(screen_has(f->s, "Sample 1 (no longer listed)"));
	assert_true(screen_has(f->s, "task         kept, process 5"));
	screen_act(f->s, ACTION_RIGHT);
	assert_true(screen_has(f->s, "task         next, process 5"));
	/* and a sample that is gone before it was shown */
	show(f, 0);
	assert_true(screen_has(f->s, "the sample is no longer listed"));
	f->s->frame->samples = NULL;
	screen_act(f->s, ACTION_RIGHT);
	assert_true(screen_has(f->s, "the sample is no longer listed"));
}

/* Names longer than the row, values of blanks and control bytes. */
TEST(odd_fields)
{
	struct view_rig *f = *state;
	struct feed_sample sample = {
		.cpu = -1, .pid = -1, .tid = -1, .comm = "", .event = "e",
		.text = "t\033[31m", .values =
		"a_name_of_a_field_that_is_far_longer_than_half_a_row=1 b=",
	};

	use_sample(f, 1, &sample);
	resize(f, 11, 40);
	show(f, 0);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "sample_detail/odd_fields");
}

TEST_GROUP(sample_detail, .each_setup = setup,
	   .each_teardown = view_rig_teardown);
