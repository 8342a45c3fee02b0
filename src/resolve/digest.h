/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of a record: the side-band keeps the process table true, a
 * sample is decoded, named, counted in the hot table and listed in the feed,
 * and so are context switches, but for the counting.
 *
 * For the resolver thread, which calls all of this; the functions that say so
 * may be called by another thread at the same time.
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

/* Takes over what @opts says; NULL, and nothing taken, when out of memory. */
struct digest *digest_new(const struct resolver_thread_opts *opts);
void digest_free(struct digest *d);

/* Take in a record; those of a session come in the order of time. */
void digest_record(struct digest *d, const struct queued *head,
		   const void *record);

/* Side-band records were lost before the next one. */
void digest_resync(struct digest *d);

/*
 * Between records: @seen_ns is the time up to which all records were taken in,
 * @seconds passed since the last call.  True while there is more to do that
 * nobody waits for.
 */
bool digest_pause(struct digest *d, uint64_t seen_ns, double seconds);

/* Any thread: hand over a filter for the feed; NULL: everything. */
void digest_set_filter(struct digest *d, struct sample_filter *filter,
		       const char *text);
/* Any thread: a field to group by, "sys:name.field", "field" or "". */
void digest_set_field(struct digest *d, const char *field);
/* Any thread: counts of the hot table begin at 0. */
void digest_reset(struct digest *d);
/*
 * Any thread, one at a time: bring @out up to date but for what the queues
 * know; what it points to lives until the next call.  Recent weights fade by
 * @seconds.
 */
void digest_read(struct digest *d, double seconds, struct samples *out);

#endif
