/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write records that perf synthesizes itself
 * (tools/perf/util/synthetic-events.c).  Those of tasks are made by
 * task/task_history.h.
 */
#ifndef RBTOP_TRACE_PERFDATA_SYNTH_H
#define RBTOP_TRACE_PERFDATA_SYNTH_H

#include <stddef.h>
#include <stdint.h>

#include "perf/abi/perf_clock.h"

struct perfdata_machine;
struct perfdata_writer;

/* All return 0 or -errno. */
/* MMAPs of the kernel's text and of its modules, as far as known. */
int synth_kernel(struct perfdata_writer *w,
		 const struct perfdata_machine *machine);
int synth_time_conv(struct perfdata_writer *w,
		    const struct perf_time_conv *conv);
struct synth_id {
	uint64_t id, idx;
	int cpu, tid;		/* -1: all */
};
/* Writes as many records as needed; none without ids. */
int synth_id_index(struct perfdata_writer *w, const struct synth_id *ids,
		   size_t nr);
/* -E2BIG if @words exceeds 8189, the limit of a record. */
int synth_auxtrace_info(struct perfdata_writer *w, uint32_t type,
			const uint64_t *priv, size_t words);
int synth_finished_round(struct perfdata_writer *w);

#endif
