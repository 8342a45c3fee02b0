/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a simulated CPU traces into its AUX area: a stream of Intel PT packets
 * that perf decodes.  Every SIM_TRACE_BLOCK bytes a decoder can begin: PSB,
 * the time, PSBEND; then PTWRITE packets, whose values tell of the seed, the
 * CPU and the position.  No clock, no randomness.
 */
#ifndef RBTOP_SIM_SIM_TRACE_H
#define RBTOP_SIM_SIM_TRACE_H

#include <stdint.h>

enum {
	SIM_TRACE_BLOCK = 2048,		/* bytes; of positions */
	SIM_TRACE_PTWRITES = 202,	/* in one */
};

/* Plain data; see sim_trace_init(). */
struct sim_trace {
	unsigned char *data;	/* of the AUX area, borrowed */
	uint64_t size;		/* bytes, a power of two */
	uint64_t base;		/* what the values begin at */
	uint64_t time;		/* of the last byte that was written, ns */
	unsigned char block[SIM_TRACE_BLOCK];	/* the one being written */
};

void sim_trace_init(struct sim_trace *trace, uint64_t seed, int cpu,
		    unsigned char *data, uint64_t size);

/*
 * Write the bytes of the positions @from to @to, which goes on where the last
 * call ended, as if the time had passed evenly until @time.
 */
void sim_trace_write(struct sim_trace *trace, uint64_t from, uint64_t to,
		     uint64_t time);

#endif
