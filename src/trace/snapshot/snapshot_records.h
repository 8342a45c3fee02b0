/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of the records that the histories of data rings keep for files, and
 * their amount.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_RECORDS_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct collector;
struct err;
struct session;

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

#endif
