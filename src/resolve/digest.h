/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes records: side-band updates the process table; a sample is decoded,
 * named, counted in the hot table and listed in the feed; context switches are
 * listed but not counted.
 *
 * Called by the resolver thread; functions marked "any thread" may be called
 * concurrently by another thread.
 */
#ifndef RBTOP_RESOLVE_DIGEST_H
#define RBTOP_RESOLVE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "resolve/resolver_thread.h"
#include "collect/drain/sample_queue.h"

struct digest;
struct sample_filter;

/* Takes ownership of what @opts says, unless it fails: NULL, out of memory. */
struct digest *digest_new(const struct resolver_thread_opts *opts);
void digest_free(struct digest *d);

/* Process a record; those of a session must come in the order of time. */
void digest_record(struct digest *d, const struct queued *head,
		   const void *record);

/*
 * The thread itself: take over what was requested; what was listed and counted
 * so far is dropped, and figures start again.
 */
void digest_clear(struct digest *d);
/* The same, and what records said of tasks: they start again. */
void digest_restart(struct digest *d);

/* Any thread: names are not waited for any more. */
void digest_stop(struct digest *d);

/* Side-band records before the next record were lost. */
void digest_resync(struct digest *d);

/*
 * Call between records: all records up to @seen_ns were processed, and @seconds
 * passed since the last call.  True if there is more background work to do.
 */
bool digest_pause(struct digest *d, uint64_t seen_ns, double seconds);

/* Any thread: replace the filter of the feed and own it; NULL: no filter. */
void digest_set_filter(struct digest *d, struct sample_filter *filter,
		       const char *text);
/* Any thread: a field to group by, "sys:name.field", "field" or "". */
void digest_set_field(struct digest *d, const char *field);
/* Any thread: reset the counts of the hot table. */
void digest_reset(struct digest *d);
/*
 * Any thread, one at a time: update @out, except for the figures of the queues;
 * what it points to is valid until the next call.  Recent weights decay by
 * @seconds.
 */
void digest_read(struct digest *d, double seconds, struct samples *out);

#endif
