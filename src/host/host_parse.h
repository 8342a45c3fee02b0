/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of the BPF iterators (host_records.h) made into what a pass
 * found.  One event, ring or holder comes as often as descriptors and mappings
 * lead to it; the pass gets it once.
 *
 * A mapping of an event's user page alone, as counters are read with, is no
 * ring.
 */
#ifndef RBTOP_HOST_HOST_PARSE_H
#define RBTOP_HOST_HOST_PARSE_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/table/host_pass.h"

struct host_parse;

/*
 * The name of an event; it has to live as long as the pass is used.
 * @tracepoint: what the kernel itself calls it, "sched:sched_switch"; the bytes
 * may be any.  NULL: it is none, or has no name there.
 */
typedef const char *host_name_fn(void *ctx, const struct perf_event_attr *attr,
				 const char *tracepoint);

/* NULL when out of memory. */
struct host_parse *host_parse_new(uint64_t page_size, host_name_fn *name,
				  void *ctx);
void host_parse_free(struct host_parse *parse);

/*
 * Begin to add to @pass, which may hold things already.  It costs little to go
 * on with the pass of last time, to which only this has added since; it may
 * have been cleared.  0 or -ENOMEM.
 */
int host_parse_begin(struct host_parse *parse, struct host_pass *pass);

/*
 * Take in the records in @bytes.  Returns how many bytes those are that were
 * whole (the rest begins the next record), -EBADMSG where they make no sense,
 * or -ENOMEM.
 */
ssize_t host_parse_records(struct host_parse *parse, const void *bytes,
			   size_t size);

#endif
