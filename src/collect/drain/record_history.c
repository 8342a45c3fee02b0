/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/drain/record_history.h"

#include <stdalign.h>
#include <stdatomic.h>
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
	MIN_BYTES = 64 << 10,		/* a record of any size */
};

/*
 * Positions grow without bound and are reduced only to index the data.  Bytes
 * before @begin may be overwritten at any time: the writer moves @begin first,
 * a reader reads it last.  When records longer than the history are cut, @begin
 * is behind @end for a moment: then the history is empty.
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
	h->size = units_round_pow2(MAX(bytes, MIN_BYTES));
	h->data = malloc(h->size);
	if (!h->data) {
		free(h);
		return NULL;
	}
	/* touch all pages (calloc would not): a drain must not fault */
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
	/* acquire: an end read later is not before it */
	return atomic_load_explicit(&h->begin, memory_order_acquire);
}

uint64_t record_history_begin(const struct record_history *h)
{
	return load_begin(h);
}

uint64_t record_history_end(const struct record_history *h)
{
	/* acquire: the bytes before it are written */
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
	/* it must be visible before any byte is overwritten */
	atomic_thread_fence(memory_order_release);
}

/* Drop the oldest records until @need bytes fit behind @end. */
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

/* The first record from @from on with at most @max bytes from it to @to. */
static uint64_t newest(const struct ring *ring, uint64_t from, uint64_t to,
		       uint64_t max)
{
	while (to - from > max) {
		struct perf_event_header header = ring_header(ring, from);

		from += record_sane(header, to - from) ? header.size
						       : to - from;
	}
	return from;
}

static void wake_watcher(struct record_history *h)
{
	if (atomic_exchange(&h->watched, UINT64_MAX) != UINT64_MAX)
		eventfd_write(atomic_load(&h->watcher), 1);
}

void record_history_watch(struct record_history *h, int fd, uint64_t at)
{
	atomic_store(&h->watcher, fd);
	atomic_store(&h->watched, at);
	/*
	 * The end may have passed @at before the writer saw the store.  The
	 * fence keeps the load of the end, an acquire, behind the store.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	if (record_history_end(h) > at)
		wake_watcher(h);
}

void record_history_append(struct record_history *h, const struct ring *ring,
			   uint64_t from, uint64_t to)
{
	uint64_t end = atomic_load_explicit(&h->end, memory_order_relaxed);
	uint64_t kept = newest(ring, from, to, h->size);

	if (kept == from) {
		make_room(h, end, to - from);
	} else {
		/* skipped bytes count as positions: readers miss them */
		end += kept - from;
		set_begin(h, end);
		from = kept;
	}
	while (from < to) {
		size_t len = wrap_first(ring->size, from, to - from);

		wrap_write(h->data, h->size, end,
			   ring->data + (from & (ring->size - 1)), len);
		from += len;
		end += len;
	}
	atomic_store(&h->end, end);
	if (end > atomic_load(&h->watched))
		wake_watcher(h);
}

/* The bytes of the whole records among the @len bytes at @buf. */
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

/* Move *@at to the oldest record if that is later.  Returns by how much. */
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
 * Copy the bytes at *@at, then drop those at the front that were overwritten
 * meanwhile.  Returns the bytes left.
 */
static size_t copy_valid(const struct record_history *h, uint64_t *at,
			 unsigned char *buf, size_t size, uint64_t *missed)
{
	/* read once: the end moves, and MIN() evaluates an argument twice */
	uint64_t waiting = record_history_end(h) - *at, gone;
	/* more may wait than the history holds, if it was overtaken */
	size_t len = MIN(MIN(size, h->size), waiting);

	wrap_read(buf, h->data, h->size, *at, len);
	/* pairs with set_begin(): after new bytes, the new begin is read */
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
		/* invalid data, which is never written: skip it */
		*missed += end - from;
		*at = end;
	}
	return 0;
}
