/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-ring statistics of a recording: how much came through each ring, and what
 * was lost.  Does no I/O: the caller passes in the records.
 *
 * Units: bytes, records, ns of the recording's clock.  UNKNOWN is what the
 * recording does not say.
 */
#ifndef RBTOP_TRACE_RECORDED_RECORDED_H
#define RBTOP_TRACE_RECORDED_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "base/unknown.h"
#include "ring/ring_stats.h"
#include "trace/perfdata/perfdata_events.h"

struct err;
struct timeline;

enum {
	RECORDED_RINGS_MAX = 1 << 16,	/* records of further rings are
				 * counted together */
	RECORDED_TYPES_MAX = 1 << 10,	/* more are counted together */
	RECORDED_CPUS_MAX = 1 << 13,	/* of any kernel, NR_CPUS */
	RECORDED_HELD = 256,
	RECORDED_RECENT = 128,
};

/* ADVICE_GAP of ring/advice.h */
#define RECORDED_SLOT UINT64_C(10000000)
enum {
	RECORDED_PAGE = 4096,
	RECORDED_SIZES = 13,	/* of rings: powers of two of pages */
	RECORDED_PAGES_MAX = 1 << (RECORDED_SIZES - 1),
};

/* All of that time. */
#define RECORDED_WHOLE UINT64_C(100000000000)

/* ns of the recording's clock; both ends are part of it. */
struct recorded_span {
	bool given;		/* else all of the recording */
	uint64_t from, to;	/* 0 and UNKNOWN: from the start, to the end */
	/* until recorded_place_span(): */
	bool from_since, to_since;	/* since the start of the recording */
	bool share;		/* parts of the time from the first sample to
				 * the last */
};

struct recorded_aux {
	uint64_t records;	/* AUX records */
	uint64_t bytes;		/* that they report */
	uint64_t truncated, overwrite, partial, collision; /* with that flag */
	uint64_t trace;		/* bytes of AUXTRACE, which the file has */
};

/*
 * What rings of one size would have lost in the rounds of the recording, if
 * each was emptied at the end of a round and at no other time.
 */
struct recorded_size {
	double lost;		/* records, by their mean size */
	uint64_t rounds;	/* in which it would have lost some */
	size_t rings;		/* that would have */
};

/*
 * LOST records that report a loss.  Each is written when its ring has room
 * again, so its time is that of the loss's end.
 */
struct recorded_losses {
	uint64_t records;
	uint64_t first, last;	/* times, UNKNOWN */
	uint64_t worst;		/* time of the one that lost most, the first of
				 * several; UNKNOWN */
	uint64_t worst_lost;	/* by it; 0: none has a time */
};

struct recorded_ring {
	enum perfdata_origin origin;	/* OF_SOME_RING: of any that the file
					 * does not distinguish */
	uint32_t nr;		/* the CPU, or the thread */
	size_t index;		/* in the order of appearance, as in the
				 * timeline */
	uint64_t records, bytes, samples;
	uint64_t lost;		/* by the LOST records in it */
	uint64_t lost_samples;	/* by LOST_SAMPLES */
	struct recorded_losses losses;
	uint64_t filtered;	/* samples that a BPF filter dropped */
	uint64_t throttled, unthrottled;
	struct recorded_aux aux;
	/*
	 * The most bytes in one round of perf's, in which it drains all rings
	 * once: a lower bound of the largest fill.
	 */
	uint64_t max_round;
	uint64_t round, round_bytes;	/* of the current round */
	/*
	 * Bytes of the round before, and of what was lost after them while the
	 * ring was full: perf found the LOST record a round later.
	 */
	uint64_t held;
	double held_lost;
	double max_need;	/* the largest sum of both: bytes */
	struct recorded_size sizes[RECORDED_SIZES]; /* of 1 << i pages */
	/*
	 * The most bytes that came in a slot of RECORDED_SLOT ns, with the lost
	 * records, taken for as large as the mean and spread over the time
	 * since the previous record; UNKNOWN without times.
	 */
	uint64_t burst;
	uint64_t slot, slot_bytes;	/* of the current slot */
	uint64_t previous;	/* time of the previous record, UNKNOWN */
	uint64_t gap_lost;	/* most bytes lost between two records */
};

struct recorded_type {
	uint32_t type;
	uint64_t records;
};

/* Starts zeroed, by recorded_init(); then timeline, cpus and span may be set. */
struct recorded {
	struct timeline *timeline;	/* gets all records of rings; borrowed.
					 * NULL: none */
	const uint64_t *cpus;	/* CPUs are numbered below it; borrowed until
				 * recorded_finish().  NULL, or UNKNOWN: below
				 * RECORDED_CPUS_MAX */
	struct recorded_span span;	/* all but first and last is of it */
	struct recorded_ring *rings;
	size_t nr_rings, rings_cap;
	struct recorded_type *types;
	size_t nr_types, types_cap;
	uint64_t other_types;	/* records of more types than are counted */
	uint64_t *samples;	/* by event */
	size_t nr_samples, samples_cap;
	uint64_t eventless;	/* samples whose event is not known */
	uint64_t records, bytes;	/* of all types */
	uint64_t rounds;	/* FINISHED_ROUND */
	uint64_t first, last;	/* times, UNKNOWN */
	uint64_t left_out;	/* records with an impossible CPU or time: in
				 * types, but in no ring and not in times */

	struct recorded_held {
		struct perfdata_record record;
		uint64_t round;
	} held[RECORDED_HELD];	/* the first ones: it is not known yet which of
				 * their times are possible */
	size_t nr_held;
	bool settled;		/* it is known */
	uint64_t from, to;	/* the possible times so far; UNKNOWN */
	uint64_t sampled, sampled_last;	/* times of samples; UNKNOWN */

