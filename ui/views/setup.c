/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of both lists and their order, the colour scheme, the delay.  Changes
 * show at once; they are saved with Enter, or when the screen is left.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/units.h"
#include "ui/kit/keys.h"
#include "ui/kit/list.h"
#include "ui/kit/view.h"
#include "ui/kit/widgets.h"

/*
 * Sections, in this order: first the lists whose columns are chosen.  Each has
 * a heading and a blank line.
 */
enum section {
	OF_RINGS, OF_SAMPLES, CHOICES,
	OF_SCHEMES = CHOICES, OF_DELAY, SECTIONS
};

enum { NAME = 6, HELP = 17, HINTS = 4, GAP = 2 };

enum { MOST = (int)FIGURES > (int)SAMPLE_COLUMNS ? (int)FIGURES :
						    (int)SAMPLE_COLUMNS };

/* A key, and what it does to the item under the cursor. */
struct hint {
	enum action action;	/* ACTION_NONE: no further one */
	const char *label;
};

static const struct {
	const char *title;
	struct hint hints[HINTS];
} sections[SECTIONS] = {
	{ "Columns of Rings (as many as fit; arrow keys scroll)",
	  { { ACTION_TAG, "Show/hide" }, { ACTION_GROW, "Up" },
	    { ACTION_SHRINK, "Down" } } },
	{ "Columns of Samples",
	  { { ACTION_TAG, "Show/hide" }, { ACTION_GROW, "Up" },
	    { ACTION_SHRINK, "Down" } } },
	{ "Colours", { { ACTION_TAG, "Choose" } } },
	{ "Delay between pictures",
	  { { ACTION_LEFT, "Shorter" }, { ACTION_RIGHT, "Longer" },
	    { ACTION_TAG, "Type" } } },
};

static const double delays[] = { .1, .25, .5, 1, 2, 3, 5, 10, 30, 60 };

/* The columns of a list, whichever it is. */
struct choice {
	unsigned int order[MOST];	/* all, as they stand on screen */
	bool shown[MOST];		/* by column */
	size_t nr;			/* all of them */
};

struct setup {
	struct view view;
	struct choice choices[CHOICES];
	struct list items;		/* the cursor */
	struct list lines;		/* headings and items, for scrolling */
	bool changed;			/* since the last save */
};

static struct setup *setup(struct view *view)
{
	return (struct setup *)(void *)view;
}

/* The first item of a section; of SECTIONS: how many there are. */
static size_t first_of(const struct setup *v, enum section section)
{
	const size_t sizes[SECTIONS] = {
		v->choices[OF_RINGS].nr, v->choices[OF_SAMPLES].nr,
		CONFIG_SCHEMES, 1,
	};
	size_t first = 0;

	for (int i = 0; i < (int)section; i++)
		first += sizes[i];
	return first;
}

static void show_column(struct choice *c, unsigned int column)
{
	c->order[c->nr++] = column;
	c->shown[column] = true;
}

/* Behind the columns that are shown, the others. */
static void add_hidden(struct choice *c, unsigned int column)
{
	if (!c->shown[column])
		c->order[c->nr++] = column;
}

static void take_columns(struct setup *v, const struct config *config)
{
	struct choice *rings = &v->choices[OF_RINGS];
	struct choice *samples = &v->choices[OF_SAMPLES];
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_RINGS, all);

	for (size_t i = 0; i < config->nr_columns; i++)
		show_column(rings, config->columns[i]);
	for (size_t i = 0; i < nr; i++)
		add_hidden(rings, all[i]);
	for (size_t i = 0; i < config->nr_sample_columns; i++)
		show_column(samples, config->sample_columns[i]);
	for (unsigned int i = 0; i < SAMPLE_COLUMNS; i++)
		add_hidden(samples, i);
}

