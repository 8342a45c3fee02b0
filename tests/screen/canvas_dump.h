/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A canvas as text. */
#ifndef RBTOP_TESTS_SCREEN_CANVAS_DUMP_H
#define RBTOP_TESTS_SCREEN_CANVAS_DUMP_H

#include <stdbool.h>
#include <stdio.h>

#include "ui/draw/canvas.h"

/*
 * Write the canvas as text, a line per row without trailing blanks; with
 * @attributes, below each row a line of one letter per cell (theme.def's),
 * upper case where reversed, '.' for the default role ('R' where reversed, '_'
 * where selected), without trailing dots.
 */
void canvas_dump(const struct canvas *c, bool attributes, FILE *out);

#endif
