/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ring size would have held the bursts that were seen, as arithmetic a
 * person can check:
 *
 *	burst rate x gap between drains = bytes; next power of two
 *
 * Both are of one and the same gap, the one in which the most came: the
 * highest rate and the longest gap of different moments would only multiply to
 * a burst that never was.
 */
#ifndef RBTOP_RING_ADVICE_H
#define RBTOP_RING_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct advice_input {
	uint64_t size;		/* of the ring, bytes */
	uint64_t page_size;
	uint64_t peak;		/* bytes waiting, worst */
	double worst_gap;	/* seconds between the two drains between
				 * which the most bytes came, records that
				 * were lost included */
	double burst_bytes_per_s; /* the rate in that gap */
	uint64_t lost;		/* records, reported and pending */
	uint64_t lost_stopped;	/* while rbtop was stopped: not among lost, and
				 * neither are peak and gap of then */
	uint64_t watermark;
	bool overwrite;
	double watched;		/* seconds at this size, and drains that found
				 * data: little evidence makes no ring small */
	uint64_t drains;
};

struct advice {
	bool valid;		/* enough was seen to say anything */
	uint64_t pages;		/* what -m should be; 0: no size would do */
	uint64_t need;		/* bytes that the arithmetic gave */
	double burst_bytes_per_s;
	double worst_gap;
	char text[160];		/* "grow to -m 512: burst 8.1M/s x gap 210ms =
				 * 1.7M" */
	char reason[224];	/* why, in a sentence */
};

/* Where valid is false, reason says what is missing and text is empty. */
void advice_make(const struct advice_input *in, struct advice *out);

/* An AUX ring that a reader empties. */
struct advice_aux_input {
	uint64_t size;		/* bytes */
	uint64_t page_size;
	uint64_t truncated;	/* times that it ran full */
	double bytes_per_s;	/* of trace, the most in a tick; 0: unknown */
};

/*
 * "grow to -m ,512: full 12 times; 1M is 250ms at 4M/s"; "" where it never ran
 * full.  Twice the size: tracing stands still while it is full, so the rate
 * that was seen does not tell how much would have come.
 */
void advice_make_aux(const struct advice_aux_input *in, char *buf,
		     size_t size);

#endif
