/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the formatters share. */
#ifndef RBTOP_EXPORT_ROW_H
#define RBTOP_EXPORT_ROW_H

#include <stdio.h>

#include "model/frame.h"

/*
 * The total as if it were one ring, labelled "total": so that its counters
 * are written by the code that writes a ring's.
 */
void row_total(const struct frame_total *total, struct frame_ring *row);

/* Flush.  0, or -errno if that or an earlier write failed. */
int row_flush(FILE *out);

#endif
