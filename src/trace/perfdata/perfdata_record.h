/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record of a recording, decoded as far as rings are concerned, in this
 * machine's byte order.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_RECORD_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unknown.h"

/* Of records and ids whose event is not known. */
#define PERFDATA_NO_EVENT SIZE_MAX

enum perfdata_origin {
	PERFDATA_OF_NO_RING,	/* perf wrote it: /proc at the start, its own */
	PERFDATA_OF_SOME_RING,	/* the file does not say which */
	PERFDATA_OF_CPU,	/* the ring of a CPU */
	PERFDATA_OF_TASK,	/* a ring that follows a thread */
};

/* Flags newer than the oldest linux/perf_event.h that rbtop is built with. */
enum {
	PERFDATA_AUX_TRUNCATED = 1,
	PERFDATA_AUX_OVERWRITE = 2,
	PERFDATA_AUX_PARTIAL = 4,
	PERFDATA_AUX_COLLISION = 8,
	/* misc of LOST_SAMPLES: perf's own, for samples that BPF filtered */
	PERFDATA_MISC_FILTERED = 1 << 15,
};

struct perfdata_record {
	uint32_t type;		/* PERF_RECORD_*, PERFDATA_RECORD_* */
	uint16_t misc;
	uint64_t size;		/* bytes, without what follows AUXTRACE */
	unsigned int part;	/* N + 1 of data.N of a directory; else 0 */
	uint64_t offset;	/* in its file; for a decompressed record,
				 * that of the compressed one */
	const uint8_t *bytes;	/* @size bytes as they are in the file, until
				 * the next record; NULL: compressed data */
	enum perfdata_origin origin;
	uint32_t ring;		/* the CPU, or the thread */
	uint32_t cpu;		/* by its sample_id; UINT32_MAX: it has none */
	uint32_t pid;		/* of a SAMPLE; UINT32_MAX: it has none */
	size_t event;		/* of a SAMPLE, an index of
				 * perfdata_reader_event() */
	uint64_t time;		/* ns; UNKNOWN */
	uint64_t lost;		/* of LOST and LOST_SAMPLES; else 0 */
	uint64_t trace;		/* bytes of AUX and AUXTRACE; else 0 */
	uint64_t aux_flags;	/* of AUX: PERF_AUX_FLAG_* */
};

/*
 * "SAMPLE", "FINISHED_ROUND", ..., as perf report --stats prints it; NULL for a
 * type that perf has no name for.
 */
const char *perfdata_record_name(uint32_t type);

#endif
