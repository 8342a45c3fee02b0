/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/screen/expected.h"
#include "tests/screen/view_rig.h"

static int setup(void **state)
{
	struct view_rig *f = view_rig_new(&view_samples);

	prepare_at(f, 17, 80);
	*state = f;
	return 0;
}

/* Add samples "sample 0", "sample 1", ... to a feed of 20. */
static void add_samples(struct view_rig *f, int nr)
{
	char text[64];

	if (!f->feed)
		f->feed = feed_new(20, 1 << 20);
	f->samples.feed = f->feed;
	for (int i = 0; i < nr; i++) {
		uint64_t serial = feed_len(f->feed) ? feed_entry_serial(feed_at(
				f->feed, feed_len(f->feed) - 1)) + 1 : 0;
		struct feed_sample s = {
			.time = serial * 1000000, .cpu = (int)(serial % 4),
			.pid = 7, .tid = 7, .comm = serial % 2 ? "odd" : "even",
			.event = "sys:e", .weight = 1, .text = text,
			.values = "a=1",
		};

		snprintf(text, sizeof(text), "sample %d", (int)serial);
		feed_add(f->feed, &s);
	}
}

/* The number of the sample on a row of the screen; -1: none. */
static int sample_on(const struct view_rig *f, int row)
{
	const char *text = strstr(screen_row(f->s->canvas, row), "sample ");

	return text ? atoi(text + 7) : -1;
}

static int sample_under_cursor(const struct view_rig *f)
{
	return sample_on(f, screen_cursor(f->s));
}

TEST(list)
{
	struct view_rig *f = *state;

	screen_draw(f->s);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "samples/list");
	/* the newest is under the cursor */
	assert_int_equal(screen_cursor(f->s), 13);
}

/* Times of the kernel's clock, and back, without room for the wider ones. */
TEST(kernel_clock)
{
	struct view_rig *f = *state;

	screen_draw(f->s);
	f->s->shell.config.clock = TIMES_KERNEL;
	screen_draw(f->s);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "samples/kernel_clock");
	f->s->shell.config.clock = TIMES_WALL;
	screen_draw(f->s);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "samples/list");
}

TEST(colours)
{
	struct view_rig *f = *state;

	resize(f, 11, 80);
	assert_screen(f->s->canvas, EXPECTED_LOOKS, "samples/colours");
}

/* 40 columns: the most important ones, and scrolling to the others. */
TEST(narrow)
{
	struct view_rig *f = *state;

	resize(f, 5, 40);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "samples/narrow");
	screen_act(f->s, ACTION_RIGHT);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "samples/narrow_2");
	screen_act(f->s, ACTION_RIGHT);
	screen_act(f->s, ACTION_RIGHT); /* all columns were seen */
	assert_screen(f->s->canvas, EXPECTED_TEXT, "samples/narrow_3");
	screen_act(f->s, ACTION_RIGHT); /* now the text moves */
	screen_act(f->s, ACTION_RIGHT);
	screen_act(f->s, ACTION_RIGHT);
	assert_string_equal(screen_row(f->s->canvas, 3),
			    "app  cpu-clock <int> const&)+0x30 (app)┃");
	for (int i = 0; i < 8; i++)
		screen_act(f->s, ACTION_LEFT);
	assert_memory_equal(screen_row(f->s->canvas, 0), "COMM WHAT", 9);
}

TEST(wide)
{
	struct view_rig *f = *state;

	resize(f, 60, 200);
	assert_non_null(strstr(screen_row(f->s->canvas, 8),
			       "prev_comm=kworker/3:1 prev_pid=13 "
			       "prev_prio=120 prev_state=I ==> "
			       "next_comm=swapper/3 next_pid=0 "
			       "next_prio=120"));
	assert_false(screen_has(f->s, "›"));
}

/* A name is cut only if the text after it needs the room. */
TEST(long_names)
{
	struct view_rig *f = *state;
	struct feed_sample sample = {
		.comm = "x", .event = "raw_syscalls:sys_enter", .weight = 1,
		.text = "NR 1", .values = "",
	};

	f->s->shell.config.clock = TIMES_KERNEL;
	add_samples(f, 0);
	feed_add(f->feed, &sample);
	resize(f, 3, 80);
	assert_string_equal(screen_row(f->s->canvas, 1),
			    "0.000000   0   0 x    raw_s…_enter NR 1");
	/* several events have to be distinguished */
	sample.event = "irq:softirq_entry";
	feed_add(f->feed, &sample);
	resize(f, 4, 80);
	assert_string_equal(screen_row(f->s->canvas, 1),
			    "0.000000   0   0 x    raw_sysca…:sys_enter NR 1");
	resize(f, 4, 160);
	assert_string_equal(screen_row(f->s->canvas, 1),
			    "0.000000   0   0 x    raw_syscalls:sys_enter NR 1");
}

