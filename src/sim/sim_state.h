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
#include "sim/sim.h"
#include "sim/sim_cpu.h"
#include "sim/sim_traffic.h"
#include "source/source.h"

struct sim_snapshots;
struct source_snapshots;

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
 * Snapshots of simulated rings: the snapshot thread of live events on the
 * simulated kernel's session.  The files' headers and names contain data of
 * this machine, nothing else.  (sim_snapshots.c)
 *
 * If no ring keeps data there are no snapshots: sim->snapshots is NULL then,
 * and all functions except the request do nothing.
 */

/*
 * Make what @from (borrowed) requests, before the collector, which gets the
 * trigger.  0 or -errno with @err: something that the simulated kernel cannot
 * do, or no memory.
 */
int sim_snapshots_new(struct sim *sim, const struct source_snapshots *from,
		      struct err *err);
/* Call when the CPUs exist.  0 or -errno with @err. */
int sim_snapshots_open(struct sim *sim, struct err *err);

/* Call before the writer starts; and after.  0 or -errno with @err. */
int sim_snapshots_start(struct sim *sim, struct err *err);
void sim_snapshots_enabled(struct sim *sim);

/* See source_ops.request; -EOPNOTSUPP if no ring keeps data. */
int sim_snapshots_request(struct sim *sim, const struct request *rq,
			  struct err *err);
/* CPU @i has another ring; on return the old one is no longer read. */
void sim_snapshots_replace(struct sim *sim, size_t i);

/* Once the thread has ended, and the collector is freed. */
void sim_snapshots_free(struct sim *sim);

#endif
