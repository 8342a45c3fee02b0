/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Setup screen: columns of Rings and Samples and their order, the mouse,
 * the colour scheme, the delay.  Changes take effect at once; they are saved on
 * Enter, or when the screen is left.
 */
#include <stdlib.h>

#include "base/err.h"
#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"
#include "ui/kit/page.h"
#include "ui/kit/view.h"

/*
 * Sections in their order on the page; those of columns come first.  Each has a
 * heading, with a blank line above it except for the first.
 */
enum section {
	OF_RINGS, OF_SAMPLES, CHOICES,
	OF_MOUSE = CHOICES, OF_SCHEMES, OF_DELAY, SECTIONS
};

enum { NAME = 6, HELP = 17, SCHEME_HELP = 21, HINTS = 4 };

enum { MOST = (int)FIGURES > (int)SAMPLE_COLUMNS ? (int)FIGURES :
						    (int)SAMPLE_COLUMNS };

/* A key, and what it does to the item under the cursor. */
struct hint {
	enum action action;	/* ACTION_NONE: end of the list */
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
	{ "Mouse", { { ACTION_TAG, "Switch" } } },
	{ "Colours", { { ACTION_TAG, "Choose" } } },
	{ "Delay between updates",
	  { { ACTION_LEFT, "Shorter" }, { ACTION_RIGHT, "Longer" },
	    { ACTION_TAG, "Type" } } },
};

static const double delays[] = { .1, .25, .5, 1, 2, 3, 5, 10, 30, 60 };

/* The columns of one list. */
struct choice {
	unsigned int order[MOST];	/* all columns, in screen order */
	bool shown[MOST];		/* by column */
	size_t nr;			/* of all columns */
};

struct setup {
	struct view view;
	struct choice choices[CHOICES];
	struct list items;		/* the cursor */
	struct page page;		/* headings and items */
	double delay;			/* when it was opened or last saved */
	bool changed;			/* other settings, since last saved */
};

static struct setup *setup(struct view *view)
{
	return (struct setup *)(void *)view;
}