TEST(columns_as_chosen)
{
	struct view_rig *f = *state;

	f->s->shell.config.columns[CONFIG_SAMPLES] = (struct config_columns){
		{ SAMPLE_COLUMN_WHAT, SAMPLE_COLUMN_ADDR, SAMPLE_COLUMN_DSO }, 3
	};
	resize(f, 4, 60);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "samples/columns_as_chosen");
}

TEST(fields_instead_of_text)
{
	struct view_rig *f = *state;

	screen_act(f->s, ACTION_VALUES);
	assert_true(screen_has(f->s, "WHAT (FIELDS)"));
	resize(f, 17, 160);
	assert_true(screen_has(f->s, "prev_state=0x80 next_comm=swapper/3"));
	assert_true(screen_has(f->s, "crunch+0x12 (app)"));
	screen_act(f->s, ACTION_VALUES);
	assert_true(screen_has(f->s, "prev_state=I ==> next_comm=swapper/3"));
}

TEST(follows_the_newest)
{
	struct view_rig *f = *state;

	resize(f, 7, 60); /* 5 rows of samples */
	add_samples(f, 8);
	screen_draw(f->s);
	assert_int_equal(sample_on(f, 1), 3);
	assert_int_equal(sample_under_cursor(f), 7);
	add_samples(f, 3);
	screen_draw(f->s);
	assert_int_equal(sample_under_cursor(f), 10);
	assert_false(screen_has(f->s, "End follows"));

	/* moved up it stays, and so do the rows */
	screen_act(f->s, ACTION_UP);
	assert_int_equal(sample_under_cursor(f), 9);
	assert_true(screen_has(f->s, "End follows"));
	add_samples(f, 5);
	screen_draw(f->s);
	assert_int_equal(sample_under_cursor(f), 9);
	assert_int_equal(sample_on(f, 1), 6);

	screen_act(f->s, ACTION_END);
	assert_int_equal(sample_under_cursor(f), 15);
	add_samples(f, 1);
	screen_draw(f->s);
	assert_int_equal(sample_under_cursor(f), 16);
}

/* The rows shown stay, whatever samples arrive. */
TEST(stays_put)
{
	struct view_rig *f = *state;

	resize(f, 7, 60);
	add_samples(f, 10);
	screen_act(f->s, ACTION_HOME);
	assert_int_equal(sample_under_cursor(f), 0);
	add_samples(f, 15);
	screen_draw(f->s);
	assert_int_equal(sample_under_cursor(f), 0);
	assert_int_equal(sample_on(f, 1), 0);
	assert_true(screen_has(f->s, "held, 15 newer"));
	/* all samples on the screen are dropped at once */
	add_samples(f, 100);
	screen_draw(f->s);
	assert_int_equal(sample_under_cursor(f), 0);
	assert_true(screen_has(f->s, "held, 115 newer"));
	screen_act(f->s, ACTION_DOWN);
	screen_act(f->s, ACTION_OPEN);
	assert_int_equal(f->s->shell.shown_ring, 1);
	assert_non_null(feed_find(f->s->shell.shell.feed, 2));
	screen_act(f->s, ACTION_END);
	screen_draw(f->s);
	assert_int_equal(sample_under_cursor(f), 124);
	assert_false(screen_has(f->s, "held"));
	assert_null(f->s->shell.shell.feed);
}

/* With a filter that no held sample matches, new samples are listed. */
TEST(held_without_a_match)
{
	struct view_rig *f = *state;

	resize(f, 8, 60);
	add_samples(f, 10);
	screen_act(f->s, ACTION_HOME);
	add_samples(f, 5);
	screen_draw(f->s);
	screen_act(f->s, ACTION_FILTER);
	fake_shell_answer(&f->s->shell, "\"sample 14\"");
	screen_draw(f->s);
	assert_int_equal(sample_under_cursor(f), 14);
	assert_false(screen_has(f->s, "held"));
}

