/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pieces that screens are drawn with: bars, sparklines, histograms,
 * scrollbars, boxes.  Each has an ASCII form, used where the canvas says so.
 * No state is told by colour alone: levels differ in glyph or length too.
 */
#ifndef RBTOP_UI_KIT_WIDGETS_H
#define RBTOP_UI_KIT_WIDGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/history.h"
#include "samples/symbol.h"
#include "ui/kit/canvas.h"
#include "ui/kit/list.h"

/* Glyphs that stand in more than one place. */
enum glyph {
	GLYPH_FULL,		/* a cell of a bar */
	GLYPH_FREE,		/* a cell of a ring that is free */
	GLYPH_TICK,		/* the watermark */
	GLYPH_PEAK,		/* how far it went */
	GLYPH_DOWN,		/* points down: sorted descending, head */
	GLYPH_UP,
	GLYPH_LEFT,		/* more to the left */
	GLYPH_RIGHT,
	GLYPH_RULE,		/* a horizontal line */
	GLYPH_RAIL,		/* of a scrollbar */
	GLYPH_THUMB,
	GLYPH_DOT,		/* between two notes on a line */
	GLYPH_TAG,
	GLYPH_GONE,
	GLYPH_CAP_LEFT, GLYPH_CAP_RIGHT, /* the ends of a bar */
	GLYPH_CORNER_TL, GLYPH_CORNER_TR, GLYPH_CORNER_BL, GLYPH_CORNER_BR,
	GLYPH_SIDE,
	GLYPH_EDGE,		/* of a box that is reversed */
	GLYPHS
};

uint32_t widget_glyph(struct area a, enum glyph glyph);

/* The same as UTF-8 for format strings. */
const char *widget_glyph_text(struct area a, enum glyph glyph);

/* BAR_LOW below half full, BAR_MID, BAR_HIGH from 80 % on; NAN is LOW. */
enum role widget_level(double fill);

/* One of 8 heights for @value of 0..@max; blank for NAN. */
uint32_t widget_spark_glyph(struct area a, double value, double max);

struct widget_bar {
	double fill;		/* 0..1; NAN: nothing is drawn */
	double peak;		/* 0..1; NAN: no mark */
	double tick;		/* 0..1; NAN: no tick */
	enum role role;		/* ROLE_DEFAULT: the level's, of fill and peak */
};

/*
 * A bar of @width cells, its two end caps included, coloured by its level.
 * The tick stands out from the filled part by being reversed there.
 */
void widget_bar(struct area a, int row, int col, int width,
		const struct widget_bar *bar);

/* A ring as what it is: bytes from 0 to its size, some of which hold
 * something; these may go round the end. */
struct widget_ring {
	uint64_t size;		/* never 0 */
	uint64_t from;		/* where what it holds begins */
	uint64_t used;		/* bytes of that */
};

/* The cell of a position, which may be free running. */
int widget_ring_cell(const struct widget_ring *ring, uint64_t position,
		     int cells);
/*
 * Whether the middle of a cell holds something; the cell where that begins
 * counts as well, so that little is not nothing.
 */
bool widget_ring_used(const struct widget_ring *ring, int cell, int cells);
/* @width cells, its two end caps included. */
void widget_ring(struct area a, int row, int col, int width,
		 const struct widget_ring *ring, enum role role);

/*
 * @width cells of history, the latest at the right.  @max is the value of a
 * full cell, 0 to scale by the largest one on screen.  With @levels, cells
 * have the colours of fill bars; else all are @role.
 */
void widget_sparkline(struct area a, int row, int col, int width,
		      const struct history *history, double max, bool levels,
		      enum role role);

/*
 * A line of a horizontal histogram: a bar for @value of @max over @width
 * cells, without caps.  A value above 0 shows at least as a sliver.
 */
void widget_hbar(struct area a, int row, int col, int width, double value,
		 double max, enum role role);

/* At the area's right edge, where not all rows are in view. */
void widget_scrollbar(struct area a, const struct list *list);

/*
 * A box of @rows x @cols in the middle of @a (as large as fits), blank, with
 * @title in its border.  Returns the area inside.
 */
struct area widget_popup(struct area a, int rows, int cols, const char *title);

/* At the area's right edge: what stands there goes on. */
void widget_more(struct area a, int row);

/*
 * A note on the first row at @col, with a dot between it and the one before;
 * the first one starts at column 1.  One that is cut says so.  Returns the
 * column behind it.
 */
int widget_note(struct area a, int col, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A heading: "Title ────────" over the whole width. */
void widget_heading(struct area a, int row, const char *title);

/* "12:34:56" of unix time, in the local zone. */
char *widget_clock(char *buf, size_t size, double seconds);

/* How the kinds of symbols look everywhere. */
struct widget_kind {
	char letter;		/* before a name: 'k' */
	enum role role;
	const char *name;	/* in a legend: "kernel" */
};
const struct widget_kind *widget_kind(enum symbol_kind kind);

/*
 * Mark in ROLE_MATCH where @needle ("": nowhere) is found in @text, which was
 * drawn at the beginning of @row; case is ignored.
 */
void widget_mark(struct area a, int row, const char *text, const char *needle);

#endif
