/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process' mappings of perf events and BPF maps: /proc/PID/maps. */
#ifndef RBTOP_HOST_PROC_MAPPINGS_H
#define RBTOP_HOST_PROC_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One mapping. */
struct proc_mapping {
	uint64_t start, size, offset;	/* bytes */
	bool bpf;			/* of a BPF map; else of a perf event */
};

/* Sorted by address.  Plain data; zeroed: empty. */
struct proc_mappings {
	struct proc_mapping *all;
	size_t nr, room;
};

/* A perf ring: its user page and data, and its AUX ring. */
struct proc_ring {
	uint64_t start;		/* address of the mapping */
	uint64_t size;		/* of the data, bytes */
	uint64_t aux_size;	/* 0: none */
};

/* Replace the contents of @maps by the mappings in @text.  0 or -ENOMEM. */
int proc_mappings_parse(struct proc_mappings *maps, const char *text);
void proc_mappings_free(struct proc_mappings *maps);

/*
 * Store the perf rings in @rings, which has room for @maps->nr.  Returns their
 * number.  Mappings of a user page alone, as counters have, do not count.  If
 * there are several AUX rings, each is assigned by its file offset, which
 * leaves room for the data, and by its address.
 */
size_t proc_mappings_rings(const struct proc_mappings *maps,
			   uint64_t page_size, struct proc_ring *rings);

/* Whether a BPF ring buffer of @size is mapped for reading. */
bool proc_mappings_have_ringbuf(const struct proc_mappings *maps,
				uint64_t page_size, uint64_t size);

#endif
