/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest records of a ring, unchanged: a drain copies them here in bulk
 * before it gives the space back to the kernel, for snapshots and for a
 * recording, which reads them as they come.
 *
 * One writer, the ring's reader thread, which never waits; any number of
 * readers, which detect when the writer has overtaken them.
 */
#ifndef RBTOP_COLLECT_DRAIN_RECORD_HISTORY_H
#define RBTOP_COLLECT_DRAIN_RECORD_HISTORY_H

#include <stddef.h>
#include <stdint.h>

struct record_history;
struct ring;

/*
 * @bytes is rounded up to a power of two, at least 64 KiB.  NULL when out of
 * memory.
 */
struct record_history *record_history_new(size_t bytes);
void record_history_free(struct record_history *h);

/*
 * The writer: append the records from position @from to @to of @ring, both
 * record boundaries; the oldest records, whole ones, make room.  If these are
 * more than the history holds, only the newest are kept: readers count the
 * others as missed, as if overtaken.
 */
void record_history_append(struct record_history *h, const struct ring *ring,
			   uint64_t from, uint64_t to);

/*
 * Any thread: the position, in the history, of the oldest record, and that
 * behind the newest.  The end is never before a begin that was read first.
 */
uint64_t record_history_begin(const struct record_history *h);
uint64_t record_history_end(const struct record_history *h);
size_t record_history_size(const struct record_history *h);

/*
 * Any thread, one at a time: write 1 to the eventfd @fd, once, when the end is
 * behind @at; UINT64_MAX cancels this.  @fd must outlive the history.
 */
void record_history_watch(struct record_history *h, int fd, uint64_t at);

/*
 * Copy whole records from position *@at on into @buf (aligned to 8, of @size
 * bytes, at least 64 KiB) and move *@at behind them.  Returns the bytes copied,
 * 0 at the end.  Records overwritten before they were read are skipped, and
 * their bytes added to *@missed.
 */
size_t record_history_read(const struct record_history *h, uint64_t *at,
			   void *buf, size_t size, uint64_t *missed);

#endif
