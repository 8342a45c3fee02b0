/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/aux_lane_ring.h"

#include <sys/eventfd.h>

void aux_lane_ring_init(struct aux_lane_ring *ring, const aux_sink_now *sink)
{
	ring->sink = sink;
	ring->wake = -1;
	pthread_mutex_init(&ring->lock, NULL);
}

void aux_lane_ring_destroy(struct aux_lane_ring *ring)
{
	pthread_mutex_destroy(&ring->lock);
}

void aux_lane_ring_set(struct aux_lane_ring *ring, const struct aux_ring *aux)
{
	pthread_mutex_lock(&ring->lock);
	ring->ring = *aux;
	atomic_store(&ring->peak, 0);
	atomic_store(&ring->stuck, false);
	pthread_mutex_unlock(&ring->lock);
}

void aux_lane_ring_wait(struct aux_lane_ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	pthread_mutex_unlock(&ring->lock);
}

void aux_lane_ring_wake(const struct aux_lane_ring *ring)
{
	if (ring->wake >= 0)
		eventfd_write(ring->wake, 1);
}
