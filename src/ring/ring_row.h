/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One ring as screens and exports see it: rbtop's own, another program's, or
 * the sum of several.  Rows are made for each frame and do not change
 * afterwards.
 *
 * Units: bytes, records, seconds, ratios 0..1.  Totals count from the start,
 * rates are over the tick.  UNKNOWN and NAN: the figure is not known, or the
 * ring does not have it.  Another program's ring is sampled at intervals, so
 * its drains are not all seen and some of its figures are bounds: figures.def
 * says which.
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
#define RING_KIND(id, ...) RING_##id,
#include "ring/ring_kinds.def"
#undef RING_KIND
	RING_KINDS,
};

/* See ring_kinds.def. */
struct ring_kind_info {
	const char *name, *noun, *label, *total;
};
const struct ring_kind_info *ring_kind_info(enum ring_kind kind);

/* enum perf_event_state, include/linux/perf_event.h */
enum ring_event_state {
	RING_EVENT_UNKNOWN,
	RING_EVENT_ACTIVE,	/* counting now */
	RING_EVENT_INACTIVE,	/* enabled; its task does not run, or other
				 * events use the counter */
	RING_EVENT_OFF,		/* disabled: by its owner, or by the kernel */
	RING_EVENT_ERROR,	/* pinned, and no counter was available */
	RING_EVENT_GONE,	/* its task has ended */
};

/* An event that writes into a ring. */
struct ring_event {
	const char *name;	/* lives as long as its source */
	uint64_t count;		/* of another program's event without its
				 * inherited children; UNKNOWN */
	uint64_t samples;	/* seen in the ring; UNKNOWN: rbtop does not
				 * read the ring */
	uint64_t lost;		/* since it was opened; UNKNOWN before Linux
				 * 6.0 */
	double samples_per_s, lost_per_s;
	bool side_band;		/* the dummy event for side-band records */

	/* of other programs' events only: */
	uint64_t id;		/* as PERF_EVENT_IOC_ID gives it */
	int cpu;		/* -1: any */
	pid_t tid;		/* the task it follows, -1: none */
	enum ring_event_state state;
	bool throttled;
	bool maps;		/* the ring is its own mapping; else it was
				 * redirected (PERF_EVENT_IOC_SET_OUTPUT) */
	bool freq;		/* period is in Hz */
	uint64_t period;	/* 0: not sampling */
};

/* The AUX ring of a ring; size 0: there is none. */
struct ring_aux {
	uint64_t size, watermark; /* watermark 0: none */
	bool overwrite;		/* snapshot mode: the head dates from when
				 * tracing was last stopped */
	bool bad_tail;		/* see struct ring_row */
	uint64_t head, tail;	/* full trace: free running; the tail is the
				 * value that the owner stored */
	uint64_t position;	/* offset of the head in the ring */
	uint64_t used;		/* waiting, <= size; UNKNOWN in snapshot mode */
	double fill;		/* used / size; NAN in snapshot mode */
	double bytes_per_s;	/* growth of the head; NAN: unknown */
	uint64_t wraps;		/* full trace: head / size; snapshot mode: lower
				 * bound, at least 1 if all of the ring holds
				 * trace */
};

/* What only the reader knows about an AUX ring. */
struct ring_aux_reads {
	bool stopped;		/* disabled, by the user or the kernel */
	double peak;		/* highest fill at a drain since the start or a
				 * reset; NAN in snapshot mode */
	double head_age;	/* snapshot mode: seconds since tracing was last
				 * stopped; NAN: never, and the head is
				 * unknown */
	double truncated_per_s;	/* AUX records flagged TRUNCATED */
	double read_cost;	/* seconds that the last read of the head
				 * stopped tracing; NAN: no read yet */
	double snapshot_stopped; /* seconds that the latest snapshot of AUX
				  * rings stopped tracing; 0: none yet */
	const struct history *fill_history;	/* NULL in snapshot mode */
	char advice[112];	/* size to try, if it was full; "" */
};

/* The result of reading an overwrite ring on request. */
struct ring_overwrite {
	bool valid;
	uint64_t records;	/* found in the ring */
	uint64_t types[RECORD_TYPES];
	double oldest;		/* age of the oldest record, seconds */
	double newest;
	double paused;		/* how long output was paused, seconds */
	uint64_t lost;		/* records lost in all pauses so far */
	double at;		/* time of the read, CLOCK_MONOTONIC seconds */
};

/* A process with samples in a ring. */
struct ring_pid {
	pid_t pid;
	char comm[16];
	uint64_t samples, error;
	double share;		/* of the ring's samples */
};

