/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The elements that screens consist of: bars, sparklines, histograms,
 * scrollbars, boxes.  Each has an ASCII form for ASCII canvases.  No state is
 * shown by colour alone: levels differ in glyph or length too.
 */
#ifndef RBTOP_UI_DRAW_WIDGETS_H
#define RBTOP_UI_DRAW_WIDGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/history.h"
#include "ring/log.h"
#include "samples/symbol.h"
#include "ui/draw/canvas.h"

/* Glyphs used in more than one place. */
enum glyph {
	GLYPH_FULL,		/* a cell of a bar */
	GLYPH_FREE,		/* a free cell of a ring */
	GLYPH_SHADE,		/* of a chart, between mean and peak */
	GLYPH_TICK,		/* the watermark */
	GLYPH_PEAK,		/* the peak in a bar */
	GLYPH_DOWN,		/* points down: sorted descending, head, tail */
	GLYPH_UP,
	GLYPH_LEFT,		/* more to the left */
	GLYPH_RIGHT,
	GLYPH_CUT,		/* in place of the middle of a name */
	GLYPH_RULE,		/* a horizontal line */
	GLYPH_RAIL,		/* of a scrollbar */
	GLYPH_THUMB,
	GLYPH_CURSOR,		/* the present position on a time line */
	GLYPH_DOT,		/* between two notes on a line */
	GLYPH_TAG,
	GLYPH_GONE,
	GLYPH_CAP_LEFT, GLYPH_CAP_RIGHT, /* the ends of a bar */
	GLYPH_CORNER_TL, GLYPH_CORNER_TR, GLYPH_CORNER_BL, GLYPH_CORNER_BR,
	GLYPH_SIDE,
	GLYPH_EDGE,		/* the left edge of a reversed box */
	GLYPHS
};

uint32_t widget_glyph(struct area a, enum glyph glyph);

/* The same as a string of UTF-8. */
const char *widget_glyph_text(struct area a, enum glyph glyph);

/*
 * The colour of a fill by ring_row_level(): LOW also where a ring is drained at
 * its watermark @mark; NAN: none.
 */
enum role widget_level(double fill, double mark);

/* One of 8 heights for @value of 0..@max; blank for NAN. */
uint32_t widget_spark_glyph(struct area a, double value, double max);

struct widget_bar {
	double fill;		/* 0..1; NAN: nothing is drawn */
	double peak;		/* 0..1; NAN: no mark */
	double mark;		/* the watermark, 0..1; NAN: no tick */
	enum role role;		/* ROLE_DEFAULT: by level, fill and peak each */
};

/*
 * Draw a bar of @width cells, including its two end caps.  The tick is reversed
 * on the filled part.
 */
void widget_bar(struct area a, int row, int col, int width,
		const struct widget_bar *bar);

/* A ring of @size bytes, of which @used bytes from @from on hold data, wrapping
 * at the end. */
struct widget_ring {
	uint64_t size;		/* never 0 */
	uint64_t from;		/* may be free-running */
	uint64_t used;
};

/* The cell of a position, which may be free-running. */
int widget_ring_cell(const struct widget_ring *ring, uint64_t position,
		     int cells);
/*
 * Whether the middle of a cell is in the used part.  The cell of ring->from
 * counts as used if any byte is, so that a small amount is visible.
 */
bool widget_ring_used(const struct widget_ring *ring, int cell, int cells);
/* Draw a ring in @width cells, including its two end caps. */
void widget_ring(struct area a, int row, int col, int width,
		 const struct widget_ring *ring, enum role role);

/*
 * Draw @width cells of history, the latest at the right.  @max is the value of
 * a full cell, 0 to scale by the largest value shown.  With ROLE_DEFAULT, cells
 * have the colours of fill bars with the watermark @mark.  @history may be
 * NULL.
 */
void widget_sparkline(struct area a, int row, int col, int width,
		      const struct history *history, double max, double mark,
		      enum role role);

/*
 * Draw a bar of a horizontal histogram: @value of @max over @width cells,
 * without caps.  A value above 0 fills at least an eighth of a cell, in ASCII a
 * cell.
 */
void widget_hbar(struct area a, int row, int col, int width, double value,
		 double max, enum role role);

/* Draw a scrollbar at the area's right edge if fewer than all @nr rows are
 * visible: @page of them, from row @top on. */
void widget_scrollbar(struct area a, size_t nr, size_t page, size_t top);

/*
 * Draw a blank box of @rows x @cols, or as large as fits, in the middle of @a,
 * with @title in its border.  Returns the area inside.
 */
struct area widget_popup(struct area a, int rows, int cols, const char *title);

/* Mark at the area's right edge that the text of @row is cut. */
void widget_more(struct area a, int row);

/*
 * Draw a note on the first row at @col, with a dot between it and the note
 * before; the first one starts at column 1.  A note that is cut is marked by
 * widget_more(); where there is room for words, it is cut between them.  Returns the column after it.
 */
int widget_note(struct area a, int col, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Draw a text from @row on, in lines of the area's width, at most @max of
 * them; a cut text is marked by widget_more().  Returns the row below, even if
 * that is outside the area.
 */
int widget_text(struct area a, int row, int max, enum role role,
		const char *text);

/* Draw a text on one line; a cut text ends with a whole word, so that it does
 * not say something else, and is marked by widget_more(). */
void widget_words(struct area a, int row, enum role role, const char *text);

/* Draw a heading: "Title ────────" over the whole width. */
void widget_heading(struct area a, int row, const char *title);

/* How a kind of symbol is shown, on all screens. */
struct widget_kind {
	char letter;		/* before a name: 'k' */
	enum role role;
	const char *name;	/* in a legend: "kernel" */
};
const struct widget_kind *widget_kind(enum symbol_kind kind);

/* How a kind of log entry is shown. */
struct widget_log {
	char letter;		/* before its name, or alone */
	enum role role;
	const char *help;
};
const struct widget_log *widget_log(enum log_kind kind);

/*
 * Give every match of @needle in @text ROLE_MATCH, case ignored; "" matches
 * nothing.  @text was drawn at the beginning of @row.  Returns whether a match
 * is visible.
 */
bool widget_mark(struct area a, int row, const char *text, const char *needle);

#endif
