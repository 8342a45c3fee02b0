/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front end without a terminal: a fake source, keys in, screens out. */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "tests/screen/app_rig.h"
#include "tests/screen/expected.h"
#include "ui/term/term_curses.h"

TEST(test_header)
{
	struct app_rig *f = *state;

	rig_tick(f);
	f->lost = 5;
	rig_tick(f);
	canvas_free(f->canvas);
	f->canvas = canvas_new(10, 80, false);
	app_draw(&f->app, f->canvas);
	f->canvas->rows = 3;
	assert_screen(f->canvas, EXPECTED_LOOKS, "app/header");
	f->canvas->rows = 10;
}

/*
 * The total has the figure of column LOST, including losses not reported yet.
 */
TEST(test_lost_counts_the_pending)
{
	struct app_rig *f = *state;

	f->lost = 5;
	f->counted = 7;
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "lost 21 "));
	assert_true(rig_row_has(f, 1, "pending 6"));
}

/* The header's time, the Log's and a message, by either clock. */
TEST(test_clock)
{
	struct app_rig *f = *state;

	assert_true(rig_row_has(f, 0, "22:13:21"));
	rig_press(f, "C");
	assert_true(rig_row_has(f, 0, "5001.000s"));
	assert_true(rig_row_has(f, 23, "times are the kernel's clock"));
	rig_tick(f);
	assert_true(rig_row_has(f, 0, "5002.000s"));
	rig_press(f, "C");
	assert_true(rig_row_has(f, 0, "22:13:22"));
	assert_true(rig_row_has(f, 23, "times are local time"));
}

/* The first frame has no interval. */
TEST(test_first_has_no_rates)
{
	struct app_rig *f = *state;

	assert_true(rig_row_has(f, 1, "rec/s -  "));
	assert_true(rig_row_has(f, 1, "B/s -  "));
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "rec/s 300  "));
	assert_true(rig_row_has(f, 1, "B/s 12K  "));
}

TEST(test_small)
{
	struct app_rig *f = *state;

	rig_resize(f, 10, 40);
	assert_true(rig_row_has(f, 0, "rbtop - system-wide"));
	assert_true(rig_row_has(f, 0, "22:13:21"));
	assert_true(rig_row_has(f, 1, "used 0.1%"));
	assert_true(rig_row_has(f, 1, "lost 0"));
	assert_true(rig_shows(f, "CPU 2"));
	assert_true(rig_row_has(f, 9, "q Quit"));
	rig_resize(f, 9, 80);
	assert_string_equal(screen_row(f->canvas, 4),
	"                             too small: needs 40x10");
	rig_resize(f, 5, 20);
	assert_true(rig_shows(f, "too small: needs"));
	assert_true(rig_shows(f, "40x10"));
	rig_resize(f, 1, 8);
	assert_string_equal(screen_row(f->canvas, 0), "too");
	/* nothing to click */
	rig_click(f, 0, 3);
	rig_resize(f, 80, 300);
	assert_true(rig_row_has(f, 1, "wakeups/s"));
	assert_true(rig_row_has(f, 1, "throttled 0"));
}

TEST(test_screens)
{
	struct app_rig *f = *state;

	for (int i = VIEW_NONE + 1; i < VIEWS; i++)
		assert_int_equal(f->app.views[i]->ops->id, i);
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_SAMPLES);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_HOT);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_AUX);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_LOG);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_HOST);
	rig_press(f, "Tab");
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_press(f, "S-Tab");
	assert_int_equal(rig_on_top(f), VIEW_HOST);
	rig_press(f, "1 Enter");
	assert_int_equal(rig_on_top(f), VIEW_RING_DETAIL);
	assert_true(rig_row_has(f, 2, "1 Rings "));
	rig_press(f, "5");
	assert_int_equal(rig_on_top(f), VIEW_LOG);
	rig_press(f, "7");
	assert_string_equal(screen_row(f->canvas, 23),
			    "no such screen: 1 Rings, 2 Samples, "
			    "3 Hot, 4 AUX, 5 Log, 6 Host");
	assert_int_equal(rig_on_top(f), VIEW_LOG);
}

/* rbtop's own cost is shown as long as there is room. */
TEST(test_cost)
{
	struct app_rig *f = *state;

	((struct frame *)(uintptr_t)f->app.frame)->self.decode_every = 8;
	rig_resize(f, 24, 100);
	assert_true(rig_row_has(f, 2, "rbtop 0.0% cpu, 3M decodes 1/8 ──"));
	rig_resize(f, 24, 80);
	assert_true(rig_row_has(f, 2, "rbtop 0.0% cpu, 3M ──"));
	/* as little room as beside one more tab on 80 columns */
	rig_resize(f, 24, 71);
	assert_true(rig_row_has(f, 2, "6 Host ─"));
	assert_true(rig_row_has(f, 2, "rbtop 0.0% ──"));
}

