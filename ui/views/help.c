/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Help screen: the keys of the screen that it was opened from, then all
 * others by section, as bound now, with the screens that they work on unless
 * they work on all; the marks of rows; the terms of Samples,
 * AUX, Host and Log; filters; every column.  Keys and columns are made from the .def
 * files, so that they are up to date.
 */
#include "ui/kit/view.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ring/figures.h"
#include "samples/hot_query.h"
#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"
#include "ui/kit/page.h"

enum {
	INDENT = 3, GAP = 2,
	KEYS_WIDTH = 12,
	NOTES = 5,		/* the most of a column */
	ABOVE = 2,		/* lines above that of the column asked for */
};

/* Units, and marks of rings, in bars, in the heat map and so on. */
static const struct {
	enum glyph glyph;	/* GLYPHS: @letter is shown */
	const char *letter;
	const char *help;
} marks[] = {
	{ GLYPHS, "K M G",
	  "powers of 1024 in sizes, of 1000 in counts (k M G)" },
	{ GLYPH_TAG, "", "tagged" },
	{ GLYPH_GONE, "", "its CPU or thread is gone; the figures are final" },
	{ GLYPHS, "P", "output paused: what is written now is lost" },
	{ GLYPHS, "D", "events disabled" },
	{ GLYPHS, "O", "overwrite ring: keeps the newest records" },
	{ GLYPHS, "S", "in AUX: tracing is stopped" },
	{ GLYPHS, "!", "before a figure: losing now; before a row: a warning" },
	{ GLYPH_TICK, "", "in a bar: the fill at which the reader is woken" },
	{ GLYPH_PEAK, "", "in a bar: the highest fill so far" },
	{ GLYPH_RIGHT, "", "there is more to the right" },
	{ GLYPH_CUT, "", "in the name of an event: its middle is left out" },
	{ GLYPHS, "r B T F",
	  "in Host: rbtop's own, BPF ring buffer, ftrace, not mapped" },
	{ GLYPHS, "k u j g h ?", "in Hot: kernel, user, JIT, guest, hypervisor, "
		"unknown" },
};

/* Terms of the notes in Samples, Hot and Flame. */
static const struct explained {
	const char *name, *help;
} words[] = {
	{ "1 in k", "decoded: more samples arrive than --decode allows" },
	{ "N not listed", "counted in Hot, but there was no time or room to" },
	{ "", "format them for the list; a filter helps" },
	{ "N s behind", "decoding is that far behind" },
	{ "catching up", "samples up to the cursor are still being read" },
	{ "N dropped", "picked, but the queue to the decoder was full:" },
	{ "", "counted in Rings, missing in Samples and Hot" },
	{ "held", "the cursor is not on the newest: the list is still" },
	{ "weighted by", "period: all samples are of one event" },
	{ "unweighted", "each sample counts 1: several events do not add up" },
	{ "half-life", "of recent samples: they fade, by half in 5 seconds" },
};

/* Terms of AUX. */
static const struct explained aux_words[] = {
	{ "POSITION", "the ring; the mark pointing down is the head" },
	{ "", "(in full trace, the mark pointing up is the tail)" },
	{ "LAST STOP", "of tracing: in snapshot mode, the kernel publishes" },
	{ "", "the head only then" },
	{ "WRAPS", "N+: a lower bound, in snapshot mode" },
	{ "B/S", "-: unknown, the head is only an offset in the ring" },
	{ "STOP SPREAD", "of a snapshot: how long tracing was stopped, or" },
	{ "", "output was paused; from the first ring to the last" },
	{ "history", "records kept for the next snapshot: --history" },
};

/* Terms of Host. */
static const struct explained host_words[] = {
	{ ">", "lower bound: rbtop polls and does not see every drain" },
	{ "wakeups", "sent by the kernel; the owner may have been awake, or" },
	{ "", "may not poll at all" },
	{ "stopped", "its owner is stopped (SIGSTOP, debugger): no drains" },
	{ "undrained", "its owner was woken, data waits, nothing is read" },
	{ "pending", "records lost, not yet reported by a LOST record" },
	{ "losing", "records were lost since the last update" },
	{ "paused", "its output is paused: new records are lost" },
	{ "throttled", "the kernel throttles an event" },
	{ "truncated", "an AUX ring is full: tracing has stopped" },
	{ "error", "a pinned event got no counter" },
	{ "mlock", "its user may pin no more memory for rings" },
	{ "bad tail", "its owner wrote an invalid tail: free space is wrong" },
	{ "unknown: -", "without BPF only sizes and owners are known" },
	{ "gone", "closed: listed for 10 more seconds, or, if it lost" },
	{ "", "records, until H hides it" },
	{ "no effect", "rbtop maps, dups or polls no other program's ring" },
};

