/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/draw/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "ui/draw/widgets.h"

enum {
	DOTS = 4,		/* levels of a cell: of braille */
	EIGHTHS = 8,		/* of blocks and ASCII */
};

/* What is drawn in one column of values. */
struct column {
	int solid, dotted;	/* levels from the lower edge; 0: unknown */
	enum role role;
};

enum chart_style chart_style(struct area a)
{
	return a.canvas->ascii ? CHART_BLOCKS : CHART_BRAILLE;
}

size_t chart_values(enum chart_style style, int cols)
{
	size_t nr = cols > 0 ? (size_t)cols : 0;

	nr *= style == CHART_BRAILLE ? 2 : 1;
	return nr < CHART_MAX ? nr : CHART_MAX;
}

size_t chart_labelled_values(enum chart_style style, int cols)
{
	return chart_values(style, cols - CHART_LABEL - 1);
}

double chart_max(const double *values, size_t nr)
{
	double max = 0;

	for (size_t i = 0; i < nr; i++)
		max = fmax(max, values[i]);
	return max;
}

/* The level of a value, from 1 to @levels: 1 is 0 alone.  0: unknown. */
static int level_of(double value, double top, int levels)
{
	int level;

	if (isnan(value))
		return 0;
	if (value <= 0)
		return 1;
	if (value >= top)
		return levels;
	level = 1 + (int)ceil(value / top * (levels - 1) - 1e-6);
	return level < 2 ? 2 : level;
}

/* Column @i of @nr that are as many as fit; the values end at the right. */
static struct column column_at(const struct chart *c, size_t i, size_t nr,
			       int levels)
{
	struct column column = { .role = ROLE_DIM };
	size_t at;

	if (i + c->nr < nr)
		return column;
	at = i + c->nr - nr;
	column.dotted = column.solid = level_of(c->values[at], c->top, levels);
	if (c->means)
		column.solid = level_of(c->means[at], c->top, levels);
	if (column.dotted > 1)
		column.role = c->roles ? c->roles[at] : c->role;
	return column;
}

/* The level of the line across; 0: there is none. */
static int line_level(const struct chart *c, int levels)
{
	return c->line > 0 && c->line <= c->top ?
		       level_of(c->line, c->top, levels) : 0;
}

/* Braille */

/* The dots of @column in the cell above level @base, as bits from below. */
static unsigned int dots_of(const struct column *column, size_t x, int base)
{
	unsigned int dots = 0;

	for (int i = 0; i < DOTS; i++) {
		int level = base + i + 1;
		bool dotted = level <= column->dotted &&
			      (level == column->dotted ||
			       ((size_t)level + x) % 2 == 0);

		if (level <= column->solid || dotted)
			dots |= 1u << i;
	}
	return dots;
}

/* U+2800 and a bit for each dot, in an order of its own. */
static uint32_t braille(unsigned int left, unsigned int right)
{
	static const uint8_t bits[2][DOTS] = {
		{ 0x40, 0x04, 0x02, 0x01 }, { 0x80, 0x20, 0x10, 0x08 },
	};
	uint32_t ch = 0x2800;

	for (int i = 0; i < DOTS; i++) {
		ch |= left >> i & 1 ? bits[0][i] : 0u;
		ch |= right >> i & 1 ? bits[1][i] : 0u;
	}
	return ch;
}

/* The role of a cell with two values: the more important one. */
static enum role loudest(enum role x, enum role y)
{
	if (x == ROLE_BAD || y == ROLE_DIM)
		return x;
	return y;
}

static void put_braille(struct area a, int row, int col,
			const struct column pair[2], int line)
{
	int base = (a.rows - 1 - row) * DOTS;
	unsigned int left = dots_of(&pair[0], 0, base);
	unsigned int right = dots_of(&pair[1], 1, base);
	unsigned int across = line > base && line <= base + DOTS ?
				      1u << (line - base - 1) : 0;
	enum role role = loudest(left ? pair[0].role : ROLE_DIM,
				 right ? pair[1].role : ROLE_DIM);

	if (!left && !right)
		role = ROLE_TICK;
	if (left | right | across)
		area_put(a, row, col, role,
			 braille(left | across, right | across));
}