/* A key that does not work on this screen names the screens where it does. */
TEST(test_keys_of_other_screens)
{
	struct app_rig *f = *state;

	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "2 Space");
	assert_string_equal(screen_row(f->canvas, 23),
			    "Space works in Rings (1) and AUX (4)");
	rig_press(f, "F6");
	assert_string_equal(screen_row(f->canvas, 23),
			    "F6 works in Rings (1), Hot (3), AUX (4) and "
			    "Host (6)");
	rig_press(f, "F");
	assert_string_equal(screen_row(f->canvas, 23),
			    "F works in Hot (3) and Flame (v)");
	rig_press(f, "3 x");
	assert_string_equal(screen_row(f->canvas, 23),
			    "x works in Samples (2)");
	assert_int_equal(f->requests, 0);
	rig_press(f, "Up");
	assert_true(rig_row_has(f, 23, "Enter Narrow"));
	rig_press(f, "v");
	assert_true(rig_row_has(f, 23, "Enter Zoom  Esc Back"));
	rig_press(f, "b");
	assert_string_equal(screen_row(f->canvas, 23), "b works in Hot (3)");
	/* the keys are shown again after a while */
	rig_clock += 6;
	app_timer(&f->app);
	rig_resize(f, 24, 80);
	assert_true(rig_row_has(f, 23, "Enter Zoom"));
	/* no message about movement keys */
	rig_press(f, "h Left");
	assert_false(rig_row_has(f, 23, "only in"));
}

/* Whether the view handles the key; @says: whether it shows a message. */
static bool is_taken(struct app_rig *f, enum view_id id, enum action action,
		     bool *says)
{
	struct view *view = f->app.views[id];
	bool taken;

	f->app.message[0] = '\0';
	f->app.message_bad = false;
	taken = view->ops->action(view, f->app.frame, action);
	*says = f->app.message[0];
	f->app.prompting = false;
	f->app.depth = 0;
	view->ops->action(view, f->app.frame, ACTION_CANCEL);
	return taken;
}

static const char *const screen_ids[VIEWS] = {
#define SCREEN(id, ...) [VIEW_##id] = #id,
#include "ui/kit/screens.def"
#undef SCREEN
};

/* Tell of each screen where it is not as keys.def says; how many there are. */
static int tell_where_it_differs(struct app_rig *f, enum action action)
{
	int differ = 0;
	bool says;

	for (int id = VIEW_NONE + 1; id < VIEW_SETUP; id++) {
		enum view_id screen = (enum view_id)id;
		bool works = keys_work_on(action, screen);

		if (is_taken(f, screen, action, &says) == works || says)
			continue;
		print_error("keys.def: %s has %s ON(%s), but that view %s\n",
			    keys_info(action)->id, works ? "an" : "no",
			    screen_ids[screen], works ?
			    "does not take it (with the rows of this test)" :
			    "takes it");
		differ++;
	}
	return differ;
}

/* Keys work on the screens given in keys.def.  Setup has labels of its own. */
TEST(test_keys_work_where_they_say)
{
	struct app_rig *f = *state;
	struct host *host = frames_host_new();
	int differ = 0;

	f->samples = frames_samples();
	f->machine = host;
	f->aux = true;
	f->counted = 1;
	rig_press(f, "6");
	rig_tick(f);
	assert_non_null(f->app.frame->host);
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		enum action action = (enum action)i;

		if (keys_info(action)->screens != KEYS_ANY)
			differ += tell_where_it_differs(f, action);
	}
	assert_int_equal(differ, 0);
	f->machine = NULL;
	rig_tick(f);
	frames_host_free(host);
}

/*
 * The most important first; after the first key that does not fit, none is
 * shown, however short.
 */