static const struct explained filters[] = {
	{ "comm event", "name of the task, event" },
	{ "sym dso text", "function, file, text of a tracepoint" },
	{ "cpu pid tid", "as in the columns" },
	{ "time ip addr", "kernel clock in seconds, address, data address" },
	{ "period", "events that the sample stands for" },
	{ "weight", "samples that this one stands for" },
	{ "other names", "fields of tracepoints: prev_comm==bash" },
	{ "== !=", "equal, not equal" },
	{ "< <= > >=", "compare numbers" },
	{ "~ !~", "contains, or not; with * or ?: all of it matches" },
	{ "&& || ! ( )", "and, or, not: (cpu<2 || pid==1) && !sym~poll" },
	{ "a word alone", "searched in comm, event, sym, dso and text" },
};

enum {
	MARKS = sizeof(marks) / sizeof(marks[0]),
	WORDS = sizeof(words) / sizeof(words[0]),
	AUX_WORDS = sizeof(aux_words) / sizeof(aux_words[0]),
	HOST_WORDS = sizeof(host_words) / sizeof(host_words[0]),
	FILTERS = sizeof(filters) / sizeof(filters[0]),
	HEADINGS = KEYS_SECTIONS + 7 + CONFIG_LISTS,
	MAX_LINES = ACTIONS + MARKS + WORDS + AUX_WORDS + HOST_WORDS +
		    FILTERS + 3 * FIGURES + SAMPLE_COLUMNS +
		    CONFIG_HOT_COLUMNS + HOT_KEYS + CONFIG_LOG_COLUMNS +
		    LOG_KINDS + NOTES +
		    2 * HEADINGS,
};

/* The screens of the lists. */
#define CONFIG_LIST(id, section, ...) [CONFIG_##id] = VIEW_##id,
static const enum view_id screens[CONFIG_LISTS] = {
#include "cli/config_lists.def"
};
#undef CONFIG_LIST

/*
 * A heading, a name with its explanation, or a blank line.  The line of a key
 * ends with the screens that it works on.
 */
struct line {
	char left[40];
	const char *right;
	char where[48];
	bool heading;
};

struct help_view {
	struct view view;
	struct page page;
	enum view_id screen;	/* that it was opened from */
	bool recording;		/* is shown */
	bool asked;		/* for a column */
	char column[40];	/* its heading */
	enum view_id list;	/* the screen that it is of */
	bool seek;		/* go to its line at the next draw */
};

static struct help_view *help(struct view *view)
{
	return (struct help_view *)(void *)view;
}

static void help_release(struct view *view)
{
	page_free(&help(view)->page);
}

static void help_focus(struct view *view, size_t id)
{
	struct help_view *v = help(view);
	struct shell *shell = view->shell;

	(void)id;
	v->screen = shell->help_screen;
	text_copy(v->column, sizeof(v->column),
		  shell->help_column ? shell->help_column : "");
	v->list = shell->help_list;
	v->seek = v->asked = shell->help_column != NULL;
	v->page.list.top = v->page.list.cursor = 0;
	shell->help_column = NULL;
}

/* The line of the column asked for, else of the columns' heading; -1: none. */
static int line_asked(const struct help_view *v, const struct line *lines,
		      int nr)
{
	char heading[40];
	int columns = -1;

	if (!v->asked)
		return -1;
	snprintf(heading, sizeof(heading), "Columns of %s",
		 view_info(v->list)->name);
	for (int i = 0; i < nr; i++) {
		if (lines[i].heading && columns >= 0)
			break;
		if (lines[i].heading && !strcmp(lines[i].left, heading))
			columns = i;
		else if (columns >= 0 && !strcmp(lines[i].left, v->column))
			return i;
	}
	return columns;
}

static int add_heading(struct line *lines, int nr, const char *text)
{
	if (nr > 0)
		lines[nr++] = (struct line){ .right = "" };
	lines[nr] = (struct line){ .right = "", .heading = true };
	text_copy(lines[nr].left, sizeof(lines[nr].left), text);
	return nr + 1;
}

