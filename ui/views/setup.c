/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Setup screen: columns of lists and their order, what else is shown, the
 * mouse, the time that charts cover, the colour scheme, the delay, keys.
 * Changes take effect at once.  Leaving the screen saves them, with what other
 * screens changed; Esc and q, pressed twice, undo them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/units.h"
#include "ring/history.h"
#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"
#include "ui/kit/page.h"
#include "ui/kit/prompt.h"
#include "ui/kit/view.h"

/*
 * Sections in their order on the page: the columns of each list, which have
 * their number in config_lists.def, then the others.  Each has a heading, with
 * a blank line above it except for the first.
 */
enum section {
	OF_SWITCHES = CONFIG_LISTS, OF_HISTORY, OF_SCHEMES, OF_DELAY, OF_KEYS,
	SECTIONS
};

enum {
	CHARTS, DUMMIES, KERNEL_CLOCK, BINARY, PAGES, KEYBAR, MOUSE, SWITCHES
};

static const char *const switches[SWITCHES] = {
	[CHARTS] = "charts below Rings and Host, where there is room",
	[DUMMIES] = "rings in Host that have only dummy events",
	[KERNEL_CLOCK] = "times by the kernel's clock; off: local time",
	[BINARY] = "sizes as 64Ki, 2Mi; off: 64K, 2M, also powers of 1024",
	[PAGES] = "sizes of rings in pages, as perf's -m takes them",
	[KEYBAR] = "keys in the bottom line; off: one more row for the screen",
	[MOUSE] = "mouse: clicks and the wheel; off: the terminal selects text",
};

enum {
	NAME = 6, HELP = 17, SCHEME_HELP = 21, KEY_NAMES = 22, KEY_HELP = 33,
	HINTS = 4
};

/* A key, and what it does to the item under the cursor. */
struct hint {
	enum action action;	/* ACTION_NONE: end of the list */
	const char *label;
};

static const struct hint column_hints[HINTS] = {
	{ ACTION_TAG, "Show/hide" }, { ACTION_GROW, "Move up" },
	{ ACTION_SHRINK, "Move down" },
};

/* Those that are not about columns. */
static const struct {
	const char *title;
	struct hint hints[HINTS];
} others[SECTIONS] = {
	[OF_SWITCHES] = { "Screen", { { ACTION_TAG, "Switch" } } },
	[OF_HISTORY] = { "History in charts",
			 { { ACTION_LEFT, "Shorter" },
			   { ACTION_RIGHT, "Longer" }, { ACTION_TAG, "Next" } } },
	[OF_SCHEMES] = { "Colours", { { ACTION_TAG, "Choose" } } },
	[OF_DELAY] = { "Delay between updates",
		       { { ACTION_LEFT, "Shorter" }, { ACTION_RIGHT, "Longer" },
			 { ACTION_TAG, "Type" } } },
	[OF_KEYS] = { "Keys", { { ACTION_OPEN, "Change" },
				{ ACTION_SETUP, "Save" } } },
};

/* The screens of the lists. */
#define CONFIG_LIST(id, section, ...) [CONFIG_##id] = VIEW_##id,
static const enum view_id screens[CONFIG_LISTS] = {
#include "cli/config_lists.def"
};
#undef CONFIG_LIST

/* Seconds. */
static const double delays[] = { .1, .25, .5, 1, 2, 3, 5, 10, 30, 60 };
static const double histories[] = { 60, 300, 900, 1800, 3600, 7200, 14400,
				    28800, 43200, 86400 };

enum {
	DELAYS = sizeof(delays) / sizeof(delays[0]),
	HISTORIES = sizeof(histories) / sizeof(histories[0]),
};

/* The columns of one list. */
struct choice {
	unsigned int order[CONFIG_COLUMNS]; /* all columns, in screen order */
	bool shown[CONFIG_COLUMNS];	/* by column */
	size_t nr;			/* of all columns */
};

struct setup {
	struct view view;
	struct choice choices[CONFIG_LISTS];
	enum action actions[ACTIONS];	/* those that have keys to choose */
	size_t nr_actions;
	bool asking;			/* for the key of the one selected */
	char search[PROMPT_MAX];	/* the last one */
	size_t search_from;		/* the item where it began */
	bool no_match;
	bool warned;			/* the next key discards the changes */
	struct list items;		/* the cursor */
	struct page page;		/* headings and items */
	bool open;			/* maybe below Help */
	struct config before;		/* as it was when it was opened */
	struct config saved;		/* at the start, or last saved */
};