static void give_columns(struct setup *v)
{
	const struct choice *rings = &v->choices[OF_RINGS];
	const struct choice *samples = &v->choices[OF_SAMPLES];
	struct config *config = v->view.shell->config;

	config->nr_columns = config->nr_sample_columns = 0;
	for (size_t i = 0; i < rings->nr; i++) {
		if (rings->shown[rings->order[i]])
			config->columns[config->nr_columns++] =
				(enum figure)rings->order[i];
	}
	for (size_t i = 0; i < samples->nr; i++) {
		if (samples->shown[samples->order[i]])
			config->sample_columns[config->nr_sample_columns++] =
				(enum sample_column)samples->order[i];
	}
	v->changed = true;
}

/* The choice that an item belongs to, and its place in the order. */
static struct choice *choice_of(struct setup *v, size_t item, size_t *place)
{
	size_t samples = first_of(v, OF_SAMPLES);

	if (item >= first_of(v, OF_SCHEMES))
		return NULL;
	*place = item < samples ? item : item - samples;
	return &v->choices[item < samples ? OF_RINGS : OF_SAMPLES];
}

static struct view *setup_create(struct shell *shell)
{
	struct setup *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_setup, .shell = shell };
	take_columns(v, shell->config);
	v->items.nr = first_of(v, SECTIONS);
	return &v->view;
}

static void setup_destroy(struct view *view)
{
	free(view);
}

/* Where an item stands: after its heading, and what is before that. */
static size_t line_of(const struct setup *v, size_t item)
{
	size_t line = item;

	for (int i = 0; i < SECTIONS; i++)
		line += item >= first_of(v, (enum section)i) ? (i ? 2 : 1) : 0;
	return line;
}

/*
 * Opened from a list: at the columns of that, below their heading.  Host has as
 * many as there is room for: there is nothing to choose before the colours.
 */
static void setup_focus(struct view *view, size_t ring)
{
	struct setup *v = setup(view);
	enum view_id tab = view->shell->tab;
	size_t item = tab == VIEW_SAMPLES ? first_of(v, OF_SAMPLES) :
		      tab == VIEW_HOST ? first_of(v, OF_SCHEMES) : 0;

	(void)ring;
	if (tab != VIEW_RINGS && tab != VIEW_SAMPLES && tab != VIEW_HOST)
		return;
	list_set(&v->items, item);
	v->lines.top = line_of(v, item) - 1;
}

static void draw_column(struct setup *v, struct area a, int row, size_t item)
{
	size_t place;
	const struct choice *c = choice_of(v, item, &place);
	unsigned int column = c->order[place];
	bool on = c->shown[column];
	const char *header, *help;

	if (c == &v->choices[OF_RINGS]) {
		header = figure_header((enum figure)column, IN_RINGS);
		help = figure_info((enum figure)column)->help;
	} else {
		header = sample_column_info((enum sample_column)column)->header;
		help = sample_column_info((enum sample_column)column)->help;
	}
	area_text(a, row, 1, 0, on ? ROLE_GOOD : ROLE_DIM, on ? "[x]" : "[ ]");
	area_text(a, row, NAME, HELP - NAME - 1, on ? ROLE_VALUE : ROLE_DEFAULT,
		  header);
	area_text(a, row, HELP, 0, on ? ROLE_DEFAULT : ROLE_DIM, help);
}

static void draw_item(struct setup *v, struct area a, int row, size_t item)
{
	const struct config *config = v->view.shell->config;
	char text[8];

	size_t schemes = first_of(v, OF_SCHEMES);

	if (item < schemes) {
		draw_column(v, a, row, item);
	} else if (item < first_of(v, OF_DELAY)) {
		enum config_scheme scheme =
			(enum config_scheme)(item - schemes);
		bool on = config->scheme == scheme;

		area_text(a, row, 1, 0, on ? ROLE_GOOD : ROLE_DIM,
			  on ? "(*)" : "( )");
		area_text(a, row, NAME, 0, on ? ROLE_VALUE : ROLE_DEFAULT,
			  config_scheme_name(scheme));
	} else {
		units_duration(text, sizeof(text), config->delay);
		area_text(a, row, NAME, 0, ROLE_VALUE, text);
	}
	if (item == v->items.cursor)
		area_reverse(a, row, 0, a.cols);
}