TEST(test_bottom_line)
{
	struct app_rig *f = *state;
	struct ring_row *rows;

	rig_resize(f, 24, 80);
	assert_string_equal(screen_row(f->canvas, 23),
			    "Enter Open  F6 Sort  / Search  \\ Filter  "
			    "+ Double  - Halve        h Help  q Quit");
	rig_resize(f, 24, 58);
	assert_string_equal(screen_row(f->canvas, 23),
			    "Enter Open  F6 Sort  / Search  \\ Filter     "
			    "h Help  q Quit");
	rig_resize(f, 24, 40);
	assert_string_equal(screen_row(f->canvas, 23),
			    "Enter Open  F6 Sort       h Help  q Quit");
	rig_resize(f, 24, 240);
	assert_true(rig_row_has(f, 23, "  e Disable  "));
	rows = (struct ring_row *)(uintptr_t)f->app.frame->rings;
	rows[0].enabled = rows[1].enabled = rows[2].enabled = false;
	rig_press(f, "Home");
	assert_true(rig_row_has(f, 23, "  e Enable  "));
	rig_resize(f, 24, 80);
	rig_press(f, "Enter");
	assert_true(rig_row_has(f, 23, "Esc Back  + Double  - Halve  "
				"Left Previous  Right Next "));
	rig_press(f, "h");
	assert_true(rig_row_has(f, 23, "Esc Back  PgDn Page down  PgUp Page "));
	/* without the keys, the screen has that row, and prompts cover it */
	f->config.keybar = false;
	rig_press(f, "Esc Esc");
	assert_int_equal(f->app.area.row + f->app.area.rows, 24);
	/* charts once there are three updates to draw */
	assert_false(rig_shows(f, " fill: solid mean"));
	rig_tick(f);
	assert_false(rig_shows(f, " fill: solid mean"));
	rig_tick(f);
	assert_true(rig_row_has(f, 23, " fill: solid mean"));
	rig_press(f, "/");
	assert_true(rig_row_has(f, 23, "search: "));
}

TEST(test_escape_closes_never_quits)
{
	struct app_rig *f = *state;

	rig_press(f, "Enter h");
	assert_int_equal(rig_on_top(f), VIEW_HELP);
	rig_press(f, "F2");
	assert_int_equal(rig_on_top(f), VIEW_SETUP);
	/* an open screen is not opened twice */
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_HELP);
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_RING_DETAIL);
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_press(f, "Esc Esc Esc");
	assert_false(f->app.quit);
	rig_press(f, "h h");
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
}

TEST(test_quit)
{
	struct app_rig *f = *state;

	rig_press(f, "q");
	assert_true(f->app.quit);
	f->app.quit = false;
	/* Help and Setup are left first */
	rig_press(f, "h F10");
	assert_false(f->app.quit);
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_press(f, "F2 q");
	assert_false(f->app.quit);
	rig_press(f, "F2 F10");
	assert_false(f->app.quit);
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_press(f, "F10");
	assert_true(f->app.quit);
}

TEST(test_freeze)
{
	struct app_rig *f = *state;
	int reads = f->reads;

	rig_press(f, "p");
	assert_true(rig_row_has(f, 0, " FROZEN "));
	rig_tick(f);
	rig_tick(f);
	assert_int_equal(f->reads, reads);
	assert_true(rig_row_has(f, 0, "22:13:21"));
	/* keys still work on the frozen frame */
	rig_press(f, "5");
	assert_int_equal(rig_on_top(f), VIEW_LOG);
	rig_press(f, "Z");
	assert_false(rig_shows(f, "FROZEN"));
	assert_int_equal(f->reads, reads + 1);
	assert_true(rig_row_has(f, 0, "22:13:22"));
}

TEST(test_ended)
{
	struct app_rig *f = *state;

	f->ended = true;
	rig_tick(f);
	assert_true(rig_row_has(f, 3, "! ended: final figures, q quits"));
	f->source.has_status = true;
	f->source.exit_status = 128 + 9;
	f->source.exit_signal = 9;
	app_draw(&f->app, f->canvas);
	assert_true(rig_row_has(f, 3, "ended by signal 9: final figures, "
				"q quits"));
	f->source.exit_status = 3;
	f->source.exit_signal = 0;
	app_draw(&f->app, f->canvas);
	assert_true(rig_row_has(f, 3, "ended, exit status 3: final figures, "
				"q quits"));
	f->ended = false;
	rig_tick(f);
	/* they stay final */
	assert_true(rig_row_has(f, 3, "ended, exit status 3"));
	assert_false(f->app.quit);
}

/* The last frame is shown as long as the others. */
TEST(test_ends_after_so_many)
{
	struct app_rig *f = *state;

	f->opts.ticks = 2;
	app_timer(&f->app);
	app_timer(&f->app);
	assert_int_equal(f->reads, 3);
	app_tick(&f->app);	/* the source asked for it: not counted */
	/* nor pictures while frozen */
	rig_press(f, "p");
	app_timer(&f->app);
	rig_press(f, "p");
	assert_false(f->app.quit);
	app_timer(&f->app);
	assert_true(f->app.quit);
}

