/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What size would have held what was seen to come into somebody else's ring,
 * with its arithmetic.  Seen from outside, at intervals: the burst rate and
 * the peak are at least, the gap between drains at most what is said.
 */
#ifndef RBTOP_MODEL_HOST_ADVICE_H
#define RBTOP_MODEL_HOST_ADVICE_H

#include "model/advice.h"

struct host_advice_input {
	uint64_t size, page_size;
	uint64_t peak;		/* bytes waiting, the most that were seen */
	double burst_bytes_per_s; /* highest rate between two looks; where
				 * records were lost they count for nothing in
				 * it, so it is the least that came */
	double worst_gap;	/* seconds: the longest time for which data
				 * waited and the tail was not seen to move, the
				 * looks before and after it included; 0: the
				 * tail moved between any two looks */
	double look_interval;	/* seconds between looks: what a gap may be at
				 * most where worst_gap is 0 */
	uint64_t lost;		/* records, since it is watched */
	uint64_t watermark;
	bool overwrite;
	bool ringbuf;		/* bytes, rather than pages of -m */
};

/*
 * As advice_make(): out->pages is what the size should be, in pages; text says
 * it for any owner ("grow to 512 pages (2.0M): burst >= 8.1M/s x gap <= 210ms
 * = 1.7M").
 */
void host_advice_make(const struct host_advice_input *in, struct advice *out);

#endif