static struct setup *setup(struct view *view)
{
	return (struct setup *)(void *)view;
}

static size_t nr_items(const struct setup *v, unsigned int section)
{
	if (section < CONFIG_LISTS)
		return v->choices[section].nr;
	if (section == OF_SWITCHES)
		return SWITCHES;
	if (section == OF_KEYS)
		return v->nr_actions;
	return section == OF_SCHEMES ? CONFIG_SCHEMES : 1;
}

/* The first item of a section; for SECTIONS the number of items. */
static size_t first_of(const struct setup *v, unsigned int section)
{
	size_t first = 0;

	for (unsigned int i = 0; i < section; i++)
		first += nr_items(v, i);
	return first;
}

static unsigned int section_of(const struct setup *v, size_t item)
{
	unsigned int section = 0;

	while (section + 1 < SECTIONS && item >= first_of(v, section + 1))
		section++;
	return section;
}

/* Whether all columns are shown, in their own order. */
static bool is_untouched(const struct choice *c, enum config_list list)
{
	const struct config_columns none = { .nr = 0 };
	unsigned int order[CONFIG_COLUMNS];

	config_columns_order(list, &none, order);
	for (size_t i = 0; i < c->nr; i++) {
		if (c->order[i] != order[i] || !c->shown[order[i]])
			return false;
	}
	return true;
}

static void give_columns(struct setup *v, const struct choice *c)
{
	enum config_list list = (enum config_list)(c - v->choices);
	struct config_columns *columns = &v->view.shell->config->columns[list];

	columns->nr = 0;
	if (config_columns_list(list)->adapts && is_untouched(c, list))
		return;		/* it adapts again */
	for (size_t i = 0; i < c->nr; i++) {
		if (c->shown[c->order[i]])
			columns->shown[columns->nr++] = c->order[i];
	}
}

/* The choice that an item belongs to, and its place in the order; NULL if the
 * item is no column. */
static struct choice *choice_of(struct setup *v, size_t item, size_t *place)
{
	unsigned int section = section_of(v, item);

	if (section >= CONFIG_LISTS)
		return NULL;
	*place = item - first_of(v, section);
	return &v->choices[section];
}

static void take_all(struct setup *v)
{
	for (unsigned int list = 0; list < CONFIG_LISTS; list++) {
		const struct config_columns *columns =
			&v->view.shell->config->columns[list];
		struct choice *c = &v->choices[list];

		c->nr = config_columns_order((enum config_list)list, columns,
					     c->order);
		/* a list that adapts shows all columns, if they apply */
		for (size_t i = 0; i < c->nr; i++)
			c->shown[c->order[i]] = i < columns->nr || !columns->nr;
	}
}

/* Those of lists and of Setup itself stay. */
static bool is_fixed(enum action action)
{
	return keys_info(action)->section == KEYS_MOVE ||
	       action == ACTION_OPEN || action == ACTION_CANCEL;
}

static void setup_init(struct view *view)
{
	struct setup *v = setup(view);

	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		if (!is_fixed((enum action)i))
			v->actions[v->nr_actions++] = (enum action)i;
	}
	v->before = v->saved = *view->shell->config;
	take_all(v);
	v->items.nr = first_of(v, SECTIONS);
}

static void setup_release(struct view *view)
{
	page_free(&setup(view)->page);
}

/* The page's line of an item, including headings and blank lines. */
static size_t line_of(const struct setup *v, size_t item)
{
	return item + 1 + 2 * section_of(v, item);
}

/*
 * Opened from a list whose columns are chosen here, the cursor goes to the
 * first of them, with their heading at the top.  Back from Help it stays.
 */
static void setup_focus(struct view *view, size_t id)
{
	struct setup *v = setup(view);

	(void)id;
	v->asking = v->warned = false;
	if (v->open)
		return;
	v->open = true;
	v->before = *view->shell->config;
	for (unsigned int i = 0; i < CONFIG_LISTS; i++) {
		size_t item = first_of(v, i);

		if (screens[i] != view->shell->tab)
			continue;
		list_set(&v->items, item);
		v->page.list.top = line_of(v, item) - 1;
	}
}

