/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What size would have held what was seen to come into somebody else's ring,
 * with its arithmetic; or that none would.  Seen from outside, at intervals:
 * the burst rate and the peak are at least, the gap between drains at most
 * what is said.
 *
 * Where records were lost, a gap between two drains brought a full ring and
 * what was lost in it.  Where the owner is woken by a watermark of half the
 * ring, that half has to be filled first in a larger ring as well, so what was
 * lost counts twice.  Twice all that is recommended, or one and a half times
 * in the latter case: the gap that was seen may not be the worst.  And less
 * where wakeup_events are set: to write and to wake takes longer than to lose,
 * so not as much comes into a larger ring.
 */
#ifndef RBTOP_MODEL_HOST_ADVICE_H
#define RBTOP_MODEL_HOST_ADVICE_H

#include "model/advice.h"

struct host_advice_input {
	uint64_t size, page_size;
	uint64_t peak;		/* bytes waiting, the most that were seen */
	double burst_bytes_per_s; /* highest rate between two looks: the least
				 * that came */
	bool unsized;		/* records that were lost are not in it, nor in
				 * came_per_s: how large they were is not
				 * known */
	uint64_t lost_in_gap;	/* bytes, in one gap between drains */
	double worst_gap;	/* seconds: the longest time for which data
				 * waited and the tail was not seen to move, the
				 * looks before and after it included; 0: the
				 * tail moved between any two looks */
	double look_interval;	/* seconds between looks: what a gap may be at
				 * most where worst_gap is 0 */
	uint64_t lost;		/* records, since it is watched */
	bool excused;		/* more were lost: which no size would have
				 * held, or before it was watched */
	uint64_t record;	/* bytes of one on average; 0: not known */
	uint64_t largest;	/* that one can take; 0: not known */
	uint64_t largest_seen;	/* 0: none was looked at */
	uint64_t oversized;	/* the ring has room and loses records: of so
				 * many bytes at least; 0: not so */
	double oversized_per_s;	/* records, the most between two looks */
	double watched;		/* seconds since it is */
	bool usual;		/* long enough, and in a burst, to say that it
				 * need not be so large */
	uint64_t watermark;
	uint64_t wakeup_events;	/* 0: woken by the watermark */
	bool overwrite;
	bool ringbuf;		/* bytes, rather than pages of -m */
	bool uncounted;		/* what it loses nobody knows */

	/* Of late: */
	bool stopped;		/* the owner is, and data waits */
	double undrained;	/* seconds for which the ring was not drained,
				 * where it is nearly full */
	bool behind;		/* it is drained, and yet nearly full, and loses
				 * records all the time */
	bool may_lag;		/* the same, but it may need a larger ring */
	double taken_per_s;	/* bytes that are drained then */
	double came_per_s;	/* and that come, at least */
	double lost_per_s;	/* records */
};

/*
 * As advice_make(): out->pages is what the size should be, in pages; text says
 * it for any owner ("grow to 64 pages (256K): 2 x (64K full + 40K lost in one
 * gap)").  pages is 0 where an owner that is stopped, or does not keep up, is
 * what loses records, where losses are not known, and where the ring has room
 * but was not watched for long enough.
 */
void host_advice_make(const struct host_advice_input *in, struct advice *out);

#endif
