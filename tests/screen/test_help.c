/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdio.h>
#include <string.h>

#include "ring/figures.h"
#include "samples/sample_columns.h"
#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"
#include "ui/kit/view.h"

/* Draw help, opened from the tab @tab, on a canvas so large that all is visible. */
static struct canvas *draw_from(enum view_id tab, struct config *config,
				int rows, int cols)
{
	struct canvas *c = canvas_new(rows, cols, false);
	struct frame *frame = frames_new(1);
	struct fake_shell shell;
	struct view *view;

	fake_shell_init(&shell);
	keys_bind(&shell.keys, config, NULL, NULL);
	shell.shell.tab = shell.shell.help_screen = tab;
	view = view_new(&view_help, &shell.shell);
	view_help.focus(view, 0);
	frames_draw(view, frame, c);
	view_free(view);
	frames_free(frame);
	return c;
}

static struct canvas *draw(struct config *config, int rows, int cols)
{
	return draw_from(VIEW_NONE, config, rows, cols);
}

/* The row that has all of the texts, in order; -1 if none. */
static int row_with(const struct canvas *c, const char *first,
		    const char *second)
{
	for (int row = 0; row < c->rows; row++) {
		const char *at = strstr(screen_row(c, row), first);

		if (at && strstr(at + strlen(first), second))
			return row;
	}
	return -1;
}

TEST(test_everything_is_there)
{
	struct canvas *c = draw(NULL, 320, 100);

	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		const struct keys_info *info = keys_info((enum action)i);

		assert_true(row_with(c, info->keys, info->help) >= 0);
	}
	for (int i = 0; i < KEYS_SECTIONS; i++)
		assert_true(row_with(c, keys_section_name(
					     (enum keys_section)i), "") >= 0);
	for (int list = IN_RINGS; list <= IN_AUX; list++) {
		enum figure all[FIGURES];
		size_t nr = figure_columns((enum figure_list)list, all);

		assert_true(nr > 15);
		for (size_t i = 0; i < nr; i++)
			assert_true(row_with(c, figure_header(
					all[i], (enum figure_list)list),
				    figure_info(all[i])->help) >= 0);
	}
	for (int i = 0; i < RING_WARNINGS; i++)
		assert_true(row_with(c, ring_warning_name(
					     (enum ring_warning)i), "") > 0);
	for (int i = 0; i < LOG_KINDS; i++)
		assert_true(row_with(c, log_kind_name((enum log_kind)i),
				     widget_log((enum log_kind)i)->help) > 0);
	assert_true(row_with(c, " M host", "another program") > 0);
	assert_true(row_with(c, " K M G", "powers of 1024") > 0);
	assert_true(row_with(c, " ●", "tagged") > row_with(c, "Marks", ""));
	assert_true(row_with(c, " ×", "gone") > 0);
	assert_true(row_with(c, " P", "paused") > 0);
	assert_true(row_with(c, " D", "disabled") > 0);
	assert_true(row_with(c, " O", "overwrite") > 0);
	assert_true(row_with(c, " S", "stopped") > 0);
	assert_true(row_with(c, " !", "losing now") > 0);
	assert_true(row_with(c, "LAST STOP", "the kernel publishes") > 0);
	assert_true(row_with(c, "wakeups", "sent by the kernel") > 0);
	assert_true(row_with(c, "stopped", "SIGSTOP") > 0);
	assert_true(row_with(c, " k u j ", "kernel") > 0);
	canvas_free(c);
}

TEST(test_shows_what_is_bound)
{
	struct config config;
	struct canvas *c;

	config_default(&config);
	snprintf(config.keys[0].action, sizeof(config.keys[0].action), "quit");
	snprintf(config.keys[0].keys, sizeof(config.keys[0].keys), "F5 z");
	config.nr_keys = 1;
	c = draw(&config, 160, 100);
	assert_true(row_with(c, "F5 z ", "quit") >= 0);
	assert_int_equal(row_with(c, "   q   ", "quit"), -1);
	/* its only key was bound to another action */
	assert_true(row_with(c, "   - ", "reset") >= 0);
	canvas_free(c);
}

TEST(test_look)
{
	struct canvas *c = draw(NULL, 5, 60);

	assert_screen(c, EXPECTED_LOOKS, "help/look");
	canvas_free(c);
}

/* The screens of a key are at the end of its line, or below it. */
TEST(test_where)
{
	struct canvas *c = draw(NULL, 114, 80);
	int end = row_with(c, "Samples, Hot and Flame", "");

	assert_true(end > 0);
	assert_screen_rows(c, 0, end, EXPECTED_TEXT, "help/where");
	canvas_free(c);
}

TEST(test_two_columns)
{
	struct canvas *c = draw(NULL, 120, 200);
	int keys = row_with(c, "Screens", "");
	int columns = row_with(c, "h ? F1", "");

	assert_int_equal(keys, 0);
	assert_true(columns >= 0);
	/* side by side: both within half the lines */
	assert_int_equal(row_with(c, "Screens", "Filters of Samples"), 0);
	canvas_free(c);
}

