/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/table/host_table_impl.h"

/* What a pass has of either kind: the key of the ring of item @i. */
typedef uint64_t key_fn(const struct host_pass *pass, size_t i);

static uint64_t event_key(const struct host_pass *pass, size_t i)
{
	return pass->events[i].ring;
}

static uint64_t holder_key(const struct host_pass *pass, size_t i)
{
	return pass->holders[i].ring;
}

/*
 * Sort the @nr items by ring, in the order of the pass: a count of each ring's,
 * sums of them, and each in its place.  @from has room for two more than there
 * are rings: from[i + 1] is where the next of ring i goes, and in the end
 * where ring i + 1 begins.
 */
static void sort(const struct host_groups *groups,
		 const struct host_pass *pass, size_t nr, key_fn *key,
		 uint32_t *items, uint32_t *from)
{
	uint32_t ring;

	memset(from, 0, (pass->nr_rings + 2) * sizeof(*from));
	for (size_t i = 0; i < nr; i++) {
		ring = host_map_get(&groups->rings, key(pass, i));
		if (ring != HOST_MAP_NONE)
			from[ring + 2]++;
	}
	for (size_t i = 2; i < pass->nr_rings + 2; i++)
		from[i] += from[i - 1];
	for (size_t i = 0; i < nr; i++) {
		ring = host_map_get(&groups->rings, key(pass, i));
		if (ring != HOST_MAP_NONE)
			items[from[ring + 1]++] = (uint32_t)i;
	}
}

static int make_room(struct host_groups *g, const struct host_pass *pass)
{
	size_t rings = pass->nr_rings + 2, room = g->room_rings;

	if (host_table_room(&g->event_from, &room, rings,
			    sizeof(*g->event_from)) != 0 ||
	    host_table_room(&g->holder_from, &g->room_rings, rings,
			    sizeof(*g->holder_from)) != 0 ||
	    host_table_room(&g->events, &g->room_events, pass->nr_events,
			    sizeof(*g->events)) != 0 ||
	    host_table_room(&g->holders, &g->room_holders, pass->nr_holders,
			    sizeof(*g->holders)) != 0)
		return -ENOMEM;
	return host_map_begin(&g->rings, pass->nr_rings);
}

int host_groups_make(struct host_groups *groups, const struct host_pass *pass)
{
	if (make_room(groups, pass) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < pass->nr_rings; i++)
		host_map_put(&groups->rings, pass->rings[i].key, (uint32_t)i);
	sort(groups, pass, pass->nr_events, event_key, groups->events,
	     groups->event_from);
	sort(groups, pass, pass->nr_holders, holder_key, groups->holders,
	     groups->holder_from);
	return 0;
}

void host_groups_free(struct host_groups *groups)
{
	host_map_free(&groups->rings);
	free(groups->events);
	free(groups->event_from);
	free(groups->holders);
	free(groups->holder_from);
}
