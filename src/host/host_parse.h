/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts records of the BPF iterators (host_records.h) to a pass.  An event,
 * ring or holder occurs once for each descriptor and mapping that leads to it;
 * the pass gets it once.
 *
 * A mapping of an event's user page alone, for reading a counter, is no ring.
 */
#ifndef RBTOP_HOST_HOST_PARSE_H
#define RBTOP_HOST_HOST_PARSE_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/table/host.h"

struct host_parse;

/*
 * Returns the name of an event, valid as long as the pass is used.
 * @tracepoint: the kernel's name, "sched:sched_switch", unsanitized.  NULL: not
 * a tracepoint, or without a name.
 */
typedef const char *host_name_fn(void *ctx, const struct perf_event_attr *attr,
				 const char *tracepoint);

/* NULL when out of memory. */
struct host_parse *host_parse_new(uint64_t page_size, host_name_fn *name,
				  void *ctx);
void host_parse_free(struct host_parse *parse);

/*
 * Start adding to @pass, which may already have contents.  It is cheap if @pass
 * is that of the previous call and nothing else has added to it; it may have
 * been cleared.  0 or -ENOMEM.
 */
int host_parse_begin(struct host_parse *parse, struct host_pass *pass);

/*
 * Add the records in @bytes.  Returns the size of the complete records (the
 * rest is the start of the next one), -EBADMSG if they are invalid, or -ENOMEM.
 */
ssize_t host_parse_records(struct host_parse *parse, const void *bytes,
			   size_t size);

#endif
