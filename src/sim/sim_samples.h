/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the contents of simulated samples take: names of addresses and tasks,
 * and the resolver thread that asks for them.
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

/* All borrowed; they outlive the thread. */
struct sim_samples_opts {
	const struct sim_spec *spec;
	const struct sim_code *code;
	struct collector *collector;
	char (*names)[SIM_EVENT_NAME];	/* of the events, side-band's first */
};

/* attr.sample_type of every sample: what sim_ring_sample() writes. */
uint64_t sim_samples_type(const struct sim_spec *spec);

/* A thread that was not started yet.  NULL with @err. */
struct resolver_thread *sim_samples_new(const struct sim_samples_opts *opts,
					struct err *err);

#endif
