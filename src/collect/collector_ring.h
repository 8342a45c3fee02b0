/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_COLLECT_COLLECTOR_RING_H
#define RBTOP_COLLECT_COLLECTOR_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/abi/aux_ring.h"
#include "perf/abi/ring.h"

/* A ring to drain.  Plain data, copied. */
struct collector_ring {
	struct ring ring;
	int cpu;		/* for affinity; -1: none */
	bool apart;		/* only the side-band of a CPU: drained by a
				 * reader of its own; triggers use only its
				 * COMM and FORK records */
	const int *fds;		/* to poll: the owner's first, then siblings to
				 * use after it hangs up */
	size_t nr_fds;
	const uint64_t *ids;	/* of the events, the owner's first, see
				 * drain_init() */
	const uint32_t *tags;	/* tag of each event's samples in the queue;
				 * NULL: the index */
	uint32_t nr_ids;
	const int *call_fds;	/* of the events of "call:FUNC".  Records of an
				 * overwrite ring are not read; the counts of
				 * these events are, at a wakeup and on the
				 * timer */
	size_t nr_call_fds;
	struct aux_ring aux;	/* zeroed: none */
	const int *aux_fds;	/* of the events that trace into it */
	size_t nr_aux_fds;
	/* Reenables one of aux_fds that the kernel stopped. */
	int (*read_finish)(int fd);
};

#endif
