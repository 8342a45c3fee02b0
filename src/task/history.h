/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest records of a ring, as they stood in it: what a drain has read is
 * copied here in bulk before it is given back to the kernel, so that it is
 * still there when a snapshot is taken, and for a recording that follows.
 *
 * One writer, the ring's reader thread, which never waits; any number of
 * threads read, and find out when they were overtaken.
 */
#ifndef RBTOP_TASK_HISTORY_H
#define RBTOP_TASK_HISTORY_H

#include <stddef.h>
#include <stdint.h>

struct history;
struct ring;

/* @bytes is rounded up to a power of two.  NULL when out of memory. */
struct history *history_new(size_t bytes);
void history_free(struct history *h);

/*
 * The writer: the records from position @from to @to of @ring, both the ends
 * of records; the oldest make room, as whole records.  What is longer than the
 * history is cut to its newest records: readers count the others as missed, as
 * if they had been overtaken.
 */
void history_append(struct history *h, const struct ring *ring, uint64_t from,
		    uint64_t to);

/*
 * Positions of its own: of the oldest record held, and behind the newest.  The
 * end is never before a begin that was read first.
 */
uint64_t history_begin(const struct history *h);
uint64_t history_end(const struct history *h);
size_t history_size(const struct history *h);

/*
 * Any thread, one at a time: have 1 written to the eventfd @fd, once, when the
 * end is behind @at; UINT64_MAX: not any more.  @fd outlives the history.
 */
void history_watch(struct history *h, int fd, uint64_t at);

/*
 * Copy whole records from position *@at on into @buf (aligned to 8, of @size
 * bytes, at least 64 KiB) and move *@at behind them; returns how many bytes, 0
 * at the end.  Records overwritten before they could be read are passed over,
 * their bytes added to *@missed.
 */
size_t history_read(const struct history *h, uint64_t *at, void *buf,
		    size_t size, uint64_t *missed);

#endif
