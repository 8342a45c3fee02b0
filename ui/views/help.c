/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every key by section, as bound now, the marks beside rows, the words of
 * Samples, AUX and Host, filters, and every column.  Keys and columns are made
 * from the .def files, so that they cannot lag behind.
 */
#include "ui/kit/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ring/figures.h"
#include "samples/sample_columns.h"
#include "ui/kit/keys.h"
#include "ui/kit/widgets.h"

enum {
	INDENT = 3, GAP = 2,
	KEYS_WIDTH = 12,
};

/* What stands beside a ring in Rings and in its heat map, and elsewhere. */
static const struct {
	enum glyph glyph;	/* GLYPHS: @letter stands for itself */
	const char *letter;
	const char *help;
} marks[] = {
	{ GLYPH_TAG, "", "tagged" },
	{ GLYPH_GONE, "", "its CPU or thread is gone; the figures are final" },
	{ GLYPHS, "P", "output paused: what is written now is lost" },
	{ GLYPHS, "D", "events disabled" },
	{ GLYPHS, "O", "overwrite ring: keeps the newest records" },
	{ GLYPHS, "S", "in AUX: tracing is stopped" },
	{ GLYPHS, "!", "records were lost; in header and map: right now" },
	{ GLYPH_TICK, "", "in a bar: wakes its reader when filled up to here" },
	{ GLYPH_PEAK, "", "in a bar: the highest fill so far" },
	{ GLYPH_RIGHT, "", "there is more to the right" },
	{ GLYPHS, "r B F", "in Host: rbtop's own, BPF ring buffer, not mapped" },
	{ GLYPHS, "k u j g h ?", "in Hot: kernel, user, JIT, guest, hypervisor, "
		"unknown" },
};

/* What the first lines of Samples, Hot and Flame say. */
static const struct explained {
	const char *name, *help;
} words[] = {
	{ "1 in k", "decoded, where more samples arrive than --decode" },
	{ "N not listed", "counted in Hot, but there was no time or room to" },
	{ "", "write their texts; a filter helps" },
	{ "N s behind", "decoding is late by that much" },
	{ "N dropped", "picked, but the queue to the decoder was full:" },
	{ "", "counted in Rings, missing in Samples and Hot" },
	{ "held", "the cursor is off the newest: the list stands still" },
	{ "by events", "samples weigh their periods: all are of one event" },
	{ "by samples", "all weigh the same: several events do not add up" },
	{ "weight", "recent samples fade: by half in 10 seconds" },
};

/* What AUX says beside its columns. */
static const struct explained aux_words[] = {
	{ "POSITION", "the ring; the mark that points down is the head" },
	{ "", "(in full trace one that points up is the tail)" },
	{ "LAST STOP", "of tracing: only then the kernel tells the head, so" },
	{ "", "in snapshot mode it stands as of then" },
	{ "WRAPS", "N+: a lower bound, in snapshot mode" },
	{ "B/S", "-: the head is an offset and does not tell of rounds" },
	{ "STOP SPREAD", "of a snapshot: how long tracing stood still, or" },
	{ "", "overwrite rings were paused; first ring to last" },
	{ "history", "records kept for the next snapshot: --history" },
};

/* What Host says of other processes' rings. */
static const struct explained host_words[] = {
	{ ">", "lower bound: rbtop polls and does not see every drain" },
	{ "wakeups", "signals of the kernel to the owner, which may have been" },
	{ "", "awake, or polls nothing" },
	{ "stopped", "its owner is, by SIGSTOP or a debugger: drains nothing" },
	{ "undrained", "its owner was woken, data waits, nothing is read" },
	{ "pending", "records lost that no LOST record has told of yet" },
	{ "losing", "records were lost since the last picture" },
	{ "paused", "its output is paused: what comes is lost" },
	{ "throttled", "the kernel holds an event back" },
	{ "truncated", "an AUX ring is full: nothing is traced" },
	{ "error", "a pinned event found no counter" },
	{ "mlock", "its user may pin no more memory for rings" },
	{ "bad tail", "its owner wrote an invalid tail: free space is wrong" },
	{ "unknown: -", "without BPF only sizes and owners can be told" },
	{ "no effect", "rbtop maps, dups and polls nothing of others" },
};