static void plot_braille(struct area a, const struct chart *c)
{
	int levels = a.rows * DOTS, line = line_level(c, levels);
	size_t nr = chart_values(CHART_BRAILLE, a.cols);

	for (int col = 0; col < a.cols; col++) {
		struct column pair[2];

		for (size_t i = 0; i < 2; i++)
			pair[i] = column_at(c, 2 * (size_t)col + i, nr,
					    levels);
		for (int row = 0; row < a.rows; row++)
			put_braille(a, row, col, pair, line);
	}
}

/* Blocks and ASCII */

/* @eighths of a cell, 1 to 8. */
static uint32_t block(struct area a, int eighths)
{
	return a.canvas->ascii ? (uint32_t)"_.-:=+*#"[eighths - 1] :
				 0x2580 + (uint32_t)eighths;
}

/* 0: nothing.  Where both heights end in the cell, the peak is drawn. */
static uint32_t block_of(struct area a, const struct column *column, int base)
{
	int solid = column->solid - base, dotted = column->dotted - base;

	if (solid >= EIGHTHS)
		return block(a, EIGHTHS);
	if (dotted > 0 && dotted <= EIGHTHS && (solid > 0 || !base))
		return block(a, dotted);
	if (solid > 0)
		return block(a, solid);
	return dotted > 0 ? widget_glyph(a, GLYPH_SHADE) : 0;
}

static void plot_blocks(struct area a, const struct chart *c)
{
	int levels = a.rows * EIGHTHS, line = line_level(c, levels);
	size_t nr = chart_values(CHART_BLOCKS, a.cols);

	for (int col = 0; col < a.cols; col++) {
		struct column column = column_at(c, (size_t)col, nr, levels);

		for (int row = 0; row < a.rows; row++) {
			int base = (a.rows - 1 - row) * EIGHTHS;
			uint32_t ch = block_of(a, &column, base);

			if (ch)
				area_put(a, row, col, column.role, ch);
			else if (line > base && line <= base + EIGHTHS)
				area_put(a, row, col, ROLE_TICK,
					 widget_glyph(a, GLYPH_RULE));
		}
	}
}

static bool any_known(const struct chart *c, size_t nr)
{
	for (size_t i = c->nr > nr ? c->nr - nr : 0; i < c->nr; i++) {
		if (!isnan(c->values[i]))
			return true;
	}
	return false;
}

void chart_plot(struct area a, const struct chart *c)
{
	size_t nr = chart_values(c->style, a.cols);
	int cols = c->style == CHART_BRAILLE ? (int)(nr / 2) : (int)nr;

	a = area_sub(a, 0, a.cols - cols, a.rows, cols);
	if (c->none && !any_known(c, nr))
		area_text(a, a.rows / 2, 1, 0, ROLE_DIM, c->none);
	else if (c->style == CHART_BRAILLE)
		plot_braille(a, c);
	else
		plot_blocks(a, c);
}

void chart_draw(struct area a, const struct chart *c)
{
	int left = CHART_LABEL + 1;

	area_text_right(a, 0, CHART_LABEL, ROLE_DEFAULT, c->top_text);
	if (a.rows > 1)
		area_text_right(a, 1, CHART_LABEL, ROLE_LABEL, c->name);
	if (a.rows > 2)
		area_text_right(a, a.rows - 1, CHART_LABEL, ROLE_DIM, "0");
	for (int row = 0; row < a.rows; row++)
		area_put(a, row, CHART_LABEL, ROLE_DIM,
			 widget_glyph(a, GLYPH_RAIL));
	chart_plot(area_sub(a, 0, left, a.rows, a.cols - left), c);
}

void chart_axis(struct area a, int row, double seconds, double empty)
{
	int left = CHART_LABEL + 1 +
		   (int)(empty * (double)(a.cols - CHART_LABEL - 1));
	char text[16], age[8];

	units_duration(age, sizeof(age), seconds);
	snprintf(text, sizeof(text), "%s ago", age);
	if (seconds > 0 && left + (int)strlen(text) + 4 < a.cols)
		area_text(a, row, left, 0, ROLE_DIM, text);
	area_text_right(a, row, a.cols, ROLE_DIM, "now");
}