static void draw_heading(struct setup *v, struct area a, unsigned int section)
{
	const struct keys *keys = v->view.shell->keys;
	int row = (int)line_of(v, first_of(v, section)) - 1;
	char title[80], save[16], cancel[16], hint[64];

	if (section >= CONFIG_LISTS)
		snprintf(title, sizeof(title), "%s", others[section].title);
	else
		snprintf(title, sizeof(title), "Columns of %s%s",
			 view_info(screens[section])->name,
			 config_columns_list((enum config_list)section)->note);
	widget_heading(a, row, title);
	snprintf(hint, sizeof(hint), " %s saves, %s cancels",
		 keys_text(keys, section == OF_KEYS ? ACTION_DONE : ACTION_OPEN,
			   true, save, sizeof(save)),
		 keys_text(keys, ACTION_CANCEL, true, cancel, sizeof(cancel)));
	if (section == section_of(v, v->items.cursor) &&
	    text_width(title) + 2 + text_width(hint) <= a.cols)
		area_text_right(a, row, a.cols, ROLE_DIM, hint);
}

static void draw_mark(struct area a, int row, bool on, const char *mark)
{
	area_text(a, row, 1, 0, on ? ROLE_GOOD : ROLE_DIM, mark);
}

static void draw_column(struct setup *v, struct area a, int row, size_t item)
{
	unsigned int section = section_of(v, item);
	const struct choice *c = &v->choices[section];
	unsigned int column = c->order[item - first_of(v, section)];
	bool on = c->shown[column];
	struct config_column_info info =
		config_columns_info((enum config_list)section, column);

	draw_mark(a, row, on, on ? "[x]" : "[ ]");
	area_text(a, row, NAME, HELP - NAME - 1, on ? ROLE_VALUE : ROLE_DEFAULT,
		  info.header);
	widget_words(area_sub(a, row, HELP, 1, a.cols - HELP), 0,
		     on ? ROLE_DEFAULT : ROLE_DIM, info.help);
}

static bool is_on(const struct config *config, size_t at)
{
	switch (at) {
	case CHARTS:
		return config->charts;
	case DUMMIES:
		return config->dummies;
	case KERNEL_CLOCK:
		return config->clock == TIMES_KERNEL;
	case BINARY:
		return config->binary;
	case PAGES:
		return config->pages;
	case KEYBAR:
		return config->keybar;
	default:
		return config->mouse && !config->no_mouse;
	}
}

static void turn(struct config *config, size_t at)
{
	bool on = !is_on(config, at);

	switch (at) {
	case CHARTS:
		config->charts = on;
		break;
	case DUMMIES:
		config->dummies = on;
		break;
	case KERNEL_CLOCK:
		config->clock = on ? TIMES_KERNEL : TIMES_WALL;
		break;
	case BINARY:
		config->binary = on;
		break;
	case PAGES:
		config->pages = on;
		break;
	case KEYBAR:
		config->keybar = on;
		break;
	default:
		config->mouse = on;
		config->no_mouse = false;
	}
}

static void draw_scheme(struct area a, int row, enum config_scheme scheme,
			bool on)
{
	draw_mark(a, row, on, on ? "(*)" : "( )");
	area_text(a, row, NAME, 0, on ? ROLE_VALUE : ROLE_DEFAULT,
		  config_scheme_name(scheme));
	widget_words(area_sub(a, row, SCHEME_HELP, 1, a.cols - SCHEME_HELP), 0,
		     on ? ROLE_DEFAULT : ROLE_DIM, config_scheme_help(scheme));
}

/* What is held is known in updates. */
static void draw_history(struct area a, int row, const struct config *config)
{
	double held = HISTORY_TICKS * config->delay;
	char text[16], note[64];

	area_text(a, row, NAME, 0, ROLE_VALUE,
		  config_history_text(text, sizeof(text), config->history));
	if (held >= config->history)
		return;
	snprintf(note, sizeof(note), "at most %s with this delay",
		 units_duration(text, sizeof(text), held));
	widget_words(area_sub(a, row, HELP, 1, a.cols - HELP), 0, ROLE_DIM,
		     note);
}

static void draw_key(const struct setup *v, struct area a, int row,
		     enum action action, bool asked)
{
	char text[64];

