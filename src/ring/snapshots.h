/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots taken and recordings made, as screens and exports see them. */
#ifndef RBTOP_RING_SNAPSHOTS_H
#define RBTOP_RING_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SNAPSHOTS_LISTED = 64 };	/* the newest */

/* Why a recording misses records. */
enum record_cause {
	RECORD_FAST,		/* they come faster than the writer thread
				 * can write them */
	RECORD_NO_CPU,		/* the writer thread waited for a CPU */
	RECORD_SLOW_DISK,	/* the writer thread waited for the disk */
	RECORD_CAUSES
};

enum snapshot_state {
	SNAPSHOT_COPYING,	/* tracing is stopped */
	SNAPSHOT_WRITING,
	SNAPSHOT_DONE,
	SNAPSHOT_FAILED,
	SNAPSHOT_CANCELLED,
	SNAPSHOT_REMOVED,	/* was done; --keep removed its file since */
};

/* Plain data; texts are sanitized. */
struct snapshot_info {
	uint64_t number;	/* counts from 1 */
	uint64_t requests;	/* it was taken for; more than one if some were
				 * merged */
	double time;		/* unix seconds */
	char trigger[96];	/* "key", "SIGUSR2", "every 10s", "lost: ...";
				 * of several requests: "SIGUSR2, key" */
	size_t rings;		/* that it holds */
	size_t aux_rings;	/* of them; 0: nothing traced, overwrite rings
				 * were paused */
	char which[48];		/* "CPU 0-3", "tid 12 13 ..." */
	uint64_t bytes;		/* of trace and of overwrite rings */
	uint64_t file_bytes;	/* written so far */
	uint64_t file_total;	/* as far as it can be foretold */
	char file[256];		/* its name below the directory */
	double stopped;		/* seconds that tracing stood still, or that
				 * overwrite rings were paused */
	double spread;		/* from the first event stopped to the last */
	double wait;		/* seconds from the first request, or from the
				 * record that met a condition, until tracing
				 * was stopped; NAN: not yet */
	double took;		/* seconds from the same time to its end; NAN:
				 * not yet */
	double reach;		/* seconds of trace in the ring whose trace is
				 * the longest; NAN: not known */
	size_t short_rings;	/* whose records do not reach back as far as
				 * their trace, see --history */
	enum snapshot_state state;
	char error[160];	/* of SNAPSHOT_FAILED; the reason first */
};

/* Plain data.  Sizes in bytes. */
struct snapshots {
	struct snapshot_info list[SNAPSHOTS_LISTED];	/* oldest first */
	size_t nr;
	/* since the start; removed: old files, by --keep */
	uint64_t taken, failed, cancelled, removed;
	/* Each request is in exactly one of: taken, failed, cancelled; merged
	 * into a queued request; being taken; queued. */
	uint64_t requests, merged;
	uint64_t queued;	/* requests waiting for the next snapshot */
	char dir[256];
	unsigned int keep;	/* --keep; 0: all */
	double every;		/* --snapshot-every; 0: not */
	char armed[96];		/* --snapshot-on; "": nothing */
	uint64_t fired;		/* times its condition held */
	double cooldown_left;	/* seconds until it is armed again; 0: it is */
	/* what is kept of the data rings for the next snapshot */
	uint64_t history_used, history_limit;
	double history_seconds;	/* that the youngest history reaches back */
	size_t history_processes;
	uint64_t tasks_used, tasks_limit;	/* beside it, what is known of
						 * these */
	uint64_t history_dropped;	/* tasks and mappings beyond its limit:
					 * what they ran will have no names */
	/* --full-trace and w */
	bool recording;
	char record_file[256];
	double record_since;	/* unix seconds */
	uint64_t record_bytes;
	uint64_t record_missed;	/* bytes of records that came faster than they
				 * were written, ... */
	enum record_cause record_cause;	/* the main cause of record_missed */
	char record_error[160];
};

/* "the disk was too slow", ... */
const char *record_cause_text(enum record_cause cause);
/* "done", "writing", ... */
const char *snapshot_state_name(enum snapshot_state state);

#endif
