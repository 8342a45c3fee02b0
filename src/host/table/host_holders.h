/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes that hold a row's ring, and which of them owns it. */
#ifndef RBTOP_HOST_TABLE_HOST_HOLDERS_H
#define RBTOP_HOST_TABLE_HOST_HOLDERS_H

#include "host/table/host_match.h"

/* Set the holders from ring @i; @self is rbtop's pid.  0 or -ENOMEM. */
int host_holders_take(const struct host_match *match,
		      struct host_row_state *state, size_t i, pid_t self);

/* Store the first holders in @row, starting with the owner. */
void host_holders_list(const struct host_row_state *state,
		       struct ring_row *row);

#endif
