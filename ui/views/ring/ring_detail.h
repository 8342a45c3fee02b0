/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a ring's detail, each a page_part; @ring is a struct ring_row,
 * whoever owns the ring: parts of which nothing is known take no room.  None
 * minds where the screen ends, since the page they make is taller than the
 * screen and scrolls.
 */
#ifndef RBTOP_UI_VIEWS_RING_RING_DETAIL_H
#define RBTOP_UI_VIEWS_RING_RING_DETAIL_H

#include "ring/frame/frame.h"
#include "ui/kit/canvas.h"

/* ring_picture.c: the ring itself, with head, tail and watermark */
int ring_picture_draw(struct area a, int row, const void *ring);
/* the same of its AUX ring; nothing where there is none */
int ring_picture_aux(struct area a, int row, const void *ring);

/* ring_figures.c: numbers, the overwrite ring's reading, the advice */
int ring_figures_draw(struct area a, int row, const void *ring);
/* nothing without an AUX ring */
int ring_figures_aux(struct area a, int row, const void *ring);
int ring_figures_overwrite(struct area a, int row, const void *ring);
int ring_figures_advice(struct area a, int row, const void *ring);

/* ring_tables.c: what fills it */
int ring_tables_types(struct area a, int row, const void *ring);
int ring_tables_events(struct area a, int row, const void *ring);
int ring_tables_pids(struct area a, int row, const void *ring);

/* ring_charts.c: histograms and histories */
int ring_charts_fill(struct area a, int row, const void *ring);
int ring_charts_latency(struct area a, int row, const void *ring);
int ring_charts_history(struct area a, int row, const void *ring);

#endif
