/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots taken and recordings made, as screens and exports see them. */
#ifndef RBTOP_RING_SNAPSHOTS_H
#define RBTOP_RING_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SNAPSHOTS_LISTED = 64 };	/* the newest */

/* Why records are missing in a recording. */
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
	SNAPSHOT_REMOVED,	/* was done; since deleted because of --keep */
};

/* Plain data; texts are sanitized. */
struct snapshot_info {
	uint64_t number;	/* counts from 1 */
	uint64_t requests;	/* answered by it; more than one if requests
				 * were merged */
	double time;		/* unix seconds */
	char trigger[96];	/* "key", "SIGUSR2", "every 10s", "lost: ...";
				 * of merged requests: "SIGUSR2, key" */
	size_t rings;		/* in the snapshot */
	size_t aux_rings;	/* AUX rings among them; 0: tracing was not
				 * stopped, overwrite rings were paused */
	char which[48];		/* "CPU 0-3", "tid 12 13 ..." */
	uint64_t bytes;		/* bytes of trace and of overwrite rings */
	uint64_t file_bytes;	/* written so far */
	uint64_t file_total;	/* expected size */
	char file[256];		/* file name in the directory */
	double stopped;		/* seconds that tracing was stopped, or that
				 * overwrite rings were paused */
	double spread;		/* seconds from first to last event stopped */
	double wait;		/* seconds from the first request, or from the
				 * record that met a condition, until tracing
				 * was stopped; NAN: not yet */
	double took;		/* seconds from the same start until it was
				 * done; NAN: not yet */
	double reach;		/* seconds of trace in the ring with the longest
				 * trace; NAN: unknown */
	size_t short_rings;	/* rings whose records do not reach back as far
				 * as their trace, see --history */
	enum snapshot_state state;
	char error[160];	/* of SNAPSHOT_FAILED; starts with the reason */
};

/* Plain data.  Sizes in bytes. */
struct snapshots {
	struct snapshot_info list[SNAPSHOTS_LISTED];	/* oldest first */
	size_t nr;
	/* since the start; removed: old files deleted by --keep */
	uint64_t taken, failed, cancelled, removed;
	/*
	 * Each request is in exactly one of: taken, failed, cancelled; merged
	 * into a queued request; being taken; queued.
	 */
	uint64_t requests, merged;
	uint64_t queued;	/* requests waiting for the next snapshot */
	char dir[256];
	unsigned int keep;	/* --keep; 0: all */
	double every;		/* --snapshot-every, seconds; 0: off */
	char armed[96];		/* --snapshot-on; "": nothing */
	uint64_t fired;		/* times the condition was met */
	double cooldown_left;	/* seconds until it is armed again; 0: armed */
	/* memory for the copies of data rings kept for the next snapshot */
	uint64_t history_used, history_limit;
	double history_seconds;	/* age in seconds of the oldest record in the
				 * shortest history */
	size_t history_processes;
	uint64_t tasks_used, tasks_limit;	/* memory for tasks and mappings
						 * kept for the next snapshot */
	uint64_t history_dropped;	/* tasks and mappings dropped at the
					 * limit: their addresses will have no
					 * names */
	/* --full-trace and the w key */
	char record_place[320];	/* directory of a recording and its name but for
				 * the time; "": nothing can be recorded */
	bool recording;
	char record_file[256];
	double record_since;	/* unix seconds */
	uint64_t record_bytes;
	uint64_t record_missed;	/* bytes of records that came faster than they
				 * could be written */
	enum record_cause record_cause;	/* the main cause of record_missed */
	char record_error[512];
};

/* "the disk was too slow", ... */
const char *record_cause_text(enum record_cause cause);
/* "done", "writing", ... */
const char *snapshot_state_name(enum snapshot_state state);

#endif
