/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts that the detail of another program's ring has beside those in
 * ring_detail.h, each a page_part.
 */
#ifndef RBTOP_UI_VIEWS_HOST_HOST_DETAIL_H
#define RBTOP_UI_VIEWS_HOST_HOST_DETAIL_H

#include "host/table/host.h"
#include "ui/kit/canvas.h"

struct host_detail_page {
	const struct host *host;
	const struct ring_row *row;
	/* Its place in the list as that stood when the detail was opened, from
	 * 1 on, and of how many; 0: in none. */
	size_t place, of;
};

/* what is wrong, in words */
int host_parts_warnings(struct area a, int row, const void *ring);
/* who writes into it, who holds it, whose memory it is */
int host_parts_events(struct area a, int row, const void *ring);
int host_parts_holders(struct area a, int row, const void *ring);
/* of a struct host_detail_page */
int host_parts_user(struct area a, int row, const void *detail);

#endif