/* The first item of a section; for SECTIONS the number of items. */
static size_t first_of(const struct setup *v, enum section section)
{
	const size_t sizes[SECTIONS] = {
		v->choices[OF_RINGS].nr, v->choices[OF_SAMPLES].nr,
		1, CONFIG_SCHEMES, 1,
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

/* Append a column if it is not shown. */
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

/* The choice that an item belongs to, and its place in the order; NULL if the
 * item is no column. */
static struct choice *choice_of(struct setup *v, size_t item, size_t *place)
{
	size_t samples = first_of(v, OF_SAMPLES);

	if (item >= first_of(v, OF_MOUSE))
		return NULL;
	*place = item < samples ? item : item - samples;
	return &v->choices[item < samples ? OF_RINGS : OF_SAMPLES];
}

static void setup_init(struct view *view)
{
	struct setup *v = setup(view);

	take_columns(v, view->shell->config);
	v->delay = view->shell->config->delay;
	v->items.nr = first_of(v, SECTIONS);
}

static void setup_release(struct view *view)
{
	page_free(&setup(view)->page);
}

/* The page's line of an item, including headings and blank lines. */
static size_t line_of(const struct setup *v, size_t item)
{
	size_t line = item;

	for (int i = 0; i < SECTIONS; i++)
		line += item >= first_of(v, (enum section)i) ? (i ? 2 : 1) : 0;
	return line;
}

/*
 * Opened from Rings or Samples, the cursor goes to the first column of that
 * list, with its heading at the top; from Host to the colours, since Host shows
 * as many columns as fit.
 */
static void setup_focus(struct view *view, size_t id)
{
	struct setup *v = setup(view);
	enum view_id tab = view->shell->tab;
	size_t item = tab == VIEW_SAMPLES ? first_of(v, OF_SAMPLES) :
		      tab == VIEW_HOST ? first_of(v, OF_SCHEMES) : 0;

	(void)id;
	v->delay = view->shell->config->delay;
	if (tab != VIEW_RINGS && tab != VIEW_SAMPLES && tab != VIEW_HOST)
		return;
	list_set(&v->items, item);
	v->page.list.top = line_of(v, item) - 1;
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
	bool mouse = config->mouse && !config->no_mouse;
	size_t schemes = first_of(v, OF_SCHEMES);
	char text[8];

	if (item < first_of(v, OF_MOUSE)) {
		draw_column(v, a, row, item);
	} else if (item < schemes) {
		area_text(a, row, 1, 0, mouse ? ROLE_GOOD : ROLE_DIM,
			  mouse ? "[x]" : "[ ]");
		area_text(a, row, NAME, 0, ROLE_DEFAULT, "clicks and the wheel; "
			  "off: the terminal selects text");
	} else if (item < first_of(v, OF_DELAY)) {
		enum config_scheme scheme =
			(enum config_scheme)(item - schemes);
		bool on = config->scheme == scheme;

		area_text(a, row, 1, 0, on ? ROLE_GOOD : ROLE_DIM,
			  on ? "(*)" : "( )");
		area_text(a, row, NAME, 0, on ? ROLE_VALUE : ROLE_DEFAULT,
			  config_scheme_name(scheme));
		area_text(a, row, SCHEME_HELP, 0, on ? ROLE_DEFAULT : ROLE_DIM,
			  config_scheme_help(scheme));
	} else {
		units_duration(text, sizeof(text), config->delay);
		area_text(a, row, NAME, 0, ROLE_VALUE, text);
	}
	if (item == v->items.cursor)
		area_select(a, row, 0, a.cols);
}

static void setup_draw(struct view *view, const struct frame *frame,
		       struct area area)
{
	struct setup *v = setup(view);
	size_t last = first_of(v, OF_DELAY);
	struct area a;

	(void)frame;
	if (!page_begin(&v->page, area, &a))
		return;
	for (int i = 0; i < SECTIONS; i++)
		widget_heading(a, (int)line_of(v, first_of(v, (enum section)i)) - 1,
			       sections[i].title);
	for (size_t item = 0; item <= last; item++)
		draw_item(v, a, (int)line_of(v, item), item);
	list_fit(&v->items, v->items.nr, area.rows);
	/* with the first item its heading is visible too */
	v->page.list.cursor = v->items.cursor ? line_of(v, v->items.cursor) : 0;
	page_end(&v->page, area, (int)line_of(v, last) + 1);
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
		shell->message(shell, ROLE_NOTICE, "at least one column must "
						   "stay");
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

/* Set the next longer or shorter one of delays[].  False if the cursor is not
 * on the delay. */
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
	v->view.shell->config->delay = next;
	return true;
}

static void choose(struct setup *v)
{
	struct shell *shell = v->view.shell;
	size_t item = v->items.cursor, schemes = first_of(v, OF_SCHEMES);

	if (item < first_of(v, OF_MOUSE)) {
		toggle_column(v);
	} else if (item < schemes) {
		struct config *config = shell->config;

		config->mouse = !config->mouse || config->no_mouse;
		config->no_mouse = false;
		v->changed = true;
	} else if (item < first_of(v, OF_DELAY)) {
		shell->config->scheme = (enum config_scheme)(item - schemes);
		v->changed = true;
	} else {
		view_ask_delay(&v->view);
	}
}

static bool has_changes(const struct setup *v)
{
	return v->changed || v->view.shell->config->delay != v->delay;
}

static bool save(struct setup *v)
{
	struct shell *shell = v->view.shell;
	bool saved = shell->save(shell);

	v->changed = !saved;
	v->delay = shell->config->delay;
	return saved;
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
		save(v);	/* also what other screens changed */
		view->shell->show(view->shell, VIEW_NONE, 0);
		return true;
	case ACTION_QUIT:
		/* stay to show why not; a second time it leaves */
		if (has_changes(v) && !save(v)) {
			v->changed = false;
			return true;
		}
		return false;
	case ACTION_CANCEL:
	case ACTION_SETUP:
	case ACTION_HELP:
	case ACTION_NEXT_SCREEN:
	case ACTION_PREV_SCREEN:
	case ACTION_SCREEN_RINGS:
	case ACTION_SCREEN_SAMPLES:
	case ACTION_SCREEN_HOT:
	case ACTION_SCREEN_AUX:
	case ACTION_SCREEN_LOG:
	case ACTION_SCREEN_HOST:
		if (has_changes(v))
			save(v);	/* the app leaves the screen */
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
	size_t line = list_row_at(&v->page.list, row);

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

/* The labels of keys for the item under the cursor. */
static const char *setup_label(const struct view *view, enum action action)
{
	const struct setup *v = (const void *)view;
	const struct hint *hint = sections[0].hints;

	for (int i = 0; i < SECTIONS; i++) {
		if (v->items.cursor >= first_of(v, (enum section)i))
			hint = sections[i].hints;
	}
	for (; hint->action != ACTION_NONE; hint++) {
		if (hint->action == action)
			return hint->label;
	}
	if (action == ACTION_OPEN)
		return "Save";
	if (action == ACTION_QUIT)
		return "Back";
	return keys_info(action)->section != KEYS_GENERAL ||
	       action == ACTION_SETUP ? "" : NULL;
}

const struct view_ops view_setup = {
	.id = VIEW_SETUP,
	.size = sizeof(struct setup),
	.init = setup_init,
	.release = setup_release,
	.draw = setup_draw,
	.action = setup_action,
	.key = setup_key,
	.click = setup_click,
	.wheel = setup_wheel,
	.focus = setup_focus,
	.label = setup_label,
};
