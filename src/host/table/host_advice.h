/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recommended size of another process' ring, with the calculation, or why
 * no size is enough.  The ring is observed from outside, at intervals: burst
 * rate and peak are lower bounds, the gap between drains is an upper bound.
 *
 * If records were lost in a gap between two drains, that gap brought a full
 * ring and what was lost.  If the owner is woken by a watermark of half the
 * ring, half of a larger ring has to fill first as well, so the loss counts
 * twice.  The sum is multiplied by 2, or by 1.5 in the latter case, since the
 * gap may not be the worst; and by 1.25 with wakeup_events, since writing
 * records and waking the owner takes longer than losing them, so that less
 * comes into a larger ring.
 *
 * The loss in one of many short gaps is a mean, and they vary: the ring should
 * hold at least what comes in 10 ms, which an ordinary thread may wait for a
 * CPU.
 *
 * As long as the ring is not resized, each of these only grows, and so does the
 * recommended size: it must not fluctuate on screen.
 */
#ifndef RBTOP_HOST_TABLE_HOST_ADVICE_H
#define RBTOP_HOST_TABLE_HOST_ADVICE_H

#include <sys/types.h>

#include "ring/advice.h"

struct host_advice_input {
	const char *comm;	/* of the owner, for its setting's name; NULL */
	pid_t pid;		/* of the owner; 0: unknown */
	uint64_t size, page_size;
	uint64_t peak;		/* most bytes seen waiting */
	double burst_bytes_per_s; /* highest rate between two readings, a lower
				   * bound */
	bool unsized;		/* lost records are not included in it, nor in
				 * came_per_s, as their size is unknown */
	uint64_t lost_in_gap;	/* most bytes lost in one gap between drains */
	double gap_age;		/* seconds since then */
	double max_per_s;	/* highest rate between any two readings, lost
				 * records of known size included */
	double worst_gap;	/* seconds: longest time that data waited
				 * without a move of the tail, including the
				 * intervals to the readings before and after;
				 * 0: the tail moved between all readings */
	double poll_interval;	/* seconds between readings: upper bound of a
				 * gap if worst_gap is 0 */
	uint64_t lost;		/* records lost since first seen */
	bool excused;		/* other records were lost, which no size would
				 * have held, or before the ring was first
				 * seen */
	uint64_t lost_before;	/* records lost before it was first seen, if
				 * none was lost since */
	uint64_t lost_stopped;	/* records lost while the owner was stopped;
				 * not included in lost */
	uint64_t record;	/* mean bytes of a record; 0: unknown */
	uint64_t largest;	/* upper bound of bytes of a record; 0:
				 * unknown */
	uint64_t largest_seen;	/* 0: none was inspected */
	uint64_t oversized;	/* records of at least this many bytes are lost
				 * while the ring has room; 0: none */
	double oversized_per_s;	/* records, highest rate between two readings */
	double watched;		/* seconds since first seen */
	bool early;		/* watched for less than 10 seconds */
	bool usual;		/* seen long enough, including a burst, to
				 * advise a smaller size */
	uint64_t watermark;
	uint64_t wakeup_events;	/* 0: woken by the watermark */
	double run_wait;	/* part of the last seconds that the owner's
				 * main thread waited for a CPU; NAN: unknown */
	bool starved;		/* that is most of the time */
	int priority;		/* of that thread, see struct host_pass_holder */
	double output_wait;	/* part that it waits for its output, if that is
				 * why records are lost; 0: it is not */
	bool busy;		/* it is the only thread, never sleeps, and was
				 * not measured for long enough to know what it
				 * can read */
	double limit_per_s;	/* bytes that the reader can read at most, with
				 * a CPU of its own; more comes; 0: unknown */
	bool overwrite;
	bool ringbuf;		/* advise bytes instead of pages of -m */
	bool entries;		/* or entries of an io_uring, which page_size is
				 * the size of */
	bool to_kernel;		/* see struct ring_row */
	const char *ftrace;	/* the name of an ftrace buffer, as struct
				 * ring_row has it; NULL: of another kind */
	bool uncounted;		/* its losses are not counted */

	/* In the last seconds: */
	bool stopped;		/* the owner is stopped, and data waits */
	double undrained;	/* seconds without a drain, if the ring is
				 * nearly full */
	bool behind;		/* it is drained, but stays nearly full and
				 * keeps losing records */
	bool may_lag;		/* possibly behind; but a larger ring may
				 * help */
	bool always_full;	/* nearly full at most readings, and less than
				 * half of it is taken between two */
	double taken_per_s;	/* bytes drained, of all rings of the owner, as
				 * the next two */
	double came_per_s;	/* bytes written or lost, a lower bound */
	double lost_per_s;	/* records lost */
};

/*
 * As advice_make(): out->pages is the recommended size in pages, and text names
 * it ("grow to -m 64 (256K): 2 x (64K ring + 40K lost in
 * one gap)").  pages is
 * 0 if records are lost because the owner is stopped or does not keep up, if
 * more than 256 MiB were needed, and if the ring has room but was not watched for
 * long enough, or its losses are not known.
 */
void host_advice_make(const struct host_advice_input *in, struct advice *out);

/*
 * Change @out to recommend @pages, the larger size that ring @label needs,
 * which has the same setting.
 */
void host_advice_share(const struct host_advice_input *in, uint64_t pages,
		       const char *label, struct advice *out);

#endif
