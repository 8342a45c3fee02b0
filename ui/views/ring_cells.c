/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring_cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ring/ring_row.h"
#include "ui/draw/widgets.h"

enum {
	MIN_LABEL = 6,
	MIN_BAR = 10,		/* normal width of the bar */
	WIDE_BAR = 24,		/* up to this it grows before HIST */
};

static bool is_text(enum figure figure)
{
	return figure_info(figure)->kind == FIGURE_IS_TEXT;
}

struct list_column ring_cells_column(enum figure figure,
					enum figure_list list)
{
	const struct figure_info *info = figure_info(figure);
	struct list_column c = {
		.id = (int)figure,
		.header = figure_header(figure, list),
		.help = info->help,
		/* a loss is marked by '!' in front */
		.width = figure_width(figure, list) + info->loss,
		.rank = info->in[list].rank,
		.left = is_text(figure),
		.marked = is_text(figure),
		.sorts = true,
		.falls = !info->ascending,
	};

	if (figure == FIGURE_FILL) {
		c.width = MIN_BAR;
		c.fair = WIDE_BAR;
		c.rest = c.left = true;
	} else if (figure == FIGURE_HIST) {
		c.max = HISTORY_LEN;
		c.rest = c.left = true;
	}
	return c;
}

int ring_cells_label_width(const struct ring_row *rows, size_t nr,
			   enum figure_list list)
{
	int width = MIN_LABEL, max = figure_width(FIGURE_RING, list);

	for (size_t i = 0; i < nr && width < max; i++) {
		int label = text_width(rows[i].label);

		if (label > width)
			width = label;
	}
	return width < max ? width : max;
}

enum role ring_cells_alarm(unsigned int warnings)
{
	const unsigned int bad = 1u << RING_WARN_LOSING |
				 1u << RING_WARN_TRUNCATED;

	if (!warnings)
		return ROLE_DEFAULT;
	return warnings & bad ? ROLE_BAD : ROLE_WARN;
}

/* The role of a text that shows a warning or a stop; else ROLE_DEFAULT. */
static enum role name_role(enum figure figure, const struct ring_row *r)
{
	if ((figure == FIGURE_WARN || figure == FIGURE_OWNER) && r->warnings)
		return ring_cells_alarm(r->warnings);
	if (figure == FIGURE_VERDICT && verdict_of(r) >= VERDICT_CONCERN)
		return verdict_of(r) >= VERDICT_LOSS ? ROLE_BAD : ROLE_WARN;
	if (figure == FIGURE_AUXSTATE && r->reads && r->reads->aux.stopped)
		return ROLE_WARN;
	return ROLE_DEFAULT;
}

static bool is_nothing(const char *text)
{
	return !strcmp(text, "-") || !strcmp(text, "0") ||
	       !strcmp(text, "0+") || !strcmp(text, "0%") ||
	       !strcmp(text, "never");
}

static enum role cell_role(enum figure figure, const struct ring_row *r,
			   const char *text)
{
	static const enum role roles[] = {
		[FIGURE_CALM] = ROLE_DEFAULT,
		[FIGURE_PAST] = ROLE_DIM,
		[FIGURE_WARNS] = ROLE_WARN,
		[FIGURE_LOSING] = ROLE_BAD,
		[FIGURE_HIGH] = ROLE_BAR_HIGH,
	};
	enum figure_alarm alarm = figure_alarm(figure, r);

	/* another program's ring that is gone: its losses are no alarm */
	if (r->gone && !r->reads)
		return ROLE_DIM;
	if (alarm == FIGURE_LOSING)
		return ROLE_BAD;
	if (r->gone)
		return ROLE_DIM;
	if (is_text(figure) && name_role(figure, r) != ROLE_DEFAULT)
		return name_role(figure, r);
	if (r->self || is_nothing(text))
		return ROLE_DIM;
	return roles[alarm];
}

