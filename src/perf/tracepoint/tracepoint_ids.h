/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of tracepoints by their ids.  tracefs only has the ids by name, so all
 * of them are read at once: some 2000 files, 10-30 ms.
 */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEPOINT_IDS_H
#define RBTOP_PERF_TRACEPOINT_TRACEPOINT_IDS_H

#include <stdint.h>

struct tracepoint_ids;

/* Empty.  NULL when out of memory. */
struct tracepoint_ids *tracepoint_ids_new(void);
void tracepoint_ids_free(struct tracepoint_ids *ids);

/* Read them again.  0 or -errno, such as -EACCES, with the table unchanged. */
int tracepoint_ids_read(struct tracepoint_ids *ids, const char *tracefs);

/* "sched:sched_switch", valid until they are read again; NULL: no such id. */
const char *tracepoint_ids_name(const struct tracepoint_ids *ids, uint64_t id);

#endif
