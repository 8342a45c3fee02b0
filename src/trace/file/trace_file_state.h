/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a trace file.  Plain data. */
#ifndef RBTOP_TRACE_FILE_TRACE_FILE_STATE_H
#define RBTOP_TRACE_FILE_TRACE_FILE_STATE_H

#include <linux/perf_event.h>
#include <stdatomic.h>

#include "trace/file/ring_view.h"
#include "trace/file/trace_file.h"
#include "trace/file/trace_records.h"
#include "trace/perfdata/perfdata_writer.h"

struct trace_file {
	struct trace_file_from from;
	char *path;
	struct new_file *file;
	struct new_file *beside;	/* NULL: not needed, or not created
					 * yet */
	_Atomic uint64_t beside_bytes;
	new_file_between_fn *between;
	void *between_ctx;
	bool checkpoints;		/* trace_file_checkpoint() is allowed */
	struct perfdata_event *events;	/* the session's, then the side-band */
	size_t nr_events;
	struct perf_event_attr side_band;
	struct perfdata_writer *writer;	/* NULL: not begun */
	struct build_ids *build_ids;
	struct trace_records records;
	uint64_t round;			/* records.newest at the previous
					 * round */
};

#endif