TEST(filtered)
{
	struct view_rig *f = *state;
	struct screen *s = f->s;

	resize(f, 8, 60);
	add_samples(f, 6);
	screen_act(s, ACTION_FILTER);
	assert_string_equal(s->shell.prompt, "filter: ");
	fake_shell_answer(&s->shell, "comm==odd");
	screen_draw(s);
	assert_int_equal(sample_on(f, 1), 1);
	assert_int_equal(sample_on(f, 2), 3);
	assert_int_equal(sample_on(f, 3), 5);
	assert_int_equal(sample_on(f, 4), -1);
	assert_string_equal(screen_row(s->canvas, 6),
			    " filter \"comm==odd\": 3 of 6");
	/* the source is asked once, not at each keystroke */
	assert_int_equal(s->shell.nr_requests, 1);
	assert_int_equal(s->shell.requests[0].kind, REQUEST_FILTER);
	assert_string_equal(s->shell.requests[0].text, "comm==odd");

	add_samples(f, 3); /* 6, 7, 8 */
	screen_draw(s);
	assert_int_equal(sample_under_cursor(f), 7);
	add_samples(f, 17); /* the feed holds 6 to 25 */
	screen_draw(s);
	screen_act(s, ACTION_HOME);
	assert_int_equal(sample_under_cursor(f), 7);

	screen_act(s, ACTION_CANCEL);
	assert_int_equal(s->shell.nr_requests, 2);
	assert_string_equal(s->shell.requests[1].text, "");
	screen_act(s, ACTION_END);
	assert_int_equal(sample_under_cursor(f), 25);
	assert_false(screen_has(s, "filter"));
	screen_passes_on(s, ACTION_CANCEL);
}

TEST(filter_that_makes_no_sense)
{
	struct view_rig *f = *state;
	struct screen *s = f->s;

	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "comm==app && cpu==x");
	assert_int_equal(s->shell.message_role, ROLE_BAD);
	assert_non_null(strstr(s->shell.message, "column 14"));
	assert_int_equal(s->shell.nr_requests, 0);
	screen_draw(s); /* there was none before */
	assert_false(screen_has(s, "filter"));
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "comm==app");
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "comm==app && cpu==x");
	screen_draw(s); /* the previous filter stays */
	assert_true(screen_has(s, "filter \"comm==app\": 10 of 13"));
	assert_int_equal(s->shell.nr_requests, 1);
	screen_act(s, ACTION_FILTER); /* and can be corrected */
	assert_string_equal(s->shell.initial, "comm==app && cpu==x");
	fake_shell_answer(&s->shell, "CPU==0 && bytes_rq>10");
	assert_string_equal(s->shell.message,
			    "filter: no event here has a field 'bytes_rq'");
	assert_int_equal(s->shell.nr_requests, 1);
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "CPU==0 && prev_comm!=x");
	assert_int_equal(s->shell.nr_requests, 2);
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, NULL);
	screen_draw(s);
	assert_false(screen_has(s, "filter"));
	screen_act(s, ACTION_FILTER);
	assert_string_equal(s->shell.initial, "");
}

/* A filter changes nothing that is watched: allowed with --readonly. */
TEST(filter_read_only)
{
	struct view_rig *f = *state;
	struct screen *s = f->s;

	s->shell.config.readonly = true;
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "sym==crunch");
	screen_draw(s);
	assert_int_equal(s->shell.nr_requests, 1);
	assert_string_equal(s->shell.requests[0].text, "sym==crunch");
	assert_true(screen_has(s, "filter \"sym==crunch\": 4 of 13"));
	/* a filter set in the source by others is shown */
	screen_act(s, ACTION_CANCEL);
	f->samples.filter = "comm==app";
	screen_draw(s);
	assert_true(screen_has(s, "only \"comm==app\" is listed"));
}

/* The longest filter goes to the source in full. */
TEST(long_filter)
{
	struct view_rig *f = *state;
	struct screen *s = f->s;
	char text[REQUEST_TEXT] = "comm==odd";

	add_samples(f, 6);
	while (strlen(text) + 12 < sizeof(text))
		strcat(text, " && comm~odd");
	assert_true(strlen(text) > 200);
	screen_draw(s);
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, text);
	screen_draw(s);
	assert_int_equal(s->shell.nr_requests, 1);
	assert_string_equal(s->shell.requests[0].text, text);
	assert_int_equal(sample_under_cursor(f), 5);
	screen_act(s, ACTION_CANCEL);
	assert_string_equal(s->shell.requests[1].text, "");
}

TEST(names_full)
{
	struct view_rig *f = *state;

	resize(f, 17, 120);
	assert_false(screen_has(f->s, "no room"));
	f->samples.status.name_bytes = f->samples.status.name_limit;
	screen_draw(f->s);
	assert_string_equal(screen_row(f->s->canvas, 16),
		" memory for names is full · 4.00k samples/s · all decoded · "
		"symbols 20M of 48M · 4.0% without symbol");
}

