/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reverse of side_band.h: records of tasks and mappings as the kernel would
 * have written them, for what was there before it began to.  All have the
 * sample_id trailer of RECORD_SAMPLE_TYPE, with time 0: they sort first.  Pure.
 */
#ifndef RBTOP_PERF_ABI_SIDE_BAND_MAKE_H
#define RBTOP_PERF_ABI_SIDE_BAND_MAKE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/side_band.h"

/* The longest that is made. */
enum { SIDE_BAND_MADE = 4096 + 256 };

/*
 * Each writes to @record, which is aligned to 8 and has SIDE_BAND_MADE bytes,
 * and returns the record's size.  Of a name longer than any path the beginning
 * is taken.
 */
size_t side_band_make_comm(void *record, pid_t pid, pid_t tid,
			   const char *comm);
/* FORK, of a thread of a process that has others. */
size_t side_band_make_fork(void *record, pid_t pid, pid_t ppid, pid_t tid,
			   pid_t ptid);
/* MMAP2 with an inode (where it has_inode) and @prot, @flags as in mmap(2). */
size_t side_band_make_mmap2(void *record, const struct side_band_map *map,
			    uint32_t prot, uint32_t flags);
/* MMAP of the kernel's text, which is no task's: pid -1, tid 0. */
size_t side_band_make_kernel(void *record, uint64_t start, uint64_t len,
			     uint64_t pgoff, const char *name);

#endif
