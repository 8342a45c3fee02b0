/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring size that would have held the bursts seen so far:
 *
 *	burst rate x gap between drains = bytes; next power of two
 *
 * A larger ring also wakes its reader later, so if it lost records, what came in
 * the gap must fit above the watermark: by default, it counts twice.
 *
 * Rate and gap belong to the same gap, the one in which the most bytes came.
 * The highest rate times the longest gap, of different moments, would be a
 * burst that never happened.
 */
#ifndef RBTOP_RING_ADVICE_H
#define RBTOP_RING_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/ring_stats.h"
#include "ring/verdict.h"

struct advice_input {
	uint64_t size;		/* bytes */
	uint64_t page_size;
	uint64_t peak;		/* most bytes waiting at a drain */
	double worst_gap;	/* seconds between the two drains between which
				 * the most bytes came, lost records included */
	double burst_bytes_per_s; /* rate in that gap */
	double bytes_per_s;	/* highest rate of a tick */
	uint64_t lost;		/* records lost, reported and pending */
	uint64_t lost_stopped;	/* records lost in pauses and stops of rbtop; not
				 * included in lost. peak and worst_gap exclude
				 * that time too */
	uint64_t watermark;
	bool overwrite;
	bool ordinary;		/* its reader has no realtime priority: it may
				 * wait for a CPU */
	double ordinary_wait;	/* seconds: the longest that such a thread was
				 * seen to wait for one; 0: unknown */
	uint64_t burst;		/* most bytes that came within ADVICE_GAP; 0:
				 * unknown */
	double watched;		/* seconds at this size; with drains (those that
				 * found data) the evidence needed before
				 * shrinking is advised */
	uint64_t drains;
};

struct advice {
	enum verdict verdict;	/* on the size alone; see verdict_of() */
	bool valid;		/* enough data was seen for advice */
	uint64_t pages;		/* recommended value of -m; 0: not valid */
	uint64_t perf_pages;	/* of rbtop's rings: the -m that perf record
				 * needs for the same events, as its reader is
				 * an ordinary thread; 0: unknown */
	uint64_t need;		/* bytes: burst rate x gap */
	double burst_bytes_per_s;
	double worst_gap;
	bool shared;		/* of another program's ring: it is that of
				 * another ring of its owner */
	char text[320];		/* "grow to -m 512: burst 8.1M/s x gap 210ms =
				 * 1.7M" */
	char reason[224];	/* the reason, one sentence */
	char setting[96];	/* of another program's ring: what gives it that
				 * size, in its words.  Of rbtop's: "perf record
				 * -m 128".  "": unknown, or it has that size */
	char perf_reason[96];	/* of rbtop's rings: what perf_pages hold, or
				 * "" */
	bool early;		/* of another program's ring: more may be
				 * needed: it was not watched for long, its
				 * records vary, or the size is far from the
				 * present one */
	uint64_t bytes;		/* the same as pages, of another program's ring */
	bool undecided;		/* of another program's ring: perhaps no size
				 * helps; watched longer, it will be known */
	char label[24];		/* of all: the ring that needs most */
	const char *command;	/* of another program's ring: starts its owner
				 * with that size; NULL: unknown */
};

/*
 * Seconds that an ordinary thread may wait for a CPU, unless one was seen to wait
 * longer: the gap that is assumed for readers whose gaps cannot be seen.
 */
#define ADVICE_GAP (RING_BURST_NS / 1e9)

/* A peak fill above this makes the advice to grow. */
#define ADVICE_TIGHT 0.75
/* No smaller ring is advised, pages. */
#define ADVICE_MIN 8

/* The inputs and the figures made of them, as text. */
struct advice_words {
	char size[16], peak[16], watermark[16];
	char fill[16];		/* peak in percent of the size */
	char product[80];	/* "burst 8.1M/s x gap 210ms = 1.7M"; of bounds
				 * "burst >= 8.1M/s x gap <= 210ms = 1.7M" */
};
void advice_words_make(const struct advice_input *in, uint64_t need,
		       bool bounds, struct advice_words *words);

/* The smallest number of pages, a power of two, that holds @bytes. */
uint64_t advice_pages(uint64_t bytes, uint64_t page_size);

/* If valid is false, reason says what is missing and text is empty. */
void advice_make(const struct advice_input *in, struct advice *out);

/*
 * -m is one number for all rings.  Start with @all zeroed and add the advice on
 * each of rbtop's rings, in @pages pages now, then end: the text names the ring
 * that needs most.
 */
void advice_all_add(struct advice *all, const struct advice *one,
		    uint64_t pages, const char *label);
void advice_all_end(struct advice *all);
/* Then add the setting, and the -m of all, to the advice on a ring. */
void advice_all_apply(const struct advice *all, struct advice *one);

/* Of a recording: the -m of perf record that would have held all of it. */
void advice_of_recording(struct advice *all, uint64_t pages);

/* An AUX ring in full trace mode, which a reader drains. */
struct advice_aux_input {
	uint64_t size;		/* bytes */
	uint64_t page_size;
	uint64_t truncated;	/* number of times it was full */
	double bytes_per_s;	/* highest rate of trace in a tick; 0:
				 * unknown */
};

/*
 * "grow to -m ,512: full 12 times; 1M is 250ms at 4M/s"; "" if it was never
 * full.  The advice is twice the size: tracing stops while the ring is full, so
 * the observed rate does not say how much trace would have been written.
 */
void advice_make_aux(const struct advice_aux_input *in, char *buf,
		     size_t size);

#endif