TEST(test_notice)
{
	struct app_rig *f = *state;

	snprintf(f->source.notice, sizeof(f->source.notice),
		 "rings halved to 64K: the mlock limit is too low for more");
	rig_resize(f, 10, 40);
	rig_tick(f);
	assert_true(rig_row_has(f, 3, "! rings halved to 64K: the mlock"));
	assert_true(rig_row_has(f, 3, "›"));
	snprintf(f->source.notice, sizeof(f->source.notice),
		 "rings halved to 64K");
	rig_resize(f, 24, 80);
	rig_tick(f);
	assert_true(rig_row_has(f, 3, "! rings halved to 64K"));
	f->ended = true;
	rig_tick(f);
	assert_true(rig_row_has(f, 3, "ended"));
	assert_true(rig_row_has(f, 4, "! rings halved to 64K"));
}

TEST(test_delay)
{
	struct app_rig *f = *state;

	rig_press(f, "d");
	assert_string_equal(screen_row(f->canvas, 23),
			    "delay in seconds (now 1):");
	assert_int_equal(f->canvas->cursor_row, 23);
	assert_int_equal(f->canvas->cursor_col, 26);
	/* q is a letter here */
	rig_press(f, "q Enter");
	assert_false(f->app.quit);
	assert_true(rig_row_has(f, 23, "delay"));
	assert_true(f->config.delay == 1);
	rig_press(f, "d 0 . 2 Enter");
	assert_true(f->config.delay == 0.2);
	assert_true(rig_row_has(f, 0, "0.2s"));
	assert_int_equal(f->canvas->cursor_row, -1);
	rig_press(f, "d 5 Esc");
	assert_true(f->config.delay == 0.2);
}

TEST(test_requests)
{
	struct app_rig *f = *state;

	rig_press(f, "Down +");
	assert_int_equal(f->requests, 1);
	assert_int_equal(f->request.kind, REQUEST_RESIZE);
	assert_int_equal(f->request.ring, 1);
	assert_true(f->request.on);
	assert_true(rig_row_has(f, 23, "CPU 1: ring doubled to 1M"));
	/* this frame does not have the new size yet */
	rig_press(f, "+");
	assert_true(rig_row_has(f, 23, "CPU 1: ring doubled"));
	assert_false(rig_row_has(f, 23, "1M"));
	/* the next key removes a message */
	rig_press(f, "Down");
	assert_false(rig_row_has(f, 23, "doubled"));
	f->refuse = -EPERM;
	rig_press(f, "+");
	assert_true(rig_row_has(f, 23, "over perf_event_mlock_kb"));
	assert_int_equal(f->canvas->cells[23 * 80].role, ROLE_BAD);
}

/* One message for all tagged rings: how many, and why the first was refused. */
TEST(test_requests_of_tagged_rings)
{
	struct app_rig *f = *state;

	rig_press(f, "Space Space +");
	assert_int_equal(f->requests, 2);
	assert_true(rig_row_has(f, 23, "2 rings doubled to 1M"));
	rig_press(f, "o o");
	assert_true(rig_row_has(f, 23, "2 rings paused; records are lost"));
	f->refuse = -EPERM;
	f->refuse_from = 1;
	rig_press(f, "+");
	assert_true(rig_row_has(f, 23, "1 of 2 rings doubled; CPU 1: over "
				"perf_event_mlock_kb"));
	assert_int_equal(f->canvas->cells[23 * 80].role, ROLE_BAD);
	f->refuse_from = 0;
	rig_press(f, "-");
	assert_true(rig_row_has(f, 23, "0 of 2 rings halved; CPU 0: over "));
}

/* What loses records is said before it is done. */
TEST(test_confirms)
{
	struct app_rig *f = *state;

	rig_press(f, "Down o");
	assert_int_equal(f->requests, 0);
	assert_string_equal(screen_row(f->canvas, 23),
			    "press o again to pause the output of CPU 1: "
			    "records are lost until it is resumed");
	assert_int_equal(f->canvas->cells[23 * 80].role, ROLE_WARN);
	rig_press(f, "o");
	assert_int_equal(f->requests, 1);
	assert_int_equal(f->request.kind, REQUEST_PAUSE);
	assert_int_equal(f->request.ring, 1);
	assert_true(f->request.on);
	rig_press(f, "e");
	assert_int_equal(f->requests, 1);
	assert_true(rig_shows(f, "press e again to disable the events of all "
				 "rings"));
	rig_press(f, "e");
	assert_int_equal(f->requests, 2);
	assert_int_equal(f->request.kind, REQUEST_ENABLE);
	assert_false(f->request.on);
	/* the frame on screen is of before, and may stay if it is frozen */
	rig_press(f, "e");
	assert_int_equal(f->requests, 3);
	assert_true(f->request.on);
	rig_press(f, "e");
	assert_int_equal(f->requests, 3);
	rig_press(f, "p o");
	assert_int_equal(f->requests, 4);
	assert_int_equal(f->request.kind, REQUEST_PAUSE);
	assert_false(f->request.on);
	/* of another ring it shows the state */
	rig_press(f, "Up o");
	assert_int_equal(f->requests, 4);
	assert_true(rig_shows(f, "press o again to pause the output of CPU 0"));
}

