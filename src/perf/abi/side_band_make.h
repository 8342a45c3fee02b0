/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reverse of side_band.h: makes records of tasks and mappings as the kernel
 * would have written them, for what existed before recording started.  All have
 * the sample_id trailer of RECORD_SAMPLE_TYPE, with time 0, so that they sort
 * first.  Pure.
 */
#ifndef RBTOP_PERF_ABI_SIDE_BAND_MAKE_H
#define RBTOP_PERF_ABI_SIDE_BAND_MAKE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/side_band.h"

/* The size of the longest record made here, in bytes. */
enum { SIDE_BAND_MADE = 4096 + 256 };

/*
 * Each writes to @record, which is aligned to 8 and has SIDE_BAND_MADE bytes,
 * and returns the record's size.  Names are cut to 4095 bytes.
 */
size_t side_band_make_comm(void *record, pid_t pid, pid_t tid,
			   const char *comm);
/* FORK, for a further thread of a process. */
size_t side_band_make_fork(void *record, pid_t pid, pid_t ppid, pid_t tid,
			   pid_t ptid);
/* MMAP2 with an inode (if has_inode) and @prot, @flags as in mmap(2). */
size_t side_band_make_mmap2(void *record, const struct side_band_map *map,
			    uint32_t prot, uint32_t flags);
/* MMAP of the kernel's text, which belongs to no task: pid -1, tid 0. */
size_t side_band_make_kernel(void *record, uint64_t start, uint64_t len,
			     uint64_t pgoff, const char *name);

#endif