TEST(searched)
{
	struct view_rig *f = *state;
	struct screen *s = f->s;

	screen_draw(s);
	screen_act(s, ACTION_HOME);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, "READ");
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 3);
	assert_true(screen_has(s, "search \"READ\""));
	assert_int_equal(s->canvas->cells[3 * 80 + 56 + 4].role, ROLE_MATCH);
	assert_int_equal(s->canvas->cells[3 * 80 + 56 + 8].role, ROLE_KERNEL);
	screen_act(s, ACTION_SEARCH_NEXT);
	assert_int_equal(screen_cursor(s), 11);
	screen_act(s, ACTION_SEARCH_NEXT); /* wraps */
	assert_int_equal(screen_cursor(s), 3);
	screen_act(s, ACTION_CANCEL);
	assert_false(screen_has(s, "search"));
	assert_int_equal(screen_cursor(s), 3);
}

TEST(search_fails)
{
	struct view_rig *f = *state;
	struct screen *s = f->s;

	screen_draw(s);
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, "no such thing");
	screen_draw(s);
	assert_true(screen_has(s, "search \"no such thing\": no match"));
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, NULL); /* Esc: back, and following */
	screen_draw(s);
	assert_int_equal(screen_cursor(s), 13);
	assert_false(screen_has(s, "search"));
}

/* A search works on held samples. */
TEST(search_over_held_samples)
{
	struct view_rig *f = *state;

	resize(f, 8, 60);
	add_samples(f, 20);
	screen_act(f->s, ACTION_SEARCH);
	fake_shell_answer(&f->s->shell, "odd");
	screen_draw(f->s);
	screen_act(f->s, ACTION_HOME);
	add_samples(f, 10);
	screen_act(f->s, ACTION_SEARCH_NEXT);
	assert_int_equal(sample_under_cursor(f), 1);
}

TEST(status_line_problems)
{
	struct view_rig *f = *state;
	struct samples_status *st = &f->samples.status;
	const char *status;

	resize(f, 17, 200);
	st->decode_every = 8;
	st->lag = 2.25;
	st->dropped = 1234;
	st->undecodable = 5;
	st->side_band_lost = 6;
	add_samples(f, 2);
	feed_skip(f->feed);
	screen_draw(f->s);
	status = screen_row(f->s->canvas, 16);
	assert_string_equal(status,
		" 2.2s behind · 1.23k dropped undecoded · 5 undecodable · "
		"6 task records lost · 4.00k samples/s · 1 in 8 decoded · "
		"1 not listed · symbols 13M of 48M · 4.0% without symbol");
	/* problems are first */
	resize(f, 17, 80);
	assert_string_equal(screen_row(f->s->canvas, 16),
		" 2.2s behind · 1.23k dropped undecoded · 5 undecodable · "
		"6 task records lost · ›");
}

TEST(rate_unknown)
{
	struct view_rig *f = *state;

	for (size_t i = 0; i < f->s->frame->nr_rings; i++) {
		for (size_t e = 0; e < f->s->frame->rings[i].nr_events; e++)
			f->s->frame->rings[i].events[e].samples_per_s =
				(double)NAN;
	}
	screen_draw(f->s);
	assert_string_equal(screen_row(f->s->canvas, 16),
		" all decoded · symbols 13M of 48M · 4.0% without symbol");
}

TEST(kernel_symbols_hidden)
{
	struct view_rig *f = *state;

	f->samples.status.kernel_hidden =
		"kernel.kptr_restrict is 2; set it to 0 or 1, or run rbtop "
		"with CAP_SYSLOG";
	screen_draw(f->s);
	assert_string_equal(screen_row(f->s->canvas, 14),
		" no kernel symbols: kernel.kptr_restrict is 2; set it to 0 or "
		"1, or run rbtop");
	assert_string_equal(screen_row(f->s->canvas, 15), " with CAP_SYSLOG");
	resize(f, 6, 40);
	assert_string_equal(screen_row(f->s->canvas, 4),
			    " no kernel symbols: kernel.kptr_restri›");
	assert_int_equal(f->s->canvas->cells[4 * 40 + 1].role, ROLE_WARN);
}

TEST(not_decoded)
{
	struct view_rig *f = *state;

	f->s->frame->samples = NULL;
	screen_draw(f->s);
	assert_true(screen_has(f->s, "samples are counted, but not decoded"));
	assert_true(screen_has(f->s, "--decode"));
	screen_passes_on(f->s, ACTION_DOWN);
	screen_passes_on(f->s, ACTION_OPEN);
	resize(f, 6, 40);
	assert_true(screen_has(f->s, "decoded."));
}

