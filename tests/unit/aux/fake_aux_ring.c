/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/aux/fake_aux_ring.h"

#include <stdlib.h>

#include "perf/abi/aux_ring.h"

struct fake_aux_map aux_map;

int aux_ring_map(struct aux_ring *aux, const struct ring *ring, uint64_t size,
		 bool overwrite)
{
	int error = aux_map.error;

	aux_map.error = 0;
	aux_map.calls++;
	aux_map.size = size;
	aux_map.overwrite = overwrite;
	aux_map.fd = ring->fd;
	if (error)
		return -error;
	*aux = (struct aux_ring){
		.page = ring->page,
		.data = calloc(1, size),
		.size = size,
		.watermark = overwrite ? 0 : size / 2,
		.overwrite = overwrite,
	};
	aux_map.mapped++;
	return 0;
}

void aux_ring_unmap(struct aux_ring *aux)
{
	aux_map.mapped -= aux->data != NULL;
	free(aux->data);
	*aux = (struct aux_ring){ 0 };
}
