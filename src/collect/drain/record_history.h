/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest records of a ring, as they stood in it: what a drain has read is
 * copied here in bulk before it is given back to the kernel, so that it is
 * still there when a snapshot is taken, and for a recording that follows.
 *
 * One writer, the ring's reader thread, which never waits; any number of
 * threads read, and find out when they were overtaken.
 */
#ifndef RBTOP_COLLECT_DRAIN_RECORD_HISTORY_H
#define RBTOP_COLLECT_DRAIN_RECORD_HISTORY_H

#include <stddef.h>
#include <stdint.h>

struct record_history;
struct ring;

/* @bytes is rounded up to a power of two.  NULL when out of memory. */
struct record_history *record_history_new(size_t bytes);
void record_history_free(struct record_history *h);

/*
 * The writer: the records from position @from to @to of @ring, both the ends
 * of records; the oldest make room, as whole records.  What is longer than the
 * history is cut to its newest records: readers count the others as missed, as
 * if they had been overtaken.
 */
void record_history_append(struct record_history *h, const struct ring *ring,
			   uint64_t from, uint64_t to);

/*
 * Positions of its own: of the oldest record held, and behind the newest.  The
 * end is never before a begin that was read first.
 */
uint64_t record_history_begin(const struct record_history *h);
uint64_t record_history_end(const struct record_history *h);
size_t record_history_size(const struct record_history *h);

/*
 * Any thread, one at a time: have 1 written to the eventfd @fd, once, when the
 * end is behind @at; UINT64_MAX: not any more.  @fd outlives the history.
 */
void record_history_watch(struct record_history *h, int fd, uint64_t at);

/*
 * Copy whole records from position *@at on into @buf (aligned to 8, of @size
 * bytes, at least 64 KiB) and move *@at behind them; returns how many bytes, 0
 * at the end.  Records overwritten before they could be read are passed over,
 * their bytes added to *@missed.
 */
size_t record_history_read(const struct record_history *h, uint64_t *at,
			   void *buf, size_t size, uint64_t *missed);

#endif
