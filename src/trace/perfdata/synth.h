/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that perf makes up itself (tools/perf/util/synthetic-events.c),
 * straight into a file.  Those of tasks come from task/task_history.h.
 */
#ifndef RBTOP_TRACE_PERFDATA_SYNTH_H
#define RBTOP_TRACE_PERFDATA_SYNTH_H

#include <stddef.h>
#include <stdint.h>

#include "perf/abi/perf_clock.h"

struct perfdata_machine;
struct perfdata_writer;

/* Each: 0 or -errno. */
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
