/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records that the histories of the data rings keep for files: how much
 * there is, and copies of it.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_RECORDS_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct collector;
struct err;
struct session;

/* The histories of all data rings, as they stood. */
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
 * Copy them, so that a slow disk does not let what is newer overtake them.  0
 * or -ENOMEM with @err.
 */
int snapshot_records_hold(struct snapshot_records *records,
			  struct collector *collector, size_t nr_rings,
			  struct err *err);
void snapshot_records_free(struct snapshot_records *records);

/* The time of the first of the records that has one; 0: none has. */
uint64_t snapshot_records_oldest(const unsigned char *records, size_t size);

/* What all histories together keep for the next file. */
struct snapshot_kept {
	uint64_t used, limit;	/* bytes */
	double seconds;		/* that the youngest history reaches back */
};

/*
 * @since: when the events were enabled, CLOCK_MONOTONIC seconds.  0 or -ENOMEM.
 */
int snapshot_records_kept(struct collector *collector, struct session *session,
			  double since, struct snapshot_kept *out);

#endif
