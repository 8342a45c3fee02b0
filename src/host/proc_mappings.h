/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process has mapped of perf events and BPF maps: /proc/PID/maps. */
#ifndef RBTOP_HOST_PROC_MAPPINGS_H
#define RBTOP_HOST_PROC_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line. */
struct proc_mapping {
	uint64_t start, size, offset;	/* bytes */
	bool bpf;			/* a BPF map's; else a perf event's */
};

/* Sorted by address.  Plain data; empty when zeroed. */
struct proc_mappings {
	struct proc_mapping *all;
	size_t nr, room;
};

/* A perf ring: its user page and data, and the AUX ring that goes with it. */
struct proc_ring {
	uint64_t start;		/* where it is mapped */
	uint64_t size;		/* of data, bytes */
	uint64_t aux_size;	/* 0: none */
};

/* The mappings in @text, in place of what was in @maps.  0 or -ENOMEM. */
int proc_mappings_parse(struct proc_mappings *maps, const char *text);
void proc_mappings_free(struct proc_mappings *maps);

/*
 * The perf rings among them, into @rings, which has room for @maps->nr; how
 * many there are.  Mappings of a user page alone, as counters have, are none.
 * Which AUX ring is whose is a guess where there are several: they are told
 * apart by what they leave free for data before them, and by the address.
 */
size_t proc_mappings_rings(const struct proc_mappings *maps,
			   uint64_t page_size, struct proc_ring *rings);

/* Whether one of them maps a BPF ring buffer of that size, for reading. */
bool proc_mappings_have_ringbuf(const struct proc_mappings *maps,
				uint64_t page_size, uint64_t size);

#endif
