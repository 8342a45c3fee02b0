/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/triggers/comm_watch.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/proc.h"
#include "samples/sample_filter_node.h"
#include "perf/abi/ring.h"
#include "perf/abi/side_band.h"

enum {
	TIDS = 1 << 22,		/* PID_MAX_LIMIT, linux/threads.h */
	RECORD_MAX = 128,	/* more than a COMM or a FORK needs */
	BITS = 8,		/* of an entry: which comparisons hold */
};

/*
 * An entry is the time of the record that it comes from, in units of 256 ns,
 * and in the lower 8 bits which comparisons hold.  Pages of tids that do not
 * occur are never touched.
 */
struct comm_watch {
	const struct filter_node *nodes[COMM_WATCH_MAX];
	size_t nr;
	_Atomic uint64_t *tasks;
};

struct comm_watch *comm_watch_new(const struct filter_node *const *nodes,
				  size_t nr)
{
	struct comm_watch *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->tasks = calloc(TIDS, sizeof(*w->tasks));
	if (!w->tasks) {
		free(w);
		return NULL;
	}
	w->nr = nr;
	for (size_t i = 0; i < nr; i++)
		w->nodes[i] = nodes[i];
	return w;
}

void comm_watch_free(struct comm_watch *w)
{
	if (!w)
		return;
	free(w->tasks);
	free(w);
}

static uint8_t bits_of(const struct comm_watch *w, const char *comm)
{
	uint8_t bits = 0;

	for (size_t i = 0; i < w->nr; i++)
		if (sample_filter_text(w->nodes[i], comm))
			bits |= (uint8_t)(1u << i);
	return bits;
}

static bool is_tid(uint32_t tid)
{
	return tid > 0 && tid < TIDS;
}

uint8_t comm_watch_bits(const struct comm_watch *w, pid_t tid)
{
	if (!is_tid((uint32_t)tid))
		return 0;
	return (uint8_t)atomic_load_explicit(&w->tasks[tid],
					     memory_order_relaxed);
}

/* Unless the entry comes from a later record. */
static void set_bits(struct comm_watch *w, uint32_t tid, uint64_t time,
		     uint8_t bits)
{
	uint64_t entry, fresh = (time & ~UINT64_C(0xff)) | bits;

	if (!is_tid(tid))
		return;
	entry = atomic_load_explicit(&w->tasks[tid], memory_order_relaxed);
	while (fresh >> BITS >= entry >> BITS &&
	       !atomic_compare_exchange_weak_explicit(&w->tasks[tid], &entry,
						      fresh,
						      memory_order_relaxed,
						      memory_order_relaxed))
		;
}

void comm_watch_record(struct comm_watch *w, const struct ring *ring,
		       uint64_t position, struct perf_event_header header)
{
	alignas(uint64_t) unsigned char bytes[RECORD_MAX];
	struct side_band r;

	if ((header.type != PERF_RECORD_COMM &&
	     header.type != PERF_RECORD_FORK) || header.size > sizeof(bytes))
		return;
	ring_copy(ring, position, bytes, header.size);
	if (side_band_parse(bytes, header.size, &side_band_own, &r) || !r.time)
		return;
	if (r.type == PERF_RECORD_COMM)
		set_bits(w, (uint32_t)r.comm.tid, r.time,
			 bits_of(w, r.comm.comm));
	else	/* a new task inherits the comm of its parent */
		set_bits(w, (uint32_t)r.task.tid, r.time,
			 comm_watch_bits(w, r.task.ptid));
}

/*
 * The entry keeps its time, and is left alone if a record changes it meanwhile:
 * that record is newer than what was read, or has the same comm.
 */
static void scan_task(struct comm_watch *w, pid_t pid, pid_t tid)
{
	char comm[PROC_COMM];
	uint64_t entry;

	if (!is_tid((uint32_t)tid))
		return;
	entry = atomic_load_explicit(&w->tasks[tid], memory_order_relaxed);
	if (!proc_comm("/proc", pid, tid, comm))
		return;
	atomic_compare_exchange_strong(&w->tasks[tid], &entry,
				       (entry & ~UINT64_C(0xff)) |
					       bits_of(w, comm));
}

void comm_watch_scan(struct comm_watch *w)
{
	size_t nr_pids, nr_tids;
	pid_t *pids, *tids;

	proc_processes("/proc", &pids, &nr_pids);
	for (size_t i = 0; i < nr_pids; i++) {
		proc_threads("/proc", pids[i], &tids, &nr_tids);
		for (size_t j = 0; j < nr_tids; j++)
			scan_task(w, pids[i], tids[j]);
		free(tids);
	}
	free(pids);
}
