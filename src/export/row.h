/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions shared by formatters. */
#ifndef RBTOP_EXPORT_ROW_H
#define RBTOP_EXPORT_ROW_H

#include <stdbool.h>
#include <stdio.h>

#include "ring/figures.h"
#include "ring/frame/frame.h"
#include "host/table/host.h"
#include "samples/hot_rows.h"

/* Why there are no samples, if frame->samples is NULL. */
const char *row_no_samples(const struct frame *frame);

struct samples;

/* Whether hot rows are also by the field that Hot groups by at first; then the
 * symbol of an event is always the same. */
bool row_hot_by_field(const struct samples *samples);
/*
 * The hot functions of @frame since the start, by symbol, file and comm, and
 * if Hot groups by a field at first, by that and by event.  0;
 * -ENOENT if samples are not collected; -ENOMEM.  Free with hot_rows_free.
 */
int row_hot(const struct frame *frame, struct hot_rows *rows);

/*
 * All rings of the machine, if they are shown instead of rbtop's own rings;
 * else NULL.
 */
const struct host *row_host(const struct frame *frame);

/* The rings that are shown: those, or rbtop's own; *@nr of them. */
const struct ring_row *row_rings(const struct frame *frame, size_t *nr);

/*
 * Whether a ring of this kind has the figure as a number; not if it is a bound
 * because wraps may have been missed.
 */
bool row_has(enum figure figure, const struct ring_row *row);

/* Flush.  0, or -errno if that or an earlier write failed. */
int row_flush(FILE *out);

#endif
