/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slot: a ring as the front end knows it, with what was counted of it.  Its
 * memory may be replaced while it is drained; both are drained then.
 *
 * A slot belongs to its reader's thread, but for what says otherwise.
 */
#ifndef RBTOP_COLLECT_SLOT_H
#define RBTOP_COLLECT_SLOT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/sequence.h"
#include "collect/aux_lane_ring.h"
#include "collect/collector_ring.h"
#include "collect/drain/drain.h"
#include "ring/ring_stats.h"

struct reader;
struct record_clock;
struct record_history;
struct slot;

/* The AUX ring beside a data ring, see reader_aux.h. */
struct slot_aux {
	struct aux_ring ring;
	int *fds;		/* of the events that trace into it; not owned */
	size_t nr_fds;
	int (*read_finish)(int fd);	/* lets one go on */
	uint64_t peak;		/* most bytes found waiting in it */
	uint64_t truncated;	/* drain.aux.truncated, when they were last let
				 * go on for that */
	uint64_t woken;		/* watermarks crossed before a lane was last
				 * woken */
	uint64_t head;		/* as it stood at @moved_ns */
	uint64_t moved_ns;
};

/* One mapping that a slot drains; a slot has two during a replacement. */
struct slot_ring {
	struct slot *slot;
	struct ring ring;
	int *fds;		/* to poll, one at a time; not owned */
	size_t nr_fds;
	size_t polled;		/* index of the one in the epoll set; nr_fds:
				 * all of them hung up */
	uint64_t lost;		/* records, by the LOST records in it */
	uint64_t stopped_ns;	/* how long rbtop was stopped, in all, when it
				 * was last drained */
	uint64_t drained_ns;	/* the session's clock: what was there by then,
				 * is not there any more */
	struct slot_aux aux;
	int *call_fds;		/* see struct collector_ring; not owned */
	size_t nr_call_fds;
	uint64_t *calls;	/* the count of each when it was last read */
};

struct slot {
	size_t index;
	int cpu;
	bool apart;		/* see struct collector_ring */
	struct reader *reader;
	struct slot_ring *current;	/* NULL once retired */
	struct slot_ring *former;	/* replaced, not retired yet */
	struct drain drain;
	bool drained;		/* since the last timer tick */
	uint64_t lost_retired;	/* by the LOST records of former rings */
	struct record_history *history;	/* NULL: none is kept */
	/* the collector's */
	struct record_clock *clock;
	struct aux_lane_ring lane;
	const _Atomic bool *aux_held;	/* AUX rings are emptied by lanes */
	const _Atomic bool *aux_disabled;	/* no event is let go on */

	struct ring_stats stats;
	uint64_t passes;	/* counted into them so far */

	/* Published under @sequence by the reader, for any thread. */
	struct sequence sequence;
	struct slot_published {
		struct ring_stats stats;
		uint64_t passes;
	} published;		/* see word_copy.h */
	uint64_t *samples;	/* too */
	uint32_t nr_samples;
	pthread_mutex_t layout;	/* held while @samples is reallocated, read */
	_Atomic uint64_t recent_peak;
	_Atomic uint64_t taken;	/* passes that a reading has seen: recent stats
				 * start over once it has seen all */

	/* Of the samples to decode; each is a figure of its own. */
	_Atomic double arrivals;	/* samples/s lately; by the reader */
	_Atomic double level;		/* that may be queued; for it */
	_Atomic uint32_t k;		/* by the reader */
	_Atomic uint64_t drained_to;	/* least drained_ns of its rings */
};

/*
 * A slot that nobody serves yet, and that counts its events: samples of @self
 * count as own.  NULL when out of memory.
 */
struct slot *slot_new(size_t index, const struct collector_ring *from,
		      const aux_sink_now *sink, pid_t self);
/* Not while a reader or a lane serves it.  NULL is fine. */
void slot_free(struct slot *slot);

/* A mapping for it to drain, with copies of what @from points to; or NULL. */
struct slot_ring *slot_ring_new(struct slot *slot,
				const struct collector_ring *from);
void slot_ring_free(struct slot_ring *ring);	/* NULL is fine */

/* Make room for the samples of @nr events, no fewer than now.  0 or -ENOMEM. */
int slot_reserve(struct slot *slot, uint32_t nr);
/* Go on with @drain, which is taken over, for whose events there is room. */
void slot_set_drain(struct slot *slot, const struct drain *drain);

/* Publish the slot's stats as they are now, and the samples of each event. */
void slot_publish(struct slot *slot);
/* Publish how many samples its sampler saw lately, and its k. */
void slot_note_feed(struct slot *slot);
/* Publish .drained_to anew, its rings being others now. */
void slot_note_drained(struct slot *slot);

/*
 * Any thread: a consistent copy of what was published last; see
 * collector_read().
 */
void slot_read(struct slot *slot, struct ring_stats *stats, uint64_t *samples,
	       size_t nr, uint64_t *recent_peak);

#endif
