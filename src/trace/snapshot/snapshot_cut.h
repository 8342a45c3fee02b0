/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which records of the data rings' histories go into a snapshot.  A history may
 * cover minutes, the trace of an AUX ring only milliseconds.  Context switches
 * and starts and stops of tracing are of no use if they are older than the
 * trace.
 *
 * These are omitted, except the last ones before the trace on each CPU, which
 * show what was running when the trace began.  All other records are kept:
 * mappings, names, symbols, code changes, losses, hardware IDs, and samples of
 * events given with -e.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_CUT_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/snapshot/snapshot.h"

struct snapshot_records;

/* The age of the oldest trace, in ns of the session's clock. */
struct snapshot_reach {
	uint64_t time;		/* no trace is older; 0: the start of tracing */
	bool known;		/* the oldest trace is of @time; if false, it
				 * may be younger */
};

/* What is needed to convert times in the trace. */
struct snapshot_cut_from {
	const struct auxtrace *trace;
	struct perf_time_conv conv;	/* from the counter to that clock */
	uint64_t counter;	/* its value, not older than the trace */
};

/*
 * The age of the trace of @ring: from its own timestamps; or the start of
 * tracing, if it does not fill its ring.  For trace with free-running positions
 * (ops->cuts_by_aux) it is a bound: the time of the last stop before it, which
 * is searched in the history @records (@size bytes) of its data ring.
 */
struct snapshot_reach snapshot_cut_reach(const struct snapshot_cut_from *from,
					 const struct snapshot_ring *ring,
					 const unsigned char *records,
					 size_t size);

/* Which records may be removed: ITRACE_START, and those of these types. */
struct snapshot_cut_rule {
	uint64_t since;		/* only records that are older */
	bool switches;		/* SWITCH, SWITCH_CPU_WIDE */
	bool aux;		/* AUX */
};

/*
 * Remove such records from @records in place, except the last of each kind on
 * each CPU.  Returns the size that is left, which is @size if out of memory.
 */
size_t snapshot_cut_old(unsigned char *records, size_t size,
			const struct snapshot_cut_rule *rule);

/* The result for all rings together. */
struct snapshot_cut_found {
	bool known;		/* age known for the trace of each ring */
	uint64_t reach;		/* of the oldest, see snapshot_cut_reach */
	size_t nr_short;	/* rings whose oldest records were overwritten
				 * and are younger than the trace */
	uint64_t short_reach, short_records;	/* of the worst of them: time of
						 * the oldest trace and
						 * record */
};

/*
 * Remove such records from the history of every ring that has trace in @s, if
 * they are 1 ms or more older than its trace.  @switches: also SWITCH records.
 */
void snapshot_cut_records(const struct snapshot_cut_from *from,
			  const struct snapshot *s,
			  struct snapshot_records *records, bool switches,
			  struct snapshot_cut_found *found);

#endif
