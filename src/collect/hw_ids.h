/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest PERF_RECORD_AUX_OUTPUT_HW_ID of each event on each CPU.  The kernel
 * writes such a record once, when the event first runs there, and without it
 * CoreSight trace cannot be assigned to a CPU (Linux 6.3 and newer;
 * drivers/hwtracing/coresight/coresight-etm-perf.c, etm_event_start()): it has
 * to be kept however old it is.
 */
#ifndef RBTOP_COLLECT_HW_IDS_H
#define RBTOP_COLLECT_HW_IDS_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/record.h"

enum { HW_ID_RECORD = sizeof(struct perf_event_header) + 8 + RECORD_TRAILER };

struct hw_id {
	uint64_t id;		/* of the event */
	uint32_t cpu;
	uint64_t hw_id;		/* as the driver has it */
	uint64_t time;		/* ns of the session's clock */
	_Alignas(uint64_t) unsigned char record[HW_ID_RECORD];
};

/* Zeroed: empty.  By id, then by CPU. */
struct hw_ids {
	struct hw_id *ids;
	size_t nr, room;
};

/*
 * Keep @record (@size bytes, a sane header) in the place of an older one.  0;
 * -EINVAL for a record of another size than all events of rbtop have; -ENOMEM
 * where there is no memory, or there are 65536 of them.
 */
int hw_ids_put(struct hw_ids *ids, const void *record, size_t size);
void hw_ids_free(struct hw_ids *ids);

#endif
