/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host's rings in the front end: the sixth screen, and --host. */
#include "tests/group.h"

#include <errno.h>
#include <string.h>

#include "tests/screen/app_rig.h"

/*
 * Opening the screen starts reading them; --readonly allows it, since it
 * changes nothing.
 */
TEST_WITH(test_opens_in_a_session, rig_setup, rig_teardown)
{
	struct app_rig *f = *state;
	struct host *machine = frames_host_new();

	f->config.readonly = true;
	assert_int_equal(f->watches, 0);
	rig_press(f, "6");
	assert_int_equal(rig_on_top(f), VIEW_HOST);
	assert_int_equal(f->watches, 1);
	assert_true(rig_shows(f, "reading all processes"));
	assert_false(rig_shows(f, "read-only:"));
	f->machine = machine;
	rig_tick(f);
	/* the totals line is of the rings listed below it */
	assert_true(rig_row_has(f, 1, "rings 5 "));
	assert_true(rig_row_has(f, 1, "owners 5 "));
	assert_true(rig_row_has(f, 3, "5 rings of 5 owners · !3 warned"));
	assert_true(rig_shows(f, "bpftrace"));
	rig_press(f, "1 6 Esc");
	assert_int_equal(f->watches, 1);
	assert_int_equal(f->requests, 0);
	rig_press(f, "Enter");
	assert_int_equal(rig_on_top(f), VIEW_HOST_DETAIL);
	assert_true(rig_row_has(f, 1, "owners 5 "));
	assert_true(rig_row_has(f, 2, "6 Host ─ › Ring "));
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_HOST);
	rig_press(f, "1");
	assert_true(rig_row_has(f, 1, "rings 3 "));
	f->machine = NULL;
	frames_host_free(machine);
}

TEST_WITH(test_refused, rig_setup, rig_teardown)
{
	struct app_rig *f = *state;

	f->fail_watch = -EAGAIN;
	rig_press(f, "6");
	assert_true(rig_row_has(f, 23, "no thread can be started"));
	assert_true(rig_shows(f, "are not shown here"));
	/* and requested again when it is opened again */
	f->fail_watch = 0;
	rig_press(f, "1 6");
	assert_int_equal(f->watches, 1);
}

/* The first frames come soon, even with a long delay. */
TEST_WITH(test_first_pictures_come_soon, rig_setup, rig_teardown)
{
	struct app_rig *f = *state;
	struct host *machine = frames_host_new();

	f->config.delay = 10;
	app_timer(&f->app);
	assert_true(app_delay(&f->app) == 10);
	rig_clock = 100;
	rig_press(f, "6");
	assert_true(app_delay(&f->app) < 1);
	app_timer(&f->app);
	assert_true(app_delay(&f->app) < 1);
	f->machine = machine;
	machine->interval = 0; /* no rates yet */
	app_timer(&f->app);
	assert_true(app_delay(&f->app) < 1);
	machine->interval = .25;
	app_timer(&f->app);
	assert_true(app_delay(&f->app) == 10);
	f->machine = NULL;
	app_tick(&f->app);
	frames_host_free(machine);
}

/* Movement in a detail of Host does not affect other lists. */
TEST_WITH(test_back_to_another_list, rig_setup, rig_teardown)
{
	struct app_rig *f = *state;
	struct host *machine = frames_host_new();

	f->machine = machine;
	rig_press(f, "6");
	rig_tick(f);
	rig_press(f, "Enter Right Right Right");
	assert_true(rig_row_has(f, 3, "4 of 7"));
	assert_true(rig_row_has(f, 3, "CPU 0"));
	/* a click on the marks next to it goes there, too */
	rig_click(f, 3, 78);
	assert_true(rig_row_has(f, 3, "5 of 7"));
	rig_click(f, 3, 69);
	rig_click(f, 3, 69);
	assert_true(rig_row_has(f, 3, "3 of 7"));
	rig_click(f, 3, 73);
	rig_click(f, 4, 78);
	assert_true(rig_row_has(f, 3, "3 of 7"));
	rig_press(f, "1 Enter");
	assert_true(rig_row_has(f, 3, "CPU 0"));
	assert_true(rig_row_has(f, 3, "1 of 3"));
	f->machine = NULL;
	rig_tick(f);
	frames_host_free(machine);
}

