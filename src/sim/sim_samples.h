/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoding of simulated samples: names of addresses and tasks, and the resolver
 * thread that uses them.
 */
#ifndef RBTOP_SIM_SIM_SAMPLES_H
#define RBTOP_SIM_SIM_SAMPLES_H

#include <stdint.h>

struct collector;
struct err;
struct resolver_thread;
struct sim_code;
struct sim_spec;

enum { SIM_EVENT_NAME = 32 };

/* All borrowed; must outlive the thread. */
struct sim_samples_opts {
	const struct sim_spec *spec;
	const struct sim_code *code;
	struct collector *collector;
	char (*names)[SIM_EVENT_NAME];	/* of the events, side-band first */
};

/* attr.sample_type of all samples: the format of sim_ring_sample(). */
uint64_t sim_samples_type(const struct sim_spec *spec);

/* Make the thread, without starting it.  NULL with @err. */
struct resolver_thread *sim_samples_new(const struct sim_samples_opts *opts,
					struct err *err);

#endif