/* The screens that a key works on, "Rings AUX"; "" if it works on all. */
static void where_text(enum action action, char *buf, size_t size)
{
	enum view_id screen = VIEW_NONE;
	size_t len = 0;

	*buf = '\0';
	while ((screen = keys_next_screen(action, screen)) != VIEW_NONE &&
	       len < size)
		len += (size_t)snprintf(buf + len, size - len, "%s%s",
					len ? " " : "",
					view_info(screen)->name);
}

/* Whether @action is a key of @screen: it works there, but not everywhere. */
static bool is_of(enum action action, enum view_id screen)
{
	return keys_info(action)->screens != KEYS_ANY &&
	       keys_work_on(action, screen);
}

/* The rings of a recording cannot be tuned; Setup moves columns by these keys. */
static bool is_refused(const struct help_view *v, enum keys_section section)
{
	return v->recording && section == KEYS_TUNE && v->screen != VIEW_SETUP;
}

static int add_key(struct line *lines, int nr, enum action action,
		   const struct keys *keys)
{
	keys_text(keys, action, false, lines[nr].left, sizeof(lines[nr].left));
	if (!*lines[nr].left)
		snprintf(lines[nr].left, sizeof(lines[nr].left), "-");
	lines[nr].right = keys_info(action)->help;
	return nr + 1;
}

/* The keys of the screen that it was opened from, if it has any. */
static int add_keys_of(struct line *lines, int nr, const struct help_view *v)
{
	char heading[40];
	int before = nr;

	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		if (!is_of((enum action)i, v->screen) ||
		    is_refused(v, keys_info((enum action)i)->section))
			continue;
		if (nr == before) {
			snprintf(heading, sizeof(heading), "Keys of %s",
				 view_info(v->screen)->name);
			nr = add_heading(lines, nr, heading);
		}
		nr = add_key(lines, nr, (enum action)i, v->view.shell->keys);
	}
	return nr;
}

/* The keys of a section that are not of that screen. */
static int add_section(struct line *lines, int nr, enum keys_section section,
		       const struct help_view *v)
{
	if (is_refused(v, section))
		return nr;
	nr = add_heading(lines, nr, keys_section_name(section));
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		if (keys_info((enum action)i)->section != section ||
		    is_of((enum action)i, v->screen))
			continue;
		where_text((enum action)i, lines[nr].where,
			   sizeof(lines[nr].where));
		nr = add_key(lines, nr, (enum action)i, v->view.shell->keys);
	}
	return nr;
}

static int add_marks(struct line *lines, int nr, struct area a)
{
	nr = add_heading(lines, nr, "Marks");
	for (int i = 0; i < MARKS; i++) {
		snprintf(lines[nr].left, sizeof(lines[nr].left), "%s",
			 marks[i].glyph < GLYPHS ?
				 widget_glyph_text(a, marks[i].glyph) :
				 marks[i].letter);
		lines[nr++].right = marks[i].help;
	}
	return nr;
}

static int add_explained(struct line *lines, int nr, const char *heading,
			 const struct explained *rows, int nr_rows)
{
	nr = add_heading(lines, nr, heading);
	for (int i = 0; i < nr_rows; i++) {
		snprintf(lines[nr].left, sizeof(lines[nr].left), "%s",
			 rows[i].name);
		lines[nr++].right = rows[i].help;
	}
	return nr;
}

static int add_line(struct line *lines, int nr, const char *left,
		    const char *right)
{
	snprintf(lines[nr].left, sizeof(lines[nr].left), "%s", left);
	lines[nr].right = right;
	return nr + 1;
}

/* What figures.def says of a figure besides its help: its unit, over what time
 * it is taken, its marks, and when it is not known. */
static int add_notes(struct line *lines, int nr, enum figure figure,
		     enum figure_list list)
{
	static const char *const units[] = {
		[UNIT_COUNT] = "a count: k, M, G are powers of 1000",
		[UNIT_BYTES] = "in bytes: K, M, G are powers of 1024",
		[UNIT_RING] = "in bytes (K, M, G are powers of 1024) or "
			      "pages: see Setup",
		[UNIT_SHARE] = "in percent, rounded down",
		[UNIT_SECONDS] = "a time with its unit: us, ms, s, 3m20, 2h05",
	};
	static const char *const bounds[] = {
		[BOUND_SEEN] = ">: lower bound; rbtop polls and does not see "
			       "every drain",
		[BOUND_LAST] = ">: lower bound; the ring is gone, its last "
			       "interval is missing",
		[BOUND_ROUNDS] = "+: lower bound; wraps between two stops of "
				 "tracing are not seen",
	};
	const struct figure_info *info = figure_info(figure);
	bool number = info->width && info->kind <= FIGURE_IS_NUMBER;
	/* the other bounds are of other programs' rings */
	bool bound = list == IN_HOST ? info->bound != BOUND_NONE :
				       info->bound == BOUND_ROUNDS;
	const char *notes[] = {
		number ? units[info->unit] : NULL,
		info->rate ? "averaged since the last update; -: at the first "
			     "update" : NULL,
		bound ? bounds[info->bound] : NULL,
		info->loss ? "! and red: grew since the last update; grey: "
			     "only before that" : NULL,
		list == IN_HOST && !info->proc ?
			"-: unknown for this ring; without BPF, the column is hidden" :
			NULL,
	};