TEST(empty)
{
	struct playback playback = { .mark = NAN };
	struct view_rig *f = *state;
	struct screen *s = f->s;

	add_samples(f, 0);
	screen_draw(s);
	assert_true(screen_has(s, "No samples decoded yet."));
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.shown, VIEW_NONE);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_SEARCH_NEXT);
	frames_reads(&s->frame->total.row)->stats.types[RECORD_SAMPLE] = 0;
	screen_draw(s);
	assert_true(screen_has(s, "No samples so far."));
	s->frame->playback = &playback;
	screen_draw(s);
	assert_true(screen_has(s, "No samples up to this time"));
	playback.mark = 1;
	screen_draw(s);
	assert_true(screen_has(s, "No samples between the mark"));
	s->frame->playback = NULL;
	for (size_t i = 0; i < s->frame->nr_rings; i++)
		s->frame->rings[i].overwrite = true;
	s->frame->samples = NULL;
	screen_draw(s);
	assert_true(screen_has(s, "Overwrite rings are read on demand"));
	s->frame->samples = &f->samples;
	add_samples(f, 3);
	screen_act(s, ACTION_FILTER);
	fake_shell_answer(&s->shell, "comm==nobody");
	screen_draw(s);
	assert_true(screen_has(s, "No sample matches the filter so far."));
	assert_true(screen_has(s, "filter \"comm==nobody\": 0 of 3"));
	/* as much room as a screen of 40x10 has */
	resize(f, 6, 40);
	assert_true(screen_has(s, "the filter."));
}

TEST(opens_the_detail)
{
	struct view_rig *f = *state;
	struct screen *s = f->s;

	resize(f, 7, 60);
	add_samples(f, 8);
	screen_draw(s);
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.shown, VIEW_SAMPLE_DETAIL);
	assert_int_equal(s->shell.shown_ring, 7);
	assert_int_equal(s->shell.shell.nr_listed, 8);
	assert_int_equal(s->shell.shell.listed[3], 3);
	/* the cursor goes to the row of the detail, and stays there */
	s->shell.shell.visited = 4;
	add_samples(f, 2);
	screen_draw(s);
	assert_int_equal(sample_under_cursor(f), 4);
}

TEST(mouse)
{
	struct view_rig *f = *state;
	struct screen *s = f->s;

	resize(f, 7, 60);
	add_samples(f, 18);
	screen_draw(s);
	assert_true(screen_click(s, 2, 5, false));
	assert_int_equal(sample_under_cursor(f), 14);
	assert_int_equal(s->shell.shown, VIEW_NONE);
	assert_true(screen_click(s, 2, 5, true));
	assert_int_equal(s->shell.shown, VIEW_SAMPLE_DETAIL);
	assert_int_equal(s->shell.shown_ring, 14);
	assert_false(screen_click(s, 0, 5, false));
	view_samples.wheel(s->view, s->frame, -3);
	add_samples(f, 1);
	screen_draw(s);
	assert_int_equal(sample_on(f, 1), 10);
	view_samples.wheel(s->view, s->frame, 9);
	add_samples(f, 1);
	screen_draw(s); /* at the end it follows */
	assert_int_equal(sample_under_cursor(f), 19);
}

/* Control bytes in names. */
TEST(no_control_bytes)
{
	struct view_rig *f = *state;
	struct feed_sample evil = {
		.comm = "\033[2Jx", .event = "a\nb", .weight = 1,
		.text = "\x9b" "31m\r\b", .values = "",
	};

	add_samples(f, 1);
	feed_add(f->feed, &evil);
	screen_draw(f->s);
	assert_true(screen_has(f->s, "?[2Jx"));
	for (int i = 0; i < f->s->canvas->rows * f->s->canvas->cols; i++) {
		uint32_t ch = f->s->canvas->cells[i].ch;

		assert_true(ch >= 0x20 && (ch < 0x7f || ch >= 0xa0));
	}
}

TEST(ascii)
{
	struct view_rig *f = *state;

	canvas_free(f->s->canvas);
	f->s->canvas = canvas_new(5, 40, true);
	screen_draw(f->s);
	assert_screen(f->s->canvas, EXPECTED_TEXT, "samples/ascii");
}

TEST_GROUP(samples, .each_setup = setup, .each_teardown = view_rig_teardown);
