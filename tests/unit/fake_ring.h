/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring in plain memory, and records written to it byte by byte: the tests
 * spell out what the drain sees, without other code under test.
 */
#ifndef RBTOP_TESTS_FAKE_RING_H
#define RBTOP_TESTS_FAKE_RING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perf/abi/record.h"
#include "perf/abi/ring.h"

struct fake_ring {
	struct ring ring;
	unsigned char *base;
	uint64_t head;		/* free-running; of the next record */
};

static inline void fake_ring_init(struct fake_ring *f, uint64_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	f->base = calloc(1, page + size);
	f->head = 0;
	ring_attach(&f->ring, f->base, size, false);
}

static inline void fake_ring_free(struct fake_ring *f)
{
	free(f->base);
}

/* Begin as if @bytes had been written already. */
static inline void fake_ring_skip(struct fake_ring *f, uint64_t bytes)
{
	f->head += bytes;
	f->ring.page->data_head = f->head;
	f->ring.page->data_tail = f->head;
}

static inline void fake_ring_word(struct fake_ring *f, uint64_t at,
				  uint64_t word)
{
	memcpy(f->base + sysconf(_SC_PAGESIZE) + (at & (f->ring.size - 1)),
	       &word, sizeof(word));
}

/* Begin a record of @size bytes, with a body of zeros; not published yet. */
static inline uint64_t fake_ring_begin(struct fake_ring *f, uint32_t type,
				       uint16_t size)
{
	uint64_t at = f->head;

	for (uint64_t i = 0; i < size; i += 8)
		fake_ring_word(f, at + i, 0);
	fake_ring_word(f, at, type | (uint64_t)size << 48);
	f->head += size;
	return at;
}

static inline void fake_ring_end(struct fake_ring *f)
{
	__atomic_store_n(&f->ring.page->data_head, f->head, __ATOMIC_RELEASE);
}

/* Write the same and publish it. */
static inline uint64_t fake_ring_put(struct fake_ring *f, uint32_t type,
				     uint16_t size)
{
	uint64_t at = fake_ring_begin(f, type, size);

	fake_ring_end(f);
	return at;
}

static inline void fake_ring_sample(struct fake_ring *f, uint64_t id,
				    uint32_t pid, uint64_t time,
				    uint16_t size)
{
	uint64_t at = fake_ring_begin(f, PERF_RECORD_SAMPLE, size);

	fake_ring_word(f, at + 8, id);
	fake_ring_word(f, at + 24, pid | (uint64_t)pid << 32);
	fake_ring_word(f, at + 32, time);
	fake_ring_end(f);
}

static inline void fake_ring_lost(struct fake_ring *f, uint64_t lost)
{
	uint64_t at = fake_ring_begin(f, PERF_RECORD_LOST, 24 + 32);

	fake_ring_word(f, at + 8, 1);
	fake_ring_word(f, at + 16, lost);
	fake_ring_end(f);
}

#endif
