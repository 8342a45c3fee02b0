/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_pass.h"

#include <stdlib.h>

#include "base/array.h"

void host_pass_clear(struct host_pass *pass)
{
	struct host_pass old = *pass;

	*pass = (struct host_pass){
		.events = old.events, .room_events = old.room_events,
		.rings = old.rings, .room_rings = old.room_rings,
		.holders = old.holders, .room_holders = old.room_holders,
		.limits = old.limits, .room_limits = old.room_limits,
	};
}

void host_pass_free(struct host_pass *pass)
{
	free(pass->events);
	free(pass->rings);
	free(pass->holders);
	free(pass->limits);
	*pass = (struct host_pass){ 0 };
}

struct host_pass_event *host_pass_add_event(struct host_pass *pass)
{
	return array_add(pass->events, pass->nr_events, pass->room_events);
}

struct host_pass_ring *host_pass_add_ring(struct host_pass *pass)
{
	return array_add(pass->rings, pass->nr_rings, pass->room_rings);
}

struct host_pass_holder *host_pass_add_holder(struct host_pass *pass)
{
	return array_add(pass->holders, pass->nr_holders, pass->room_holders);
}

struct host_pass_limit *host_pass_add_limit(struct host_pass *pass)
{
	return array_add(pass->limits, pass->nr_limits, pass->room_limits);
}
