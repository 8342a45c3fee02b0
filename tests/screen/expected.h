/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a canvas is to show.  A screen stands in a file of expected/: for each
 * row a line of "|" and the text, without trailing blanks; where the looks
 * matter, below it a line of ":" and a letter for each cell, as canvas_dump()
 * writes them.
 */
#ifndef RBTOP_TESTS_EXPECTED_H
#define RBTOP_TESTS_EXPECTED_H

#include "ui/kit/canvas.h"

enum { EXPECTED_TEXT, EXPECTED_LOOKS };

/*
 * Compare rows with expected/@name.txt: as many as there are in the file, from
 * the first one on, or from @row on.  If they differ, the test fails and prints
 * a diff.
 *
 * With RBTOP_SCREENS=write in the environment, which is what "make screens"
 * sets, the file gets what is on the canvas: as many rows as it had, or all
 * but the last blank ones if it is new.
 */
void assert_screen(const struct canvas *c, int looks, const char *name);
void assert_screen_from(const struct canvas *c, int row, int looks,
			const char *name);

/* The same with a few rows as canvas_dump() writes them, in the test itself. */
void assert_rows(const struct canvas *c, int looks, const char *expected);

#endif