static void draw_line(struct setup *v, struct area a, int row, size_t line)
{
	for (int i = 0; i < SECTIONS; i++) {
		if (line + 1 == line_of(v, first_of(v, (enum section)i)))
			widget_heading(a, row, sections[i].title);
	}
	for (size_t item = 0; item < v->items.nr; item++) {
		if (line_of(v, item) == line)
			draw_item(v, a, row, item);
	}
}

/* The keys for what is under the cursor; the bottom bar has the others. */
static void draw_hints(const struct setup *v, struct area a)
{
	const struct hint *hint = sections[0].hints;
	struct keys keys;
	char key[16];
	int col = 0;

	for (int i = 0; i < SECTIONS; i++) {
		if (v->items.cursor >= first_of(v, (enum section)i))
			hint = sections[i].hints;
	}
	if (keys_bind(&keys, v->view.shell->config, NULL) < 0)
		keys_bind(&keys, NULL, NULL);
	for (; hint->action != ACTION_NONE; hint++) {
		keys_text(&keys, hint->action, true, key, sizeof(key));
		if (!*key)
			continue;
		col += area_text(a, 0, col, 0, ROLE_KEY, key) + 1;
		col += area_text(a, 0, col, 0, ROLE_DEFAULT, hint->label) + GAP;
	}
}

static void setup_draw(struct view *view, const struct frame *frame,
		       struct area area)
{
	struct setup *v = setup(view);
	struct area rows;

	(void)frame;
	draw_hints(v, area_sub(area, area.rows - 1, 0, 1, area.cols));
	area.rows--;
	rows = area_sub(area, 0, 0, area.rows, area.cols - 1);
	list_fit(&v->items, v->items.nr, area.rows);
	v->lines.cursor = v->items.cursor ? line_of(v, v->items.cursor) : 0;
	list_fit(&v->lines, line_of(v, first_of(v, OF_DELAY)) + 1, area.rows);
	for (int row = 0; row < area.rows; row++) {
		size_t line = list_row_at(&v->lines, row);

		if (line != LIST_NONE)
			draw_line(v, rows, row, line);
	}
	widget_scrollbar(area, &v->lines);
}

static size_t nr_shown(const struct choice *c)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->nr; i++)
		nr += c->shown[c->order[i]];
	return nr;
}

static void toggle_column(struct setup *v)
{
	struct shell *shell = v->view.shell;
	size_t place;
	struct choice *c = choice_of(v, v->items.cursor, &place);
	unsigned int column;

	if (!c)
		return;
	column = c->order[place];
	if (c->shown[column] && nr_shown(c) == 1) {
		shell->message(shell, ROLE_NOTICE, "one column has to stay");
		return;
	}
	c->shown[column] = !c->shown[column];
	give_columns(v);
}

/* Move the column under the cursor by a place; the cursor goes with it. */
static bool move_column(struct setup *v, int by)
{
	size_t from, to;
	struct choice *c = choice_of(v, v->items.cursor, &from);
	unsigned int column;

	if (!c)
		return false;
	to = from + (size_t)by;
	if (to >= c->nr)	/* below 0 it has wrapped */
		return true;
	column = c->order[from];
	c->order[from] = c->order[to];
	c->order[to] = column;
	list_set(&v->items, v->items.cursor + (size_t)by);
	give_columns(v);
	return true;
}

static void set_delay(struct setup *v, double delay)
{
	v->view.shell->config->delay = delay;
	v->changed = true;
}

static void delay_done(struct view *view, const char *text, bool final)
{
	struct err err = { .kind = ERR_NONE };
	double delay;

	if (!final || !text || !*text)
		return;
	if (units_parse_seconds(text, "delay", &delay, &err))
		view->shell->message(view->shell, ROLE_BAD, err.text);
	else
		set_delay(setup(view), delay);
}

