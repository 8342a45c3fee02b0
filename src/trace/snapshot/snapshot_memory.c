/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/array.h"
#include "base/sys.h"

enum { HUGE_PAGE = 2 << 20 };

struct snapshot_spare {
	unsigned char *memory;
	size_t size;
};

/* Allocate and fault in all pages; huge pages if possible. */
static unsigned char *make(size_t size)
{
	size_t page = sys_page_size();
	size_t align = size >= HUGE_PAGE ? HUGE_PAGE : page;
	size_t whole = size + -size % align;
	unsigned char *memory = aligned_alloc(align, whole);

	if (memory && align == HUGE_PAGE)
		madvise(memory, whole, MADV_HUGEPAGE);
	for (size_t at = 0; memory && at < size; at += page)
		*(volatile unsigned char *)(memory + at) = 0;
	return memory;
}

unsigned char *snapshot_memory_get(struct snapshot_memory *m, size_t size)
{
	for (size_t i = 0; i < m->nr; i++) {
		unsigned char *memory = m->spares[i].memory;

		if (m->spares[i].size != size)
			continue;
		m->spares[i] = m->spares[--m->nr];
		m->bytes -= size;
		return memory;
	}
	return make(size);
}

void snapshot_memory_put(struct snapshot_memory *m, unsigned char *memory,
			 size_t size)
{
	struct snapshot_spare *spare = NULL;

	if (!memory)
		return;
	if (m->bytes + size <= m->limit)
		spare = array_add(m->spares, m->nr, m->room);
	if (!spare) {
		free(memory);
		return;
	}
	*spare = (struct snapshot_spare){ memory, size };
	m->bytes += size;
}

void snapshot_memory_free(struct snapshot_memory *m)
{
	for (size_t i = 0; i < m->nr; i++)
		free(m->spares[i].memory);
	free(m->spares);
	*m = (struct snapshot_memory){ 0 };
}
