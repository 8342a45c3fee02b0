/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that perf makes up itself, for what was there before the recording
 * (tools/perf/util/synthetic-events.c).  All have the sample_id trailer of
 * RECORD_SAMPLE_TYPE, with time 0: they sort first.
 */
#ifndef RBTOP_TRACE_PERFDATA_SYNTH_H
#define RBTOP_TRACE_PERFDATA_SYNTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/session/perf_clock.h"
#include "perf/abi/side_band.h"

struct perfdata_machine;
struct perfdata_writer;

/* The longest that synth_comm() and synth_mmap2() make. */
enum { SYNTH_RECORD = 4096 + 256 };

/* COMM.  Returns the size of the record at @record, aligned to 8. */
size_t synth_comm(void *record, pid_t pid, pid_t tid, const char *comm);
/*
 * MMAP2 with an inode (where it has_inode) and @prot, @flags as in mmap(2).
 * Of a name longer than any path the beginning is taken.
 */
size_t synth_mmap2(void *record, const struct side_band_map *map,
		   uint32_t prot, uint32_t flags);
/* FORK, of a thread of a process that has others. */
size_t synth_fork(void *record, pid_t pid, pid_t ppid, pid_t tid, pid_t ptid);

/* Straight into a file; 0 or -errno. */
/* MMAPs of the kernel's text and of its modules, as far as they are known. */
int synth_kernel(struct perfdata_writer *w,
		 const struct perfdata_machine *machine);
int synth_time_conv(struct perfdata_writer *w,
		    const struct perf_time_conv *conv);
struct synth_id {
	uint64_t id, idx;
	int cpu, tid;		/* -1: all */
};
/* As many records as it takes; nothing for no ids. */
int synth_id_index(struct perfdata_writer *w, const struct synth_id *ids,
		   size_t nr);
/* -E2BIG for more @words than a record holds: 8189. */
int synth_auxtrace_info(struct perfdata_writer *w, uint32_t type,
			const uint64_t *priv, size_t words);
int synth_finished_round(struct perfdata_writer *w);

#endif