/* Any other key cancels, and does what it does; Esc does no more. */
TEST(test_confirm_cancelled)
{
	struct app_rig *f = *state;

	rig_press(f, "o Down");
	assert_false(rig_shows(f, "again"));
	rig_press(f, "o");
	assert_true(rig_shows(f, "press o again to pause the output of CPU 1"));
	rig_press(f, "e");
	assert_true(rig_shows(f, "press e again"));
	rig_press(f, "o");
	assert_int_equal(f->requests, 0);
	rig_press(f, "J o");	/* no key at all */
	assert_int_equal(f->requests, 0);
	rig_press(f, "Enter o");
	assert_int_equal(rig_on_top(f), VIEW_RING_DETAIL);
	rig_press(f, "Esc");
	assert_true(rig_row_has(f, 23, "cancelled"));
	assert_int_equal(rig_on_top(f), VIEW_RING_DETAIL);
	rig_press(f, "o");
	assert_int_equal(f->requests, 0);
	/* a click, too */
	rig_click(f, 10, 10);
	rig_press(f, "o");
	assert_int_equal(f->requests, 0);
	/* other keys of the same action confirm as well */
	snprintf(f->config.keys[0].action, sizeof(f->config.keys[0].action),
		 "pause");
	snprintf(f->config.keys[0].keys, sizeof(f->config.keys[0].keys),
		 "O o");
	f->config.nr_keys = 1;
	rig_press(f, "O");
	assert_int_equal(f->requests, 1);
}

/*
 * The question stays until it is answered, and is no longer asked once
 * something else stands in its place.
 */
TEST(test_confirm_stays)
{
	struct app_rig *f = *state;

	rig_press(f, "o");
	rig_clock += 60;
	app_timer(&f->app);
	app_draw(&f->app, f->canvas);
	assert_true(rig_shows(f, "press o again"));
	app_say(&f->app, ROLE_GOOD, "news");
	app_draw(&f->app, f->canvas);
	assert_false(rig_shows(f, "press o again"));
	rig_press(f, "o");
	assert_int_equal(f->requests, 0);
	assert_true(rig_shows(f, "press o again"));
	rig_press(f, "o");
	assert_int_equal(f->requests, 1);
}

/* It is for the rings that were named, also if the cursor's row is another. */
TEST(test_confirm_keeps_rings)
{
	struct app_rig *f = *state;

	rig_press(f, "Space Space o");
	assert_true(rig_shows(f, "the output of 2 rings"));
	rig_tick(f);
	rig_press(f, "o");
	assert_int_equal(f->requests, 2);
	assert_int_equal(f->request.ring, 1);
}

/* A key without a use, by a name that no terminal takes for a command. */
TEST(test_unbound_keys)
{
	static const struct {
		int code;
		const char *text;
	} cases[] = {
		{ 'J', "no key J here; h shows the keys" },
		{ 0x07, "no key C-g here; h shows the keys" },
		{ 0x9b, "no key ? here; h shows the keys" },
		{ 0xe9, "no key \u00e9 here; h shows the keys" },
		{ KEYS_F12, "no key F12 here; h shows the keys" },
	};
	struct app_rig *f = *state;
	struct term_event ev = { .kind = TERM_KEY };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ev.code = cases[i].code;
		app_event(&f->app, &ev);
		app_draw(&f->app, f->canvas);
		assert_string_equal(screen_row(f->canvas, 23), cases[i].text);
	}
}