	_Static_assert(sizeof(notes) / sizeof(*notes) == NOTES,
		       "counted in MAX_LINES");
	for (int i = 0; i < NOTES; i++) {
		if (notes[i])
			nr = add_line(lines, nr, "", notes[i]);
	}
	return nr;
}

/* The columns of a tab's list, that asked for with notes; in Hot also those of
 * each key. */
static int add_columns(struct line *lines, int nr, const struct help_view *v,
		       enum config_list list)
{
	enum figure_list figures = config_columns_list(list)->figures;
	const struct config_columns none = { .nr = 0 };
	unsigned int order[CONFIG_COLUMNS];
	size_t nr_all = config_columns_order(list, &none, order);
	char heading[40];

	snprintf(heading, sizeof(heading), "Columns of %s",
		 view_info(screens[list])->name);
	nr = add_heading(lines, nr, heading);
	for (size_t i = 0; i < nr_all; i++) {
		const struct config_column_info info =
			config_columns_info(list, order[i]);

		nr = add_line(lines, nr, info.header, info.help);
		if (v->asked && v->list == screens[list] &&
		    !config_columns_list(list)->columns &&
		    figures != FIGURE_LISTS && !strcmp(info.header, v->column))
			nr = add_notes(lines, nr, (enum figure)order[i],
				       figures);
	}
	for (int key = 0; list == CONFIG_HOT && key < HOT_KEYS; key++) {
		const struct hot_key_info *info =
			hot_key_info((enum hot_key)key);

		nr = add_line(lines, nr, info->header, info->help);
	}
	return nr;
}

/* The kinds of entries of Log: narrow screens show only their letters. */
static int add_log(struct line *lines, int nr)
{
	char name[40];

	nr = add_heading(lines, nr, "Log");
	for (int kind = 0; kind < LOG_KINDS; kind++) {
		const struct widget_log *log = widget_log((enum log_kind)kind);

		snprintf(name, sizeof(name), "%c %s", log->letter,
			 log_kind_name((enum log_kind)kind));
		nr = add_line(lines, nr, name, log->help);
	}
	return nr;
}

/* The columns of the tab that Help was opened from, or of all others. */
static int add_lists(struct line *lines, int nr, const struct help_view *v,
		     bool others)
{
	for (unsigned int i = 0; i < CONFIG_LISTS; i++) {
		if ((screens[i] != v->view.shell->tab) == others)
			nr = add_columns(lines, nr, v, (enum config_list)i);
	}
	return nr;
}

/* The keys of the screen that Help was opened from come first; the columns of
 * its tab follow the other keys. */
static int fill_lines(struct line *lines, const struct help_view *v,
		      struct area a)
{
	enum view_id tab = v->view.shell->tab;
	int nr = add_keys_of(lines, 0, v);

	for (int s = 0; s < KEYS_SECTIONS; s++)
		nr = add_section(lines, nr, (enum keys_section)s, v);
	nr = add_lists(lines, nr, v, false);
	if (tab == VIEW_LOG)
		nr = add_log(lines, nr);
	nr = add_explained(lines, add_marks(lines, nr, a),
			   "Samples, Hot and Flame", words, WORDS);
	nr = add_explained(lines, nr, "AUX", aux_words, AUX_WORDS);
	nr = add_explained(lines, nr, "Host", host_words, HOST_WORDS);
	if (tab != VIEW_LOG)
		nr = add_log(lines, nr);
	nr = add_explained(lines, nr, "Filters of Samples", filters, FILTERS);
	return add_lists(lines, nr, v, true);
}

static int left_width(const struct line *lines, int nr)
{
	int width = KEYS_WIDTH;

	for (int i = 0; i < nr; i++) {
		if (!lines[i].heading && text_width(lines[i].left) > width)
			width = text_width(lines[i].left);
	}
	return width;
}

