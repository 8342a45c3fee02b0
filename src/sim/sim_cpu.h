/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One simulated CPU: its ring's memory, one mapping for writer and reader, and
 * what it writes as time passes.  Not thread safe, but for what the ring
 * protocol allows the reader.
 */
#ifndef RBTOP_SIM_SIM_CPU_H
#define RBTOP_SIM_SIM_CPU_H

#include <stddef.h>
#include <stdint.h>

#include "collect/collector_ring.h"
#include "perf/abi/aux_ring.h"
#include "perf/abi/ring.h"
#include "sim/sim_ring.h"
#include "sim/sim_spec.h"
#include "sim/sim_trace.h"
#include "sim/sim_traffic.h"

struct err;
struct sim_code;

/* A ring's memory, seen from both sides. */
struct sim_memory {
	void *base;		/* the mapping; NULL: none */
	size_t bytes;
	struct sim_ring ring;	/* the writer's side of it */
	struct ring view;	/* the reader's */
	struct aux_ring aux;	/* the same of the AUX area */
	int wake;		/* eventfd: written to wake the reader */
};

struct sim_cpu {
	int cpu;
	struct sim_memory memory;
	struct sim_traffic traffic;
	struct sim_trace trace;		/* into the AUX area */
	struct sim_event *events;	/* [0] is the side-band's */
	size_t nr_events;
	double share;		/* its rate, as a multiple of the usual */
	double phase;		/* seconds by which its bursts are shifted */
	double due, aux_due;	/* records, bytes of trace not written yet */
	bool paused;		/* by a person */
	unsigned int copiers;	/* who keep it paused while they copy it */
	bool aux_held;		/* tracing stands still, see sim_cpu_trace() */
	uint64_t aux_read_at;	/* when its head was last read, ns; 0: not */
	double aux_read_cost;	/* seconds that took */
	uint64_t written_at;	/* when it was last asked to write, ns */
	uint64_t wake_at;	/* when the slow reader is woken, ns; 0: not */
};

/* What the writers follow now; requests change it. */
struct sim_pace {
	bool enabled;
	double rate;		/* records/s */
	uint64_t period;
};

/*
 * Prepare CPU @nr as @spec says, to run @code (borrowed).  0, or -errno with
 * @err.  Undo with sim_cpu_free, also after a failure.
 */
int sim_cpu_init(struct sim_cpu *cpu, int nr, const struct sim_spec *spec,
		 const struct sim_code *code, struct err *err);
void sim_cpu_free(struct sim_cpu *cpu);

/*
 * Snapshot mode: stop tracing for a moment, which publishes the head.
 */
void sim_cpu_read_aux(struct sim_cpu *cpu, const struct sim_spec *spec);
/* The same in two steps: stop it, and let it go on. */
void sim_cpu_trace(struct sim_cpu *cpu, const struct sim_spec *spec, bool on);

/* What is written is lost while it is paused or somebody copies it. */
void sim_cpu_pause(struct sim_cpu *cpu, bool on);
void sim_cpu_copy(struct sim_cpu *cpu, bool on);

/* Memory for another ring of @size bytes for @cpu.  0, or -errno with @err. */
int sim_memory_open(struct sim_memory *memory, const struct sim_cpu *cpu,
		    const struct sim_spec *spec, uint64_t size,
		    struct err *err);
void sim_memory_close(struct sim_memory *memory);

/* For collector_add and collector_replace; @ids are room for the events'. */
struct collector_ring sim_cpu_reader_ring(const struct sim_cpu *cpu,
					  const struct sim_memory *memory,
					  uint64_t *ids);

/*
 * Write what has become due by @now (CLOCK_MONOTONIC, ns) since the last call,
 * and wake the reader by the kernel's rule.  Of a longer time than
 * SIM_CPU_CATCH_UP_NS (the machine slept, the writer cannot keep up) no more
 * than that is made up for.
 */
void sim_cpu_write(struct sim_cpu *cpu, const struct sim_spec *spec,
		   const struct sim_pace *pace, uint64_t now);

enum { SIM_CPU_CATCH_UP_NS = 100000000 };

#endif
