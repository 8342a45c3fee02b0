/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of the detail of another program's ring, in addition to those of
 * ring_detail.h; each is a page_part.  @ring is a struct ring_row.
 */
#ifndef RBTOP_UI_VIEWS_HOST_HOST_DETAIL_H
#define RBTOP_UI_VIEWS_HOST_HOST_DETAIL_H

#include "host/table/host.h"
#include "ui/draw/canvas.h"

struct host_detail_page {
	const struct host *host;
	const struct ring_row *row;
};

/* warnings, as text */
int host_parts_warnings(struct area a, int row, const void *ring);
/* processes that hold the ring */
int host_parts_holders(struct area a, int row, const void *ring);
/* BPF programs that use the ring's map; nothing if it has none */
int host_parts_programs(struct area a, int row, const void *ring);
/* pinned memory and the user's limits; @detail is a struct host_detail_page */
int host_parts_user(struct area a, int row, const void *detail);

#endif