TEST(test_alone)
{
	struct app_rig *f = *state;
	struct host *machine = frames_host_new();

	assert_int_equal(rig_on_top(f), VIEW_HOST);
	f->machine = machine;
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "rings 5 "));
	assert_true(rig_row_has(f, 1, "owners 5 "));
	assert_true(rig_row_has(f, 1, "lost !>12.3k+?"));
	assert_true(rig_row_has(f, 1, "warned !3"));
	assert_true(rig_row_has(f, 3, "polled every 100ms"));
	assert_true(rig_row_has(f, 23, "Sort"));
	assert_true(rig_row_has(f, 23, "Quit"));
	rig_resize(f, 10, 40);
	assert_true(rig_row_has(f, 1, "lost !>12.3k+?"));
	assert_true(rig_row_has(f, 1, "warned !3"));
	machine->total.row.lost = 0;
	machine->total.row.lost_per_s = 0;
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "lost 0+? "));
	f->machine = NULL;
	frames_host_free(machine);
}

/* With /proc only, no total may say that nothing waits or was lost. */
TEST(test_totals_unknown)
{
	struct app_rig *f = *state;
	struct host *machine = frames_host_new();

	frames_host_proc(machine);
	f->machine = machine;
	rig_resize(f, 24, 132);
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "used - "));
	assert_true(rig_row_has(f, 1, "lost - "));
	assert_true(rig_row_has(f, 1, "pending - "));
	assert_true(rig_row_has(f, 1, "pinned 6.5M"));
	assert_true(rig_shows(f, "setcap cap_bpf,cap_perfmon=ep rbtop"));
	f->machine = NULL;
	frames_host_free(machine);
}

/* Kernels before 6.0 do not count losses, but other figures. */
TEST(test_lost_unknown)
{
	struct app_rig *f = *state;
	struct host *machine = frames_host_new();

	machine->total.row.lost = machine->total.row.lost_pending = UNKNOWN;
	machine->total.row.lost_per_s = 0;
	machine->status.hidden = 2;
	f->machine = machine;
	rig_resize(f, 24, 132);
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "lost - "));
	assert_true(rig_row_has(f, 1, "pending - "));
	/* processes that cannot be read may hold more */
	assert_true(rig_row_has(f, 1, "rings 5+ "));
	assert_true(rig_row_has(f, 1, "owners 5+ "));
	machine->total.nr[RING_PERF] = 0;
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "rings - "));
	f->machine = NULL;
	frames_host_free(machine);
}

/*
 * The detail goes through the rows that the filter listed, and back to its row.
 */
TEST(test_walks_the_list)
{
	struct app_rig *f = *state;
	struct host *machine = frames_host_new();

	f->machine = machine;
	rig_tick(f);
	rig_press(f, "\\ 1 2 3 4 Enter");
	assert_true(rig_shows(f, "filter \"1234\": 2 of 7"));
	rig_press(f, "Enter");
	assert_true(rig_row_has(f, 3, "perf[1234]  CPU 1"));
	assert_true(rig_row_has(f, 3, "1 of 2"));
	/* another ring appeared that matches the filter */
	machine->rows[2].pid = 1234;
	rig_tick(f);
	rig_press(f, "Right");
	assert_true(rig_row_has(f, 3, "perf[1234]  CPU 0"));
	assert_true(rig_row_has(f, 3, "2 of 2"));
	rig_press(f, "Right");
	assert_true(rig_row_has(f, 3, "2 of 2"));
	rig_press(f, "Esc Enter");
	assert_true(rig_row_has(f, 3, "3 of 3"));
	f->machine = NULL;
	frames_host_free(machine);
}

TEST(test_setup_and_map)
{
	struct app_rig *f = *state;

	rig_press(f, "m");
	assert_true(rig_shows(f, "Host has no heat map"));
	rig_press(f, "F2");
	assert_int_equal(rig_on_top(f), VIEW_SETUP);
	assert_true(rig_row_has(f, 3, "Columns of Host (as many as fit"));
	assert_true(rig_row_has(f, 4, "[x]  OWNER"));
	assert_true(rig_shows(f, "Space Show/hide"));
}

/* What is chosen in Setup is what the list shows afterwards. */
TEST(test_setup_of_columns)
{
	struct host *machine = frames_host_new();
	struct app_rig *f = *state;

	f->machine = machine;
	rig_tick(f);
	assert_true(rig_shows(f, "OWNER"));
	/* the second is moved to the top; the first cannot be hidden */
	rig_press(f, "F2 Down + Down Space");
	assert_true(rig_shows(f, "OWNER cannot be hidden: it identifies the rows"));
	rig_press(f, "Down Space Enter");
	assert_int_equal(rig_on_top(f), VIEW_HOST);
	assert_true(rig_shows(f, "PID OWNER"));
	assert_false(rig_shows(f, " RING "));
	/* all again, in their own order: no longer chosen */
	rig_press(f, "F2 Down Down Space Up Up - F10");
	assert_true(rig_shows(f, "OWNER"));
	assert_true(rig_shows(f, " RING "));
	assert_int_equal(f->config.columns[CONFIG_HOST].nr, 0);
	f->machine = NULL;
	frames_host_free(machine);
}

