/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture: copies of the rows shown, and their sums. */
#ifndef RBTOP_HOST_TABLE_HOST_PICTURE_H
#define RBTOP_HOST_TABLE_HOST_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "host/table/host.h"
#include "host/table/host_rows.h"
#include "host/table/host_users.h"

/* Zeroed: none made yet. */
struct host_picture {
	struct host host;
	struct host_row_state **states;	/* of the rows */
	struct ring_event *events;
	struct host_evidence *evidence;
	size_t room_rows, room_events, room_evidence;
	struct table owners;	/* by pid */
};

/*
 * Make rows, users and total; the caller sets the status of @picture->host
 * before.  @page_size is the unit of -m.  Ends the tick of all rows.  0 or
 * -ENOMEM.
 */
int host_picture_make(struct host_picture *picture, struct host_rows *rows,
		      struct host_users *users, uint64_t page_size);
void host_picture_free(struct host_picture *picture);

#endif
