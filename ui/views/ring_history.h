/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charts of rings' past minutes: fill with the watermark, wakeups and losses.
 * They are a part of a ring's details, and a panel below a list of rings.
 */
#ifndef RBTOP_UI_VIEWS_RING_HISTORY_H
#define RBTOP_UI_VIEWS_RING_HISTORY_H

#include "ring/ring_row.h"
#include "ui/draw/canvas.h"
#include "ui/kit/listing.h"

/* Draw the charts of @r in the area, at least 2 rows.  With less than 8 it is
 * fill alone; else fill takes the rows that the others leave.  They cover
 * canvas->history, if that is kept; less than twice as much, unless one
 * tick per column is more. */
void ring_history_draw(struct area a, const struct ring_row *r);

/* The lines of @area that the panel takes below the list, which is updated and
 * has @above lines above it; 0: it is off, or there is no room. */
int ring_history_lines(const struct listing *l, struct area area, int above);

/* Draw the panel: charts of each tagged ring, else of all of the list if they
 * fit, else of the one under the cursor and as many after it as fit. */
void ring_history_panel(const struct listing *l, struct area a);

/* The key that shows and hides the panel; false for any other. */
bool ring_history_action(struct listing *l, enum action action);

#endif
