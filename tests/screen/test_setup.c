/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdio.h>
#include <string.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/kit/keys.h"

enum { SWITCHES = 7 };	/* see setup.c */

/* The columns of a list, as set now. */
static struct config_columns *columns_of(struct screen *s,
					 enum config_list list)
{
	return &s->shell.config.columns[list];
}

/* The delay is above the keys, of which some stay as they are. */
static void to_delay(struct screen *s)
{
	screen_act(s, ACTION_END);
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		if (keys_info((enum action)i)->section != KEYS_MOVE &&
		    i != ACTION_OPEN && i != ACTION_CANCEL)
			screen_act(s, ACTION_UP);
	}
}

static int setup(void **state)
{
	struct screen *s = screen_new(&view_setup);

	screen_open(s, 260, 80, 1);
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	screen_free(*state);
	return 0;
}

TEST(all_of_it)
{
	struct screen *s = *state;

	screen_draw(s);
	assert_screen(s->canvas, EXPECTED_TEXT, "setup/all_of_it");
}

TEST(scrolls_at_40x10)
{
	struct screen *s = *state;

	canvas_free(s->canvas);
	s->canvas = canvas_new(7, 40, false);
	screen_draw(s);
	screen_act(s, ACTION_DOWN);
	assert_screen(s->canvas, EXPECTED_LOOKS, "setup/scrolls_at_40x10");
	screen_act(s, ACTION_END);
	assert_screen(s->canvas, EXPECTED_TEXT, "setup/scrolls_at_40x10_2");
	screen_act(s, ACTION_HOME);
	assert_memory_equal(screen_row(s->canvas, 0), "Columns", 7);
}

static const char *label(const struct screen *s, enum action action)
{
	return view_setup.label(s->view, action);
}

/* The bottom line shows the keys for the item under the cursor. */
TEST(setup_keys_in_bottom_line)
{
	struct screen *s = *state;

	screen_draw(s);
	assert_string_equal(label(s, ACTION_TAG), "Show/hide");
	assert_string_equal(label(s, ACTION_GROW), "Move up");
	assert_string_equal(label(s, ACTION_SHRINK), "Move down");
	assert_string_equal(label(s, ACTION_LEFT), "");
	assert_string_equal(label(s, ACTION_OPEN), "Save");
	assert_string_equal(label(s, ACTION_CANCEL), "Cancel");
	assert_string_equal(label(s, ACTION_QUIT), "");
	to_delay(s);
	assert_string_equal(label(s, ACTION_LEFT), "Shorter");
	assert_string_equal(label(s, ACTION_RIGHT), "Longer");
	assert_string_equal(label(s, ACTION_TAG), "Type");
	assert_string_equal(label(s, ACTION_GROW), "");
	screen_act(s, ACTION_UP);
	assert_string_equal(label(s, ACTION_TAG), "Choose");
	screen_passes_on(s, ACTION_GROW);
}

TEST(columns_toggle)
{
	struct screen *s = *state;
	struct config_columns *rings = columns_of(s, CONFIG_RINGS);
	size_t nr = rings->nr;

	screen_draw(s);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_TAG);
	assert_int_equal(rings->nr, nr - 1);
	assert_int_equal(rings->shown[0], FIGURE_RING);
	assert_int_equal(rings->shown[1], FIGURE_FILL);
	screen_act(s, ACTION_TAG); /* back where it was */
	assert_int_equal(rings->nr, nr);
	assert_int_equal(rings->shown[1], FIGURE_SIZE);
}

TEST(the_name_stays)
{
	struct screen *s = *state;
	struct config_columns *rings = columns_of(s, CONFIG_RINGS);

	while (rings->nr > 1) {
		screen_act(s, ACTION_DOWN);
		screen_act(s, ACTION_TAG);
	}
	screen_act(s, ACTION_HOME);
	screen_act(s, ACTION_TAG);
	assert_int_equal(rings->nr, 1);
	assert_int_equal(rings->shown[0], FIGURE_RING);
	assert_string_equal(s->shell.message,
			    "RING cannot be hidden: it identifies the rows");
}