/* An overwrite ring is normally full: no colours of levels. */
static enum role picture_role(const struct ring_row *r)
{
	if (r->gone)
		return ROLE_DIM;
	return r->overwrite ? ROLE_SPARK : ROLE_DEFAULT;
}

static void draw_bar(const struct ring_row *r, double peak, struct area cell)
{
	const struct widget_bar bar = {
		.fill = r->fill, .peak = peak, .role = picture_role(r),
		.mark = ring_row_mark(r),
	};

	widget_bar(cell, 0, 0, cell.cols, &bar);
}

enum role ring_cells_draw(enum figure figure, const struct ring_row *r,
			  struct area cell, char *text)
{
	enum role role;

	if (figure == FIGURE_FILL || figure == FIGURE_HIST) {
		if (figure == FIGURE_FILL)
			draw_bar(r, r->peak, cell);
		else if (r->histories)
			widget_sparkline(cell, 0, 0, cell.cols,
					 &r->histories->fill, 1,
					 ring_row_mark(r), picture_role(r));
		return ROLE_DEFAULT;
	}
	figure_text(figure, r, text + 1, LISTING_CELL - 1);
	role = cell_role(figure, r, text + 1);
	if (role == ROLE_BAD && figure_info(figure)->loss)
		*text = '!';
	else
		memmove(text, text + 1, strlen(text + 1) + 1);
	return role;
}

enum role ring_cells_sum(enum figure figure, const struct ring_row *sum,
			 struct area cell, char *text)
{
	enum role role;

	if (figure == FIGURE_FILL) {
		/* the peak is of one ring, not of the total */
		draw_bar(sum, (double)NAN, cell);
		return ROLE_HEADER;
	}
	if (figure == FIGURE_HIST || !figure_is_known(figure, sum))
		return ROLE_HEADER;
	role = ring_cells_draw(figure, sum, cell, text);
	if (figure_alarm(figure, sum) == FIGURE_PAST)
		return ROLE_DIM;
	return role == ROLE_BAD || role == ROLE_WARN ? role : ROLE_HEADER;
}

void ring_cells_gutter(const struct listing *l, const void *row,
		       struct area gutter)
{
	const struct ring_row *r = row;
	enum role role = ROLE_DIM;
	uint32_t mark = ' ';

	(void)l;
	if (r->warnings && !r->gone)
		area_put(gutter, 0, 0, ring_cells_alarm(r->warnings), '!');
	if (r->gone) {
		mark = widget_glyph(gutter, GLYPH_GONE);
	} else if (r->paused) {
		mark = 'P';
		role = ROLE_WARN;
	} else if (r->reads && !r->enabled) {
		mark = 'D';
		role = ROLE_WARN;
	} else if (r->self) {
		mark = 'r';
	} else if (r->kind == RING_BPF) {
		mark = 'B';
	} else if (r->kind == RING_FTRACE) {
		mark = 'T';
	} else if (r->overwrite) {
		mark = 'O';
	} else if (!r->reads && !r->mapped) {
		mark = 'F';
	}
	if (mark != ' ')
		area_put(gutter, 0, 1, role, mark);
}

/* What does not fit is left out. */
static int add_mark(struct area line, int col, const char *glyph,
		    const char *text)
{
	int width = text_width(glyph) + 1 + text_width(text);

	if (col + width > line.cols)
		return col;
	area_printf(line, 0, col, ROLE_DIM, "%s %s", glyph, text);
	return col + width + 2;
}

