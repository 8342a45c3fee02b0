/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a source that takes snapshots is asked for, live or simulated. */
#ifndef RBTOP_SOURCE_SOURCE_SNAPSHOTS_H
#define RBTOP_SOURCE_SOURCE_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct request;
struct snapshot_thread;
struct snapshot_opts;

/* Where and when snapshots are taken. */
struct source_snapshots {
	const char *dir;	/* --output; NULL: the current directory */
	unsigned int keep;	/* --keep; 0: all */
	double every;		/* --snapshot-every; 0: not */
	const char *on;		/* --snapshot-on; NULL: nothing */
	double cooldown;	/* --snapshot-cooldown; 0: the default */
	bool at_exit;		/* -Se, --snapshot-on exit: one more, the last
				 * thing before the events end */
	size_t history;		/* --history, bytes of all rings; 0: default */
	uint64_t max_record;	/* --max-size, bytes of a recording; 0: any */
	const char *record;	/* -o: record from the start; NULL: not */
};

/* What .cooldown and .history are unless asked for otherwise. */
#define SOURCE_SNAPSHOTS_COOLDOWN 10.0
#define SOURCE_SNAPSHOTS_HISTORY ((size_t)16 << 20)

/* Those members of @opts that follow from it. */
void source_snapshots_fill(const struct source_snapshots *from,
			   struct snapshot_opts *opts);

/*
 * REQUEST_SNAPSHOT, REQUEST_SNAPSHOT_CANCEL and REQUEST_RECORD.  0 or -errno
 * with @err.
 */
int source_snapshots_request(struct snapshot_thread *thread,
			     const struct request *rq, struct err *err);

#endif
