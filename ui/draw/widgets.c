/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/draw/widgets.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ring/ring_row.h"

enum {
	EIGHTHS = 8,
	LEVELS = 8,
	MARKED_TEXT = 1024,	/* most bytes before a match, from the last */
	SENTENCE = 50,		/* columns in which a note is cut between words */
};

static const struct {
	const char *text, *ascii;
} glyphs[GLYPHS] = {
	[GLYPH_FULL] = { "█", "#" },
	[GLYPH_FREE] = { "·", "." },
	[GLYPH_SHADE] = { "░", ":" },
	[GLYPH_TICK] = { "│", "|" },
	[GLYPH_PEAK] = { "▐", ">" },
	[GLYPH_DOWN] = { "▼", "v" },
	[GLYPH_UP] = { "▲", "^" },
	[GLYPH_LEFT] = { "‹", "<" },
	[GLYPH_RIGHT] = { "›", ">" },
	[GLYPH_CUT] = { "…", "~" },
	[GLYPH_RULE] = { "─", "-" },
	[GLYPH_RAIL] = { "│", "|" },
	[GLYPH_THUMB] = { "┃", "#" },
	[GLYPH_CURSOR] = { "┃", "|" },
	[GLYPH_DOT] = { "·", "-" },
	[GLYPH_TAG] = { "●", "*" },
	[GLYPH_GONE] = { "×", "x" },
	[GLYPH_CAP_LEFT] = { "▕", "[" },
	[GLYPH_CAP_RIGHT] = { "▏", "]" },
	[GLYPH_CORNER_TL] = { "┌", "+" },
	[GLYPH_CORNER_TR] = { "┐", "+" },
	[GLYPH_CORNER_BL] = { "└", "+" },
	[GLYPH_CORNER_BR] = { "┘", "+" },
	[GLYPH_SIDE] = { "│", "|" },
	[GLYPH_EDGE] = { "▏", "|" },
};

const char *widget_glyph_text(struct area a, enum glyph glyph)
{
	return a.canvas->ascii ? glyphs[glyph].ascii : glyphs[glyph].text;
}

uint32_t widget_glyph(struct area a, enum glyph glyph)
{
	unsigned int ch;

	text_decode(widget_glyph_text(a, glyph), &ch);
	return ch;
}

enum role widget_level(double fill, double mark)
{
	static const enum role roles[] = {
		[RING_LEVEL_LOW] = ROLE_BAR_LOW,
		[RING_LEVEL_RAISED] = ROLE_BAR_MID,
		[RING_LEVEL_HIGH] = ROLE_BAR_HIGH,
	};

	return roles[ring_row_level(fill, mark)];
}

uint32_t widget_spark_glyph(struct area a, double value, double max)
{
	int level = 0;

	if (isnan(value))
		return ' ';
	if (value > 0 && max > 0)
		level = value < max ? (int)ceil(value / max * (LEVELS - 1)) :
				      LEVELS - 1;
	return a.canvas->ascii ? (uint32_t)"_.-:=+*#"[level] :
				 0x2581 + (uint32_t)level; /* ▁ to █ */
}

/*
 * The eighths of cells that @share of @width cells fills: above 0 at least one,
 * below 1 not all.
 */
static int share_eighths(double share, int width)
{
	int all = width * EIGHTHS, part;

	if (!(share > 0) || all <= 0)
		return 0;
	if (share >= 1)
		return all;
	part = (int)lround(share * all);
	return part < 1 ? 1 : part >= all ? all - 1 : part;
}

/* Fill @eighths of cells from @col on.  Returns the number of full cells. */
static int draw_run(struct area a, int row, int col, int eighths,
		    enum role role)
{
	int full = eighths / EIGHTHS, rest = eighths % EIGHTHS;

	if (a.canvas->ascii) {
		if (rest >= EIGHTHS / 2 || (rest && !full))
			full++;
		rest = 0;
	}
	area_fill(a, row, col, full, role, widget_glyph(a, GLYPH_FULL));
	if (rest) /* U+2588 is the full block, U+258F its left eighth */
		area_put(a, row, col + full, role,
			 0x2588 + (uint32_t)(EIGHTHS - rest));
	return full;
}

static int mark_cell(double share, int width)
{
	int cell = (int)floor(share * width);

	return cell >= width ? width - 1 : cell;
}

static void draw_tick(struct area a, int row, int col, bool filled,
		      enum role role)
{
	area_put(a, row, col, filled ? role : ROLE_TICK,
		 widget_glyph(a, GLYPH_TICK));
	if (filled)
		area_reverse(a, row, col, 1);
}

static enum role bar_role(const struct widget_bar *bar, double level)
{
	return bar->role == ROLE_DEFAULT ? widget_level(level, bar->mark) :
					   bar->role;
}

