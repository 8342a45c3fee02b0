/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-PID.map: the names that a JIT gives to its code.  The file is in a
 * directory that anyone can write to, so it must belong to the process' user
 * and be a regular file, not a link.  Each call reads a slice of it; reading
 * stops if it turns out to be noise.  When the names reach @max_bytes, all are
 * dropped, and the following lines use the space.
 */
#ifndef RBTOP_SYMBOLS_ELF_JIT_MAP_H
#define RBTOP_SYMBOLS_ELF_JIT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { JIT_MAP_SLICE = 256 << 10 };	/* bytes */

struct jit_map;
struct names;

/*
 * Open the map of @pid as seen below @proc ("/proc"): its name has the pid in
 * the process' own namespace, and it is in the tmp directory of the root of
 * @via, which is @pid itself or a child that outlived it.  It must belong to
 * the user of @via, or root.  0 with *@out; -errno if there is none, or it is
 * not trusted (-EPERM).
 */
int jit_map_open(const char *proc, pid_t pid, pid_t via, size_t max_bytes,
		 struct jit_map **out);
/*
 * The same of a process in a recording that was written at @written (s of the
 * wall clock), from rbtop's own /tmp/perf-@pid.map.  It must belong to rbtop's
 * user or root, and not have been created later: -EPERM.  All of it is read, and
 * it is not to be refreshed.
 */
int jit_map_open_recorded(pid_t pid, int64_t written, size_t max_bytes,
			  struct jit_map **out);
void jit_map_free(struct jit_map *map);

/*
 * Read what was appended since the last call; all, if the file was truncated or
 * replaced.  Returns the bytes read, JIT_MAP_SLICE if there may be more; or
 * -errno, when the names are kept.
 */
ssize_t jit_map_refresh(struct jit_map *map);

/* The function at @addr, an address in the process; NULL: none. */
const char *jit_map_find(struct jit_map *map, uint64_t addr,
			 struct names *names, uint64_t *start);
size_t jit_map_bytes(const struct jit_map *map);
/* Whether names were dropped at the limit. */
bool jit_map_cut(const struct jit_map *map);

#endif