	const struct recorded_ring *some;	/* see recorded_lost(); set by
						 * recorded_finish() */
	struct table by_ring, by_type;
	/* caches of these: indices plus 1, 0: none */
	uint32_t recent_rings[RECORDED_RECENT];	/* by the ring's number */
	uint32_t recent_types[RECORDED_RECENT];	/* by the type */
	unsigned int part;	/* of a directory */
	uint64_t part_rounds;
};

void recorded_init(struct recorded *r);
void recorded_free(struct recorded *r);

/*
 * Count @record.  0 or -ENOMEM.
 *
 * If a sample_id is not where the attr says, random bytes are read as a CPU
 * and a time; they would make a ring, and stretch the time line.  So the CPU
 * must be one that the machine has, and the time within a day of another one.
 * Losses count all the same, as of some ring.  The first records are held until
 * there are enough to judge: the first of all may be the impossible one.
 */
int recorded_add(struct recorded *r, const struct perfdata_record *record);

/* Whether @record is not counted, as its time is not in the span; if there is
 * one, nor are records without a time. */
static inline bool recorded_outside(const struct recorded *r,
				    const struct perfdata_record *record)
{
	return r->span.given &&
	       (!record->time || record->time == UNKNOWN ||
		record->time < r->span.from || record->time > r->span.to);
}

/* After the last record of @r: bounds of @span that are since the start become
 * times of its clock. */
void recorded_place_span(const struct recorded *r, struct recorded_span *span);

/* After the last record: 0, or -EINVAL with @err if the recording has nothing
 * in the span. */
int recorded_check_span(const struct recorded *r, struct err *err);

/* Count the first records if they are held.  0 or -ENOMEM. */
int recorded_settle(struct recorded *r);

/*
 * "12 records with an impossible CPU or time were not counted in rings and
 * times"; "" if there are none.
 */
const char *recorded_left_out(const struct recorded *r, char *buf, size_t size);

/*
 * After the last record: what is held, the last round, and order: rings with
 * the largest losses first, types by number of records.  0 or -ENOMEM.
 */
int recorded_finish(struct recorded *r);

/*
 * The sum over all rings; max_round, burst and the worst loss are the largest.
 */
struct recorded_ring recorded_total(const struct recorded *r);

/*
 * @claimed, the bytes of each data ring by the command line; UNKNOWN if more
 * came in one round: then it is not what recorded the file.
 */
uint64_t recorded_ring_size(const struct recorded *r, uint64_t claimed);

/*
 * The -m of perf record that holds twice the largest burst and, next to the
 * largest round, twice the most that was lost at once, since its reader is
 * woken at half the ring; at least 8, and what recorded_what_if() finds to be
 * enough.  A page has 4 KiB, which the recording does not say.  If the loss
 * decides, *@lost is its bytes, else 0.  0 if nothing was lost, it has no
 * times, or more than RECORDED_PAGES_MAX are needed: its reader did not run.
 */
uint64_t recorded_pages(const struct recorded *r, uint64_t *lost);

/*
 * What all rings would have lost with each size from 1 page, 1 << i of them, to
 * the first that is enough, or to RECORDED_PAGES_MAX, after recorded_finish().
 * Returns the number of sizes; 0 without rounds, or if losses are of unknown
 * rings.
 */
size_t recorded_what_if(const struct recorded *r,
			struct recorded_size sizes[RECORDED_SIZES]);

/* perf writes LOST_SAMPLES of the losses that LOST may have reported. */
uint64_t recorded_loss(const struct recorded_ring *ring);
/*
 * The losses of one ring: UNKNOWN if there are some of which the file does not
 * say in which ring they were.
 */
uint64_t recorded_lost(const struct recorded *r,
		       const struct recorded_ring *ring);
uint64_t recorded_lost_samples(const struct recorded *r,
			       const struct recorded_ring *ring);

/* Which processes a recording has samples of. */

enum {
	RECORDED_COMM = 16,
	RECORDED_COMMS_MAX = 1 << 16,	/* processes; more have no name */
	RECORDED_RUNS = 64,
};

/* Starts zeroed. */
struct recorded_pids {
	struct top_pids top;
	struct recorded_run {
		uint32_t pid;
		uint64_t samples;
	} runs[RECORDED_RUNS];	/* by pid: the last ones, not yet in top */
	uint64_t samples;	/* of known processes, those included */
	struct table by_pid;	/* places in comms */
	char (*comms)[RECORDED_COMM];
	size_t nr_comms, room;
};

void recorded_pids_free(struct recorded_pids *p);

/* Add to top the samples of @run, whose place another process takes. */
void recorded_pids_end(struct recorded_pids *p, struct recorded_run *run);

static inline void recorded_pids_add(struct recorded_pids *p, uint32_t pid)
{
	struct recorded_run *run = &p->runs[pid % RECORDED_RUNS];

	if (run->pid != pid) {
		recorded_pids_end(p, run);
		run->pid = pid;
	}
	run->samples++;
	p->samples++;
}

/* What @record, a COMM or FORK of @size bytes in this machine's order, says. */
void recorded_pids_name(struct recorded_pids *p, const void *record,
			size_t size);

/* As top_pids_sorted(), after the last sample. */
unsigned int recorded_pids_sorted(struct recorded_pids *p,
				  struct top_pid out[TOP_PIDS]);
/* The last name of @pid, as the file has it; "" if it is not known. */
const char *recorded_pids_comm(const struct recorded_pids *p, pid_t pid);

#endif
