/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen as cells in memory.  Views draw only here, so tests can check what a
 * user would see, including attributes.
 */
#ifndef RBTOP_UI_DRAW_CANVAS_H
#define RBTOP_UI_DRAW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROLE(id, ...) ROLE_##id,
enum role {
#include "ui/draw/theme.def"
	ROLES
};

struct cell {
	uint32_t ch;		/* Unicode; 0: the right half of a wide one */
	uint8_t role;		/* enum role */
	bool reverse;		/* on top of the role */
	bool selected;		/* on the background of the cursor's row */
};

struct canvas {
	int rows, cols;
	bool ascii;		/* draw with ASCII only */
	double history;	/* seconds that charts of the past show at
				 * least; 300 */
	struct cell *cells;	/* rows * cols */
	int cursor_row, cursor_col; /* -1: hidden */
};

/* A part of a canvas; coordinates within it start at 0, 0.  Plain data. */
struct area {
	struct canvas *canvas;
	int row, col, rows, cols;
};

/* More than any screen; a size from a terminal is untrusted. */
enum { CANVAS_MAX_ROWS = 1024, CANVAS_MAX_COLS = 4096 };

/* A blank canvas, at least 1 x 1, at most as above; NULL if out of memory. */
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
 * The same from @row on, in lines of at most the area's width, broken at
 * blanks.  Returns the row below the last line, even if it is outside the area.
 */
int area_wrapped(struct area a, int row, enum role role, const char *text);
/* Draw one character, if it fits. */
void area_put(struct area a, int row, int col, enum role role, uint32_t ch);
/* Fill a row from @col on with @ch. */
void area_fill(struct area a, int row, int col, int width, enum role role,
	       uint32_t ch);
/* Reverse @width columns of what is drawn in a row. */
void area_reverse(struct area a, int row, int col, int width);
/*
 * Put @width columns on the background of the cursor's row; their characters
 * and colours stay as they are.
 */
void area_select(struct area a, int row, int col, int width);
/* Change the role of @width columns; their characters stay as they are. */
void area_role(struct area a, int row, int col, int width, enum role role);

/* Encode a character as UTF-8, NUL-terminated; returns its bytes, 1 to 4. */
size_t canvas_utf8(uint32_t ch, char buf[5]);

#endif
