/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/abi/aux_ring.h"

#include <sys/mman.h>

#include "base/sys.h"

/* Tell the kernel where the AUX ring is going to be mapped. */
static void announce(struct perf_event_mmap_page *page, uint64_t offset,
		     uint64_t size)
{
	__atomic_store_n(&page->aux_offset, offset, __ATOMIC_RELAXED);
	__atomic_store_n(&page->aux_size, size, __ATOMIC_RELEASE);
}

/*
 * The user page of an overwrite ring is mapped read-only: this is how overwrite
 * mode is requested.  Only the first mapping decides it (rb_alloc() in
 * perf_mmap(), kernel/events/core.c), so a second one may be writable.
 */
static int announce_beside(const struct ring *ring, uint64_t offset,
			   uint64_t size)
{
	size_t len = sys_page_size() + ring->size;
	void *map;
	int ret = sys_mmap(ring->fd, len, PROT_READ | PROT_WRITE, 0, &map);

	if (ret)
		return ret;
	announce(map, offset, size);
	sys_munmap(map, len);
	return 0;
}

int aux_ring_map(struct aux_ring *aux, const struct ring *ring, uint64_t size,
		 bool overwrite)
{
	uint64_t offset = sys_page_size() + ring->size;
	int prot = overwrite ? PROT_READ : PROT_READ | PROT_WRITE;
	void *map;
	int ret = 0;

	if (ring->overwrite)
		ret = announce_beside(ring, offset, size);
	else
		announce(ring->page, offset, size);
	if (!ret)
		ret = sys_mmap(ring->fd, size, prot, (off_t)offset, &map);
	if (ret)
		return ret;
	aux_ring_attach(aux, ring->page, map, size, overwrite);
	return 0;
}

void aux_ring_unmap(struct aux_ring *aux)
{
	if (aux->data)
		sys_munmap(aux->data, aux->size);
	*aux = (struct aux_ring){ 0 };
}

void aux_ring_attach(struct aux_ring *aux, struct perf_event_mmap_page *page,
		     void *data, uint64_t size, bool overwrite)
{
	*aux = (struct aux_ring){
		.page = page,
		.data = data,
		.size = size,
		.watermark = overwrite ? 0 : size / 2, /* rb_alloc_aux() */
		.overwrite = overwrite,
	};
}

struct aux_pieces aux_ring_pieces(const struct aux_ring *aux, uint64_t from,
				  uint64_t to)
{
	uint64_t len = to - from, start, first;

	if (len > aux->size)
		len = aux->size;
	start = (to - len) & (aux->size - 1);
	first = len < aux->size - start ? len : aux->size - start;
	return (struct aux_pieces){
		.data = { aux->data + start, aux->data },
		.len = { first, len - first },
	};
}