TEST(columns_move)
{
	struct screen *s = *state;
	struct config_columns *rings = columns_of(s, CONFIG_RINGS);

	screen_draw(s);
	screen_act(s, ACTION_GROW); /* the first: stays */
	assert_int_equal(rings->shown[0], FIGURE_RING);
	screen_act(s, ACTION_SHRINK);
	assert_int_equal(rings->shown[0], FIGURE_SIZE);
	assert_int_equal(rings->shown[1], FIGURE_RING);
	assert_true(view_setup.key(s->view, s->frame, KEYS_F1 + 7));
	assert_int_equal(rings->shown[2], FIGURE_RING);
	assert_true(view_setup.key(s->view, s->frame, KEYS_F1 + 6));
	assert_int_equal(rings->shown[1], FIGURE_RING);
	assert_false(view_setup.key(s->view, s->frame, 'x'));
	screen_act(s, ACTION_END); /* the delay cannot be moved */
	screen_passes_on(s, ACTION_GROW);
}

TEST(samples_have_their_own)
{
	enum figure all[FIGURES];
	struct screen *s = *state;
	struct config_columns *rings = columns_of(s, CONFIG_RINGS);
	struct config_columns *samples = columns_of(s, CONFIG_SAMPLES);
	size_t nr = rings->nr;

	screen_draw(s);
	for (size_t i = figure_columns(IN_RINGS, all); i > 0; i--)
		screen_act(s, ACTION_DOWN);
	assert_memory_equal(screen_row(s->canvas, screen_cursor(s)),
			    " [x]  TIME", 10);
	assert_string_equal(label(s, ACTION_GROW), "Move up");
	screen_act(s, ACTION_GROW); /* does not leave its list */
	assert_int_equal(samples->shown[0], SAMPLE_COLUMN_TIME);
	screen_act(s, ACTION_SHRINK);
	assert_int_equal(samples->shown[0], SAMPLE_COLUMN_CPU);
	assert_int_equal(samples->shown[1], SAMPLE_COLUMN_TIME);
	screen_act(s, ACTION_TAG);
	assert_int_equal(samples->nr, 5);
	assert_int_equal(samples->shown[1], SAMPLE_COLUMN_TID);
	assert_int_equal(rings->nr, nr);
}

TEST(one_sample_column_stays)
{
	enum figure all[FIGURES];
	struct screen *s = *state;
	struct config_columns *samples = columns_of(s, CONFIG_SAMPLES);

	screen_draw(s);
	for (size_t i = figure_columns(IN_RINGS, all); i > 0; i--)
		screen_act(s, ACTION_DOWN);
	while (samples->nr > 1) {
		screen_act(s, ACTION_TAG);
		screen_act(s, ACTION_DOWN);
	}
	screen_act(s, ACTION_TAG);
	assert_int_equal(samples->nr, 1);
	assert_int_equal(samples->shown[0], SAMPLE_COLUMN_WHAT);
	assert_string_equal(s->shell.message, "at least one column must stay");
	/* the last one does not leave its list either */
	to_delay(s);
	for (size_t i = CONFIG_SCHEMES + SWITCHES + 2 + CONFIG_HOT_COLUMNS +
			figure_columns(IN_AUX, all) + CONFIG_LOG_COLUMNS +
			figure_columns(IN_HOST, all);
	     i > 0; i--)
		screen_act(s, ACTION_UP);
	assert_memory_equal(screen_row(s->canvas, screen_cursor(s)),
			    " [ ]  PHYS", 10);
	screen_act(s, ACTION_SHRINK);
	assert_memory_equal(screen_row(s->canvas, screen_cursor(s)),
			    " [ ]  PHYS", 10);
}

