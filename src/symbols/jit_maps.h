/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JIT maps of all processes: opened when the first address without a file
 * comes, read on a little at a time, and bounded together.
 */
#ifndef RBTOP_SYMBOLS_JIT_MAPS_H
#define RBTOP_SYMBOLS_JIT_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct jit_maps;
struct names;
struct process;
struct process_map;
struct process_table;

/* @proc as of jit_map_open(); at most @limit bytes.  NULL: no memory. */
struct jit_maps *jit_maps_new(const char *proc, struct process_table *table,
			      struct names *names, size_t limit);
void jit_maps_free(struct jit_maps *j);

/*
 * The function at @addr in @map of @p: by its own map, else by that of the
 * process that mapped it, which fork(2) may have left behind.  NULL, or the
 * name, its start and *@dso, the map's path.  @now (ns): a map is not looked
 * at for news all the time.
 */
const char *jit_maps_find(struct jit_maps *j, struct process *p,
			  const struct process_map *map, uint64_t addr,
			  uint64_t now, uint64_t *start, const char **dso);

/*
 * Begin to look for new code, and other code at addresses that had a name.
 * Where all the maps have grown too large together, some are let go.
 */
void jit_maps_round(struct jit_maps *j);
/* Go on with that until @until (s); true while there is more to do. */
bool jit_maps_go_on(struct jit_maps *j, uint64_t now, double until);

/* As of the last round, and what was opened since. */
size_t jit_maps_bytes(const struct jit_maps *j);
/* Maps with more names than there was room for, as of the last round. */
size_t jit_maps_cut(const struct jit_maps *j);

#endif
