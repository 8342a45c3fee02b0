/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the simulated kernel: plain data, for the files of this folder; and
 * what its source does in other files.
 */
#ifndef RBTOP_SIM_SIM_STATE_H
#define RBTOP_SIM_SIM_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/collector.h"
#include "sim/sim_cpu.h"
#include "sim/sim_spec.h"
#include "sim/sim_traffic.h"
#include "source/source.h"

struct sim_snapshots;

enum { SIM_EVENT_NAME = 32 };

struct sim {
	struct source source;
	struct sim_spec spec;
	double decode_rate;
	struct sim_code *code;
	struct collector *collector;
	struct sim_snapshots *snapshots;	/* NULL: none can be taken */
	struct source_notes notes;
	char (*names)[SIM_EVENT_NAME];	/* of the events */
	uint64_t *samples, *ids;	/* of one ring's events, for the
					 * collector */
	pthread_t writer;
	bool writer_runs;	/* the thread must be joined */
	bool started;		/* everything is started */
	atomic_bool stop;

	pthread_mutex_t lock;	/* of all below, shared by writer and
				 * requests */
	struct sim_cpu *cpus;
	size_t nr_cpus;		/* opened */
	struct ring_overwrite *reads;
	struct sim_pace pace;
	double writer_cpu;	/* CPU seconds used up to its last slice */
};

/* See struct source_ops. */
int sim_request(struct source *source, const struct request *rq,
		struct err *err);

/* attr.sample_type of all samples: the format of sim_ring_sample(). */
uint64_t sim_samples_type(const struct sim_spec *spec);
/*
 * The thread that decodes samples, with the names of addresses and tasks; not
 * yet started.  It borrows @sim's code, collector and names.  NULL with @err.
 */
struct resolver_thread *sim_samples_new(struct sim *sim, struct err *err);

#endif