void ring_cells_legend(const struct listing *l, struct area line,
		       const struct ring_mark *marks)
{
	bool bar = false;
	int col = 1;

	for (size_t i = 0; i < l->nr_columns; i++)
		bar |= l->columns[i].id == FIGURE_FILL && l->columns[i].cols;
	if (bar) {
		col += area_text(line, 0, col, 0, ROLE_DIM, "bar:") + 1;
		col = add_mark(line, col, widget_glyph_text(line, GLYPH_TICK),
			       "watermark");
		col = add_mark(line, col, widget_glyph_text(line, GLYPH_PEAK),
			       "peak");
		area_put(line, 0, col - 1, ROLE_DIM,
			 widget_glyph(line, GLYPH_DOT));
		col++;
	}
	col = add_mark(line, col, "!", "losing");
	col = add_mark(line, col, widget_glyph_text(line, GLYPH_GONE), "gone");
	for (; marks->glyph; marks++)
		col = add_mark(line, col, marks->glyph, marks->text);
}

/* The larger first; unknown values last. */
static int by_number(double x, double y)
{
	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return (x < y) - (x > y);
}

/* Whole percents, so that rings that look equal do not change places.  0 for an
 * overwrite ring, which is normally full. */
static double share_key(const struct ring_row *r, double share)
{
	return r->overwrite || isnan(share) ? 0 : floor(share * 100);
}

static double warning_key(const struct ring_row *r)
{
	return r->warnings ? figure_number(FIGURE_WARN, r) : (double)NAN;
}

/* Those that the verdicts name are on top. */
static double verdict_key(const struct ring_row *r)
{
	return verdict_of(r) >= VERDICT_TOO_SMALL ? (double)verdict_of(r) :
						    (double)NAN;
}

int ring_cells_worst(const void *a, const void *b)
{
	const struct ring_row *x = a, *y = b;
	int by = (ring_cells_alarm(y->warnings) == ROLE_BAD) -
		 (ring_cells_alarm(x->warnings) == ROLE_BAD);

	if (!by)
		by = by_number(warning_key(x), warning_key(y));
	if (!by)
		by = by_number(verdict_key(x), verdict_key(y));
	if (!by)	/* rbtop's own last: it drains them */
		by = x->self - y->self;
	if (!by)
		by = by_number(x->lost_per_s, y->lost_per_s);
	if (!by)
		by = by_number(share_key(x, x->peak_tick),
			       share_key(y, y->peak_tick));
	if (!by)
		by = by_number(share_key(x, x->fill), share_key(y, y->fill));
	return by;
}

uint64_t ring_cells_id(const struct listing *l, const void *row)
{
	(void)l;
	return ((const struct ring_row *)row)->id;
}

bool ring_cells_match(const struct listing *l, const void *row,
		      const char *needle)
{
	const struct ring_row *r = row;

	(void)l;
	return list_match(r->label, needle) || list_match(r->comm, needle);
}

const char *ring_cells_command(const struct ring_row *r)
{
	if (!r || r->advice.command)
		return r ? r->advice.command : NULL;
	return (r->reads || r->kind == RING_FTRACE) && *r->advice.setting ?
		       r->advice.setting : NULL;
}

void ring_cells_copy(struct view *view, const struct ring_row *r)
{
	struct shell *shell = view->shell;
	const char *command = ring_cells_command(r);
	char text[80 + 1024];

	if (!command && r && *r->advice.setting) {
		snprintf(text, sizeof(text),
			 "no whole command is known for %s: set %s", r->comm,
			 r->advice.setting);
		shell->message(shell, ROLE_NOTICE, text);
		return;
	}
	if (!command) {
		shell->message(shell, ROLE_NOTICE, r ?
			       "nothing to copy: no known command changes this ring's size" :
			       "nothing to copy: there is no ring");
		return;
	}
	shell->copy(shell, command);
	snprintf(text, sizeof(text), "sent to the terminal's clipboard%s: %s",
		 shell->in_tmux ? " (tmux needs set -s set-clipboard on)" : "",
		 command);
	shell->message(shell, ROLE_NOTICE, text);
}

int ring_cells_compare(int column, const void *a, const void *b)
{
	return figure_compare((enum figure)column, a, b);
}

bool ring_cells_is_known(int column, const void *row)
{
	return figure_is_known((enum figure)column, row);
}
