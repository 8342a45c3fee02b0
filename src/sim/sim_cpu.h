/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One simulated CPU: its ring's memory, a single mapping for writer and reader,
 * and the records written over time.  Not thread safe, except for what the ring
 * protocol allows the reader.
 */
#ifndef RBTOP_SIM_SIM_CPU_H
#define RBTOP_SIM_SIM_CPU_H

#include <stddef.h>
#include <stdint.h>

#include "collect/collector.h"
#include "perf/abi/aux_ring.h"
#include "perf/abi/ring.h"
#include "sim/sim.h"
#include "sim/sim_ring.h"
#include "sim/sim_traffic.h"

struct err;
struct sim_code;

/* A ring's memory, with both sides of it. */
struct sim_memory {
	void *base;		/* the mapping; NULL: none */
	size_t bytes;
	struct sim_ring ring;	/* the writer's side */
	struct ring view;	/* the reader's side */
	struct aux_ring aux;	/* the reader's side of the AUX area */
	int wake;		/* eventfd: written to wake the reader */
};

struct sim_cpu {
	int cpu;
	struct sim_memory memory;
	struct sim_traffic traffic;
	struct sim_trace trace;		/* written to the AUX area */
	struct sim_event *events;	/* [0] is the side-band event */
	size_t nr_events;
	double share;		/* rate relative to the usual one */
	double phase;		/* seconds by which its bursts are shifted */
	double due, aux_due;	/* records, bytes of trace, due but not
				 * written */
	bool paused;		/* by the user */
	unsigned int copiers;	/* number of copiers, who keep it paused */
	bool aux_held;		/* tracing is stopped, see sim_cpu_trace() */
	uint64_t aux_read_at;	/* when its head was last read, ns; 0: never */
	double aux_read_cost;	/* seconds that read took */
	uint64_t written_at;	/* time of the last sim_cpu_write(), ns */
	uint64_t wake_at;	/* time to wake the slow reader, ns; 0: none */
};

/* Settings of the writer; requests change them. */
struct sim_pace {
	bool enabled;
	double rate;		/* records/s */
	uint64_t period;
};

/*
 * Prepare CPU @nr according to @spec, to run @code (borrowed).  0, or -errno
 * with @err.  Call sim_cpu_free() in any case, also after a failure.
 */
int sim_cpu_init(struct sim_cpu *cpu, int nr, const struct sim_spec *spec,
		 const struct sim_code *code, struct err *err);
void sim_cpu_free(struct sim_cpu *cpu);

/* Snapshot mode: stop and resume tracing, which publishes the head. */
void sim_cpu_read_aux(struct sim_cpu *cpu, const struct sim_spec *spec);
/* The same in two steps: stop it (@on false), and resume it. */
void sim_cpu_trace(struct sim_cpu *cpu, const struct sim_spec *spec, bool on);

/* Records are lost while it is paused, or being copied. */
void sim_cpu_pause(struct sim_cpu *cpu, bool on);
void sim_cpu_copy(struct sim_cpu *cpu, bool on);

/* Memory for another ring of @size bytes for @cpu.  0, or -errno with @err. */
int sim_memory_open(struct sim_memory *memory, const struct sim_cpu *cpu,
		    const struct sim_spec *spec, uint64_t size,
		    struct err *err);
void sim_memory_close(struct sim_memory *memory);

/* For collector_add and collector_replace; @ids has room for all events. */
struct collector_ring sim_cpu_reader_ring(const struct sim_cpu *cpu,
					  const struct sim_memory *memory,
					  uint64_t *ids);

/*
 * Write what has become due by @now (CLOCK_MONOTONIC, ns) since the last call,
 * and wake the reader as the kernel would.  After a longer interval than
 * SIM_CPU_CATCH_UP_NS (suspend, or a writer that is too slow), only that much
 * is written.
 */
void sim_cpu_write(struct sim_cpu *cpu, const struct sim_spec *spec,
		   const struct sim_pace *pace, uint64_t now);

enum { SIM_CPU_CATCH_UP_NS = 100000000 };

#endif