/* The next longer or shorter one of the usual delays. */
static bool step_delay(struct setup *v, bool longer)
{
	size_t nr = sizeof(delays) / sizeof(delays[0]);
	double now = v->view.shell->config->delay, next = now;

	if (v->items.cursor != first_of(v, OF_DELAY))
		return false;
	for (size_t i = 0; i < nr; i++) {
		double delay = longer ? delays[nr - 1 - i] : delays[i];

		if (longer ? delay > now : delay < now)
			next = delay;
	}
	set_delay(v, next);
	return true;
}

static void choose(struct setup *v)
{
	struct shell *shell = v->view.shell;
	size_t item = v->items.cursor, schemes = first_of(v, OF_SCHEMES);

	if (item < schemes) {
		toggle_column(v);
	} else if (item < first_of(v, OF_DELAY)) {
		shell->config->scheme = (enum config_scheme)(item - schemes);
		v->changed = true;
	} else {
		shell->prompt(shell, "delay in seconds: ", "", false, delay_done,
			     &v->view);
	}
}

static void save(struct setup *v)
{
	if (v->changed)
		v->view.shell->save(v->view.shell);
	v->changed = false;
}

static bool setup_action(struct view *view, const struct frame *frame,
			 enum action action)
{
	struct setup *v = setup(view);

	(void)frame;
	if (list_action(&v->items, action))
		return true;
	switch ((int)action) {
	case ACTION_TAG:
		choose(v);
		return true;
	case ACTION_GROW:
		return move_column(v, -1);
	case ACTION_SHRINK:
		return move_column(v, 1);
	case ACTION_LEFT:
	case ACTION_RIGHT:
		return step_delay(v, action == ACTION_RIGHT);
	case ACTION_OPEN:
		save(v);
		view->shell->show(view->shell, VIEW_NONE, 0);
		return true;
	case ACTION_CANCEL:
	case ACTION_SETUP:
	case ACTION_QUIT:
	case ACTION_HELP:
	case ACTION_NEXT_SCREEN:
	case ACTION_PREV_SCREEN:
	case ACTION_SCREEN_RINGS:
	case ACTION_SCREEN_SAMPLES:
	case ACTION_SCREEN_HOT:
	case ACTION_SCREEN_AUX:
	case ACTION_SCREEN_LOG:
	case ACTION_SCREEN_HOST:
		save(v);	/* the screen is left; the app sees to that */
		return false;
	default:
		return false;
	}
}

static bool setup_key(struct view *view, const struct frame *frame, int key)
{
	(void)frame;
	/* F7 and F8 move as in htop(1) */
	if (key == KEYS_F1 + 6)
		return move_column(setup(view), -1);
	if (key == KEYS_F1 + 7)
		return move_column(setup(view), 1);
	return false;
}

static bool setup_click(struct view *view, const struct frame *frame, int row,
			int col, bool twice)
{
	struct setup *v = setup(view);
	size_t line = list_row_at(&v->lines, row);

	(void)frame;
	for (size_t item = 0; item < v->items.nr; item++) {
		if (line_of(v, item) != line)
			continue;
		list_set(&v->items, item);
		/* the box itself needs one click, the rest of the row two */
		if (twice || col < NAME)
			choose(v);
		return true;
	}
	return false;
}

static bool setup_wheel(struct view *view, const struct frame *frame,
			int lines)
{
	struct setup *v = setup(view);

	(void)frame;
	for (int i = abs(lines); i > 0; i--)
		list_action(&v->items, lines < 0 ? ACTION_UP : ACTION_DOWN);
	return true;
}

static const enum action footer[] = {
	ACTION_HELP, ACTION_CANCEL, ACTION_QUIT, ACTION_NONE,
};

const struct view_ops view_setup = {
	.id = VIEW_SETUP,
	.name = "Setup",
	.create = setup_create,
	.destroy = setup_destroy,
	.draw = setup_draw,
	.action = setup_action,
	.key = setup_key,
	.click = setup_click,
	.wheel = setup_wheel,
	.focus = setup_focus,
	.footer = footer,
};
