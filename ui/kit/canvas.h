/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen's worth of cells in memory.  Views draw here and nowhere else, so a
 * test can look at what a person would see, attributes included.
 */
#ifndef RBTOP_UI_KIT_CANVAS_H
#define RBTOP_UI_KIT_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define ROLE(id, ...) ROLE_##id,
enum role {
#include "ui/kit/theme.def"
	ROLES
};
#undef ROLE

struct cell {
	uint32_t ch;		/* Unicode; 0: the right half of a wide one */
	uint8_t role;		/* enum role */
	bool reverse;		/* on top of the role: cursor row, selection */
};

struct canvas {
	int rows, cols;
	bool ascii;		/* draw with ASCII alone */
	struct cell *cells;	/* rows * cols */
	int cursor_row, cursor_col; /* -1: hidden */
};

/* A part of a canvas; coordinates within it start at 0, 0.  Plain data. */
struct area {
	struct canvas *canvas;
	int row, col, rows, cols;
};

/* More than any screen; a terminal's size is not to be trusted either. */
enum { CANVAS_MAX_ROWS = 1024, CANVAS_MAX_COLS = 4096 };

/* At least 1 x 1, at most as above.  NULL when out of memory. */
struct canvas *canvas_new(int rows, int cols, bool ascii);
void canvas_free(struct canvas *c);
/* Blank every cell (ROLE_DEFAULT). */
void canvas_clear(struct canvas *c);
struct area canvas_area(struct canvas *c);

/* A part of @a, clipped to it. */
struct area area_sub(struct area a, int row, int col, int rows, int cols);

/*
 * Draw UTF-8 text, clipped at the area's right edge, at most @width columns
 * where @width > 0.  Control characters become '?', and so does all that is
 * not ASCII on an ASCII canvas.  Returns the columns drawn.
 */
int area_text(struct area a, int row, int col, int width, enum role role,
	      const char *text);
int area_printf(struct area a, int row, int col, enum role role,
		const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* The same, ending at column @col (exclusive). */
int area_text_right(struct area a, int row, int col, enum role role,
		    const char *text);
/*
 * The same in lines of at most the area's width, broken at blanks.  Returns the
 * row below the last one, whether or not the area has so many.
 */
int area_wrapped(struct area a, int row, enum role role, const char *text);
void area_put(struct area a, int row, int col, enum role role, uint32_t ch);
/* Fill a row from @col on with @ch. */
void area_fill(struct area a, int row, int col, int width, enum role role,
	       uint32_t ch);
/* Change the look of what is drawn: @width columns of a row. */
void area_reverse(struct area a, int row, int col, int width);
void area_role(struct area a, int row, int col, int width, enum role role);

/* Encode a character, NUL terminated; returns its bytes, 1 to 4. */
size_t canvas_utf8(uint32_t ch, char buf[5]);

/*
 * Write the canvas as text, a line per row without trailing blanks; with
 * @attributes, below each row a line of one letter per cell (theme.def's),
 * upper case where reversed, '.' for the default role ('R' where reversed),
 * without trailing dots.
 */
void canvas_dump(const struct canvas *c, bool attributes, FILE *out);

#endif