/* Host shows what applies, until something is chosen. */
TEST(host_columns)
{
	struct screen *s = *state;
	struct config_columns *host = columns_of(s, CONFIG_HOST);
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);

	s->shell.shell.tab = VIEW_HOST;
	screen_open(s, 20, 80, 1);
	view_setup.focus(s->view, VIEW_NO_ROW);
	screen_draw(s);
	assert_screen_rows(s->canvas, 0, 4, EXPECTED_LOOKS,
			   "setup/host_columns");
	assert_int_equal(host->nr, 0);
	screen_act(s, ACTION_DOWN);
	screen_act(s, ACTION_TAG);
	assert_int_equal(host->nr, nr - 1);
	assert_int_equal(host->shown[0], all[0]);
	assert_int_equal(host->shown[1], all[2]);
	screen_act(s, ACTION_TAG);
	assert_int_equal(host->nr, 0);
	screen_act(s, ACTION_GROW);
	assert_int_equal(host->nr, nr);
	assert_int_equal(host->shown[0], all[1]);
	assert_int_equal(host->shown[1], all[0]);
	screen_act(s, ACTION_SHRINK);
	assert_int_equal(host->nr, 0);
}

TEST(scheme_and_delay)
{
	struct screen *s = *state;
	struct config *config = &s->shell.config;

	screen_draw(s);
	to_delay(s);
	screen_act(s, ACTION_RIGHT);
	assert_true(config->delay > 1.9 && config->delay < 2.1);
	for (int i = 0; i < 20; i++)
		screen_act(s, ACTION_LEFT);
	assert_true(config->delay > .09 && config->delay < .11);
	screen_act(s, ACTION_TAG);
	fake_shell_answer(&s->shell, "250ms");
	assert_true(config->delay > .24 && config->delay < .26);
	screen_act(s, ACTION_TAG);
	fake_shell_answer(&s->shell, "soon");
	assert_int_equal(s->shell.message_role, ROLE_BAD);
	assert_true(config->delay > .24 && config->delay < .26);
	screen_act(s, ACTION_UP);
	screen_act(s, ACTION_TAG);
	assert_int_equal(config->scheme, CONFIG_SCHEME_MONO);
	screen_passes_on(s, ACTION_RIGHT);
}

TEST(switches)
{
	struct screen *s = *state;
	struct config *config = &s->shell.config;

	config->mouse = true;
	screen_draw(s);
	to_delay(s);
	for (int i = 0; i < CONFIG_SCHEMES + 2; i++)
		screen_act(s, ACTION_UP);
	assert_string_equal(label(s, ACTION_TAG), "Switch");
	assert_memory_equal(screen_row(s->canvas, screen_cursor(s)), " [x]  mo",
			    8);
	screen_act(s, ACTION_TAG);
	assert_false(config->mouse);
	assert_memory_equal(screen_row(s->canvas, screen_cursor(s)), " [ ]  mo",
			    8);
	screen_act(s, ACTION_TAG);
	assert_true(config->mouse);
	config->keybar = true;
	screen_act(s, ACTION_UP);
	screen_act(s, ACTION_TAG);
	assert_false(config->keybar);
	screen_act(s, ACTION_UP);
	screen_act(s, ACTION_TAG);
	assert_true(config->pages);
	screen_act(s, ACTION_UP);
	screen_act(s, ACTION_TAG);
	assert_true(config->binary);
	config->clock = TIMES_WALL;
	screen_act(s, ACTION_UP);
	screen_act(s, ACTION_TAG);
	assert_int_equal(config->clock, TIMES_KERNEL);
	screen_act(s, ACTION_UP);
	screen_act(s, ACTION_TAG);
	assert_true(config->dummies);
	config->charts = true;
	screen_act(s, ACTION_UP);
	screen_act(s, ACTION_TAG);
	assert_false(config->charts);
	assert_int_equal(s->shell.saves, 0);
	screen_passes_on(s, ACTION_DONE);
	assert_int_equal(s->shell.saves, 1);
}

