/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charts of values over time, the newest at the right, from one row up.  With
 * braille a cell shows two values in four levels, with blocks and ASCII one in
 * eight.  0 is the lowest level, an unknown value (NAN) is blank, and anything
 * above 0 is higher than 0.
 */
#ifndef RBTOP_UI_DRAW_CHART_H
#define RBTOP_UI_DRAW_CHART_H

#include <stddef.h>

#include "ui/draw/canvas.h"

enum chart_style {
	CHART_BRAILLE,
	CHART_BLOCKS,		/* ASCII on an ASCII canvas */
};

enum {
	CHART_LABEL = 8,	/* columns of the labels at the left */
	CHART_MAX = 480,	/* values: no wider chart is drawn */
};

struct chart {
	enum chart_style style;
	const double *values;
	const double *means;	/* solid up to these, dotted above, up to
				 * values; NULL: solid up to values */
	const enum role *roles;	/* of each value; NULL: @role */
	size_t nr;		/* of values; the newest ones that fit are
				 * drawn */
	double top;		/* value at the upper edge; 0: all are 0 */
	double line;		/* value of a line across; NAN: none */
	enum role role;
	const char *top_text;	/* label of the upper edge, with its unit */
	const char *name;	/* below it */
	const char *none;	/* in place of values if none is known */
};

/* Braille, unless the canvas is ASCII. */
enum chart_style chart_style(struct area a);
/* How many values fit in @cols columns without labels, at most CHART_MAX. */
size_t chart_values(enum chart_style style, int cols);
/* The same with labels. */
size_t chart_labelled_values(enum chart_style style, int cols);

/* The largest known value; 0 if there is none. */
double chart_max(const double *values, size_t nr);

/* Draw without labels: the values fill the area. */
void chart_plot(struct area a, const struct chart *c);
/* Draw with labels at the left. */
void chart_draw(struct area a, const struct chart *c);
/*
 * Below it: "5m00 ago" where values begin, @seconds ago (0: unknown), and "now".
 * @empty: the part of the width at the left that has no values.
 */
void chart_axis(struct area a, int row, double seconds, double empty);

#endif
