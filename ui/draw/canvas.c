/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/draw/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

struct canvas *canvas_new(int rows, int cols, bool ascii)
{
	struct canvas *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->rows = clamp(rows, 1, CANVAS_MAX_ROWS);
	c->cols = clamp(cols, 1, CANVAS_MAX_COLS);
	c->ascii = ascii;
	c->history = 300;
	c->cells = calloc((size_t)c->rows * (size_t)c->cols,
			  sizeof(*c->cells));
	if (!c->cells) {
		free(c);
		return NULL;
	}
	canvas_clear(c);
	return c;
}

void canvas_free(struct canvas *c)
{
	if (!c)
		return;
	free(c->cells);
	free(c);
}

void canvas_clear(struct canvas *c)
{
	size_t n = (size_t)c->rows * (size_t)c->cols;

	for (size_t i = 0; i < n; i++)
		c->cells[i] = (struct cell){ .ch = ' ', .role = ROLE_DEFAULT };
	c->cursor_row = -1;
	c->cursor_col = -1;
}

struct area canvas_area(struct canvas *c)
{
	return (struct area){ .canvas = c, .rows = c->rows, .cols = c->cols };
}

struct area area_sub(struct area a, int row, int col, int rows, int cols)
{
	int top = clamp(row, 0, a.rows);
	int left = clamp(col, 0, a.cols);
	int bottom = clamp(row + rows, top, a.rows);
	int right = clamp(col + cols, left, a.cols);

	return (struct area){ .canvas = a.canvas,
			      .row = a.row + top,
			      .col = a.col + left,
			      .rows = bottom - top,
			      .cols = right - left };
}

/* The cell at a position in the area; NULL outside it. */
static struct cell *area_cell(struct area a, int row, int col)
{
	size_t i;

	if (row < 0 || row >= a.rows || col < 0 || col >= a.cols)
		return NULL;
	i = (size_t)(a.row + row) * (size_t)a.canvas->cols +
	    (size_t)(a.col + col);
	return &a.canvas->cells[i];
}

/*
 * Called before a cell is overwritten: if it is half of a wide character, the
 * other half becomes blank.
 */
static void split_wide(struct area a, int row, int col)
{
	struct cell *row_start, *cell;
	int at = a.col + col;

	row_start = &a.canvas->cells[(size_t)(a.row + row) *
				     (size_t)a.canvas->cols];
	cell = &row_start[at];
	if (cell->ch == 0 && at > 0)
		row_start[at - 1].ch = ' ';
	if (at + 1 < a.canvas->cols && row_start[at + 1].ch == 0)
		row_start[at + 1].ch = ' ';
}

static void put_cell(struct area a, int row, int col, enum role role,
		     uint32_t ch)
{
	struct cell *cell = area_cell(a, row, col);

	if (!cell)
		return;
	split_wide(a, row, col);
	*cell = (struct cell){ .ch = ch, .role = (uint8_t)role };
}

/*
 * The character to draw for @ch, and its @width in columns: '?' for control
 * characters and, on an ASCII canvas, for all that is not ASCII.
 */
static uint32_t shown(const struct canvas *c, uint32_t ch, int *width)
{
	*width = 1;
	if (ch >= 0x20 && ch < 0x7f)
		return ch;
	if (c->ascii || ch < 0xa0 || ch > 0x10ffff)
		return '?';
	*width = wcwidth((wchar_t)ch);
	if (*width >= 0)
		return ch;
	*width = 1;
	return '?';
}

/* Draw one character; the columns it took, or -1 if it does not fit. */
static int put_char(struct area a, int row, int col, int end, enum role role,
		    uint32_t ch)
{
	int width;

	ch = shown(a.canvas, ch, &width);
	if (width > end - col)
		return -1;
	if (width > 0)
		put_cell(a, row, col, role, ch);
	if (width > 1) /* the left half is outside the area: a blank */
		put_cell(a, row, col + 1, role,
			 area_cell(a, row, col) ? 0 : ' ');
	return width;
}

int area_text(struct area a, int row, int col, int width, enum role role,
	      const char *text)
{
	int end = a.cols, at = col, used;
	unsigned int ch;
	size_t len;

	if (row < 0 || row >= a.rows)
		return 0;
	if (width > 0 && col < a.cols - width)
		end = col + width;
	while (at < end && (len = text_decode(text, &ch)) > 0) {
		used = put_char(a, row, at, end, role, ch);
		if (used < 0)
			break;
		at += used;
		text += len;
	}
	return at - col;
}

int area_printf(struct area a, int row, int col, enum role role,
		const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return area_text(a, row, col, 0, role, text);
}

int area_text_right(struct area a, int row, int col, enum role role,
		    const char *text)
{
	return area_text(a, row, col - text_width(text), 0, role, text);
}

/* Bytes of the first line of @text, at most @cols wide. */
static size_t line_len(const char *text, int cols)
{
	size_t len = text_prefix(text, cols), cut = len;

	if (!text[len])
		return len;
	while (cut && text[cut] != ' ')
		cut--;
	return cut ? cut : len;
}

int area_wrapped(struct area a, int row, enum role role, const char *text)
{
	size_t len;

	while (*text && (len = line_len(text, a.cols)) > 0) {
		area_printf(a, row++, 0, role, "%.*s", (int)len, text);
		text += len;
		text += strspn(text, " ");
	}
	return row;
}

void area_put(struct area a, int row, int col, enum role role, uint32_t ch)
{
	if (area_cell(a, row, col))
		put_char(a, row, col, a.cols, role, ch);
}

void area_fill(struct area a, int row, int col, int width, enum role role,
	       uint32_t ch)
{
	for (int i = 0; i < width && col + i < a.cols; i++)
		area_put(a, row, col + i, role, ch);
}

void area_reverse(struct area a, int row, int col, int width)
{
	for (int i = 0; i < width && col + i < a.cols; i++) {
		struct cell *cell = area_cell(a, row, col + i);

		if (cell)
			cell->reverse = true;
	}
}

void area_select(struct area a, int row, int col, int width)
{
	for (int i = 0; i < width && col + i < a.cols; i++) {
		struct cell *cell = area_cell(a, row, col + i);

		if (cell)
			cell->selected = true;
	}
}

void area_role(struct area a, int row, int col, int width, enum role role)
{
	for (int i = 0; i < width && col + i < a.cols; i++) {
		struct cell *cell = area_cell(a, row, col + i);

		if (cell)
			cell->role = (uint8_t)role;
	}
}

size_t canvas_utf8(uint32_t ch, char buf[5])
{
	size_t len = ch < 0x80 ? 1 : ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	buf[len] = '\0';
	for (size_t i = len - 1; i > 0; i--, ch >>= 6)
		buf[i] = (char)(0x80 | (ch & 0x3f));
	buf[0] = (char)(lead[len] | ch);
	return len;
}