TEST(history)
{
	struct screen *s = *state;
	struct config *config = &s->shell.config;

	config->history = 300;
	screen_draw(s);
	to_delay(s);
	for (int i = 0; i < CONFIG_SCHEMES + 1; i++)
		screen_act(s, ACTION_UP);
	assert_string_equal(label(s, ACTION_TAG), "Next");
	assert_string_equal(screen_row(s->canvas, screen_cursor(s)),
			    "      5m");
	screen_act(s, ACTION_RIGHT);
	assert_true(config->history == 900);
	for (int i = 0; i < 20; i++)
		screen_act(s, ACTION_RIGHT);
	assert_string_equal(screen_row(s->canvas, screen_cursor(s)),
			    "      24h        at most 11h17 with this delay");
	screen_act(s, ACTION_TAG);
	assert_true(config->history == 60);
	screen_act(s, ACTION_LEFT);
	assert_true(config->history == 60);
	screen_act(s, ACTION_TAG);
	assert_true(config->history == 300);
}

static void leave_by(struct screen *s, enum action action)
{
	view_setup.focus(s->view, VIEW_NO_ROW);
	screen_act(s, ACTION_HOME);
	screen_act(s, ACTION_SHRINK);
	screen_passes_on(s, action);
}

TEST(saved_when_left)
{
	struct screen *s = *state;

	screen_draw(s);
	screen_passes_on(s, ACTION_DONE);
	screen_act(s, ACTION_OPEN);
	screen_act(s, ACTION_SHRINK);
	screen_act(s, ACTION_GROW);
	screen_passes_on(s, ACTION_SETUP);
	view_setup.leave(s->view);
	assert_int_equal(s->shell.saves, 0); /* nothing was changed */
	leave_by(s, ACTION_DONE);
	assert_int_equal(s->shell.saves, 1);
	leave_by(s, ACTION_SETUP);
	assert_int_equal(s->shell.saves, 2);
	screen_act(s, ACTION_SHRINK);
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.saves, 3);
	/* another tab was opened, maybe from Help */
	screen_act(s, ACTION_SHRINK);
	screen_passes_on(s, ACTION_HELP);
	view_setup.leave(s->view);
	assert_int_equal(s->shell.saves, 4);
	/* what other screens set has no row here */
	s->shell.config.sort = FIGURE_LOST;
	screen_act(s, ACTION_OPEN);
	screen_act(s, ACTION_OPEN);
	assert_int_equal(s->shell.saves, 5);
}

/* Whether the row of the cursor has @text. */
static bool selected(const struct screen *s, const char *text)
{
	const struct canvas *c = s->canvas;

	for (int row = 0; row < c->rows; row++) {
		if (c->cells[row * c->cols + 3].selected)
			return strstr(screen_row(c, row), text) != NULL;
	}
	return false;
}

/* The row of the cursor is that of the next match, of a column, a switch or a
 * key; without one it stays. */
TEST(searches)
{
	struct screen *s = *state;

	screen_draw(s);
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, "mouse");
	screen_draw(s);
	assert_true(selected(s, "mouse: clicks"));
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, "heat map");
	screen_draw(s);
	assert_true(selected(s, "map "));
	screen_act(s, ACTION_SEARCH_NEXT);	/* the only one */
	assert_true(selected(s, "map "));
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, "Colours");
	screen_draw(s);
	screen_act(s, ACTION_SEARCH_NEXT);
	assert_true(selected(s, config_scheme_name((enum config_scheme)1)));
	screen_act(s, ACTION_SEARCH_PREV);
	assert_true(selected(s, config_scheme_name((enum config_scheme)0)));
	screen_act(s, ACTION_SEARCH);
	fake_shell_answer(&s->shell, "no such thing");
	assert_string_equal(s->shell.message, "no option matches");
	screen_draw(s);
	assert_true(selected(s, config_scheme_name((enum config_scheme)0)));
	/* Esc goes back */
	screen_act(s, ACTION_SEARCH);
	s->shell.done(s->view, "mouse", false);
	screen_draw(s);
	assert_true(selected(s, "mouse: clicks"));
	fake_shell_answer(&s->shell, NULL);
	screen_draw(s);
	assert_true(selected(s, config_scheme_name((enum config_scheme)0)));
}

