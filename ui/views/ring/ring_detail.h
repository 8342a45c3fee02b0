/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a ring's detail, each a page_part; @ring is a struct ring_row,
 * of rbtop or another program.  A part of which nothing is known draws nothing.
 * Parts need not fit the screen, since the page scrolls.
 */
#ifndef RBTOP_UI_VIEWS_RING_RING_DETAIL_H
#define RBTOP_UI_VIEWS_RING_RING_DETAIL_H

#include "ring/frame/frame.h"
#include "ui/draw/canvas.h"
#include "ui/kit/page.h"

/* ring_detail.c: the ring's names and its state in the first row; returns 1 */
int ring_title_draw(struct area a, const struct ring_row *r,
		    struct detail *d);

/* ring_charts.c: the ring itself, with head, tail and watermark */
int ring_picture_draw(struct area a, int row, const void *ring);
/* the same for its AUX ring, if it has one */
int ring_picture_aux(struct area a, int row, const void *ring);
/* histograms and histories */
int ring_charts_fill(struct area a, int row, const void *ring);
int ring_charts_latency(struct area a, int row, const void *ring);
int ring_charts_history(struct area a, int row, const void *ring);

/* ring_detail.c: numbers, the advice */
int ring_figures_draw(struct area a, int row, const void *ring);
/* figures of the AUX ring, if it has one */
int ring_figures_aux(struct area a, int row, const void *ring);
int ring_figures_advice(struct area a, int row, const void *ring);

/* ring_tables.c: records by type, events, samples by process */
int ring_tables_types(struct area a, int row, const void *ring);
int ring_tables_events(struct area a, int row, const void *ring);
int ring_tables_pids(struct area a, int row, const void *ring);

#endif
