/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's side of a perf ring on plain memory: writes records, loses them
 * when there is no room, and reports when the reader must be woken
 * (kernel/events/ring_buffer.c).  No threads, no clock, no randomness: callers,
 * the simulated source and unit tests of readers, add these.
 *
 * One writer at a time, as in the kernel.  Sizes in bytes, times in ns.
 */
#ifndef RBTOP_SIM_SIM_RING_H
#define RBTOP_SIM_SIM_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	SIM_RING_MAX_RECORD = 4096,	/* largest record that can be written */
	SIM_RING_LOST_RECORD = 56,	/* size of a LOST with its trailer */
};

/*
 * The trace that a simulated CPU writes to its AUX area: a stream of Intel PT
 * packets that perf can decode.  A decoder can start every SIM_TRACE_BLOCK
 * bytes: PSB, time, PSBEND; then PTWRITE packets, whose values depend on the
 * seed, the CPU and the position.
 */
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

/* Plain data; see sim_ring_init. */
struct sim_ring {
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t size;
	uint64_t watermark;
	int cpu;		/* for the sample_id of records */
	bool overwrite;		/* written backward, never full */
	bool paused;		/* all records are lost; set by the caller */
	uint64_t head;		/* as data_head: decreases in an overwrite
				 * ring */
	uint64_t wakeup;	/* position of the last crossing */
	uint64_t lost;		/* records not yet reported by a LOST record */
	uint64_t aux_size, aux_watermark, aux_head, aux_wakeup;
	bool aux_overwrite;	/* snapshot mode: never full */
	struct sim_trace *aux_trace;	/* writes its contents, borrowed; NULL:
					 * they are not simulated */
	bool aux_stopped;	/* by the kernel, when it is full; the reader
				 * clears it as if it enabled the event */
};

/* An event that writes to a ring: its id, and what read(2) returns. */
struct sim_event {
	uint64_t id;		/* PERF_SAMPLE_IDENTIFIER */
	uint64_t count;		/* grows by each sample's period, even if
				 * lost */
	uint64_t lost;		/* PERF_FORMAT_LOST: its lost records */
};

/* Task and time of a record. */
struct sim_context {
	pid_t pid, tid;
	uint64_t time;
};

enum sim_ring_result {
	SIM_RING_LOST,		/* no room, or paused */
	SIM_RING_WRITTEN,
	SIM_RING_WOKE,		/* written, and the reader must be woken */
};

/*
 * Initialize @base, zeroed memory of sys_page_size() + @size bytes (@size a
 * power of two), as a mapping for ring_attach().  A @watermark of 0 means half
 * of the ring, one larger than the ring all of it, as in the kernel.
 */
void sim_ring_init(struct sim_ring *ring, void *base, uint64_t size,
		   uint64_t watermark, bool overwrite);

struct sim_sample {
	uint64_t ip;
	uint16_t misc;		/* PERF_RECORD_MISC_USER, ... */
	uint64_t period;
	const uint64_t *chain;	/* with context markers; NULL: no callchain */
	size_t nr_chain;
	size_t size;		/* bytes without the callchain, rounded up to 8;
				 * what exceeds the fixed fields becomes a raw
				 * field, as of tracepoints */
};

/*
 * Write a SAMPLE with the fields of RECORD_SAMPLE_TYPE.  The raw field is cut
 * so that the record has at most SIM_RING_MAX_RECORD bytes.
 */
enum sim_ring_result sim_ring_sample(struct sim_ring *ring,
				     struct sim_event *event,
				     const struct sim_context *by,
				     const struct sim_sample *sample);

/*
 * Write a record of another @type: the header, @len bytes of @body padded to 8,
 * and the sample_id trailer.  @len is at most SIM_RING_MAX_RECORD - 40.
 */
enum sim_ring_result sim_ring_record(struct sim_ring *ring,
				     struct sim_event *event,
				     const struct sim_context *by,
				     uint32_t type, uint16_t misc,
				     const void *body, size_t len);

void sim_trace_init(struct sim_trace *trace, uint64_t seed, int cpu,
		    unsigned char *data, uint64_t size);

/*
 * Write the bytes of positions @from to @to, starting where the last call
 * ended, with times distributed evenly until @time.
 */
void sim_trace_write(struct sim_trace *trace, uint64_t from, uint64_t to,
		     uint64_t time);

/*
 * Add an AUX area of @size bytes to the ring.  In snapshot mode (@overwrite)
 * there are no wakeups for it.
 */
void sim_ring_set_aux(struct sim_ring *ring, uint64_t size,
		      uint64_t watermark, bool overwrite);

/*
 * Write @bytes of trace: advance aux_head as far as aux_tail allows, and write
 * an AUX record.  If not all of them fit, the record is flagged TRUNCATED and
 * the trace stops.  Returns the result of the record; also SIM_RING_WOKE when
 * the AUX watermark was reached, SIM_RING_WRITTEN if nothing was written.  In
 * snapshot mode no record is written.
 */
enum sim_ring_result sim_ring_aux(struct sim_ring *ring,
				  struct sim_event *event,
				  const struct sim_context *by, uint64_t bytes);

/*
 * Snapshot mode: stop tracing for a moment.  Publishes aux_head, and writes an
 * AUX record whose offset is the end of the trace.
 */
enum sim_ring_result sim_ring_aux_stop(struct sim_ring *ring,
				       struct sim_event *event,
				       const struct sim_context *by);

#endif
