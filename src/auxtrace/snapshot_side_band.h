/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the histories of data rings belongs to a snapshot.  They reach back
 * minutes where the trace of an AUX ring reaches back milliseconds: records
 * that only say what ran when are of no use from before.
 *
 * Of these, the last before the trace stay, of each CPU: they say what ran
 * when it began.  All other records stay: mappings, names, symbols, code that
 * was changed, losses, hardware ids, and the samples, which were asked for
 * with -e.
 */
#ifndef RBTOP_AUXTRACE_SNAPSHOT_SIDE_BAND_H
#define RBTOP_AUXTRACE_SNAPSHOT_SIDE_BAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "auxtrace/snapshot.h"

struct snapshot_records;

/* Times in ns of the session's clock; 0: back to the start of tracing. */
struct side_band_reach {
	uint64_t time;		/* nothing in the trace is older */
	bool known;		/* but something is as old; else time is a
				 * bound, as far as there is one */
};

/* What a ring's trace and its records say of that. */
struct side_band_from {
	const struct auxtrace *trace;
	struct perf_time_conv conv;	/* of that clock */
	uint64_t counter;	/* what conv is for, no older than the trace */
};

/*
 * How far back the trace of @ring reaches, whose data ring's history is
 * @records (@size bytes): by its own times, or back to the start where it does
 * not fill its ring.  A bound where its positions run freely
 * (ops->cuts_by_aux): the time of the last stop before it.
 */
struct side_band_reach side_band_reach(const struct side_band_from *from,
				       const struct snapshot_ring *ring,
				       const unsigned char *records,
				       size_t size);

/* Which records may go. */
struct side_band_rule {
	uint64_t since;		/* those that are older */
	bool switches;		/* SWITCH, SWITCH_CPU_WIDE */
	bool aux;		/* AUX */
	/* and ITRACE_START */
};

/*
 * Remove them from @records in place.  Returns the bytes that are left, or
 * @size where there is no memory to do it.
 */
size_t side_band_cut(unsigned char *records, size_t size,
		     const struct side_band_rule *rule);

/* The time of the first of the records that has one; 0: none has. */
uint64_t side_band_oldest(const unsigned char *records, size_t size);

/* What was found, of all rings. */
struct side_band_found {
	bool known;		/* how far back the trace of each ring reaches */
	uint64_t reach;		/* the oldest of it, see side_band_reach */
	size_t nr_short;	/* rings whose records were overwritten, and
				 * reach back less far than their trace */
	uint64_t short_reach, short_records;	/* of the worst: its trace, its
						 * records */
};

/*
 * Cut the records of every ring that has trace in @s to its reach, and a
 * little more.  @switches: SWITCH records as well.
 */
void snapshot_cut_records(const struct side_band_from *from,
			  const struct snapshot *s,
			  struct snapshot_records *records, bool switches,
			  struct side_band_found *found);

#endif
