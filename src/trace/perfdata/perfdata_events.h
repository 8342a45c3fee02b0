/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a recording: which id belongs to which event and ring, and
 * where ids, times and CPUs are in the records that they wrote.  Nothing in the
 * file is trusted: what exceeds a limit is refused.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_EVENTS_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_EVENTS_H

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/table.h"
#include "perf/abi/record.h"
#include "perf/abi/sample.h"
#include "trace/perfdata/perfdata_record.h"

enum {
	PERFDATA_EVENTS_MAX = 1 << 16,
	PERFDATA_IDS_MAX = 1 << 20,
	PERFDATA_NAME_SIZE = 96,
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
	size_t nr_ids, ids_room;
	struct table by_id;
	uint64_t last_id;	/* the id of ids[last], a cache */
	size_t last;
	bool have_last;
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
