/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The colours of roles: which of a terminal's colours a scheme shows a role
 * with, from theme.def.  Pure; term_curses.c gives them to the terminal.
 */
#ifndef RBTOP_UI_DRAW_THEME_H
#define RBTOP_UI_DRAW_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/config.h"
#include "ui/draw/canvas.h"

/* The colours that a terminal has. */
enum theme_depth {
	THEME_NO_COLOURS,
	THEME_8,
	THEME_16,
	THEME_256,
	THEME_TRUE,		/* a colour's number is 0xRRGGBB */
	THEME_DEPTHS
};

enum theme_attr {
	THEME_NORMAL = 0,
	THEME_BOLD = 1 << 0,
	THEME_DIM = 1 << 1,
	THEME_UNDERLINE = 1 << 2,
	THEME_REVERSE = 1 << 3,
};

enum { THEME_OWN = -1 };	/* the terminal's own colour */

struct theme_style {
	int fg, bg;		/* a terminal's colours, THEME_OWN */
	unsigned int attr;	/* bits of enum theme_attr */
};

/* The depth of a terminal with @colours colours. */
enum theme_depth theme_depth(int colours);

/*
 * How @scheme shows @role, or, with @selected, @role in the cursor's row.
 * Without colours, or with the mono scheme, both colours are THEME_OWN.
 */
struct theme_style theme_style(enum config_scheme scheme, enum role role,
			       bool selected, enum theme_depth depth);

/*
 * The RGB of a colour of xterm's palette.  THEME_OWN is what @scheme expects:
 * the text of its background, or with @ground the background itself.
 */
uint32_t theme_rgb(enum config_scheme scheme, int colour, bool ground,
		   enum theme_depth depth);

/* The contrast of two RGB colours, 1 to 21 (WCAG 2.1, "contrast ratio"). */
double theme_contrast(uint32_t a, uint32_t b);

#endif
