/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_map.h"

#include <errno.h>
#include <stdlib.h>

#include "base/units.h"

struct host_map_slot {
	uint64_t key;
	uint32_t value;		/* HOST_MAP_NONE: free */
};

int host_map_begin(struct host_map *map, size_t max)
{
	/* Half of them stay free, so that a search ends soon. */
	size_t room = (size_t)units_round_pow2(2 * (uint64_t)max + 2);
	struct host_map_slot *slots = map->slots;

	if (room > map->room) {
		slots = calloc(room, sizeof(*slots));
		free(map->slots);
		map->slots = slots;
		map->room = slots ? room : 0;
	}
	for (size_t i = 0; i < map->room; i++)
		map->slots[i].value = HOST_MAP_NONE;
	return slots ? 0 : -ENOMEM;
}

void host_map_free(struct host_map *map)
{
	free(map->slots);
	*map = (struct host_map){ 0 };
}

/* Where @key is or belongs. */
static struct host_map_slot *find(const struct host_map *map, uint64_t key)
{
	uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(hash ^ hash >> 32) & (map->room - 1);

	while (map->slots[at].value != HOST_MAP_NONE &&
	       map->slots[at].key != key)
		at = (at + 1) & (map->room - 1);
	return &map->slots[at];
}

void host_map_put(struct host_map *map, uint64_t key, uint32_t value)
{
	struct host_map_slot *slot = find(map, key);

	if (slot->value == HOST_MAP_NONE)
		*slot = (struct host_map_slot){ .key = key, .value = value };
}

uint32_t host_map_get(const struct host_map *map, uint64_t key)
{
	return map->room ? find(map, key)->value : HOST_MAP_NONE;
}