/* Units, limits and what is in force stand above the prompt. */
TEST(test_rate)
{
	struct app_rig *f = *state;

	f->rates = (struct event_rates){ .freq = 4000, .max = 25000,
					 .cpu_percent = 25, .clock = true };
	rig_tick(f);
	rig_press(f, "f");
	assert_string_equal(screen_row(f->canvas, 21),
			    "samples per second (Hz), or c and ns per sample; "
			    "the kernel allows 25000 per");
	assert_string_equal(screen_row(f->canvas, 22),
			    "second and 25% of a CPU");
	assert_true(rig_row_has(f, 23, "rate (now 4000 Hz):"));
	/* it does not go away while it is typed */
	rig_clock += 60;
	app_timer(&f->app);
	rig_press(f, "3 0");
	assert_true(rig_row_has(f, 22, "25% of a CPU"));
	rig_press(f, "0 0 0");
	assert_true(rig_row_has(f, 21, "30000 Hz exceeds "
				       "kernel.perf_event_max_sample_rate"));
	rig_press(f, "Enter");
	assert_int_equal(f->requests, 0);
	assert_true(rig_row_has(f, 23, "Enter again to set it: 30000"));
	assert_true(rig_shows(f, "it would be lowered to 25000"));
	rig_press(f, "Enter");
	assert_int_equal(f->requests, 1);
	assert_int_equal(f->request.kind, REQUEST_FREQ);
	assert_int_equal(f->request.value, 30000);
	/* by period; nothing is known of limits */
	f->rates = (struct event_rates){ .period = 1000 };
	rig_tick(f);
	rig_press(f, "f");
	assert_string_equal(screen_row(f->canvas, 22),
			    "samples per second (Hz), or c and events per "
			    "sample");
	assert_true(rig_row_has(f, 23, "rate (now c1000):"));
	rig_press(f, "c 1 Enter");
	assert_int_equal(f->requests, 2);
	assert_int_equal(f->request.kind, REQUEST_PERIOD);
}

TEST(test_readonly)
{
	struct app_rig *f = *state;

	f->config.readonly = true;
	rig_press(f, "+ - o e");
	assert_int_equal(f->requests, 0);
	assert_string_equal(screen_row(f->canvas, 23),
			    "read-only: rbtop was started with --readonly");
	assert_true(rig_row_has(f, 0, " READ-ONLY "));
	/* requests that change nothing that is watched are allowed */
	f->samples = frames_samples();
	rig_tick(f);
	rig_press(f, "3 b End Enter");
	assert_int_equal(f->requests, 1);
	assert_int_equal(f->request.kind, REQUEST_FIELD);
	/* Hot shows it all the time; the keys stay on screen */
	assert_true(rig_row_has(f, 23, "q Quit"));
	rig_press(f, "1");
	/* at once, not after a line was typed */
	rig_press(f, "Down f");
	assert_false(f->app.prompting);
	assert_true(rig_row_has(f, 23, "read-only"));
}

TEST(test_long_message)
{
	struct app_rig *f = *state;
	struct shell *shell = &f->app.shell;
	char text[300] = "";

	f->app.config->charts = false;	/* the list takes all rows */
	shell->message(shell, ROLE_BAD,
		       "rings of 64M: over the 516K that perf_event_mlock_kb "
		       "leaves to a user; take -m 1M, or raise it with sysctl "
		       "kernel.perf_event_mlock_kb");
	app_draw(&f->app, f->canvas);
	assert_screen_rows(f->canvas, 22, f->canvas->rows, EXPECTED_TEXT,
			   "app/long_message");
	for (int i = 0; i < 29; i++)
		strcat(text, "123456789 ");
	rig_press(f, "Down");
	shell->message(shell, ROLE_BAD, text);
	app_draw(&f->app, f->canvas);
	assert_false(rig_row_has(f, 20, "123456789"));
	assert_true(rig_row_has(f, 21, "123456789 123456789"));
	assert_true(rig_row_has(f, 23, "123456789›"));
	/* the key that removes it gives the rows back to the view */
	rig_press(f, "Down");
	assert_true(rig_row_has(f, 22, "all 3"));
	assert_true(rig_row_has(f, 23, "q Quit"));
}

TEST(test_error_message_stays)
{
	struct app_rig *f = *state;
	struct shell *shell = &f->app.shell;

	shell->message(shell, ROLE_BAD, "first\033[2J");
	shell->message(shell, ROLE_GOOD, "second");
	app_draw(&f->app, f->canvas);
	assert_string_equal(screen_row(f->canvas, 23), "first?[2J");
	rig_press(f, "Down");
	shell->save(shell);
	app_draw(&f->app, f->canvas);
	assert_true(rig_row_has(f, 23, "/nowhere/rbtoprc: permission denied"));
	f->opts.config_path = NULL;
	shell->save(shell);
	app_draw(&f->app, f->canvas);
	assert_true(rig_row_has(f, 23, "not saved"));
}

TEST(test_source_fails)
{
	struct app_rig *f = *state;

	f->fail_read = -ENOMEM;
	app_tick(&f->app);
	assert_true(f->app.quit);
	assert_int_equal(f->app.failure.code, -ENOMEM);
}

