/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of a front end to a source. */
#ifndef RBTOP_RING_REQUEST_H
#define RBTOP_RING_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REQUEST_TEXT = 256 };	/* bytes; limit for typed text */

enum request_kind {
	REQUEST_RESIZE,		/* a ring: on = double it, off = halve it;
				 * relative to its present size, which the front
				 * end may not have seen yet */
	REQUEST_PAUSE,		/* output of a ring: on = paused */
	REQUEST_ENABLE,		/* all events: on = counting */
	REQUEST_FREQ,		/* all sampling events: frequency value, in
				 * Hz */
	REQUEST_PERIOD,		/* all sampling events: period value */
	REQUEST_READ,		/* read an overwrite ring, or the head of an AUX
				 * ring in snapshot mode, now */
	REQUEST_FILTER,		/* from now on list only samples that match text
				 * (see sample_filter.h); "": all */
	REQUEST_FIELD,		/* from now on group by the tracepoint field
				 * text; "": no field */
	REQUEST_SNAPSHOT,	/* of nr_rings rings (0: all); text is the
				 * trigger */
	REQUEST_SNAPSHOT_CANCEL,	/* cancel the one being written; a
					 * queued one follows */
	REQUEST_RECORD,		/* on: start a recording to the file text ("": a
				 * default name); off: stop it */
	REQUEST_DROPS,		/* on: count what BPF ring buffers lose, which
				 * costs their writers; off: stop that */
	REQUEST_HOST,		/* watch all rings of the machine from now on */
	/* of a recording only: */
	REQUEST_PLAY,		/* on: play; off: stand still */
	REQUEST_SPEED,		/* on: twice as fast; off: half as fast */
	REQUEST_MARK,		/* on: samples are listed and counted from here
				 * on, wherever one goes after it; off: no
				 * longer */
	REQUEST_SEEK,		/* on: forwards; off: back; by value, an enum
				 * request_seek, and time */
};

enum request_seek {
	REQUEST_TO_TICK,		/* as far as an update plays */
	REQUEST_TO_LOSS,		/* to where records were lost */
	REQUEST_TO_WORST,	/* to where most were, in either direction */
	REQUEST_TO_END,		/* to the end, or to the beginning */
	REQUEST_TO_TIME,	/* in either direction */
};

/*
 * The snapshot that answers a request; for REQUEST_SNAPSHOT_CANCEL the one
 * taken next, if any.
 */
struct request_snapshot {
	uint64_t number;	/* 0: none */
	uint64_t requests;	/* merged into it so far, including this one */
	bool queued;		/* another snapshot is being taken */
};

struct request {
	enum request_kind kind;
	size_t ring;		/* index, for RESIZE, PAUSE, READ */
	const size_t *rings;	/* for SNAPSHOT; borrowed for the call.  Views
				 * also use it for RESIZE, PAUSE and READ, which
				 * a source gets one @ring at a time */
	size_t nr_rings;
	uint64_t value;		/* for FREQ, PERIOD, SEEK */
	double time;		/* for SEEK to a time: seconds since the start;
				 * after the end, it is the end */
	bool on;
	struct request_snapshot *snapshot; /* for SNAPSHOT, SNAPSHOT_CANCEL:
					    * filled if granted; may be NULL */
	char text[REQUEST_TEXT];	/* FILTER, FIELD, SNAPSHOT, RECORD */
};

#endif