static const struct explained filters[] = {
	{ "comm event", "name of the task, event" },
	{ "sym dso text", "function, file, text of a tracepoint" },
	{ "cpu pid tid", "as in the columns" },
	{ "time ip addr", "seconds, address, data address" },
	{ "period", "events that it stands for" },
	{ "weight", "samples that it was picked from" },
	{ "other names", "fields of tracepoints: prev_comm==bash" },
	{ "== !=", "is, is not" },
	{ "< <= > >=", "of numbers" },
	{ "~ !~", "has, has not that part; * and ? match the whole" },
	{ "&& || ! ( )", "and, or, not: (cpu<2 || pid==1) && !sym~poll" },
	{ "a word alone", "looked for in all that is shown" },
};

enum {
	MARKS = sizeof(marks) / sizeof(marks[0]),
	WORDS = sizeof(words) / sizeof(words[0]),
	AUX_WORDS = sizeof(aux_words) / sizeof(aux_words[0]),
	HOST_WORDS = sizeof(host_words) / sizeof(host_words[0]),
	FILTERS = sizeof(filters) / sizeof(filters[0]),
	HEADINGS = KEYS_SECTIONS + 9,
	MAX_LINES = ACTIONS + MARKS + WORDS + AUX_WORDS + HOST_WORDS +
		    FILTERS + 3 * FIGURES + SAMPLE_COLUMNS +
		    2 * HEADINGS,
};

/* A heading, or a name and what it is; a blank line has neither. */
struct line {
	char left[40];
	const char *right;
	bool heading;
};

struct help_view {
	struct view view;
	struct list list;
};

static struct help_view *help(struct view *view)
{
	return (struct help_view *)(void *)view;
}

static struct view *help_create(struct shell *shell)
{
	struct help_view *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_help, .shell = shell };
	return &v->view;
}

static void help_destroy(struct view *view)
{
	free(view);
}

static int add_heading(struct line *lines, int nr, const char *text)
{
	if (nr > 0)
		lines[nr++] = (struct line){ .right = "" };
	lines[nr++] = (struct line){ .right = text, .heading = true };
	return nr;
}