TEST(test_scrolls)
{
	struct canvas *c = canvas_new(10, 80, false);
	struct frame *frame = frames_new(1);
	enum figure all[FIGURES];
	enum figure last = all[figure_columns(IN_HOST, all) - 1];
	struct fake_shell shell;
	struct view *view;
	int row;

	fake_shell_init(&shell);
	view = view_new(&view_help, &shell.shell);
	frames_draw(view, frame, c);
	assert_true(view_help.action(view, frame, ACTION_DOWN));
	frames_draw(view, frame, c);
	assert_int_equal(row_with(c, "Screens", ""), -1);
	assert_true(view_help.action(view, frame, ACTION_END));
	frames_draw(view, frame, c);
	assert_int_equal(row_with(c, figure_header(last, IN_HOST),
				  figure_info(last)->help), 9);
	assert_true(view_help.action(view, frame, ACTION_HOME));
	frames_draw(view, frame, c);
	assert_int_equal(row_with(c, "Screens", ""), 0);
	row = row_with(c, "Tab", "next screen");
	assert_true(row > 0);
	assert_true(view_help.wheel(view, frame, row));
	frames_draw(view, frame, c);
	assert_int_equal(row_with(c, "Tab", "next screen"), 0);
	/* not handled: the app closes it */
	assert_false(view_help.action(view, frame, ACTION_CANCEL));
	view_free(view);
	frames_free(frame);
	canvas_free(c);
}

/* Those of the screen that it was opened from come before the others. */
TEST(test_columns_of_the_screen)
{
	static const struct {
		enum view_id tab;
		const char *heading;
	} tabs[] = {
		{ VIEW_RINGS, "Columns of Rings" },
		{ VIEW_HOST, "Columns of Host" },
		{ VIEW_AUX, "Columns of AUX" },
		{ VIEW_SAMPLES, "Columns of Samples" },
		{ VIEW_HOT, "Columns of Hot" },
		{ VIEW_LOG, "Columns of Log" },
	};
	const int nr = sizeof(tabs) / sizeof(*tabs);

	for (int i = 0; i < nr; i++) {
		struct canvas *c = draw_from(tabs[i].tab, NULL, 320, 100);
		int marks = row_with(c, "Marks", "");

		for (int k = 0; k < nr; k++) {
			int row = row_with(c, tabs[k].heading, "");

			assert_true(row > 0);
			assert_true((row < marks) == (k == i));
		}
		canvas_free(c);
	}
}

/* Each key is there once: those of the screen first, the others by section. */
TEST(test_keys_of_the_screen)
{
	struct canvas *c = draw_from(VIEW_HOST, NULL, 300, 120);
	int others = row_with(c, "Screens", "");

	assert_int_equal(row_with(c, "Keys of Host", ""), 0);
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		const struct keys_info *info = keys_info((enum action)i);
		int row = row_with(c, info->keys, info->help);

		assert_true(row > 0);
		assert_true((row < others) ==
			    (info->screens != KEYS_ANY &&
			     keys_work_on((enum action)i, VIEW_HOST)));
	}
	canvas_free(c);
}

/* Near the top and on the cursor's background; the next time at the top. */
TEST(test_column_asked)
{
	struct canvas *c = canvas_new(10, 80, false);
	struct frame *frame = frames_new(1);
	struct fake_shell shell;
	struct view *view;
	int row;

	fake_shell_init(&shell);
	view = view_new(&view_help, &shell.shell);
	shell.shell.tab = VIEW_RINGS;
	shell.shell.help_column = "FILL%";
	shell.shell.help_list = VIEW_HOST;
	view_help.focus(view, 0);
	frames_draw(view, frame, c);
	row = row_with(c, "FILL%", "");
	assert_int_equal(row, 2);
	/* more about it than its list does */
	assert_int_equal(row_with(c, "   in percent, rounded down", ""), 3);
	assert_int_equal(row_with(c, "   PEAK  ", ""), 4);
	for (int i = 0; i < c->rows; i++)
		assert_true(c->cells[i * c->cols + 3].selected == (i == row));
	assert_true(view_help.action(view, frame, ACTION_DOWN));
	frames_draw(view, frame, c);
	assert_int_equal(row_with(c, "FILL%", ""), 1);
	shell.shell.help_column = "DRN/S";
	view_help.focus(view, 0);
	frames_draw(view, frame, c);
	assert_int_equal(row_with(c, "DRN/S", ""), 2);
	assert_int_equal(row_with(c, "  a count: k, M, G", "1000"), 3);
	assert_int_equal(row_with(c, "  averaged since", ""), 4);
	assert_int_equal(row_with(c, "  >: lower bound;", ""), 5);
	assert_int_equal(row_with(c, "  -: unknown for", "without BPF"), 6);
	shell.shell.help_column = "LOST";
	shell.shell.help_list = VIEW_RINGS;
	view_help.focus(view, 0);
	frames_draw(view, frame, c);
	assert_int_equal(row_with(c, "LOST", ""), 2);
	assert_int_equal(row_with(c, "  ! and red:", ""), 4);
	assert_int_equal(row_with(c, "LOST/S", ""), 5);
	/* a heading that Help does not list: their columns */
	shell.shell.help_column = "next_comm";
	shell.shell.help_list = VIEW_HOT;
	view_help.focus(view, 0);
	frames_draw(view, frame, c);
	assert_int_equal(row_with(c, "Columns of Hot", ""), 2);
	view_help.focus(view, 0);
	frames_draw(view, frame, c);
	assert_int_equal(row_with(c, "Screens", ""), 0);
	view_free(view);
	frames_free(frame);
	canvas_free(c);
}

TEST_GROUP(help, .setup = frames_utf8);