/* Everything is as it was when Setup was opened. */
TEST(cancelled)
{
	static const enum action leave[] = { ACTION_CANCEL, ACTION_QUIT };
	struct screen *s = *state;
	struct config *config = &s->shell.config;
	struct config_columns *rings = columns_of(s, CONFIG_RINGS);
	char asks[80];

	config->sort = FIGURE_LOST;	/* was not saved, but stays */
	for (int i = 0; i < 2; i++) {
		view_setup.focus(s->view, VIEW_NO_ROW);
		screen_act(s, ACTION_HOME);
		screen_act(s, ACTION_SHRINK);
		assert_int_equal(rings->shown[1], FIGURE_RING);
		to_delay(s);
		screen_act(s, ACTION_RIGHT);
		screen_act(s, ACTION_UP);
		screen_act(s, ACTION_TAG);
		assert_int_equal(config->scheme, CONFIG_SCHEME_MONO);
		config->clock = TIMES_KERNEL;	/* C works here, too */
		/* back from Help it is not opened again */
		view_setup.focus(s->view, VIEW_NO_ROW);
		screen_act(s, leave[i]);
		snprintf(asks, sizeof(asks), "changes are not saved: F10 saves "
			 "them, %s again discards them", i ? "q" : "Esc");
		assert_string_equal(s->shell.message, asks);
		/* another key is no answer */
		screen_act(s, ACTION_HOME);
		screen_act(s, leave[i]);
		assert_int_equal(rings->shown[1], FIGURE_RING);
		screen_passes_on(s, leave[i]);
		assert_string_equal(s->shell.message,
				    "cancelled: settings are as before");
		assert_int_equal(rings->shown[0], FIGURE_RING);
		assert_true(config->delay > .9 && config->delay < 1.1);
		assert_int_not_equal(config->scheme, CONFIG_SCHEME_MONO);
		assert_int_equal(config->clock, TIMES_WALL);
		assert_int_equal(config->sort, FIGURE_LOST);
	}
	screen_act(s, ACTION_HOME);	/* what is shown is what is set */
	assert_memory_equal(screen_row(s->canvas, 1), " [x]  RING", 10);
	assert_int_equal(s->shell.saves, 0);
}

/* What could not be saved stays, and is tried again. */
TEST(saving_fails)
{
	struct screen *s = *state;

	s->shell.unsaved = true;
	screen_draw(s);
	leave_by(s, ACTION_DONE);
	assert_int_equal(s->shell.saves, 1);
	assert_int_equal(columns_of(s, CONFIG_RINGS)->shown[1], FIGURE_RING);
	view_setup.focus(s->view, VIEW_NO_ROW);
	screen_passes_on(s, ACTION_CANCEL);
	assert_int_equal(columns_of(s, CONFIG_RINGS)->shown[1], FIGURE_RING);
	screen_passes_on(s, ACTION_DONE);
	assert_int_equal(s->shell.saves, 2);
}

TEST(clicks)
{
	struct screen *s = *state;
	struct config_columns *rings = columns_of(s, CONFIG_RINGS);
	size_t nr = rings->nr;

	screen_draw(s);
	screen_click(s, 3, 30, false);
	assert_int_equal(rings->nr, nr);
	screen_click(s, 3, 30, true);
	assert_int_equal(rings->nr, nr - 1);
	screen_click(s, 3, 2, false);
	assert_int_equal(rings->nr, nr);
	/* headings and blank lines are no items */
	assert_false(screen_click(s, 0, 2, true));
	view_setup.wheel(s->view, s->frame, 1);
	screen_act(s, ACTION_TAG);
	assert_int_equal(rings->shown[3], FIGURE_PEAK);
}

TEST_GROUP(setup, .each_setup = setup, .each_teardown = teardown);
