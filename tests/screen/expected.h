/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expected screens.  A screen is a file in expected/: for each row a line of
 * "|" and the text, without trailing blanks; if looks are compared, below it a
 * line of ":" and a letter per cell, as canvas_dump() writes them.
 */
#ifndef RBTOP_TESTS_EXPECTED_H
#define RBTOP_TESTS_EXPECTED_H

#include "ui/draw/canvas.h"

enum { EXPECTED_TEXT, EXPECTED_LOOKS };

/*
 * Compare what is drawn, without the last blank rows, with expected/@name.txt.
 * If it differs, the test fails and prints a diff.  A canvas with room below
 * what is drawn lets that grow by a row and leaves the test as it is.
 *
 * With RBTOP_SCREENS=write in the environment, which is what "make screens"
 * sets, the file is written instead.
 */
void assert_screen(const struct canvas *c, int looks, const char *name);
/* The same of @rows rows, or as many as there are, from @row on. */
void assert_screen_rows(const struct canvas *c, int row, int rows, int looks,
			const char *name);

/* The same with a few rows as canvas_dump() writes them, in the test itself. */
void assert_rows(const struct canvas *c, int looks, const char *expected);

#endif
