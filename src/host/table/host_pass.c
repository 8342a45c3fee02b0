/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_pass.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

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

/* One more of @size bytes at the end of *@items, zeroed. */
static void *add(void **items, size_t *nr, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : FIRST_ROOM;
	void *grown;

	if (*nr == *room) {
		grown = reallocarray(*items, more, size);
		if (!grown)
			return NULL;
		*items = grown;
		*room = more;
	}
	return memset((char *)*items + (*nr)++ * size, 0, size);
}

#define ADD(pass, what)                                            \
	do {                                                       \
		void *items = (pass)->what;                        \
		void *added = add(&items, &(pass)->nr_##what,      \
				  &(pass)->room_##what,            \
				  sizeof(*(pass)->what));          \
		(pass)->what = items;                              \
		return added;                                      \
	} while (0)

struct host_pass_event *host_pass_add_event(struct host_pass *pass)
{
	ADD(pass, events);
}

struct host_pass_ring *host_pass_add_ring(struct host_pass *pass)
{
	ADD(pass, rings);
}

struct host_pass_holder *host_pass_add_holder(struct host_pass *pass)
{
	ADD(pass, holders);
}

struct host_pass_limit *host_pass_add_limit(struct host_pass *pass)
{
	ADD(pass, limits);
}
