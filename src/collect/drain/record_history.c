/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/drain/record_history.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/param.h>

#include "base/units.h"
#include "perf/abi/record.h"
#include "perf/abi/ring.h"

enum {
	CACHE_LINE = 64,
	LEAST_BYTES = 64 << 10,		/* a record of any size */
};

/*
 * Positions run freely and are reduced only to index the data.  What lies
 * before @begin is being written over: the writer moves @begin first, a reader
 * looks at it last.  Where records found no room at all, @begin is behind @end
 * for a moment: all there was is gone then.
 */
struct record_history {
	unsigned char *data;
	uint64_t size;		/* a power of two */

	alignas(CACHE_LINE) _Atomic uint64_t begin;
	_Atomic uint64_t end;
	_Atomic uint64_t watched;	/* see record_history_watch() */
	_Atomic int watcher;
};

struct record_history *record_history_new(size_t bytes)
{
	struct record_history *h = aligned_alloc(CACHE_LINE, sizeof(*h));

	if (!h)
		return NULL;
	memset(h, 0, sizeof(*h));
	atomic_init(&h->watched, UINT64_MAX);
	h->size = units_round_pow2(MAX(bytes, LEAST_BYTES));
	h->data = malloc(h->size);
	if (!h->data) {
		free(h);
		return NULL;
	}
	/* so that no drain waits for a page; calloc would hand out none */
	explicit_bzero(h->data, h->size);
	return h;
}

void record_history_free(struct record_history *h)
{
	if (!h)
		return;
	free(h->data);
	free(h);
}

static uint64_t load_begin(const struct record_history *h)
{
	/* acquire: the end is seen to be behind it */
	return atomic_load_explicit(&h->begin, memory_order_acquire);
}

uint64_t record_history_begin(const struct record_history *h)
{
	return load_begin(h);
}

uint64_t record_history_end(const struct record_history *h)
{
	/* acquire: what stands before it may be read */
	uint64_t end = atomic_load_explicit(&h->end, memory_order_acquire);
	uint64_t begin = load_begin(h);

	return MAX(end, begin);
}

size_t record_history_size(const struct record_history *h)
{
	return h->size;
}

/* Headers are aligned to 8, so that none of them wraps. */
static struct perf_event_header header_at(const struct record_history *h,
					  uint64_t position)
{
	struct perf_event_header header;

	memcpy(&header, h->data + (position & (h->size - 1)), sizeof(header));
	return header;
}

static void set_begin(struct record_history *h, uint64_t begin)
{
	atomic_store_explicit(&h->begin, begin, memory_order_release);
	/* nothing is written over before this is to be seen */
	atomic_thread_fence(memory_order_release);
}

/* Let whole records go until @need bytes fit behind @end. */
static void make_room(struct record_history *h, uint64_t end, uint64_t need)
{
	uint64_t begin = load_begin(h), before = begin;

	while (end + need - begin > h->size) {
		struct perf_event_header header = header_at(h, begin);

		begin += record_sane(header, end - begin) ? header.size
							  : end - begin;
	}
	if (begin != before)
		set_begin(h, begin);
}

/* The first record from @from on that leaves no more than @most up to @to. */
static uint64_t newest(const struct ring *ring, uint64_t from, uint64_t to,
		       uint64_t most)
{
	while (to - from > most) {
		struct perf_event_header header = ring_header(ring, from);

		from += record_sane(header, to - from) ? header.size
						       : to - from;
	}
	return from;
}

static void tell_watcher(struct record_history *h)
{
	if (atomic_exchange(&h->watched, UINT64_MAX) != UINT64_MAX)
		eventfd_write(atomic_load(&h->watcher), 1);
}

void record_history_watch(struct record_history *h, int fd, uint64_t at)
{
	atomic_store(&h->watcher, fd);
	atomic_store(&h->watched, at);
	/*
	 * It may have come there before the writer could see this.  Without
	 * the fence, a load that merely acquires may overtake the store.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	if (record_history_end(h) > at)
		tell_watcher(h);
}

void record_history_append(struct record_history *h, const struct ring *ring,
			   uint64_t from, uint64_t to)
{
	uint64_t end = atomic_load_explicit(&h->end, memory_order_relaxed);
	uint64_t kept = newest(ring, from, to, h->size);

	if (kept == from) {
		make_room(h, end, to - from);
	} else {
		/* what is left out has its place: who reads misses it */
		end += kept - from;
		set_begin(h, end);
		from = kept;
	}
	while (from < to) {
		uint64_t in = from & (ring->size - 1);
		uint64_t out = end & (h->size - 1);
		uint64_t len = MIN(ring->size - in, h->size - out);

		len = MIN(len, to - from);
		memcpy(h->data + out, ring->data + in, len);
		from += len;
		end += len;
	}
	atomic_store(&h->end, end);
	if (end > atomic_load(&h->watched))
		tell_watcher(h);
}

static void copy_out(const struct record_history *h, uint64_t at, void *buf,
		     size_t len)
{
	uint64_t offset = at & (h->size - 1);
	size_t first = MIN(len, h->size - offset);

	memcpy(buf, h->data + offset, first);
	memcpy((unsigned char *)buf + first, h->data, len - first);
}

/* How many of the @len bytes at @buf are whole records. */
static size_t whole_records(const unsigned char *buf, size_t len)
{
	struct perf_event_header header;
	size_t at = 0;

	while (len - at >= sizeof(header)) {
		memcpy(&header, buf + at, sizeof(header));
		if (!record_sane(header, len - at))
			break;
		at += header.size;
	}
	return at;
}

/* Go on at the oldest record, where that is later.  Returns by how much. */
static uint64_t pass_over(const struct record_history *h, uint64_t *at)
{
	uint64_t begin = load_begin(h), gone = 0;

	if (begin > *at) {
		gone = begin - *at;
		*at = begin;
	}
	return gone;
}

/*
 * Copy what stands at *@at, and then find out how much of it was written over
 * meanwhile, from the front: that is dropped.  Returns the bytes left.
 */
static size_t copy_valid(const struct record_history *h, uint64_t *at,
			 unsigned char *buf, size_t size, uint64_t *missed)
{
	/* read once: it moves on, and MIN() takes its arguments twice */
	uint64_t waiting = record_history_end(h) - *at, gone;
	/* that may be more than there is room for by now */
	size_t len = MIN(MIN(size, h->size), waiting);

	copy_out(h, *at, buf, len);
	/* with the writer's: who reads new bytes sees the begin behind them */
	atomic_thread_fence(memory_order_acquire);
	gone = pass_over(h, at);
	*missed += gone;
	if (gone >= len)
		return 0;
	if (gone)
		memmove(buf, buf + gone, len - gone);
	return len - gone;
}

size_t record_history_read(const struct record_history *h, uint64_t *at,
			   void *buf, size_t size, uint64_t *missed)
{
	uint64_t end, from;

	*missed += pass_over(h, at);
	while (*at != (end = record_history_end(h))) {
		size_t len, whole;

		from = *at;
		len = copy_valid(h, at, buf, size, missed);
		whole = whole_records(buf, len);
		*at += whole;
		if (whole)
			return whole;
		if (*at != from)
			continue;
		/* no record, which nobody wrote: go on behind it */
		*missed += end - from;
		*at = end;
	}
	return 0;
}