/* Columns of the longest line, without screens. */
static int whole_width(const struct line *lines, int nr, int left)
{
	int width = 0;

	for (int i = 0; i < nr; i++) {
		if (text_width(lines[i].right) > width)
			width = text_width(lines[i].right);
	}
	return INDENT + left + GAP + width;
}

/*
 * Copy lines to @out; screens that do not fit in @cols get a line of their own.
 * Returns the number of lines in @out.
 */
static int break_lines(const struct line *lines, int nr, int left, int cols,
		       struct line *out)
{
	int all = 0;

	for (int i = 0; i < nr; i++) {
		int width = INDENT + left + GAP + text_width(lines[i].right) +
			    GAP + text_width(lines[i].where);

		out[all++] = lines[i];
		if (!*lines[i].where || width < cols)
			continue;
		*out[all - 1].where = '\0';
		out[all] = lines[i];
		*out[all].left = '\0';
		out[all++].right = "";
	}
	return all;
}

static void draw_line(struct area a, int row, const struct line *line,
		      int left)
{
	if (line->heading) {
		area_text(a, row, 1, 0, ROLE_TITLE, line->left);
		return;
	}
	area_text(a, row, INDENT, left, ROLE_KEY, line->left);
	widget_words(area_sub(a, row, INDENT + left + GAP, 1,
			      a.cols - INDENT - left - GAP), 0, ROLE_DEFAULT,
		     line->right);
	area_text_right(a, row, a.cols - 1, ROLE_DIM, line->where);
}

/* Where the second column begins: at the first heading from the middle on. */
static int split(const struct line *lines, int nr)
{
	for (int i = nr / 2; i < nr; i++) {
		if (lines[i].heading)
			return i;
	}
	return nr;
}

/* With the line @asked on the background of the cursor, if it is here. */
static void draw_column(struct area a, const struct line *lines, int nr,
			int left, int asked)
{
	for (int row = 0; row < nr; row++)
		draw_line(a, row, &lines[row], left);
	if (asked >= 0 && asked < nr)
		area_select(a, asked, 0, a.cols);
}

/* Show the line @row of the page near the top. */
static void go_to(struct help_view *v, int row)
{
	struct list *list = &v->page.list;

	v->seek = false;
	list->top = list->cursor = (size_t)(row > ABOVE ? row - ABOVE : 0);
}

static void help_draw(struct view *view, const struct frame *frame,
		      struct area area)
{
	struct help_view *v = help(view);
	struct page *page = &v->page;
	struct line filled[MAX_LINES] = { 0 }, lines[MAX_LINES + ACTIONS];
	int half = area.cols / 2, nr, left, middle, asked;
	struct area a;
	bool two;

	v->recording = frame->playback;
	nr = fill_lines(filled, v, area);
	left = left_width(filled, nr);
	two = half - 1 >= whole_width(filled, nr, left);
	if (!page_begin(page, area, &a))
		return;
	nr = break_lines(filled, nr, left, two ? half - 1 : a.cols, lines);
	middle = two ? split(lines, nr) : nr;
	asked = line_asked(v, lines, nr);
	draw_column(area_sub(a, 0, 0, a.rows, two ? half : a.cols), lines,
		    middle, left, asked);
	draw_column(area_sub(a, 0, half, a.rows, half - 1), lines + middle,
		    nr - middle, left, asked - middle);
	if (v->seek && asked >= 0)
		go_to(v, asked < middle ? asked : asked - middle);
	page_end(page, area, middle > nr - middle ? middle : nr - middle);
}

static bool help_action(struct view *view, const struct frame *frame,
			enum action action)
{
	(void)frame;
	return list_scroll_action(&help(view)->page.list, action);
}

static bool help_wheel(struct view *view, const struct frame *frame,
		       int lines)
{
	(void)frame;
	list_scroll(&help(view)->page.list, lines);
	return true;
}

static const char *help_label(const struct view *view, enum action action)
{
	(void)view;
	if (action == ACTION_PAGE_DOWN)
		return "Page down";
	if (action == ACTION_QUIT)
		return "Back";
	return action == ACTION_PAGE_UP ? "Page up" : NULL;
}

const struct view_ops view_help = {
	.id = VIEW_HELP,
	.size = sizeof(struct help_view),
	.release = help_release,
	.draw = help_draw,
	.action = help_action,
	.wheel = help_wheel,
	.focus = help_focus,
	.label = help_label,
};
