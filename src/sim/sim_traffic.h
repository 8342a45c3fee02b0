/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a simulated CPU: type, event and task of the next one.
 * Deterministic for a seed; no clock.
 */
#ifndef RBTOP_SIM_SIM_TRAFFIC_H
#define RBTOP_SIM_SIM_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim_ring.h"

struct sim_code;

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
