/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the simulated kernel: plain data, for the files of this folder. */
#ifndef RBTOP_SIM_SIM_STATE_H
#define RBTOP_SIM_SIM_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/collector.h"
#include "sim/sim_code.h"
#include "sim/sim_cpu.h"
#include "sim/sim_samples.h"
#include "sim/sim_spec.h"
#include "source/source.h"
#include "source/source_notes.h"

struct sim_snapshots;

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

#endif
