/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of text ticks, for all kinds of rings. */
#ifndef RBTOP_EXPORT_TEXT_PUT_H
#define RBTOP_EXPORT_TEXT_PUT_H

#include <stdio.h>

#include "ring/figures.h"
#include "ring/frame/frame.h"

enum { TEXT_PUT_WIDTH = 80 };

/* Time, duration and rbtop's own cost; then what is monitored. */
void text_put_title(const struct frame *frame, FILE *out);

/* The log entries since the last tick. */
void text_put_log(const struct frame *frame, FILE *out);

/* Write lines, those longer than TEXT_PUT_WIDTH in parts. */
void text_put_wrapped(const char *text, FILE *out);

/*
 * A line of a table: the figures of @row, or headers if it is NULL, separated
 * by blanks; texts left-aligned, numbers right-aligned.
 */
void text_put_figures(enum figure_list list, const struct ring_row *row,
		      FILE *out);

/*
 * Write "SUBJECT: " and the advice on ring @nr, counted from 1, of those that
 * lost records; 0: on all rings.  @how introduces its setting, which is left out
 * if @how is NULL.  Beyond a limit nothing is written; text_put_more_advice()
 * writes how many.
 */
void text_put_advice(const char *subject, const struct advice *advice,
		     const char *how, unsigned int nr, FILE *out);
void text_put_more_advice(unsigned int nr, FILE *out);

/*
 * Write @text with exactly @width columns, padded, or cut with a + at its end,
 * as in ps.
 */
void text_put_padded(const char *text, int width, FILE *out);

#endif
