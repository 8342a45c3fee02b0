/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Host view's own state and parts: host.c (the list, and the lines above
 * it) and host_listed.c (which rings are listed, the columns).
 */
#ifndef RBTOP_UI_VIEWS_HOST_HOST_H
#define RBTOP_UI_VIEWS_HOST_HOST_H

#include "host/table/host.h"
#include "ui/views/ring_cells.h"

enum {
	HOST_USERS = 64,	/* users to choose from */
};

struct host_view {
	struct listing list;
	bool refused;		/* the source does not read other rings */
	/* rings that are not listed, besides config->dummies: by key */
	bool hides_gone, by_user;
	uid_t uid;		/* with by_user: only those of this user */
	unsigned int kind;	/* 0: all; else 1 + enum ring_kind: only these */
	struct pick users;	/* popup that picks the user */
	uid_t uids[HOST_USERS];	/* in it, below "all users" */
	/* columns that have had something to show: they stay, so that the table
	 * does not change with each loss */
	bool wanted[FIGURES];
	int widths[FIGURES];	/* of names: the widest so far, likewise */
};

/* Whether the ring is listed: not hidden by a key, nor of another user. */
bool host_listed(const struct host_view *v, const struct ring_row *r);
/* The keys that hide rings, and the popup that picks a user while it is open.
 * False if @action is none of them. */
bool host_listed_action(struct host_view *v, const struct frame *frame,
			enum action action);
/* Draw the popup, if it is open. */
void host_listed_pick(struct host_view *v, const struct frame *frame,
		      struct area a);
/* A click while the popup is open. */
void host_listed_click(struct host_view *v, int row, int col);
/* Draw how many rings are not listed and why, with the keys that list them.
 * Returns the lines that took: 0 if nothing hides rings, else 1. */
int host_listed_notes(const struct host_view *v, const struct host *host,
		      struct area a);

/* For listing_ops. */
size_t host_columns(struct listing *l, int cols, struct list_column *columns);

/* Ask to begin, or to end, counting what BPF ring buffers drop. */
void host_count_drops(struct view *view, const struct frame *frame);

#endif
