/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a front end may ask of a source. */
#ifndef RBTOP_RING_REQUEST_H
#define RBTOP_RING_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REQUEST_TEXT = 256 };	/* bytes; what a person can type */

enum request_kind {
	REQUEST_RESIZE,		/* a ring: on = double it, off = halve it; of
				 * its size now, which a front end may not have
				 * seen yet */
	REQUEST_PAUSE,		/* output of a ring: on = paused */
	REQUEST_ENABLE,		/* all events: on = counting */
	REQUEST_FREQ,		/* all sampling events: value in Hz */
	REQUEST_PERIOD,		/* all sampling events: value */
	REQUEST_READ,		/* an overwrite ring, or the head of an AUX
				 * ring in snapshot mode, now */
	REQUEST_FILTER,		/* list only samples that match text (see
				 * sample_filter.h) from now on; "": all */
	REQUEST_FIELD,		/* group by the tracepoint field text from now
				 * on; "": by none */
	REQUEST_SNAPSHOT,	/* of nr_rings rings (0: of all); text says what
				 * asked for it */
	REQUEST_SNAPSHOT_CANCEL,	/* the one being written; a queued one
					 * is taken next */
	REQUEST_RECORD,		/* on: into a file, text names it ("": one is
				 * made up); else stop */
	REQUEST_HOST,		/* look at all rings of the machine from now on */
};

/*
 * The snapshot that answers a request; with REQUEST_SNAPSHOT_CANCEL: the one
 * that is taken next, if any.
 */
struct request_snapshot {
	uint64_t number;	/* 0: none */
	uint64_t requests;	/* for it so far, including this one */
	bool queued;		/* another one is being taken */
};

struct request {
	enum request_kind kind;
	size_t ring;		/* index, for RESIZE, PAUSE, READ */
	const size_t *rings;	/* for SNAPSHOT; borrowed for the call.  A view
				 * also asks so for RESIZE, PAUSE, READ, which a
				 * source gets one @ring at a time */
	size_t nr_rings;
	uint64_t value;		/* for FREQ, PERIOD */
	bool on;
	struct request_snapshot *snapshot; /* for SNAPSHOT, SNAPSHOT_CANCEL:
					    * filled if granted; may be NULL */
	char text[REQUEST_TEXT];	/* for FILTER, FIELD, SNAPSHOT, RECORD */
};

#endif
