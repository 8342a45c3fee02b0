/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the detail of one of the machine's rings, each a page_part;
 * @detail is a struct host_detail_page.
 */
#ifndef RBTOP_UI_VIEWS_HOST_HOST_DETAIL_H
#define RBTOP_UI_VIEWS_HOST_HOST_DETAIL_H

#include "ring/frame.h"
#include "host/table/host.h"
#include "ui/kit/canvas.h"

struct host_detail_page {
	const struct host *host;
	const struct host_row *row;
	/* Its place in the list as that stood when the detail was opened, from
	 * 1 on, and of how many; 0: in none. */
	size_t place, of;
	/* The same as if it were a ring of rbtop's own, as far as it goes:
	 * what draws those draws this one too. */
	struct frame_ring ring;
};

/* host_blocks.c: what is wrong, in words; numbers, bounds named as such */
int host_blocks_warnings(struct area a, int row, const void *detail);
int host_blocks_draw(struct area a, int row, const void *detail);
int host_blocks_aux(struct area a, int row, const void *detail);

/* host_parts.c: who writes into it, who holds it, whose memory it is */
int host_parts_events(struct area a, int row, const void *detail);
int host_parts_holders(struct area a, int row, const void *detail);
int host_parts_user(struct area a, int row, const void *detail);

#endif
