/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace that a simulated CPU writes to its AUX area: a stream of Intel PT
 * packets that perf can decode.  A decoder can start every SIM_TRACE_BLOCK
 * bytes: PSB, time, PSBEND; then PTWRITE packets, whose values depend on the
 * seed, the CPU and the position.  No clock, no randomness.
 */
#ifndef RBTOP_SIM_SIM_TRACE_H
#define RBTOP_SIM_SIM_TRACE_H

#include <stdint.h>

enum {
	SIM_TRACE_BLOCK = 2048,		/* bytes; blocks start at its
					 * multiples */
	SIM_TRACE_PTWRITES = 202,	/* per block */
};

/* Plain data; see sim_trace_init(). */
struct sim_trace {
	unsigned char *data;	/* the AUX area's, borrowed */
	uint64_t size;		/* bytes, a power of two */
	uint64_t base;		/* first value */
	uint64_t time;		/* of the last byte written, ns */
	unsigned char block[SIM_TRACE_BLOCK];	/* the present one */
};

void sim_trace_init(struct sim_trace *trace, uint64_t seed, int cpu,
		    unsigned char *data, uint64_t size);

/*
 * Write the bytes of positions @from to @to, starting where the last call
 * ended, with times distributed evenly until @time.
 */
void sim_trace_write(struct sim_trace *trace, uint64_t from, uint64_t to,
		     uint64_t time);

#endif