static int add_section(struct line *lines, int nr, enum keys_section section,
		       const struct keys *keys)
{
	nr = add_heading(lines, nr, keys_section_name(section));
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		const struct keys_info *info = keys_info((enum action)i);

		if (info->section != section)
			continue;
		keys_text(keys, (enum action)i, false, lines[nr].left,
			  sizeof(lines[nr].left));
		if (!*lines[nr].left)
			snprintf(lines[nr].left, sizeof(lines[nr].left), "-");
		lines[nr++].right = info->help;
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

static int add_columns(struct line *lines, int nr, const char *heading,
		       enum figure_list list)
{
	enum figure all[FIGURES];
	size_t nr_all = figure_columns(list, all);

	nr = add_heading(lines, nr, heading);
	for (size_t i = 0; i < nr_all; i++) {
		snprintf(lines[nr].left, sizeof(lines[nr].left), "%s",
			 figure_header(all[i], list));
		lines[nr++].right = figure_info(all[i])->help;
	}
	return nr;
}

static int add_sample_columns(struct line *lines, int nr)
{
	nr = add_heading(lines, nr, "Columns of Samples");
	for (int i = 0; i < SAMPLE_COLUMNS; i++) {
		const struct sample_column_info *info =
			sample_column_info((enum sample_column)i);

		snprintf(lines[nr].left, sizeof(lines[nr].left), "%s",
			 info->header);
		lines[nr++].right = info->help;
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

static int fill_lines(struct line *lines, const struct config *config,
		      struct area a)
{
	struct keys keys;
	int nr = 0;

	if (keys_bind(&keys, config, NULL) < 0)
		keys_bind(&keys, NULL, NULL);
	for (int s = 0; s < KEYS_SECTIONS; s++)
		nr = add_section(lines, nr, (enum keys_section)s, &keys);
	nr = add_explained(lines, add_marks(lines, nr, a),
			   "Samples, Hot and Flame", words, WORDS);
	nr = add_explained(lines, nr, "AUX", aux_words, AUX_WORDS);
	nr = add_explained(lines, nr, "Host", host_words, HOST_WORDS);
	nr = add_explained(lines, nr, "Filters of Samples", filters, FILTERS);
	nr = add_columns(lines, nr, "Columns of Rings", IN_RINGS);
	nr = add_columns(lines, nr, "Columns of Host", IN_HOST);
	nr = add_columns(lines, nr, "Columns of AUX", IN_AUX);
	return add_sample_columns(lines, nr);
}

static int left_width(const struct line *lines, int nr)
{
	int width = KEYS_WIDTH;

	for (int i = 0; i < nr; i++) {
		if (text_width(lines[i].left) > width)
			width = text_width(lines[i].left);
	}
	return width;
}

/* Columns of the longest line. */
static int whole_width(const struct line *lines, int nr, int left)
{
	int width = 0;

	for (int i = 0; i < nr; i++) {
		if (text_width(lines[i].right) > width)
			width = text_width(lines[i].right);
	}
	return INDENT + left + GAP + width;
}

static void draw_line(struct area a, int row, const struct line *line,
		      int left)
{
	if (line->heading) {
		area_text(a, row, 1, 0, ROLE_TITLE, line->right);
		return;
	}
	area_text(a, row, INDENT, left, ROLE_KEY, line->left);
	area_text(a, row, INDENT + left + GAP, 0, ROLE_DEFAULT, line->right);
}

/* Where the second column begins: at the heading nearest to the middle. */
static int split(const struct line *lines, int nr)
{
	for (int i = nr / 2; i < nr; i++) {
		if (lines[i].heading)
			return i;
	}
	return nr;
}

/* Lines from @from up to @end in one column, scrolled by the list. */
static void draw_column(const struct help_view *v, struct area a,
			const struct line *lines, int from, int end, int left)
{
	for (int row = 0; row < a.rows; row++) {
		int i = from + (int)v->list.top + row;

		if (i >= end)
			break;
		draw_line(a, row, &lines[i], left);
	}
}

static void help_draw(struct view *view, const struct frame *frame,
		      struct area area)
{
	struct help_view *v = help(view);
	struct line lines[MAX_LINES] = { 0 };
	int nr = fill_lines(lines, view->shell->config, area);
	int left = left_width(lines, nr), half = area.cols / 2;
	bool two = half - 1 >= whole_width(lines, nr, left);
	int middle = two ? split(lines, nr) : nr;
	int height = middle > nr - middle ? middle : nr - middle;

	(void)frame;
	list_fit(&v->list, (size_t)height, area.rows);
	if (middle < nr) {
		draw_column(v, area_sub(area, 0, 0, area.rows, half), lines, 0,
			    middle, left);
		draw_column(v, area_sub(area, 0, half, area.rows, half - 1),
			    lines, middle, nr, left);
	} else {
		draw_column(v, area_sub(area, 0, 0, area.rows, area.cols - 1),
			    lines, 0, nr, left);
	}
	widget_scrollbar(area, &v->list);
}

static bool help_action(struct view *view, const struct frame *frame,
			enum action action)
{
	(void)frame;
	return list_scroll_action(&help(view)->list, action);
}

static bool help_wheel(struct view *view, const struct frame *frame,
		       int lines)
{
	(void)frame;
	list_scroll(&help(view)->list, lines);
	return true;
}

static const enum action help_footer[] = {
	ACTION_CANCEL, ACTION_PAGE_DOWN, ACTION_PAGE_UP, ACTION_NONE,
};

const struct view_ops view_help = {
	.id = VIEW_HELP,
	.name = "Help",
	.create = help_create,
	.destroy = help_destroy,
	.draw = help_draw,
	.action = help_action,
	.wheel = help_wheel,
	.footer = help_footer,
};
