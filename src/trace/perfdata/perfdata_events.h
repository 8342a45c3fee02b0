/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records and events of a recording: which id belongs to which event and
 * ring, and where ids, times and CPUs are in the records that they wrote.
 * Nothing in the file is trusted: what exceeds a limit is refused.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_EVENTS_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_EVENTS_H

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/table.h"
#include "base/unknown.h"
#include "perf/abi/record.h"
#include "perf/abi/sample.h"

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

/*
 * A record, decoded as far as rings are concerned, in this machine's byte
 * order.
 */
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

enum {
	PERFDATA_EVENTS_MAX = 1 << 16,
	PERFDATA_IDS_MAX = 1 << 20,
	PERFDATA_NAME_SIZE = 96,
	PERFDATA_RECENT_IDS = 64,
};

/*
 * The order of bytes in the file.  @swapped: it is not this machine's; @big:
 * most significant byte first.
 */
struct perfdata_order {
	bool swapped, big;
};

#define PERFDATA_GET(bits)						    \
	static inline uint##bits##_t perfdata_get##bits(		    \
		struct perfdata_order order, const uint8_t *at)		    \
	{								    \
		uint##bits##_t value;					    \
									    \
		memcpy(&value, at, sizeof(value));			    \
		return order.swapped ? bswap_##bits(value) : value;	    \
	}
PERFDATA_GET(16)
PERFDATA_GET(32)
PERFDATA_GET(64)
#undef PERFDATA_GET

/*
 * Offsets of fields in bytes: from the start of a SAMPLE, from the end of all
 * other records.  0: it is not there.
 */
struct perfdata_fields {
	uint16_t id, tid, time, cpu;
	uint16_t size;		/* of the fields up to here */
	bool whole;		/* of a SAMPLE: it has id, tid and time */
};

struct perfdata_event_info {
	uint32_t type;		/* of the perf_event_attr */
	uint64_t config;
	struct sample_layout layout;
	uint64_t period;		/* of each sample; 0: it varies */
	bool inherit, sample_id_all;
	bool build_ids;			/* see struct side_band_layout */
	struct perfdata_fields sample, trailer;
	char name[PERFDATA_NAME_SIZE];	/* as in the file, sanitized; "": none */
};

/* An id: of which event, and in which ring, as ID_INDEX has it. */
struct perfdata_id_info {
	size_t event;		/* or PERFDATA_NO_EVENT */
	int32_t cpu, tid;	/* -1: none */
};

/* Zeroed, with @order set: no events. */
struct perfdata_events {
	struct perfdata_order order;
	struct perfdata_event_info *list;
	size_t nr, room;
	struct perfdata_id_info *ids;
	size_t nr_ids, ids_cap;
	size_t of_cpus, of_tasks;	/* as ID_INDEX has them */
	struct table by_id;
	/* what is needed of a SAMPLE: a cache, as ids are mostly consecutive */
	struct perfdata_recent_id {
		uint64_t id;
		size_t event;
		enum perfdata_origin origin;
		int32_t ring;	/* -1: the CPU in the sample */
		struct perfdata_fields sample;	/* not whole: none is here */
	} recent[PERFDATA_RECENT_IDS];	/* by id */
};

void perfdata_events_free(struct perfdata_events *e);

/*
 * Add the event of the attr at @attr, of @size bytes (at least
 * PERF_ATTR_SIZE_VER0), and the @nr ids that follow at @ids.  0, -EFBIG over a
 * limit, or -ENOMEM.
 */
int perfdata_events_add(struct perfdata_events *e, const uint8_t *attr,
			size_t size, const uint8_t *ids, size_t nr);

/* Name the event of an id.  An unknown id is ignored. */
void perfdata_events_name_id(struct perfdata_events *e, uint64_t id,
			     const uint8_t *name, size_t size);
/* Name event @i, if there is one. */
void perfdata_events_name(struct perfdata_events *e, size_t i,
			  const uint8_t *name, size_t size);

/* Take over an ID_INDEX of @size bytes.  As for adding events. */
int perfdata_events_index(struct perfdata_events *e, const uint8_t *record,
			  size_t size);

/*
 * Fill what is decoded of @record: type, misc, size, offset and bytes are set.
 * What its size is too small for is unknown.
 */
void perfdata_events_decode(struct perfdata_events *e,
			    struct perfdata_record *record);

/* Bytes of the longest record that perfdata_events_copy() makes. */
enum { PERFDATA_COPY_MAX = (1 << 16) + RECORD_TRAILER };

/*
 * Copy the decoded @record to @copy, of PERFDATA_COPY_MAX bytes, in this
 * machine's byte order: a SAMPLE with the layout of its event, another record
 * that side_band_known() with the trailer of side_band_own, whatever the file
 * has.  In a file of the other order, PERF_SAMPLE_RAW is as it was.
 *
 * Returns the size of the copy; 0 if the record is of another type, its event
 * is not known, or the kernel writes none of that size.
 */
size_t perfdata_events_copy(const struct perfdata_events *e,
			    const struct perfdata_record *record,
			    uint64_t *copy);

#endif
