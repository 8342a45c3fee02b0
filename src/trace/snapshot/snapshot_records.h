/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the data rings' histories goes into a snapshot.  A history may cover
 * minutes, the trace of an AUX ring only milliseconds.  Context switches and
 * starts and stops of tracing are of no use if they are older than the trace.
 *
 * These are omitted, except the last ones before the trace on each CPU, which
 * show what was running when the trace began.  All other records are kept:
 * mappings, names, symbols, code changes, losses, hardware IDs, and samples of
 * events given with -e.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_RECORDS_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_RECORDS_H

#include "trace/snapshot/snapshot.h"

struct collector;

/* The histories of all data rings at one moment. */
struct snapshot_records {
	struct snapshot_history {
		unsigned char *bytes;
		size_t size;
		bool overwritten;	/* older records were overwritten */
	} *rings;
	size_t nr;
	uint64_t bytes;
};

/*
 * Copy the histories, so that new records cannot overwrite them while a file is
 * written.  0 or -ENOMEM with @err.
 */
int snapshot_records_hold(struct snapshot_records *records,
			  struct collector *collector, size_t nr_rings,
			  struct err *err);
void snapshot_records_free(struct snapshot_records *records);

/* The time of the first record that has one; 0: none has. */
uint64_t snapshot_records_oldest(const unsigned char *records, size_t size);

/* The size of all histories together. */
struct snapshot_kept {
	uint64_t used, limit;	/* bytes */
	double seconds;		/* that the shortest history covers */
};

/*
 * @since: when the events were enabled, CLOCK_MONOTONIC seconds.  0 or -ENOMEM.
 */
int snapshot_records_kept(struct collector *collector, struct session *session,
			  double since, struct snapshot_kept *out);

/* What is needed to convert times in the trace. */
struct snapshot_cut_from {
	const struct auxtrace *trace;
	struct perf_time_conv conv;	/* from the counter to the session's
					 * clock */
	uint64_t counter;	/* its value, not older than the trace */
};

/* The age of the oldest trace, in ns of the session's clock. */
struct snapshot_reach {
	uint64_t time;		/* no trace is older; 0: the start of tracing */
	bool known;		/* the oldest trace is of @time; if false, it
				 * may be younger */
};

/*
 * The age of the trace of @ring: from its own timestamps; or the start of
 * tracing, if it does not fill its ring.  For trace with free-running positions
 * (ops->cuts_by_aux) it is a bound: the time of the last stop before it, which
 * is searched in the history @records (@size bytes) of its data ring.
 */
struct snapshot_reach
snapshot_records_reach(const struct snapshot_cut_from *from,
		       const struct snapshot_ring *ring,
		       const unsigned char *records, size_t size);

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
size_t snapshot_records_cut_old(unsigned char *records, size_t size,
				const struct snapshot_cut_rule *rule);

/* The result for all rings together. */
struct snapshot_cut_found {
	bool known;		/* age known for the trace of each ring */
	uint64_t reach;		/* of the oldest, see struct snapshot_reach */
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
void snapshot_records_cut(struct snapshot_records *records,
			  const struct snapshot_cut_from *from,
			  const struct snapshot *s, bool switches,
			  struct snapshot_cut_found *found);

#endif