	area_text(a, row, NAME, KEY_NAMES - NAME - 1, ROLE_DEFAULT,
		  keys_id(action, text, sizeof(text)));
	if (asked) {
		widget_words(area_sub(a, row, KEY_NAMES, 1, a.cols - KEY_NAMES),
			     0, ROLE_NOTICE,
			     "press its new key; Del: restore default");
		return;
	}
	area_text(a, row, KEY_NAMES, KEY_HELP - KEY_NAMES - 1, ROLE_VALUE,
		  keys_text(v->view.shell->keys, action, false, text,
			    sizeof(text)));
	widget_words(area_sub(a, row, KEY_HELP, 1, a.cols - KEY_HELP), 0,
		     ROLE_DIM, keys_info(action)->help);
}

static void draw_item(struct setup *v, struct area a, int row, size_t item)
{
	const struct config *config = v->view.shell->config;
	unsigned int section = section_of(v, item);
	size_t at = item - first_of(v, section);
	char text[8];
	bool on;

	switch (section) {
	case OF_SWITCHES:
		on = is_on(config, at);
		draw_mark(a, row, on, on ? "[x]" : "[ ]");
		widget_words(area_sub(a, row, NAME, 1, a.cols - NAME), 0,
			     ROLE_DEFAULT, switches[at]);
		break;
	case OF_HISTORY:
		draw_history(a, row, config);
		break;
	case OF_SCHEMES:
		draw_scheme(a, row, (enum config_scheme)at,
			    config->scheme == at);
		break;
	case OF_DELAY:
		units_duration(text, sizeof(text), config->delay);
		area_text(a, row, NAME, 0, ROLE_VALUE, text);
		break;
	case OF_KEYS:
		draw_key(v, a, row, v->actions[at],
			 v->asking && item == v->items.cursor);
		break;
	default:
		draw_column(v, a, row, item);
	}
	if (item == v->items.cursor)
		area_select(a, row, 0, a.cols);
}

static void setup_draw(struct view *view, const struct frame *frame,
		       struct area area)
{
	struct setup *v = setup(view);
	size_t last = v->items.nr - 1;
	struct area a;

	(void)frame;
	if (!page_begin(&v->page, area, &a))
		return;
	for (unsigned int i = 0; i < SECTIONS; i++)
		draw_heading(v, a, i);
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
	unsigned int section = section_of(v, v->items.cursor), column;
	enum config_list list = (enum config_list)section;
	char text[80];

	if (!c)
		return;
	column = c->order[place];
	if (c->shown[column] && column == config_columns_list(list)->stands) {
		snprintf(text, sizeof(text), "%s cannot be hidden: it identifies "
			 "the rows",
			 config_columns_info(list, column).header);
		shell->message(shell, ROLE_NOTICE, text);
		return;
	}
	if (c->shown[column] && nr_shown(c) == 1) {
		shell->message(shell, ROLE_NOTICE, "at least one column must "
						   "stay");
		return;
	}
	c->shown[column] = !c->shown[column];
	give_columns(v, c);
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
	give_columns(v, c);
	return true;
}

/* Set the next longer or shorter delay or history.  False if the cursor is on
 * neither. */
static bool step_time(struct setup *v, bool longer)
{
	struct config *config = v->view.shell->config;
	unsigned int section = section_of(v, v->items.cursor);
	bool delay = section == OF_DELAY;
	const double *times = delay ? delays : histories;
	double *now = delay ? &config->delay : &config->history, next = *now;
	size_t nr = delay ? DELAYS : HISTORIES;

	if (!delay && section != OF_HISTORY)
		return false;
	for (size_t i = 0; i < nr; i++) {
		double time = longer ? times[nr - 1 - i] : times[i];

		if (longer ? time > *now : time < *now)
			next = time;
	}
	*now = next;
	return true;
}

static void choose(struct setup *v)
{
	struct config *config = v->view.shell->config;
	unsigned int section = section_of(v, v->items.cursor);
	size_t at = v->items.cursor - first_of(v, section);

	switch (section) {
	case OF_SWITCHES:
		turn(config, at);
		break;
	case OF_HISTORY:	/* after the longest the shortest */
		if (config->history >= histories[HISTORIES - 1])
			config->history = 0;
		step_time(v, true);
		break;
	case OF_SCHEMES:
		config->scheme = (enum config_scheme)at;
		break;
	case OF_DELAY:
		view_ask_delay(&v->view);
		break;
	case OF_KEYS:
		v->asking = true;
		break;
	default:
		toggle_column(v);
	}
}

