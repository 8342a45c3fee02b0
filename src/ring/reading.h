/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a source at one moment, before rates are computed.  Filled by a
 * source, consumed by frame_build.  UNKNOWN: not available from the source.
 */
#ifndef RBTOP_RING_READING_H
#define RBTOP_RING_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/event/event_spec.h"
#include "ring/log.h"
#include "ring/ring_row.h"

struct host;
struct samples;
struct snapshots;

/* The comm of one of the ring's top pids. */
struct reading_comm {
	pid_t pid;
	char comm[16];
};

/* What is read of an AUX ring besides its row. */
struct reading_aux {
	bool recorded;		/* of a recording: what AUX records say is known,
				 * and perhaps the size, in pages of 4 KiB */
	bool stopped;		/* tracing is stopped, by the user or the
				 * kernel */
	bool free_running;	/* snapshot mode: the head counts all bytes ever
				 * written; else it may be an offset in the ring
				 * (intel_pt, arm_spe), from which no rate can
				 * be computed */
	bool full;		/* all of it holds trace: heads and readings
				 * showed that it wrapped at least once */
	double head_age;	/* snapshot mode: seconds since tracing was last
				 * stopped, which published the head; NAN:
				 * never */
	double read_cost;	/* seconds that the last read of the head
				 * stopped tracing; NAN: no read yet */
};

struct reading_ring {
	/*
	 * The source sets cpu, tid, pid, comm (sanitized), events without
	 * rates, overwrite, paused, enabled, gone, size, watermark,
	 * wakeup_events, and head and tail of the present mapping; and of its
	 * AUX ring the size (0: there is none; UNKNOWN), watermark, overwrite,
	 * head and tail.  frame_build() makes the others of them.
	 */
	struct ring_row row;
	size_t events_cap;
	bool ordinary;		/* its reader has no realtime priority */
	double ordinary_wait;	/* seconds that a thread without one waited for
				 * a CPU each time it ran, on average, since the
				 * last reading; 0: unknown */
	uint64_t recent_peak;	/* most bytes at a drain since the last
				 * reading */
	uint64_t most_waited;	/* the same of a recording that lost nothing, in
				 * all of it, if its size is known; else 0 */
	struct ring_stats stats;
	double counts_age;	/* seconds since counts and losses were read */
	struct reading_comm comms[TOP_PIDS];
	unsigned int nr_comms;
	struct ring_overwrite read;
	struct reading_aux aux;
};

/* An event since the last reading, for the log. */
struct reading_note {
	double time;		/* unix seconds */
	enum log_kind kind;
	uint64_t fold;		/* see log_fold(); 0: none */
	char text[240];
};

/* A part of a recording's time. */
struct playback_column {
	double bytes;		/* of records and trace */
	bool lost;		/* records */
	bool truncated;		/* AUX records said so */
	bool worst;		/* in none was more lost */
};
/* The most that a recording is divided into. */
enum { PLAYBACK_COLUMNS = 512 };

/* How a recording is played. */
struct playback {
	double position, length;	/* seconds */
	double mark;		/* samples are those from there to the position;
				 * NAN: there is none */
	double speed;		/* seconds of it a second */
	bool playing;
	uint64_t ring_size;	/* bytes of each data ring; 0: unknown */
	uint64_t pages;		/* the -m of perf record that would have held
				 * all of it; 0: nothing was lost, or unknown */
	const struct playback_column *columns; /* all of it, in order */
	size_t nr_columns;	/* 0: it has no times */
	double column;		/* seconds that each covers, the last maybe
				 * fewer */
};

struct reading {
	double mono;		/* CLOCK_MONOTONIC, seconds */
	double wall;		/* unix time, seconds */
	uint64_t kernel;	/* the records' clock at @wall, ns; 0: unknown */
	struct event_rates rates;
	uint64_t page_size;	/* unit of -m; 0: 4096 */
	struct reading_ring *rings;
	size_t nr_rings;
	struct reading_note *notes;
	size_t nr_notes, notes_cap;
	double cpu;		/* CPU seconds used by rbtop so far */
	uint64_t rss;		/* bytes */
	bool ended;		/* the target is gone; figures are final */
	const struct samples *samples;	/* NULL: samples are not collected */
	const struct snapshots *snapshots; /* NULL: the source has none */
	const struct host *host; /* NULL: other programs' rings are not
				  * watched */

	/* Of a recording, whose mono and wall are the seconds of it: */
	const struct playback *playback; /* NULL: this is none */
	uint64_t start;		/* by the records' clock, ns, not 0 */
	bool rewound;		/* it is older than the previous one */
	bool base;		/* only what the next one's rates start from: it
				 * follows at once */
	unsigned int retold;	/* kinds (bits) of log lines that notes tell
				 * anew from this time on, instead of rings: */
	double retold_from;
};

/*
 * Grow to @nr rings, keeping those there are (new ones are zeroed, with cpu,
 * tid and pid -1), or make room for @nr events in a ring.  0 or -ENOMEM.
 */
int reading_reserve(struct reading *r, size_t nr_rings);
int reading_reserve_events(struct reading_ring *ring, size_t nr);
/* Append a note; dropped when out of memory.  @text is sanitized.
 * reading_fold(): it takes the place of the log's line with the same @fold. */
void reading_note(struct reading *r, double time, enum log_kind kind,
		  const char *text);
void reading_fold(struct reading *r, double time, enum log_kind kind,
		  uint64_t fold, const char *text);
void reading_free(struct reading *r);

/* Snapshots taken and recordings made, as screens and exports see them. */

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
