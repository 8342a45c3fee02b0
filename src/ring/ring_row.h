/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One ring as screens and exports see it: rbtop's own, another program's, or
 * several added up.  Rows are made anew for each frame and not changed then.
 *
 * Units: bytes, records, seconds, ratios 0..1.  Totals count from the start,
 * rates are over the tick.  UNKNOWN and NAN: the figure cannot be known, or the
 * ring has none.  Of another program's ring each drain is not seen, only the
 * state at intervals, so that some of its figures are bounds: figures.def says
 * which.
 */
#ifndef RBTOP_RING_RING_ROW_H
#define RBTOP_RING_RING_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/unknown.h"
#include "ring/advice.h"
#include "ring/history.h"
#include "ring/ring_stats.h"

enum ring_kind {
	RING_PERF,		/* of perf events: mmap(2) of one of them */
	RING_BPF,		/* BPF_MAP_TYPE_RINGBUF */
};

/* enum perf_event_state, include/linux/perf_event.h */
enum ring_event_state {
	RING_EVENT_UNKNOWN,
	RING_EVENT_ACTIVE,	/* counting now */
	RING_EVENT_INACTIVE,	/* enabled; its task does not run, or others
				 * have the counter */
	RING_EVENT_OFF,		/* disabled: by its owner, or by the kernel */
	RING_EVENT_ERROR,	/* pinned, and found no counter */
	RING_EVENT_GONE,	/* its task has ended */
};

/* An event that writes into a ring. */
struct ring_event {
	const char *name;	/* lives as long as what watches it */
	uint64_t count;		/* of the event itself, without children of
				 * another program's; UNKNOWN */
	uint64_t samples;	/* seen in the ring; UNKNOWN: nobody here reads
				 * it */
	uint64_t lost;		/* since it was opened; UNKNOWN before Linux
				 * 6.0 */
	double count_per_s, samples_per_s, lost_per_s;
	bool side_band;		/* the ring's own dummy */

	/* of another program's: */
	uint64_t id;		/* as PERF_EVENT_IOC_ID gives it */
	int cpu;		/* -1: any */
	pid_t tid;		/* that it follows, -1: none */
	enum ring_event_state state;
	bool throttled;
	bool maps;		/* its own mapping is the ring's; else it was
				 * redirected (PERF_EVENT_IOC_SET_OUTPUT) */
	bool freq;		/* period is in Hz */
	uint64_t period;	/* 0: does not sample */
};

/* The AUX ring beside a ring; size 0: there is none. */
struct ring_aux {
	uint64_t size, watermark; /* watermark 0: none */
	bool overwrite;		/* snapshot mode: the head is as of the last
				 * stop of tracing */
	bool bad_tail;		/* see struct ring_row */
	uint64_t head, tail;	/* full trace: free running; the tail is as the
				 * owner wrote it */
	uint64_t position;	/* of the head in the ring */
	uint64_t used;		/* waiting, <= size; UNKNOWN in snapshot mode */
	double fill;		/* used / size; NAN in snapshot mode */
	double bytes_per_s;	/* by the head; NAN: it does not say */
	uint64_t wraps;		/* full trace: head / size; else at least; not 0
				 * where all of the ring holds trace */
};

/* What the reader of a ring knows of the AUX ring beside it. */
struct ring_aux_reads {
	bool stopped;		/* disabled, by a person or the kernel */
	double peak;		/* worst at a drain since the start or a reset;
				 * NAN in snapshot mode */
	double head_age;	/* snapshot mode: seconds since the last stop;
				 * NAN: there was none, the head is unknown */
	double read_cost;	/* seconds that the last reading of it stopped
				 * tracing; NAN: none yet */
	double snapshot_stopped; /* seconds that the latest snapshot of AUX
				 * rings took; 0: none yet */
	const struct history *fill_history;	/* NULL in snapshot mode */
	char advice[112];	/* where it ran full: what size to try; "" */
};

/* What reading an overwrite ring on demand found. */
struct ring_overwrite {
	bool valid;
	uint64_t records;	/* that were in the ring */
	uint64_t types[RECORD_TYPES];
	double oldest;		/* age of the oldest record, seconds */
	double newest;
	double paused;		/* how long output was paused, seconds */
	uint64_t lost;		/* in all pauses so far, records */
	double at;		/* when, CLOCK_MONOTONIC seconds */
};

/* A process whose samples are in a ring. */
struct ring_pid {
	pid_t pid;
	char comm[16];
	uint64_t samples, error;
	double share;		/* of the ring's samples */
};

/* What only the reader of a ring's records can know. */
struct ring_reads {
	struct ring_stats stats; /* histograms since a reset; all else since the
				 * start.  Of an overwrite ring nobody counts
				 * records as they come */
	double records_per_s;	/* written, waiting ones at the mean size; NAN:
				 * overwrite ring, not read */
	double latency_p50, latency_p99; /* from wakeup to drain; NAN: none
				 * seen */
	double counts_age;	/* seconds since counts and losses were read */
	struct ring_overwrite overwrite;
	struct ring_pid pids[TOP_PIDS]; /* most samples first */
	unsigned int nr_pids;
	struct ring_aux_reads aux;
};

/* A process that holds a ring, by a mapping or by a file descriptor. */
struct ring_holder {
	pid_t pid;
	char comm[16];
	bool maps;
};
enum { RING_HOLDERS = 4 };	/* named; more are only counted */

struct ring_row {
	/* Which ring it is, and whose. */
	uint64_t id;		/* own: index, stable for the source's life;
				 * others: counts from 1, never used again: a
				 * ring that is remapped or redirected keeps
				 * it */
	enum ring_kind kind;
	char label[24];		/* "CPU 3", "tid 1234", "all CPUs" */
	int cpu;		/* -1: none */
	pid_t tid;		/* -1: none */
	pid_t pid;		/* own: of the watched process; others: of the
				 * owner, who maps it, else who holds a file
				 * descriptor; -1: none, or not known */
	char comm[16];		/* of that, or of the thread */
	struct ring_event *events;
	size_t nr_events;

