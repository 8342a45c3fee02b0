/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's side of a perf ring, on plain memory: what writes records,
 * loses them when there is no room, and says when the reader must be woken
 * (kernel/events/ring_buffer.c).  No threads, no clock, no randomness: the
 * simulated source and the unit tests of the readers put those on top.
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

struct sim_trace;

enum {
	SIM_RING_MAX_RECORD = 4096,	/* largest that can be written */
	SIM_RING_LOST_RECORD = 56,	/* size of a LOST with its trailer */
};

/* Plain data; see sim_ring_init. */
struct sim_ring {
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t size;
	uint64_t watermark;
	int cpu;		/* for the records' sample_id */
	bool overwrite;		/* written backward, never full */
	bool paused;		/* every record is lost; set it at will */
	uint64_t head;		/* as data_head: falls in an overwrite ring */
	uint64_t wakeup;	/* the crossing that was woken for last */
	uint64_t lost;		/* records not yet told of by a LOST */
	uint64_t aux_size, aux_watermark, aux_head, aux_wakeup;
	bool aux_overwrite;	/* snapshot mode: never full */
	struct sim_trace *aux_trace;	/* what fills it, borrowed; NULL:
					 * its contents are not simulated */
	bool aux_stopped;	/* by the kernel, for lack of room; the reader
				 * clears it, as it would enable the event */
};

/* An event that writes to a ring: its id, and what read(2) of it says. */
struct sim_event {
	uint64_t id;		/* PERF_SAMPLE_IDENTIFIER */
	uint64_t count;		/* grows by each sample's period, lost or not */
	uint64_t lost;		/* PERF_FORMAT_LOST: its records without room */
};

/* Who did it, and when. */
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
 * Lay out @base, which is zeroed and of sys_page_size() + @size bytes (@size a
 * power of two), as a mapping that ring_attach() takes.  A @watermark of 0
 * stands for half of the ring, a larger one than the ring for all of it, as
 * in the kernel.
 */
void sim_ring_init(struct sim_ring *ring, void *base, uint64_t size,
		   uint64_t watermark, bool overwrite);

struct sim_sample {
	uint64_t ip;
	uint16_t misc;		/* PERF_RECORD_MISC_USER, ... */
	uint64_t period;
	const uint64_t *chain;	/* context markers included; NULL: none */
	size_t nr_chain;
	size_t size;		/* bytes without the callchain, rounded up to
				 * 8; what exceeds the fixed fields is a raw
				 * field, as tracepoints have it */
};

/*
 * Write a SAMPLE with the fields of RECORD_SAMPLE_TYPE, of SIM_RING_MAX_RECORD
 * bytes at most: the raw field is cut to that.
 */
enum sim_ring_result sim_ring_sample(struct sim_ring *ring,
				     struct sim_event *event,
				     const struct sim_context *by,
				     const struct sim_sample *sample);

/*
 * Write a record of another @type: @len bytes of @body, padded to 8, behind
 * the header, and the sample_id trailer behind them.  @len is at most
 * SIM_RING_MAX_RECORD - 40.
 */
enum sim_ring_result sim_ring_record(struct sim_ring *ring,
				     struct sim_event *event,
				     const struct sim_context *by,
				     uint32_t type, uint16_t misc,
				     const void *body, size_t len);

/*
 * Give the ring an AUX area of @size bytes.  In snapshot mode (@overwrite)
 * nobody is woken for it.
 */
void sim_ring_set_aux(struct sim_ring *ring, uint64_t size,
		      uint64_t watermark, bool overwrite);

/*
 * @bytes more of trace: aux_head moves, as far as aux_tail leaves room, and an
 * AUX record says so.  Without room for all of them the record is flagged
 * TRUNCATED and the trace stops.  Returns what became of the record; also
 * SIM_RING_WOKE when the AUX watermark was reached, SIM_RING_WRITTEN when
 * there was nothing to do.  In snapshot mode it is written, and that is all.
 */
enum sim_ring_result sim_ring_aux(struct sim_ring *ring,
				  struct sim_event *event,
				  const struct sim_context *by, uint64_t bytes);

/*
 * Snapshot mode: tracing stops for a moment.  aux_head is published, and an
 * AUX record tells of it: its offset is where the trace ends.
 */
enum sim_ring_result sim_ring_aux_stop(struct sim_ring *ring,
				       struct sim_event *event,
				       const struct sim_context *by);

#endif