/* The other screens are about rings that do not exist with --host. */
TEST(test_other_screens)
{
	static const char *const keys[] = { "1", "2", "3", "4" };
	struct app_rig *f = *state;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		rig_press(f, keys[i]);
		assert_true(rig_shows(f, "rbtop --host opens no event"));
		assert_true(rig_shows(f, "6 Host"));
		assert_false(rig_row_has(f, 23, "Sort"));
		/* their keys do nothing, and send no requests */
		rig_press(f, "Space Enter + m W F6 Esc");
		assert_int_equal(f->requests, 0);
		assert_true(rig_shows(f, "rbtop --host opens no event"));
	}
	rig_press(f, "5");
	assert_true(rig_shows(f, "nothing so far"));
	rig_press(f, "6");
	assert_int_equal(rig_on_top(f), VIEW_HOST);
	rig_press(f, "+");
	assert_true(rig_row_has(f, 23, "+ does not work with --host"));
	rig_press(f, "5 W");
	assert_string_equal(screen_row(f->canvas, 23),
			    "W works in Host (6)");
}

/* What the terminal is offered for its clipboard. */
TEST(test_copies)
{
	struct app_rig *f = *state;
	struct host *machine = frames_host_new();

	f->machine = machine;
	rig_press(f, "6");
	rig_tick(f);
	rig_press(f, "Home y");
	assert_string_equal(f->app.copied, "");
	assert_true(rig_row_has(f, 23, "nothing to copy"));
	for (size_t i = 0; i < machine->nr_rows; i++)
		strcpy(machine->rows[i].advice.setting, "-B 2048");
	rig_press(f, "y");
	assert_string_equal(f->app.copied, "");
	assert_true(rig_row_has(f, 23, ": set -B 2048"));
	for (size_t i = 0; i < machine->nr_rows; i++)
		machine->rows[i].advice.command = "perf record -m 1024";
	rig_press(f, "y");
	assert_string_equal(f->app.copied, "perf record -m 1024");
	assert_true(rig_row_has(f, 23, "sent to the terminal's clipboard: perf "
				"record -m 1024"));
	f->app.copied[0] = '\0';
	f->app.shell.in_tmux = true;
	rig_press(f, "Enter y");
	assert_string_equal(f->app.copied, "perf record -m 1024");
	assert_true(rig_row_has(f, 22, "sent to the terminal's clipboard (tmux "
				"needs set -s set-clipboard on):"));
	f->machine = NULL;
	frames_host_free(machine);
}

/* It costs other programs, so it is said before; stopping does not. */
TEST(test_counts_drops)
{
	struct app_rig *f = *state;
	struct host *machine = frames_host_new();

	f->machine = machine;
	rig_tick(f);
	machine->status.bpf = false;
	rig_press(f, "L L");
	assert_true(rig_shows(f, "drops are counted by BPF, which is not"));
	assert_false(f->drops);
	machine->status.bpf = true;
	rig_press(f, "L");
	assert_false(f->drops);
	assert_true(rig_shows(f, "press L again to count what BPF ring buffers "
				 "drop: each record "));
	rig_press(f, "L");
	assert_true(f->drops);
	assert_true(rig_shows(f, "drops are counted from the next poll on"));
	assert_false(rig_shows(f, "ring buffers are counted"));
	/* the frame on screen is of before */
	rig_press(f, "L");
	assert_false(f->drops);
	rig_press(f, "L L");
	assert_true(f->drops);
	machine->status.drops = true;
	rig_tick(f);
	assert_true(rig_shows(f, "drops of BPF ring buffers are counted (L)"));
	rig_press(f, "Enter L");
	assert_int_equal(rig_on_top(f), VIEW_HOST_DETAIL);
	assert_false(f->drops);
	f->config.readonly = true;
	rig_press(f, "L L");
	assert_false(f->drops);
	f->machine = NULL;
	frames_host_free(machine);
}

TEST_GROUP(app_host, .each_setup = rig_setup_host,
	   .each_teardown = rig_teardown);
