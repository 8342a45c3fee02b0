/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the formatters share. */
#ifndef RBTOP_EXPORT_ROW_H
#define RBTOP_EXPORT_ROW_H

#include <stdbool.h>
#include <stdio.h>

#include "ring/figures.h"
#include "ring/frame/frame.h"
#include "host/table/host.h"
#include "samples/hot_rows.h"

/* Why it has no samples, where frame->samples is NULL. */
const char *row_no_samples(const struct frame *frame);

/*
 * The hot functions of @frame since the start, by symbol, file and comm.  0;
 * -ENOENT where no samples are looked at; -ENOMEM.  Free with hot_rows_free.
 */
int row_hot(const struct frame *frame, struct hot_rows *rows);

/*
 * All rings of the machine, where it is they that are shown in place of rings
 * of rbtop's own; else NULL.
 */
const struct host *row_host(const struct frame *frame);

/*
 * Whether the figure is one of such a ring, and its value a number: of rounds
 * that may have gone by unseen there is none.
 */
bool row_tells(enum figure figure, const struct ring_row *row);

/* Flush.  0, or -errno if that or an earlier write failed. */
int row_flush(FILE *out);

#endif