/* The column of a text on a row. */
static int column_of(struct app_rig *f, int row, const char *text)
{
	for (int col = 0; col < f->canvas->cols; col++) {
		int i = 0;

		while (text[i] && col + i < f->canvas->cols &&
		       f->canvas->cells[row * f->canvas->cols + col + i].ch ==
			       (unsigned char)text[i])
			i++;
		if (!text[i])
			return col;
	}
	return -1;
}

TEST(test_mouse)
{
	struct app_rig *f = *state;
	struct term_event wheel = { .kind = TERM_WHEEL, .row = 8, .by = 3 };

	rig_click(f, 2, column_of(f, 2, "5 Log"));
	assert_int_equal(rig_on_top(f), VIEW_LOG);
	rig_click(f, 2, column_of(f, 2, "1 Rings"));
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_click(f, 23, column_of(f, 23, "h Help"));
	assert_int_equal(rig_on_top(f), VIEW_HELP);
	assert_true(rig_shows(f, "Keys of Rings"));
	app_event(&f->app, &wheel);
	app_draw(&f->app, f->canvas);
	assert_false(rig_shows(f, "Keys of Rings"));
	rig_click(f, 23, column_of(f, 23, "q Back"));
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_click(f, 23, column_of(f, 23, "q Quit"));
	assert_true(f->app.quit);
}

TEST(test_double_click)
{
	struct app_rig *f = *state;

	rig_clock = 10;
	rig_click(f, 5, 10);
	rig_clock = 11;
	rig_click(f, 5, 10);
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	rig_clock = 11.2;
	rig_click(f, 5, 10);
	assert_int_equal(rig_on_top(f), VIEW_RING_DETAIL);
}

TEST(test_rebound_keys_show)
{
	struct app_rig *f = *state;

	snprintf(f->config.keys[0].action, sizeof(f->config.keys[0].action),
		 "quit");
	snprintf(f->config.keys[0].keys, sizeof(f->config.keys[0].keys), "x");
	f->config.nr_keys = 1;
	rig_press(f, "q");
	assert_false(f->app.quit);
	assert_true(rig_row_has(f, 23, "no key q here"));
	rig_press(f, "Up");
	assert_true(rig_row_has(f, 23, "x Quit"));
	rig_press(f, "x");
	assert_true(f->app.quit);
}

/* Keys that are not for typing still work in a live prompt. */
TEST(live_prompt_passes_keys_not_for_typing)
{
	struct app_rig *f = *state;

	rig_resize(f, 10, 40);
	rig_press(f, "/ C P U");
	rig_press(f, "F3");
	assert_true(f->app.prompting);
	rig_press(f, "Enter");
	/* the keys of a search come first */
	assert_true(rig_row_has(f, 9, "n Next  C-p Previous"));
	assert_true(rig_row_has(f, 9, "q Quit"));
	rig_press(f, "F3 Enter"); /* an empty prompt leaves the search */
	assert_true(rig_row_has(f, 9, "n Next  C-p Previous"));
	rig_press(f, "Enter");
	assert_true(rig_row_has(f, 3, "CPU 1"));
	rig_press(f, "Esc Esc \\ C P U Up Enter Enter");
	assert_true(rig_row_has(f, 3, "CPU 0"));
	/* in a prompt that only Enter ends, other keys do nothing */
	rig_press(f, "Esc d Down Esc Enter");
	assert_true(rig_row_has(f, 3, "CPU 0"));
}

/* Asked for in Setup, a key does nothing else, is shown at once, and is not
 * taken from another action. */