/* What only the reader of a ring's records knows. */
struct ring_reads {
	struct ring_stats stats; /* histograms since a reset; all else since the
				  * start.  Records of an overwrite ring are not
				  * counted as they arrive */
	double records_per_s;	/* written per second; waiting bytes count as
				 * records of the mean size.  NAN: overwrite
				 * ring that was not read */
	double latency_p50, latency_p99; /* from wakeup to drain; NAN: none
					  * measured */
	double counts_age;	/* seconds since counts and losses were read */
	struct ring_overwrite overwrite;
	struct ring_pid pids[TOP_PIDS]; /* most samples first */
	unsigned int nr_pids;
	struct ring_aux_reads aux;
};

/* A process that holds a ring by a mapping or a file descriptor. */
struct ring_holder {
	pid_t pid;
	char comm[16];
	bool maps;
};
enum { RING_HOLDERS = 4 };	/* listed by name; others are only counted */

/* A BPF program that uses the map that is a ring, or that holds its events. */
struct ring_program {
	uint32_t id;
	char name[16];
	uint64_t runs, run_ns;	/* while kernel.bpf_stats_enabled was 1; 0: not
				 * counted, or its owner has no descriptor */
};
enum { RING_PROGRAMS = 4 };	/* listed by name; others are only counted */

/* Of past ticks.  Zeroed they are empty. */
struct ring_histories {
	struct history fill;	/* peak_tick */
	struct history level;	/* fill, mean */
	struct history rate;	/* bytes_per_s */
	struct history wakeup;	/* wakeups_per_s */
	struct history lost;	/* lost_per_s */
	struct history time;	/* seconds that the tick took, mean */
};

struct ring_row {
	/* Identity and owner. */
	uint64_t id;		/* own: index, stable for the source's life;
				 * others: counts from 1, never reused; kept
				 * when the ring is remapped or redirected */
	enum ring_kind kind;
	bool to_kernel;		/* its owner writes to it, and the kernel, or a
				 * BPF program, drains it: a BPF user ring
				 * buffer, submissions to io_uring */
	char label[24];		/* "CPU 3", "tid 1234", "all CPUs" */
	int cpu;		/* -1: none */
	pid_t tid;		/* -1: none */
	pid_t pid;		/* own: the watched process; others: the process
				 * that maps it (the owner), else one that holds
				 * a file descriptor; -1: none, or not known */
	char comm[16];		/* of that process, or of the thread */
	struct ring_event *events;
	size_t nr_events;

	/* State. */
	bool sum;		/* of several rings: struct ring_total */
	bool known;		/* read with BPF; else only owner, size and
				 * pinned memory are known */
	bool overwrite;		/* not drained: new records replace the
				 * oldest */
	bool paused, enabled;
	bool gone;		/* figures are the last known; others': totals
				 * are lower bounds, rates are NAN */
	bool lost_final;	/* others' that is gone: but lost is exact */
	bool bad_tail;		/* during the tick the tail was ahead of the
				 * head, or a ring size or more behind it */

	/* Figures. */
	uint64_t size;		/* UNKNOWN: also of a recording's rings */
	uint64_t watermark;	/* 0: none (a BPF ring buffer) */
	uint64_t wakeup_events;	/* 0: woken by the watermark */
	uint64_t head, tail;	/* free running; of backward rings the number of
				 * bytes written */
	uint64_t used;		/* bytes waiting, <= size, computed as in the
				 * kernel, also with a bad tail */
	double fill;		/* used / size; of an overwrite ring the share
				 * that holds records */
	double peak;		/* highest fill since the start, a reset or a
				 * change of size: own: at a drain; others':
				 * seen by sampling, or 1 if a record did not
				 * fit */
	double peak_tick;	/* highest fill within this tick */
	uint64_t next_crossing;	/* head position after which the reader is next
				 * woken; 0: none */
	uint64_t bytes;		/* written by the kernel, those waiting
				 * included; others': since the ring was first
				 * seen; ftrace's: events of the mean size of
				 * those that wait */
	double bytes_per_s;
	uint64_t crossings;	/* times the head passed the watermark, see
				 * ring_crossings(); others': of the present
				 * mapping; UNKNOWN of a BPF ring buffer */
	uint64_t wakeups;	/* own: POLLIN returns; others': since the ring
				 * was first seen, UNKNOWN of a BPF ring
				 * buffer */
	double wakeups_per_s;
	uint64_t drains;	/* own: drains that found data; others':
				 * advances of the tail that were seen */
	double drains_per_s;
	uint64_t lost;		/* reported and pending; reported only, if
				 * pending is unknown; UNKNOWN: not counted (BPF
				 * ring buffer without --ringbuf-drops).  Own
				 * overwrite ring: lost during reads */
	uint64_t lost_before;	/* of lost, before the last reset */
	uint64_t lost_reported;	/* by LOST records */
	uint64_t lost_pending;	/* not yet reported by a LOST record; UNKNOWN
				 * before Linux 6.0 */
	double lost_per_s;
	struct ring_aux aux;
	struct advice advice;	/* from the bursts and gaps seen */
	const struct ring_histories *histories;	/* NULL: of a total */
	const struct ring_reads *reads;	/* NULL: rbtop does not read it */