/* What cannot be saved stays in effect, and is tried again the next time. */
static void setup_leave(struct view *view)
{
	struct setup *v = setup(view);
	struct shell *shell = view->shell;

	v->open = v->asking = v->warned = false;
	if (!config_same(shell->config, &v->saved) && shell->save(shell))
		v->saved = *shell->config;
}

/* Changes are undone, which has to be asked for twice.  False: this was the
 * first time. */
static bool cancel(struct setup *v, enum action action, bool warned)
{
	struct shell *shell = v->view.shell;
	bool changed = !config_same(shell->config, &v->before);
	char save[16], again[16], text[96];

	v->warned = changed && !warned;
	if (v->warned) {
		snprintf(text, sizeof(text), "changes are not saved: %s saves "
			 "them, %s again discards them",
			 keys_text(shell->keys, ACTION_DONE, true, save,
				   sizeof(save)),
			 keys_text(shell->keys, action, true, again,
				   sizeof(again)));
		/* stays until it is answered */
		shell->message(shell, ROLE_BAD, text);
		return false;
	}
	v->open = v->asking = false;
	if (changed)
		shell->message(shell, ROLE_NOTICE,
			       "cancelled: settings are as before");
	*shell->config = v->before;
	take_all(v);
	return true;
}

/* Whether an item shows @needle, or it is in the title of its section, unless
 * that is of columns. */
static bool item_match(const struct setup *v, size_t item, const char *needle)
{
	unsigned int section = section_of(v, item);
	size_t at = item - first_of(v, section);
	struct config_column_info column;
	char id[24];

	if (section < CONFIG_LISTS) {
		column = config_columns_info((enum config_list)section,
					     v->choices[section].order[at]);
		return list_match(column.header, needle) ||
		       list_match(column.help, needle);
	}
	if (list_match(others[section].title, needle))
		return true;
	if (section == OF_SWITCHES)
		return list_match(switches[at], needle);
	if (section == OF_SCHEMES)
		return list_match(config_scheme_name((enum config_scheme)at),
				  needle) ||
		       list_match(config_scheme_help((enum config_scheme)at),
				  needle);
	return section == OF_KEYS &&
	       (list_match(keys_id(v->actions[at], id, sizeof(id)), needle) ||
		list_match(keys_info(v->actions[at])->help, needle));
}

/* Go to the first item from @from on that matches the search, with @step -1
 * backwards, wrapping around. */
static void seek(struct setup *v, size_t from, int step)
{
	size_t nr = v->items.nr;

	v->no_match = *v->search;
	for (size_t i = 0; i < nr && v->no_match; i++) {
		size_t item = (from + (step < 0 ? nr - i : i)) % nr;

		v->no_match = !item_match(v, item, v->search);
		if (!v->no_match)
			list_set(&v->items, item);
	}
}

/* With Enter the cursor stays where keys moved it while typing. */
static void search_done(struct view *view, const char *text, bool final)
{
	struct setup *v = setup(view);

	if (!final || !text) {
		text_copy(v->search, sizeof(v->search), text ? text : "");
		list_set(&v->items, v->search_from);
		seek(v, v->search_from, 1);
	}
	if (v->no_match)
		view->shell->message(view->shell, ROLE_NOTICE,
				     "no option matches");
}

/* Help opens with the column under the cursor. */
static void ask_help(struct setup *v)
{
	struct shell *shell = v->view.shell;
	unsigned int section = section_of(v, v->items.cursor);
	size_t place;
	const struct choice *c = choice_of(v, v->items.cursor, &place);

	if (!c)
		return;
	shell->help_column = config_columns_info((enum config_list)section,
						 c->order[place]).header;
	shell->help_list = screens[section];
}

static bool setup_action(struct view *view, const struct frame *frame,
			 enum action action)
{
	struct setup *v = setup(view);
	bool warned = v->warned;

