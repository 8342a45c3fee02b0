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
 */
#ifndef RBTOP_HOST_TABLE_HOST_ADVICE_H
#define RBTOP_HOST_TABLE_HOST_ADVICE_H

#include "ring/advice.h"

struct host_advice_input {
	uint64_t size, page_size;
	uint64_t peak;		/* bytes: the most seen waiting */
	double burst_bytes_per_s; /* highest rate between two looks, a lower
				 * bound */
	bool unsized;		/* lost records are not in it, nor in
				 * came_per_s, as their size is not known */
	uint64_t lost_in_gap;	/* bytes, in one gap between drains */
	double worst_gap;	/* seconds: the longest time for which data
				 * waited and the tail was not seen to move, the
				 * looks before and after it included; 0: the
				 * tail moved between any two looks */
	double look_interval;	/* seconds between looks: the upper bound of a
				 * gap if worst_gap is 0 */
	uint64_t lost;		/* records, since first seen */
	bool excused;		/* others were lost, which no size would have
				 * held, or before the ring was first seen */
	uint64_t lost_before;	/* records, before it was first seen, if none
				 * was lost since */
	uint64_t record;	/* bytes of one on average; 0: not known */
	uint64_t largest;	/* possible bytes of one; 0: not known */
	uint64_t largest_seen;	/* 0: none was inspected */
	uint64_t oversized;	/* records of at least so many bytes are lost
				 * while the ring has room; 0: none */
	double oversized_per_s;	/* records, the most between two looks */
	double watched;		/* seconds since first seen */
	bool early;		/* for fewer than 3 looks or 2 seconds */
	bool usual;		/* long enough, and in a burst, to say that it
				 * need not be so large */
	uint64_t watermark;
	uint64_t wakeup_events;	/* 0: woken by the watermark */
	bool overwrite;
	bool ringbuf;		/* bytes, rather than pages of -m */
	bool uncounted;		/* its losses are not counted */

	/* Recently: */
	bool stopped;		/* the owner is, and data waits */
	double undrained;	/* seconds for which the ring was not drained,
				 * where it is nearly full */
	bool behind;		/* it is drained, but stays nearly full and
				 * loses records all the time */
	bool may_lag;		/* perhaps so, or a larger ring may help */
	double taken_per_s;	/* bytes drained then, of all rings of the
				 * owner, as the next two */
	double came_per_s;	/* bytes that come, a lower bound */
	double lost_per_s;	/* records */
};

/*
 * As advice_make(): out->pages is the recommended size in pages, and text names
 * it ("grow to 64 pages (256K): 2 x (64K ring + 40K lost in one gap)").  pages is
 * 0 if records are lost because the owner is stopped or does not keep up, if
 * losses are not known, and if the ring has room but was not watched for long
 * enough.
 */
void host_advice_make(const struct host_advice_input *in, struct advice *out);

/*
 * @out recommends a size, and the ring @label shares the setting and needs
 * @pages, which are more: they are recommended instead.
 */
void host_advice_share(const struct host_advice_input *in, uint64_t pages,
		       const char *label, struct advice *out);

#endif
