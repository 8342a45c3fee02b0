/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/abi/ring.h"

#include <sys/mman.h>

#include "base/sys.h"

static void ring_set(struct ring *ring, void *base, uint64_t size,
		     bool overwrite)
{
	*ring = (struct ring){
		.page = base,
		.data = (const unsigned char *)base + sys_page_size(),
		.size = size,
		.overwrite = overwrite,
		.fd = -1,
	};
}

int ring_map(struct ring *ring, int fd, uint64_t size, bool overwrite)
{
	int prot = overwrite ? PROT_READ : PROT_READ | PROT_WRITE;
	void *map;
	int ret;

	ret = sys_mmap(fd, sys_page_size() + size, prot, 0, &map);
	if (ret)
		return ret;
	ring_set(ring, map, size, overwrite);
	ring->fd = fd;
	return 0;
}

void ring_unmap(struct ring *ring)
{
	if (ring->page)
		sys_munmap(ring->page, sys_page_size() + ring->size);
	*ring = (struct ring){ .fd = -1 };
}

void ring_attach(struct ring *ring, void *base, uint64_t size, bool overwrite)
{
	ring_set(ring, base, size, overwrite);
}