	(void)frame;
	v->warned = false;
	v->asking = false;	/* a click on the bottom line */
	if (action == ACTION_HELP)
		ask_help(v);
	if (list_action(&v->items, action))
		return true;
	switch ((int)action) {
	case ACTION_SEARCH:
		v->search_from = v->items.cursor;
		view->shell->prompt(view->shell, "search: ", "", true,
				    search_done, view);
		return true;
	case ACTION_SEARCH_NEXT:
		seek(v, v->items.cursor + 1, 1);
		return true;
	case ACTION_SEARCH_PREV:
		seek(v, v->items.cursor + v->items.nr - 1, -1);
		return true;
	case ACTION_TAG:
		choose(v);
		return true;
	case ACTION_GROW:
		return move_column(v, -1);
	case ACTION_SHRINK:
		return move_column(v, 1);
	case ACTION_LEFT:
	case ACTION_RIGHT:
		return step_time(v, action == ACTION_RIGHT);
	case ACTION_OPEN:
		if (section_of(v, v->items.cursor) == OF_KEYS) {
			choose(v);
			return true;
		}
		setup_leave(view);
		view->shell->show(view->shell, VIEW_NONE, 0);
		return true;
	case ACTION_DONE:
	case ACTION_SETUP:
		setup_leave(view);
		return false;	/* the app leaves the screen */
	case ACTION_CANCEL:
	case ACTION_QUIT:
		return !cancel(v, action, warned);
	default:
		return false;
	}
}

/* The key that was asked for, whatever it does. */
static bool setup_grab(struct view *view, int key)
{
	struct setup *v = setup(view);
	struct shell *shell = view->shell;
	enum action action, owner = keys_action(shell->keys, key);
	char name[12], id[24], text[96];
	bool restore;

	if (!v->asking)
		return false;
	v->asking = false;
	action = v->actions[v->items.cursor - first_of(v, OF_KEYS)];
	restore = key == KEYS_DELETE;
	if (restore) {
		key = keys_default_taken(shell->keys, action);
		owner = keys_action(shell->keys, key);
	}
	keys_name(key, name, sizeof(name));
	if (restore && key == KEYS_NONE) {
		keys_set(shell->config, action, KEYS_NONE);
	} else if (!restore && key == KEYS_ESC) {
		shell->message(shell, ROLE_NOTICE, "key unchanged");
	} else if (owner != ACTION_NONE && owner != action) {
		snprintf(text, sizeof(text), "%s is the key of %s", name,
			 keys_id(owner, id, sizeof(id)));
		shell->message(shell, ROLE_NOTICE, text);
	} else if (key == ';' || keys_parse(name) != key) {
		snprintf(text, sizeof(text), "%s cannot be a key; see "
			 "rbtoprc(5)", name);
		shell->message(shell, ROLE_NOTICE, text);
	} else {
		keys_set(shell->config, action, key);
	}
	return true;
}

static bool setup_key(struct view *view, const struct frame *frame, int key)
{
	(void)frame;
	setup(view)->warned = false;
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
	v->asking = v->warned = false;
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
	v->asking = v->warned = false;
	for (int i = abs(lines); i > 0; i--)
		list_action(&v->items, lines < 0 ? ACTION_UP : ACTION_DOWN);
	return true;
}

/* The labels of keys for the item under the cursor. */
static const char *setup_label(const struct view *view, enum action action)
{
	const struct setup *v = (const void *)view;
	unsigned int section = section_of(v, v->items.cursor);
	const struct hint *hint = section < CONFIG_LISTS ?
				  column_hints : others[section].hints;

	for (; hint->action != ACTION_NONE; hint++) {
		if (hint->action == action)
			return hint->label;
	}
	if (action == ACTION_OPEN)
		return "Save";
	if (action == ACTION_CANCEL)
		return "Cancel";
	return keys_info(action)->section != KEYS_GENERAL ||
	       action == ACTION_SETUP || action == ACTION_QUIT ? "" : NULL;
}

const struct view_ops view_setup = {
	.id = VIEW_SETUP,
	.size = sizeof(struct setup),
	.init = setup_init,
	.release = setup_release,
	.draw = setup_draw,
	.action = setup_action,
	.grab = setup_grab,
	.key = setup_key,
	.click = setup_click,
	.wheel = setup_wheel,
	.focus = setup_focus,
	.leave = setup_leave,
	.label = setup_label,
};
