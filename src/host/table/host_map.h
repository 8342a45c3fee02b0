/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers found again by a 64-bit key: filled anew for each pass. */
#ifndef RBTOP_HOST_TABLE_HOST_MAP_H
#define RBTOP_HOST_TABLE_HOST_MAP_H

#include <stddef.h>
#include <stdint.h>

#define HOST_MAP_NONE UINT32_MAX

/* Plain data; empty when zeroed. */
struct host_map {
	struct host_map_slot *slots;
	size_t room;		/* slots: a power of two, or 0 */
};

/* Empty it, with room for @max keys.  0 or -ENOMEM: then it is empty. */
int host_map_begin(struct host_map *map, size_t max);
void host_map_free(struct host_map *map);

/*
 * Remember @value, which is not HOST_MAP_NONE, unless the key is there.  No
 * more keys than there is room for.
 */
void host_map_put(struct host_map *map, uint64_t key, uint32_t value);

/* HOST_MAP_NONE where there is none. */
uint32_t host_map_get(const struct host_map *map, uint64_t key);

#endif