TEST(test_keys_in_setup)
{
	struct app_rig *f = *state;

	rig_press(f, "F2 End");
	assert_true(rig_row_has(f, 22, "to_end          $          to the end"));
	assert_true(rig_row_has(f, 23, "Enter Change  Esc Cancel"));
	assert_true(rig_row_has(f, 23, "F2 Save"));
	rig_press(f, "Enter");
	assert_true(rig_row_has(f, 22, "to_end          press its new key"));
	rig_press(f, "q");
	assert_true(rig_row_has(f, 22, "to_end          $ "));
	assert_true(rig_row_has(f, 23, "q is the key of quit"));
	rig_press(f, "Enter ;");
	assert_true(rig_row_has(f, 23, "; cannot be a key"));
	rig_press(f, "Enter Esc");
	assert_true(rig_row_has(f, 23, "key unchanged"));
	assert_int_equal(rig_on_top(f), VIEW_SETUP);
	rig_press(f, "Space J");
	assert_true(rig_row_has(f, 22, "to_end          J "));
	rig_press(f, "Enter Del");
	assert_true(rig_row_has(f, 22, "to_end          $ "));
	assert_int_equal(f->config.nr_keys, 0);
	/* a click ends the question */
	rig_press(f, "Enter");
	rig_click(f, 22, 20);
	rig_press(f, "Up Down Enter ~ F10");
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	assert_int_equal(f->config.nr_keys, 1);
	assert_string_equal(f->config.keys[0].action, "to_end");
	assert_string_equal(f->config.keys[0].keys, "~");
	rig_press(f, "$");
	assert_true(rig_row_has(f, 23, "no key $ here"));
	/* nor is its default restored if another has it: here, $ */
	rig_press(f, "F2 End");
	rig_press(f, "Up Enter $");
	assert_true(rig_row_has(f, 21, "to_start        $ "));
	rig_press(f, "Down Enter Del");
	assert_true(rig_row_has(f, 22, "to_end          ~ "));
	assert_true(rig_row_has(f, 23, "$ is the key of to_start"));
	rig_press(f, "Up Enter Del Down");
	assert_true(rig_row_has(f, 21, "to_start        ^ "));
	rig_press(f, "Enter J");
	assert_true(rig_row_has(f, 22, "to_end          J "));
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_SETUP);
	assert_true(rig_row_has(f, 23, "changes are not saved: F10 saves them, "
				"Esc again discards them"));
	rig_press(f, "Esc");
	assert_int_equal(rig_on_top(f), VIEW_RINGS);
	assert_string_equal(f->config.keys[0].keys, "~");
}

TEST(test_bad_keys_are_refused)
{
	struct app_rig *f = *state;
	struct err err = { .kind = ERR_NONE };
	struct app app;

	snprintf(f->config.keys[0].action, sizeof(f->config.keys[0].action),
		 "fly");
	f->config.nr_keys = 1;
	assert_true(app_init(&app, &f->source, &f->opts, &err) < 0);
	assert_int_equal(err_exit_status(&err), 2);
	assert_non_null(strstr(err.text, "fly"));
}

/* Sizes and charts follow the settings from one picture to the next, and sizes
 * are no wider. */
TEST(test_sizes_and_history)
{
	struct app_rig *f = *state;
	char text[64];

	rig_tick(f);
	rig_tick(f);
	assert_true(rig_row_has(f, 1, "used 0.1% of 1.5M  B/s 12K    rec/s"));
	f->config.binary = true;
	rig_press(f, "End");
	assert_true(rig_row_has(f, 1, "used 0.1% of 1.5Mi B/s 12Ki   rec/s"));
	assert_true(rig_row_has(f, 4, "CPU 0  512Ki ▕"));
	f->config.pages = true;
	f->config.binary = false;
	rig_press(f, "Home");
	snprintf(text, sizeof(text), "used 0.1%% of %-5zu B/s 12K    rec/s",
		 (3 << 19) / sys_page_size());
	assert_true(rig_row_has(f, 1, text));
	snprintf(text, sizeof(text), "CPU 0  %5zu ▕",
		 (1 << 19) / sys_page_size());
	assert_true(rig_row_has(f, 4, text));
	f->config.history = 600;
	rig_press(f, "Enter");
	assert_true(f->canvas->history == 600);
	snprintf(text, sizeof(text), "size %20zu ",
		 (1 << 19) / sys_page_size());
	assert_true(rig_shows(f, text));
}

/* First are the keys of the open screen; from the popup and from Setup, Help goes
 * to the column. */
TEST(test_help)
{
	struct app_rig *f = *state;

	rig_press(f, "?");
	assert_true(rig_row_has(f, 3, " Keys of Rings"));
	rig_press(f, "? M ?");
	assert_true(rig_row_has(f, 3, " Keys of Rings"));
	rig_press(f, "? 5 F1");
	assert_true(rig_row_has(f, 3, " Keys of Log"));
	rig_press(f, "Esc 1 Enter h");
	assert_true(rig_row_has(f, 3, " Keys of Ring "));
	rig_press(f, "h Esc F6 Home ?");
	assert_int_equal(rig_on_top(f), VIEW_HELP);
	assert_true(rig_row_has(f, 5, "   RING "));
	rig_press(f, "? Down Down Down ?");
	assert_true(rig_row_has(f, 5, "   FILL% "));
	rig_press(f, "? Esc F2 Home ?");
	assert_int_equal(rig_on_top(f), VIEW_HELP);
	assert_true(rig_row_has(f, 5, "   RING "));
	rig_press(f, "? End ?");
	assert_true(rig_row_has(f, 3, " Keys of Setup"));
}

TEST_GROUP(app, .each_setup = rig_setup, .each_teardown = rig_teardown);
