/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The picture of one tick: what views draw and exports print.  Made from the
 * present reading and the previous one; immutable until the next is made.
 *
 * Units: bytes, records, seconds, ratios 0..1.  Totals count from the start,
 * rates are over the tick.  UNKNOWN and NAN are "cannot be known".
 */
#ifndef RBTOP_RING_FRAME_H
#define RBTOP_RING_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ring/advice.h"
#include "ring/history.h"
#include "ring/log.h"
#include "ring/reading.h"

struct host;

struct frame_event {
	const char *name;
	bool side_band;
	uint64_t count, samples, lost;	/* count, lost: UNKNOWN */
	double samples_per_s;
	double count_per_s;
};

struct frame_pid {
	pid_t pid;
	char comm[16];
	uint64_t samples, error;
	double share;		/* of the ring's samples */
};

/* An AUX ring; size 0: there is none. */
struct frame_aux {
	uint64_t size, watermark;
	bool overwrite;		/* snapshot mode: what follows is as of the
				 * last stop of tracing, head_age seconds ago */
	bool stopped;
	uint64_t head, tail;	/* full trace: free running */
	uint64_t position;	/* of the head in the ring, bytes */
	uint64_t used;		/* full trace: waiting, <= size */
	double fill;		/* used / size; NAN in snapshot mode */
	double peak;		/* worst at a drain since the start or a reset;
				 * NAN in snapshot mode */
	double head_age, read_cost;	/* see struct reading_aux */
	double snapshot_stopped; /* seconds that the latest snapshot of AUX
				 * rings took; 0: none yet */
	double bytes_per_s;	/* by the head; NAN: it does not say */
	uint64_t wraps;		/* full trace: head / size; else at least; not 0
				 * where all of the ring holds trace */
	struct aux_stats stats;
	const struct history *fill_history;	/* NULL in snapshot mode */
	char advice[112];	/* where it ran full: what size to try; "" */
};

struct frame_ring {
	unsigned int ring;	/* index, stable for the source's life */
	char label[24];		/* "CPU 3", "tid 1234" */
	int cpu;		/* -1: none */
	pid_t tid, owner;	/* -1: none */
	char comm[16];
	bool overwrite, paused, enabled, gone;
	uint64_t size, watermark, wakeup_events;
	uint64_t head, tail;
	uint64_t used;		/* waiting, <= size */
	double fill;		/* used / size; of an overwrite ring, the part
				 * that holds records */
	double peak;		/* worst fill at a drain since the start, a
				 * reset or a change of size */
	double peak_tick;	/* the same within this tick */
	uint64_t next_crossing;	/* position that the head must pass to wake
				 * the reader next; 0: none */
	uint64_t bytes;		/* written by the kernel; what waits included */
	uint64_t records, samples; /* read; 0 of an overwrite ring */
	double bytes_per_s, records_per_s; /* written, waiting ones at the mean
				 * size; NAN: overwrite ring, not read */
	uint64_t crossings, wakeups, drains, timer_drains;
	double wakeups_per_s;
	double latency_p50, latency_p99; /* seconds, NAN: none seen */
	uint64_t lost;		/* reported; of an overwrite ring, in reads */
	uint64_t lost_pending;	/* UNKNOWN before Linux 6.0 */
	double lost_per_s;	/* reported and pending */
	uint64_t throttled;
	uint64_t own;		/* samples rbtop caused itself */
	uint64_t wraps;		/* of an overwrite ring */
	double counts_age;
	struct ring_stats stats; /* histograms since a reset, types */
	struct reading_overwrite read;
	struct frame_event *events;
	size_t nr_events;
	struct frame_pid pids[TOP_PIDS]; /* most samples first */
	unsigned int nr_pids;
	const struct history *fill_history;	/* peak_tick of past ticks */
	const struct history *rate_history;	/* bytes_per_s */
	const struct history *lost_history;	/* lost_per_s */
	struct advice advice;
	struct frame_aux aux;
};

struct frame_total {
	uint64_t size, used, bytes, records, samples;
	double bytes_per_s, records_per_s, wakeups_per_s, lost_per_s;
	uint64_t crossings, wakeups, drains, timer_drains;
	uint64_t lost, lost_pending, throttled;
	double fill;		/* used / size of all */
	double peak, peak_tick;	/* worst ring */
	double latency_p50, latency_p99;
	uint64_t types[RECORD_TYPES];
	size_t aux_rings;	/* that there are */
	uint64_t aux_size;	/* of all of them */
	double aux_bytes_per_s;	/* of those that say; NAN: none does */
	struct aux_stats aux;	/* wraps: unknown with one in snapshot mode */
};

struct frame_self {
	double cpu;		/* share of one core over the tick */
	uint64_t rss;
	unsigned int decode_every;	/* k; 1 while every body is decoded */
	uint64_t own_records;
};

struct frame {
	const char *source;	/* "session", "sim" */
	const char *title;	/* what is watched: "system-wide: cpu-clock" */
	const char *notice;	/* what a person should know; "" */
	uint64_t tick;		/* counts from 0 */
	double time;		/* unix seconds */
	double interval;	/* seconds since the previous one, 0 at first */
	bool ended;		/* the target is gone; figures are final */
	uint64_t most_samples;	/* see struct reading */
	struct frame_ring *rings;
	size_t nr_rings;
	struct frame_total total;
	struct frame_self self;
	const struct samples *samples;	/* NULL: none are looked at */
	const struct snapshots *snapshots; /* NULL: none can be taken */
	const struct host *host; /* all rings of the machine; NULL: they are
				 * not looked at */
	const struct log *log;
	uint64_t log_first;	/* serial of this tick's first entry, if any;
				 * the first tick with rates takes what was
				 * logged before it along */
};

struct frame_builder;

/* A builder that has seen no reading yet.  NULL when out of memory. */
struct frame_builder *frame_builder_new(void);
void frame_builder_free(struct frame_builder *b);

/*
 * The next frame.  It belongs to @b and lives until the next call.  Losses,
 * throttles, the reading's notes and a new @notice go to its log.  @source,
 * @title and @notice must outlive the frame.  NULL when out of memory.
 */
const struct frame *frame_build(struct frame_builder *b,
				const struct reading *now, const char *source,
				const char *title, const char *notice);

/*
 * Start peaks, histories, burst rates, latencies and fill histograms afresh
 * (key z): later frames count them from here.  Totals go on.
 */
void frame_builder_reset(struct frame_builder *b);

#endif