	/* Other programs' rings only; see ring_row_own(). */
	uid_t uid;		/* (uid_t)-1: not known */
	uid_t owner_uid;	/* of the owner's process; (uid_t)-1 */
	char user[32];		/* its name, else the number; "" */
	const char *cmdline;	/* of the owner's process, in one line without
				 * bytes that a terminal interprets; NULL: not
				 * known */
	bool self;		/* one of rbtop's own rings, seen from
				 * outside */
	bool stopped;		/* its owner is stopped: SIGSTOP, a debugger */
	bool mapped;		/* a mapping of it was found; else only file
				 * descriptors */
	bool woken;		/* its owner was woken and has not polled
				 * since */
	double often;		/* seconds since verdict_is_often() is true of
				 * each tick; 0: it is not */
	struct ring_holder holders[RING_HOLDERS];	/* the owner first */
	unsigned int nr_holders;	/* may exceed RING_HOLDERS */
	bool over;		/* gone for 10 seconds, and it lost nothing
				 * since the last reset */
	bool dummies;		/* it has only dummy events, which write
				 * side-band records at most */
	char event[96];		/* "cpu-clock", "sched:sched_switch +3"; of a
				 * BPF ring buffer the map's name */
	uint32_t map_id;	/* BPF map that is the ring, or that holds its
				 * events; 0: none */
	char map[32];		/* the map's name; "" */
	bool programs_known;	/* which programs use it was read */
	struct ring_program programs[RING_PROGRAMS];	/* by id */
	unsigned int nr_programs;	/* may exceed RING_PROGRAMS */
	double undrained;	/* seconds since the tail last moved while data
				 * waits, a lower bound; 0: no data waits */
	double worst_gap;	/* longest such time so far, a lower bound */
	double run_wait;	/* part of the last seconds that its owner's
				 * main thread was runnable and waited for a
				 * CPU */
	double run_share;	/* part that it ran; NAN also if it is not the
				 * only thread */
	double output_wait;	/* part that its main thread slept in a system
				 * call that writes */
	uint64_t lost_bytes;	/* of a BPF ring buffer, headers of records
				 * included */
	double lost_from;	/* CLOCK_MONOTONIC seconds from when on those
				 * are counted; NAN: as those of other rings */
	uint64_t remapped;	/* times it was replaced by another ring */
	uint64_t locked;	/* bytes of memory pinned, AUX included */
	unsigned int warnings;	/* bits 1 << enum ring_warning */
	double first_seen, last_seen;	/* CLOCK_MONOTONIC seconds */
};

/* The sum of several rings. */
struct ring_total {
	struct ring_row row;	/* labelled "total".  Figures that cannot be
				 * added are unknown; peaks are those of the
				 * worst ring; warnings are the union */
	unsigned int nr[RING_KINDS];	/* not gone; two per io_uring */
	unsigned int gone;	/* rows; not those with dummy events only */
	unsigned int aux_rings;
	unsigned int owners;	/* processes */
	unsigned int warned;	/* rows with a warning */
	unsigned int uncounted;	/* BPF ring buffers that can be full, and whose
				 * losses are not counted */
	bool at_least;		/* a ring is gone, and what it lost after its
				 * last reading is missing */
};

/* Whether there is a ring that is not gone. */
static inline bool ring_total_any(const struct ring_total *total)
{
	for (enum ring_kind kind = 0; kind < RING_KINDS; kind++)
		if (total->nr[kind])
			return true;
	return false;
}

/* The increase of a counter; 0 if it decreased or was not known before. */
static inline uint64_t ring_delta(uint64_t now, uint64_t last)
{
	return now > last ? now - last : 0;
}

