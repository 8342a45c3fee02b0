/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AUX view's own state and parts: aux.c (keys, mouse, how the screen is
 * divided), aux_rings.c (a row per AUX ring), aux_snapshots.c (a row per
 * snapshot) and aux_status.c (triggers, history, recording; what to do where
 * there is nothing to show).
 */
#ifndef RBTOP_UI_VIEWS_AUX_AUX_H
#define RBTOP_UI_VIEWS_AUX_AUX_H

#include "ring/snapshots.h"
#include "ui/kit/list.h"
#include "ui/kit/list_columns.h"
#include "ui/kit/tags.h"
#include "ui/kit/view.h"
#include "ui/kit/widgets.h"

/* Of the two lists, where the cursor is. */
enum aux_part { AUX_RINGS, AUX_SNAPSHOTS, AUX_PARTS };

enum {
	AUX_GUTTER = 3,		/* left of the rings' columns */
};

struct aux_view {
	struct view view;
	enum aux_part part;
	struct list lists[AUX_PARTS];
	size_t *rings;		/* by row: those that have an AUX ring */
	size_t nr_rings;
	size_t capacity;	/* of it */
	struct tags tags;
	uint64_t number;	/* of the snapshot under the cursor, which
				 * stays on it; 0: it stays on the newest */
	bool detail;		/* that snapshot's is open */
	int first[AUX_PARTS];	/* line of the area where their rows begin */
};

/* What is said where tracing was not stopped yet, so that no head is known. */
#define AUX_NEVER_STOPPED \
	"the kernel tells where the head stands when tracing stops, which " \
	"it has not yet: r stops it for a reading"

/* Take in the frame's rings before drawing. */
void aux_rings_update(struct aux_view *v, const struct frame *frame);
/* Lines that all of it would take. */
int aux_rings_need(const struct aux_view *v, bool roomy);
/* A header, a row per ring and, where it is @roomy, their sum and the ring
 * under the cursor in words. */
void aux_rings_draw(struct aux_view *v, const struct frame *frame,
		    struct area a, bool roomy);
/* The frame's ring at the cursor, LIST_NONE. */
size_t aux_rings_current(const struct aux_view *v);

/* What an AUX ring holds, as far as that is known, and how it looks. */
struct widget_ring aux_rings_shown(const struct ring_aux *x);
enum role aux_rings_role(const struct ring_row *r);

/* The same of the snapshots, whose heading is there where it is @roomy. */
void aux_snapshots_update(struct aux_view *v, const struct frame *frame);
int aux_snapshots_need(const struct frame *frame, bool roomy);
void aux_snapshots_draw(struct aux_view *v, const struct frame *frame,
			struct area a, bool roomy);
/* The cursor was moved: it stays on that snapshot. */
void aux_snapshots_placed(struct aux_view *v, const struct frame *frame);
/* The one at the cursor; NULL: there is none. */
const struct snapshot_info *aux_snapshots_current(const struct aux_view *v,
						  const struct frame *frame);
/* Everything about it, in a popup. */
void aux_snapshots_detail(const struct aux_view *v, const struct frame *frame,
			  struct area a);

/* Lines of what is armed, kept and recorded: all of them, or the one where
 * there is not much room. */
int aux_status_need(const struct frame *frame, bool roomy);
void aux_status_draw(const struct frame *frame, struct area a, bool roomy);
/*
 * Instead of the rings: what can be saved, or what traces and how to start it.
 * The row below.
 */
int aux_status_no_rings(const struct shell *shell,
			const struct frame *frame, struct area a);

#endif
