/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ticks as text have in common, whatever rings they are about. */
#ifndef RBTOP_EXPORT_TEXT_PUT_H
#define RBTOP_EXPORT_TEXT_PUT_H

#include <stdio.h>

#include "ring/figures.h"
#include "ring/frame/frame.h"

enum { TEXT_PUT_WIDTH = 80 };

/* When, how long, and what rbtop itself costs; then what is watched. */
void text_put_title(const struct frame *frame, FILE *out);

/* What was logged since the last tick. */
void text_put_log(const struct frame *frame, FILE *out);

/*
 * Sanitized text of any length: what does not fit behind @indent columns,
 * which are written already, goes on below, indented so.
 */
void text_put_wrapped(const char *text, int indent, FILE *out);

/*
 * A line of a table: the figures of @row, or without one their headers, with a
 * blank between them; texts to the left, numbers to the right.
 */
void text_put_figures(enum figure_list list, const struct ring_row *row,
		      FILE *out);

/*
 * "  WHO: " and the advice on the ring @nr, counting from 1, of those that lost
 * records: nothing beyond some, whose number text_put_more_advice() tells.
 */
void text_put_advice(const char *who, const struct advice *advice,
		     unsigned int nr, FILE *out);
void text_put_more_advice(unsigned int nr, FILE *out);

/* @text in exactly @width columns: cut, or blanks behind it. */
void text_put_padded(const char *text, int width, FILE *out);

#endif
