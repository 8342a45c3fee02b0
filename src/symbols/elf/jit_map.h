/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-PID.map: what a JIT says its code is called.  The file lies in a
 * directory that anybody may write to, so it must belong to the process'
 * user, be a plain file and no link.  A slice of it is read in a call, the
 * rest in those that follow; no more once it turns out to be noise.  Where
 * what it says takes @max_bytes, all of that is forgotten, and the lines that
 * follow have the room.
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
 * The map of @pid as seen below @proc ("/proc"): its pid in its own namespace,
 * in the tmp directory of the root of @via, which is @pid itself or a child
 * that outlived it.  It belongs to whom @via runs as, or root.  0 with *@out;
 * -errno where there is none or it is not to be trusted (-EPERM).
 */
int jit_map_open(const char *proc, pid_t pid, pid_t via, size_t max_bytes,
		 struct jit_map **out);
void jit_map_free(struct jit_map *map);

/*
 * Read what was appended since; where the file was cut or replaced by another,
 * all of it.  The bytes read, JIT_MAP_SLICE where there may be more; or -errno
 * with what there is kept.
 */
ssize_t jit_map_refresh(struct jit_map *map);

/* The function at @addr, an address of the process.  NULL for none. */
const char *jit_map_find(struct jit_map *map, uint64_t addr,
			 struct names *names, uint64_t *start);
size_t jit_map_bytes(const struct jit_map *map);
/* It has more names than there was room for: the first of them are gone. */
bool jit_map_cut(const struct jit_map *map);

#endif
