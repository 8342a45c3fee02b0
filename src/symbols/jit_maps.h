/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JIT maps of all processes: opened at the first address without a file,
 * read in slices, with a common memory limit.
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

/* @proc as in jit_map_open(); at most @limit bytes.  NULL: out of memory. */
struct jit_maps *jit_maps_new(const char *proc, struct process_table *table,
			      struct names *names, size_t limit);
void jit_maps_free(struct jit_maps *j);

/*
 * The function at @addr in @map of @p: from the map of @p, else from that of
 * the process that mapped it, if @p inherited the mapping by fork(2).  Returns
 * the name, with its start and *@dso, the map's path; or NULL.  @now (ns)
 * limits how often a map is checked for new lines.
 */
const char *jit_maps_find(struct jit_maps *j, struct process *p,
			  const struct process_map *map, uint64_t addr,
			  uint64_t now, uint64_t *start, const char **dso);

/*
 * Start to look for new code, and for other code at known addresses.  If all
 * maps together have become too large, some are dropped.
 */
void jit_maps_round(struct jit_maps *j);
/* Continue the round until @until (s); true if there is more to do. */
bool jit_maps_go_on(struct jit_maps *j, uint64_t now, double until);

/* At the last round, plus what was opened since. */
size_t jit_maps_bytes(const struct jit_maps *j);
/* Maps whose names were cut at the limit, at the last round. */
size_t jit_maps_cut(const struct jit_maps *j);

#endif
