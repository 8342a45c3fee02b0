/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest PERF_RECORD_AUX_OUTPUT_HW_ID of each event on each CPU.  The
 * kernel writes such a record once, when the event first runs there (Linux 6.3
 * and newer; etm_event_start() in
 * drivers/hwtracing/coresight/coresight-etm-perf.c).  Without it CoreSight
 * trace cannot be assigned to a CPU, so it is kept regardless of its age.
 */
#ifndef RBTOP_TASK_HW_IDS_H
#define RBTOP_TASK_HW_IDS_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/abi/record.h"
#include "perf/abi/side_band.h"

enum { HW_ID_RECORD = sizeof(struct perf_event_header) + 8 + RECORD_TRAILER };

struct hw_id {
	uint64_t id;		/* of the event */
	uint32_t cpu;
	uint64_t hw_id;		/* as written by the driver */
	uint64_t time;		/* ns of the session's clock */
	_Alignas(uint64_t) unsigned char record[HW_ID_RECORD];
};

/* Sorted by id, then by CPU.  Zeroed: empty. */
struct hw_ids {
	struct hw_id *ids;
	size_t nr, cap;
};

/*
 * Keep @record, which was decoded to @r, replacing an older one of the same
 * event and CPU.  0; -EINVAL if it is not of the size that the events
 * of rbtop have; -ENOMEM if out of memory, or if there are 65536 records.
 */
int hw_ids_put(struct hw_ids *ids, const struct side_band *r,
	       const void *record);
void hw_ids_free(struct hw_ids *ids);

#endif
