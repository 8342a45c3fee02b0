/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots of a source, live or simulated: their options and objects. */
#ifndef RBTOP_SOURCE_SOURCE_SNAPSHOTS_H
#define RBTOP_SOURCE_SOURCE_SNAPSHOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/reading.h"
#include "trace/perfdata/machine.h"
#include "trace/pmu/auxtrace.h"

struct err;
struct request;
struct snapshot_thread;
struct snapshot_opts;
struct source_notes;
struct symbol_loader;
struct task_history;
struct trigger;

/* Options of snapshots and recordings. */
struct source_snapshots {
	const char *dir;	/* --output; NULL: the current directory */
	unsigned int keep;	/* --keep; 0: all */
	double every;		/* --snapshot-every, seconds; 0: off */
	const char *on;		/* --snapshot-on; NULL: off */
	double cooldown;	/* --snapshot-cooldown; 0: the default */
	bool at_exit;		/* -Se, --snapshot-on exit: take one before the
				 * events end */
	size_t history;		/* --history, bytes of all rings; 0: default */
	uint64_t max_record;	/* --max-size, bytes of a recording; 0: no
				 * limit */
	const char *record;	/* -o: record from the start; NULL: do not */
};

/* Defaults of .cooldown and .history. */
#define SOURCE_SNAPSHOTS_COOLDOWN 10.0
#define SOURCE_SNAPSHOTS_HISTORY ((size_t)16 << 20)

/* Processes that read build-ids: two in case a file hangs one of them. */
enum { SOURCE_SNAPSHOTS_LOADERS = 2 };

/* Zeroed: empty.  A source that cannot take snapshots has no such struct. */
struct source_snapshots_parts {
	const struct source_snapshots *opts;	/* borrowed */
	struct auxtrace_env env;
	const char **event_names;	/* by tag, for the trigger */
	struct trigger *trigger;	/* NULL: none */
	struct task_history *tasks;	/* NULL: neither decoded nor traced */
	struct perfdata_machine machine;
	struct symbol_loader *loader;	/* of build-ids; NULL: none are read */
	struct snapshot_thread *thread;
	struct snapshots now;		/* as of the latest reading */
	atomic_bool exit_taken;		/* the snapshot at exit was requested */
};

/*
 * Create the thread, after the other members of @p; also sets those of @opts
 * that come from @p.  Its messages go to @notes.  0 or -errno with @err.
 */
int source_snapshots_open(struct source_snapshots_parts *p,
			  struct snapshot_opts *opts,
			  struct source_notes *notes, struct err *err);
/*
 * REQUEST_SNAPSHOT, REQUEST_SNAPSHOT_CANCEL and REQUEST_RECORD.  0 or -errno
 * with @err.
 */
int source_snapshots_request(struct source_snapshots_parts *p,
			     const struct request *rq, struct err *err);
/* The present state, valid until the next call; for the reading thread. */
const struct snapshots *source_snapshots_read(struct source_snapshots_parts *p);
/*
 * After the last drain: wait for what is being written, and take the snapshot
 * of -Se.  @p may be NULL.
 */
void source_snapshots_settle(struct source_snapshots_parts *p);
/*
 * End the thread, before the collector is freed.  @complete: finish the
 * requests first; a start that failed leaves no files.  @p may be NULL.
 */
void source_snapshots_close(struct source_snapshots_parts *p, bool complete);
/* Free the other members, after that. */
void source_snapshots_free(struct source_snapshots_parts *p);

#endif
