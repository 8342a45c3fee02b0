/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a simulated CPU: type, event and task of the next one; and the
 * programs that these samples are of.  Deterministic for a seed; no clock.
 */
#ifndef RBTOP_SIM_SIM_TRAFFIC_H
#define RBTOP_SIM_SIM_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "samples/symbol.h"
#include "sim/sim_ring.h"

/*
 * The programs that run on the simulated CPUs: their functions, with addresses,
 * calls and shares of time.  Made once, then read by any thread.
 */
struct sim_code;

struct sim_function {
	const char *name, *dso;		/* valid as long as the code */
	enum symbol_kind kind;
	uint64_t addr;
};

/* Functions are sorted by address, and have this size in bytes. */
enum { SIM_CODE_FUNCTION = 0x400 };

enum { SIM_CODE_FRAMES = 32 };	/* most frames of a stack */

/* The stack of a sample: addresses, innermost first. */
struct sim_stack {
	uint64_t ips[SIM_CODE_FRAMES];
	unsigned int nr;
	unsigned int nr_kernel;		/* kernel frames, the first of them */
};

/* The names of the kinds of code, terminated by NULL. */
const char *const *sim_code_kinds(void);

/* The code of a kind (index).  NULL when out of memory. */
struct sim_code *sim_code_new(unsigned int kind);
void sim_code_free(struct sim_code *code);

/* The index of program @comm, for sim_code_pick(). */
unsigned int sim_code_program(const struct sim_code *code, const char *comm);

/*
 * A stack of the program, selected by @random, for sample number @turn; one
 * kind of code uses @turn instead.
 */
const struct sim_stack *sim_code_pick(const struct sim_code *code,
				      unsigned int program, uint32_t random,
				      uint64_t turn);

/* All functions; and the one at @addr, or NULL. */
const struct sim_function *sim_code_functions(const struct sim_code *code,
					      size_t *nr);
const struct sim_function *sim_code_find(const struct sim_code *code,
					 uint64_t addr);

enum {
	SIM_TRAFFIC_SIDE_BAND = 128,	/* its largest record, bytes */
	SIM_TRAFFIC_TASKS = 8,		/* simulated tasks, each a process */
	SIM_TRAFFIC_THREADS = 4,	/* per task */
	SIM_TRAFFIC_TOLD = 4096,	/* see sim_traffic_tell() */
};

/* Parameters of samples. */
struct sim_traffic_opts {
	uint64_t seed;
	unsigned int mix;
	size_t record;			/* bytes without the callchain */
	unsigned int chain;		/* most frames; 0: no callchain */
	const struct sim_code *code;	/* borrowed */
};

/* Plain data, made by sim_traffic_init. */
struct sim_traffic {
	uint64_t random;	/* state of the generator */
	unsigned int first_task;	/* index of this CPU's busiest task */
	struct sim_traffic_opts opts;
	unsigned int programs[SIM_TRAFFIC_TASKS];	/* their programs */
	uint64_t samples;	/* so far */
	bool throttled;		/* an UNTHROTTLE comes next */
	bool switched_out;
};

/* The names of the mixes of records, terminated by NULL. */
const char *const *sim_traffic_mixes(void);

void sim_traffic_init(struct sim_traffic *traffic, int cpu,
		      const struct sim_traffic_opts *opts);

/* A number from the generator, 0 <= x < 1. */
double sim_traffic_random(struct sim_traffic *traffic);

/*
 * Write the next record. events[0] is the side-band event; the other @nr - 1
 * sample, with @period.  They lose only samples, so count / period = samples +
 * lost holds for each of them.
 */
enum sim_ring_result sim_traffic_next(struct sim_traffic *traffic,
				      struct sim_ring *ring,
				      struct sim_event *events, size_t nr,
				      uint64_t period, uint64_t time);

/*
 * Write the initial state of all tasks: COMM of each thread, MMAP2 of each
 * process; at most SIM_TRAFFIC_TOLD bytes.
 */
void sim_traffic_tell(struct sim_ring *ring, struct sim_event *side_band,
		      uint64_t time);

/* The name of a simulated task; NULL for another pid. */
const char *sim_traffic_comm(pid_t pid);

#endif
