/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AUX view's own state and parts: aux.c (keys, mouse, how the screen is
 * divided, the lines below the lists), aux_rings.c (a row per AUX ring) and
 * aux_snapshots.c (a row per snapshot).
 */
#ifndef RBTOP_UI_VIEWS_AUX_AUX_H
#define RBTOP_UI_VIEWS_AUX_AUX_H

#include "ring/reading.h"
#include "ui/draw/widgets.h"
#include "ui/views/ring_cells.h"

/* The list that has the cursor. */
enum aux_part { AUX_RINGS, AUX_SNAPSHOTS };

struct aux_rings {
	struct listing list;
	bool roomy;		/* there is room for totals */
};

struct aux_view {
	struct view view;
	enum aux_part part;
	struct aux_rings rings;
	struct listing snapshots;
};

/* The text about a ring whose head is not known, since tracing was not stopped
 * yet. */
#define AUX_NEVER_STOPPED \
	"the kernel publishes the head when tracing stops, which has not " \
	"happened yet: r stops it to read the head"

/* The same of a recording. */
#define AUX_OF_RECORDS \
	"a recording does not show where in the AUX ring its trace was"

/* See listing_init(). */
void aux_rings_init(struct aux_rings *v, const struct view *view);
/* Lines that the whole list takes: a header, a row per ring and, if @roomy,
 * totals and a text about the ring under the cursor. */
int aux_rings_need(const struct aux_rings *v, bool roomy);
/* Draw in the first @lines lines of the view's area @a. */
void aux_rings_draw(struct aux_rings *v, struct area a, int lines, bool roomy);

/* The used part of an AUX ring, as far as it is known, and its role. */
struct widget_ring aux_rings_shown(const struct ring_aux *x);
enum role aux_rings_role(const struct ring_row *r);

void aux_snapshots_init(struct listing *l, const struct view *view);
/* The same for the snapshots, with a heading if @roomy; drawn in @a without its
 * first @above and its last @below lines. */
int aux_snapshots_need(const struct listing *l, bool roomy);
void aux_snapshots_draw(struct listing *l, struct area a, int above, int below,
			bool roomy);

#endif