/* The growth a second, which took @dt of them; 0 where that is 0. */
static inline double ring_rate(uint64_t delta, double dt)
{
	return dt > 0 ? (double)delta / dt : 0;
}

/* The same of a counter. */
static inline double ring_growth(uint64_t now, uint64_t last, double dt)
{
	return ring_rate(ring_delta(now, last), dt);
}

static inline double ring_share(uint64_t part, uint64_t whole)
{
	if (part >= whole)
		return whole ? 1 : 0;
	return (double)part / (double)whole;
}

/* Add a tick of @seconds, at the end of which the ring is @row. */
void ring_row_push(const struct ring_row *row, double seconds,
		   struct ring_histories *to);

/* Call it after its CPU, else its thread: false where it has neither. */
bool ring_row_label(struct ring_row *row);

/*
 * Set the members that only other programs' rings have, and that are not 0 then,
 * for one of rbtop's own rings or a total.
 */
void ring_row_own(struct ring_row *row);

/*
 * Make unknown, in a row of a recording's ring or their sum, and in @reads,
 * what its records do not show: the ring's memory, and its reader.
 */
void ring_row_of_records(struct ring_row *row, struct ring_reads *reads);

/*
 * Whether each record wakes the owner: the watermark is no larger than the
 * smallest record, so next_crossing has no meaning.
 */
bool ring_row_wakes_always(const struct ring_row *row);

/*
 * The watermark as a share of the size, of the ring and of its AUX ring: a
 * drain is due from this fill on.  NAN: unknown, or the ring has none.
 */
double ring_row_mark(const struct ring_row *row);
double ring_row_aux_mark(const struct ring_row *row);

/*
 * How high a fill is above the watermark @mark, both shares of the size: LOW
 * below half of the room above it, HIGH from 80 % of that room on.  @mark NAN:
 * there is none, so all of the ring is that room; above 0.8: counts as 0.8.
 * @fill NAN is LOW.
 */
enum ring_level {
	RING_LEVEL_LOW, RING_LEVEL_RAISED, RING_LEVEL_HIGH,
};
enum ring_level ring_row_level(double fill, double mark);

/* Records lost since the last reset, reported and pending; UNKNOWN as lost. */
uint64_t ring_row_lost_since(const struct ring_row *row);

/*
 * Whether the head of the AUX ring is known: in snapshot mode, only after
 * tracing was stopped.
 */
bool ring_row_has_aux_head(const struct ring_row *row);

/* "active", "inactive", "off", ... */
const char *ring_row_event_state_name(enum ring_event_state state);

/* Of other programs' rings: bit numbers of struct ring_row.warnings. */
enum ring_warning {
	RING_WARN_STOPPED,	/* the owner is stopped (SIGSTOP, a debugger) */
	RING_WARN_UNDRAINED,	/* the owner was woken and has not drained for
				 * RING_UNDRAINED seconds; not for a ring that
				 * is nearly empty */
	RING_WARN_PENDING,	/* lost records that are not yet reported to the
				 * owner */
	RING_WARN_LOSING,	/* records were lost during the tick */
	RING_WARN_PAUSED,	/* output is paused: new records are lost */
	RING_WARN_THROTTLED,	/* the kernel throttles an event until the next
				 * clock tick */
	RING_WARN_TRUNCATED,	/* an AUX ring is full: its event is off or its
				 * head does not move */
	RING_WARN_ERROR,	/* a pinned event got no counter */
	RING_WARN_MLOCK,	/* the owner's uid is at its mlock limit */
	RING_WARN_BAD_TAIL,	/* its owner stored an invalid tail */
	RING_WARN_FULL,		/* a BPF ring buffer was nearly full during the
				 * tick: records that do not fit are lost and
				 * not counted */
	RING_WARNINGS
};
_Static_assert((int)RING_WARNINGS <= 32, "each is a bit of an unsigned int");
#define RING_UNDRAINED 5.0

/* "undrained", "pending", ...: used in exports, screens and the man page. */
const char *ring_warning_name(enum ring_warning warning);
/* Write "its owner has not drained it for 12s: ..." to @buf; returns @buf. */
char *ring_warning_text(enum ring_warning warning, const struct ring_row *row,
			char *buf, size_t size);

/*
 * The most severe warning in a word: "stopped", "undrained"; "gone"; "-".  The
 * badness is its severity as a number, for sorting; of two rings with the same
 * severity, the one with more warnings is worse.
 */
const char *ring_warning_cell(const struct ring_row *row);
double ring_warning_badness(const struct ring_row *row);

#endif