	/* Its state. */
	bool known;		/* the kernel was asked; else (no BPF) only
				 * owner, size and what is pinned are known */
	bool overwrite;		/* nobody drains it: the head runs on */
	bool paused, enabled;
	bool gone;		/* last figures; others': totals are lower
				 * bounds, rates are NAN */
	bool bad_tail;		/* in the tick the tail was beyond the head, or
				 * a ring or more behind it */

	/* Its figures. */
	uint64_t size;
	uint64_t watermark;	/* 0: none (a BPF ring buffer) */
	uint64_t wakeup_events;	/* 0: woken by the watermark */
	uint64_t head, tail;	/* free running; of backward rings the bytes
				 * written */
	uint64_t used;		/* waiting, <= size, as the kernel computes it,
				 * also with a bad tail */
	double fill;		/* used / size; of an overwrite ring, the part
				 * that holds records */
	double peak;		/* worst fill since the start, a reset or a
				 * change of size: at a drain; of other
				 * programs' rings that was seen, and 1 where a
				 * record found no room */
	double peak_tick;	/* the same within this tick */
	uint64_t next_crossing;	/* position that the head must pass to wake the
				 * reader next; 0: none */
	uint64_t bytes;		/* written by the kernel, since it is watched;
				 * what waits included */
	double bytes_per_s;
	uint64_t crossings;	/* of the watermark by the head, see
				 * ring_crossings(); others': of the ring mapped
				 * now; UNKNOWN of a BPF ring buffer */
	uint64_t wakeups;	/* own: POLLIN returns; others': since it is
				 * watched, UNKNOWN of a BPF ring buffer */
	double wakeups_per_s;
	uint64_t drains;	/* own: that found data; others': steps of the
				 * tail that were seen */
	double drains_per_s;
	uint64_t lost;		/* reported and pending; what is reported where
				 * the other is unknown; UNKNOWN: nobody counts
				 * (a BPF ring buffer).  Own: of an overwrite
				 * ring, in reads */
	uint64_t lost_reported;	/* in LOST records */
	uint64_t lost_pending;	/* that no LOST record has told of yet; UNKNOWN
				 * before Linux 6.0 */
	double lost_per_s;
	struct ring_aux aux;
	struct advice advice;	/* from the bursts and gaps seen */
	const struct history *fill_history;	/* peak_tick of past ticks */
	const struct history *rate_history;	/* bytes_per_s */
	const struct history *lost_history;	/* lost_per_s */
	const struct ring_reads *reads;	/* NULL: nobody here reads it */

	/* Of another program's ring; see ring_row_own(). */
	uid_t uid;		/* (uid_t)-1: not known */
	char user[32];		/* its name, else the number; "" */
	bool self;		/* it is rbtop's own, seen from outside */
	bool stopped;		/* its owner is: SIGSTOP, a debugger */
	bool mapped;		/* a mapping of it was seen; else only file
				 * descriptors */
	bool woken;		/* and has not polled since */
	struct ring_holder holders[RING_HOLDERS];	/* the owner first */
	unsigned int nr_holders;	/* may be more than are named */
	char event[96];		/* "cpu-clock", "sched:sched_switch +3"; the
				 * name of the map of a BPF ring buffer */
	uint32_t map_id;	/* BPF map that is the ring, or in whose slots
				 * its events stand; 0: none */
	char map[32];		/* the map's name; "" */
	double undrained;	/* seconds since the tail last moved, at least,
				 * while data waits; 0: none waits */
	double worst_gap;	/* longest of that so far: at least */
	uint64_t remapped;	/* times that another ring took its place */
	uint64_t locked;	/* memory that it pins, AUX included */
	unsigned int warnings;	/* bits 1 << enum ring_warning */
	double first_seen, last_seen;	/* CLOCK_MONOTONIC */
};

/* Several rings added up. */
struct ring_total {
	struct ring_row row;	/* labelled "total".  What does not add up is
				 * unknown; peaks are those of the worst ring;
				 * warnings are all that there are */
	unsigned int rings, ringbufs;	/* not gone; BPF ring buffers apart */
	unsigned int aux_rings;
	unsigned int owners;	/* processes */
	unsigned int warned;	/* rows with a warning */
	unsigned int uncounted;	/* BPF ring buffers that can fill up: their
				 * losses are not counted */
	bool at_least;		/* a ring is gone, and what came after the last
				 * look at it is missing */
};

/* The growth of a counter; 0 where it fell back, or was not known. */
static inline uint64_t ring_delta(uint64_t now, uint64_t last)
{
	return now > last ? now - last : 0;
}

/*
 * Fill in what a row of rbtop's own, or a total, does not have: the members of
 * another program's ring.
 */
void ring_row_own(struct ring_row *row);

/*
 * Whether each record wakes the owner: the watermark is no more than the
 * smallest record, so that there is no position that wakes it next.
 */
bool ring_row_wakes_always(const struct ring_row *row);

/*
 * How full it is when it wakes its reader next; NAN: there is no position that
 * does.
 */
double ring_row_wakeup_fill(const struct ring_row *row);

/* Whether the head of its AUX ring is known: not before tracing stopped. */
bool ring_row_has_aux_head(const struct ring_row *row);

/* "perf", "bpf". */
const char *ring_row_kind_name(enum ring_kind kind);
/* "active", "inactive", "off", ... */
const char *ring_row_event_state_name(enum ring_event_state state);

#endif