void widget_bar(struct area a, int row, int col, int width,
		const struct widget_bar *bar)
{
	enum role role = bar_role(bar, bar->fill);
	int inner = width - 2, full, eighths, mark;

	if (inner < 1)
		return;
	area_put(a, row, col, ROLE_DIM, widget_glyph(a, GLYPH_CAP_LEFT));
	area_put(a, row, col + width - 1, ROLE_DIM,
		 widget_glyph(a, GLYPH_CAP_RIGHT));
	col++;
	eighths = share_eighths(bar->fill, inner);
	full = draw_run(a, row, col, eighths, role);
	if (bar->peak > 0 && bar->peak <= 1) {
		mark = (int)ceil(bar->peak * inner) - 1;
		if (mark * EIGHTHS >= eighths && mark >= full)
			area_put(a, row, col + mark,
				 bar_role(bar, bar->peak),
				 widget_glyph(a, GLYPH_PEAK));
	}
	if (bar->mark >= 0 && bar->mark <= 1) {
		mark = mark_cell(bar->mark, inner);
		draw_tick(a, row, col + mark, mark < full, role);
	}
}

int widget_ring_cell(const struct widget_ring *ring, uint64_t position,
		     int cells)
{
	double offset = (double)(position % ring->size);
	int cell = (int)(offset / (double)ring->size * cells);

	return cell < cells ? cell : cells - 1;
}

bool widget_ring_used(const struct widget_ring *ring, int cell, int cells)
{
	double middle = (cell + .5) / cells * (double)ring->size;
	double ahead = middle - (double)(ring->from % ring->size);

	if (ring->used && cell == widget_ring_cell(ring, ring->from, cells))
		return true;
	if (ahead < 0)
		ahead += (double)ring->size;
	return ahead < (double)ring->used;
}

void widget_ring(struct area a, int row, int col, int width,
		 const struct widget_ring *ring, enum role role)
{
	int cells = width - 2;

	if (cells < 1)
		return;
	area_put(a, row, col, ROLE_DIM, widget_glyph(a, GLYPH_CAP_LEFT));
	area_put(a, row, col + width - 1, ROLE_DIM,
		 widget_glyph(a, GLYPH_CAP_RIGHT));
	for (int i = 0; i < cells; i++) {
		bool used = widget_ring_used(ring, i, cells);

		area_put(a, row, col + 1 + i, used ? role : ROLE_DIM,
			 widget_glyph(a, used ? GLYPH_FULL : GLYPH_FREE));
	}
}

void widget_hbar(struct area a, int row, int col, int width, double value,
		 double max, enum role role)
{
	if (max > 0)
		draw_run(a, row, col, share_eighths(value / max, width), role);
}

void widget_sparkline(struct area a, int row, int col, int width,
		      const struct history *history, double max, double mark,
		      enum role role)
{
	unsigned int nr = width > 0 ? (unsigned int)width : 0;

	if (!history)
		return;
	if (max <= 0)
		max = history_max(history, nr);
	for (unsigned int age = 0; age < nr; age++) {
		double value = history_at(history, age);
		enum role shade = role == ROLE_DEFAULT ?
				  widget_level(value / max, mark) : role;

		if (isnan(value))
			continue;
		if (value <= 0)
			shade = ROLE_DIM;
		area_put(a, row, col + width - 1 - (int)age, shade,
			 widget_spark_glyph(a, value, max));
	}
}

void widget_scrollbar(struct area a, size_t nr, size_t page, size_t top)
{
	int col = a.cols - 1, from, len;
	size_t rows = (size_t)a.rows;

	if (a.rows < 2 || !page || nr <= page)
		return;
	len = (int)(rows * page / nr);
	if (len < 1)
		len = 1;
	from = (int)((size_t)(a.rows - len) * top / (nr - page));
	for (int row = 0; row < a.rows; row++) {
		bool thumb = row >= from && row < from + len;

		area_put(a, row, col, thumb ? ROLE_DEFAULT : ROLE_DIM,
			 widget_glyph(a, thumb ? GLYPH_THUMB : GLYPH_RAIL));
	}
}

static void draw_border(struct area a)
{
	int bottom = a.rows - 1, right = a.cols - 1;

	area_fill(a, 0, 1, right - 1, ROLE_DIM, widget_glyph(a, GLYPH_RULE));
	area_fill(a, bottom, 1, right - 1, ROLE_DIM,
		  widget_glyph(a, GLYPH_RULE));
	for (int row = 1; row < bottom; row++) {
		area_put(a, row, 0, ROLE_DIM, widget_glyph(a, GLYPH_SIDE));
		area_put(a, row, right, ROLE_DIM, widget_glyph(a, GLYPH_SIDE));
	}
	area_put(a, 0, 0, ROLE_DIM, widget_glyph(a, GLYPH_CORNER_TL));
	area_put(a, 0, right, ROLE_DIM, widget_glyph(a, GLYPH_CORNER_TR));
	area_put(a, bottom, 0, ROLE_DIM, widget_glyph(a, GLYPH_CORNER_BL));
	area_put(a, bottom, right, ROLE_DIM, widget_glyph(a, GLYPH_CORNER_BR));
}

