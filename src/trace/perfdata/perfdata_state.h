/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the writer of a perf.data file knows: plain data. */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_STATE_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/table.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_writer.h"

struct writer_event {
	const char *name;
	const struct perf_event_attr *attr;
	size_t leader;
	uint64_t *ids;
	size_t nr_ids, room_ids;
};

struct writer_dso {
	char *path;
	bool kernel;
	uint8_t id[PERFDATA_BUILD_ID];
	uint8_t id_size;
};

struct perfdata_writer {
	FILE *out;
	pthread_mutex_t lock;	/* held while records or trace are written */
	_Atomic uint64_t pos;	/* where the next byte goes */
	_Atomic int error;	/* the first one, -errno */
	struct writer_event *events;
	size_t nr_events;
	uint64_t data;		/* where records begin */
	uint64_t first, last;	/* time of samples */
	bool has_times;
	struct perfdata_section *traces;	/* AUXTRACE records */
	size_t nr_traces, room_traces;
	struct writer_dso **dsos;
	size_t nr_dsos, room_dsos;
	struct table by_path;	/* of dsos, by a hash of the path */
};

#endif