struct area widget_popup(struct area a, int rows, int cols, const char *title)
{
	rows = rows < a.rows ? rows : a.rows;
	cols = cols < a.cols ? cols : a.cols;
	a = area_sub(a, (a.rows - rows) / 2, (a.cols - cols) / 2, rows, cols);
	for (int row = 0; row < a.rows; row++)
		area_fill(a, row, 0, a.cols, ROLE_DEFAULT, ' ');
	draw_border(a);
	area_printf(a, 0, 2, ROLE_TITLE, " %s ", title);
	return area_sub(a, 1, 1, a.rows - 2, a.cols - 2);
}

int widget_note(struct area a, int col, enum role role, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (col > 1) {
		area_put(a, 0, col + 1, ROLE_DIM, widget_glyph(a, GLYPH_DOT));
		col += 3;
	}
	if (col + text_width(text) <= a.cols)
		return col + area_text(a, 0, col, 0, role, text);
	if (a.cols - col >= SENTENCE) {
		widget_words(area_sub(a, 0, col, 1, a.cols - col), 0, role,
			     text);
		return a.cols;
	}
	area_text(a, 0, col, 0, role, text);
	widget_more(a, 0);
	return a.cols;
}

void widget_more(struct area a, int row)
{
	area_put(a, row, a.cols - 1, ROLE_KEY, widget_glyph(a, GLYPH_RIGHT));
}

int widget_text(struct area a, int row, int max, enum role role,
		const char *text)
{
	struct area none = { .canvas = a.canvas, .cols = a.cols };
	int rows = area_wrapped(none, 0, role, text);

	if (rows <= max)
		return area_wrapped(a, row, role, text);
	a = area_sub(a, row, 0, max, a.cols);
	if (max == 1)	/* as much as fits, not up to a blank */
		area_text(a, 0, 0, 0, role, text);
	else
		area_wrapped(a, 0, role, text);
	if (a.rows)
		widget_more(a, a.rows - 1);
	return row + max;
}

void widget_words(struct area a, int row, enum role role, const char *text)
{
	bool cut = text_width(text) > a.cols;

	area_wrapped(area_sub(a, row, 0, 1, a.cols - cut), 0, role, text);
	if (cut)
		widget_more(a, row);
}

void widget_heading(struct area a, int row, const char *title)
{
	int col = area_text(a, row, 0, 0, ROLE_TITLE, title) + 1;

	area_fill(a, row, col, a.cols - col, ROLE_DIM,
		  widget_glyph(a, GLYPH_RULE));
}

const struct widget_kind *widget_kind(enum symbol_kind kind)
{
	static const struct widget_kind kinds[] = {
		[SYMBOL_UNKNOWN] = { '?', ROLE_DIM, "unknown" },
		[SYMBOL_KERNEL] = { 'k', ROLE_KERNEL, "kernel" },
		[SYMBOL_USER] = { 'u', ROLE_USER, "user" },
		[SYMBOL_JIT] = { 'j', ROLE_JIT, "JIT" },
		[SYMBOL_GUEST] = { 'g', ROLE_FOREIGN, "guest" },
		[SYMBOL_HYPERVISOR] = { 'h', ROLE_FOREIGN, "hypervisor" },
	};

	return &kinds[kind];
}

const struct widget_log *widget_log(enum log_kind kind)
{
	static const struct widget_log kinds[LOG_KINDS] = {
		[LOG_INFO] = { 'i', ROLE_DIM, "what is watched, and how" },
		[LOG_OUTPUT] = { '>', ROLE_DEFAULT,
				 "a line that the command printed" },
		[LOG_LOST] = { 'L', ROLE_BAD, "a ring lost records" },
		[LOG_THROTTLE] = { 'T', ROLE_WARN,
				   "the kernel throttled an event" },
		[LOG_AUX] = { 'A', ROLE_WARN,
			      "an AUX ring was full, or its trace has gaps" },
		[LOG_SNAPSHOT] = { 'S', ROLE_GOOD, "a snapshot was taken, "
				   "failed or was cancelled" },
		[LOG_RECORD] = { 'R', ROLE_GOOD,
				 "a recording was started or stopped" },
		[LOG_EXIT] = { 'X', ROLE_LABEL,
			       "a task, a thread or the target ended" },
		[LOG_HOTPLUG] = { 'H', ROLE_NOTICE,
				  "a CPU went offline or came back" },
		[LOG_HOST] = { 'M', ROLE_NOTICE, "about a ring of another "
			       "program on this machine" },
		[LOG_ERROR] = { 'E', ROLE_BAD, "something failed" },
	};

	return &kinds[kind];
}

bool widget_mark(struct area a, int row, const char *text, const char *needle)
{
	size_t len = strlen(needle);
	int width = text_width(needle), col = 0;
	const char *from = text, *at;
	char between[MARKED_TEXT];
	bool found = false;

	while (len && (at = strcasestr(from, needle)) != NULL &&
	       (size_t)(at - from) < sizeof(between)) {
		snprintf(between, sizeof(between), "%.*s", (int)(at - from),
			 from);
		col += text_width(between);
		area_role(a, row, col, width, ROLE_MATCH);
		found |= col < a.cols;
		col += width;
		from = at + len;
	}
	return found;
}
