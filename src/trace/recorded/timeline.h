/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened in each ring of a recording, by time: slots of recorded time,
 * and a cell for each ring in each slot in which it has records.  Does no I/O.
 *
 * A slot is 1 ms wide at first.  Whenever one of the limits would be exceeded,
 * each two neighbours are merged, so memory depends neither on the recording's
 * length nor on what it says its times are.  Records of different rings need
 * not be in order; one without a time is taken for as old as the previous one
 * of its ring.
 *
 * Units: bytes, records, ns of the recording's clock.
 */
#ifndef RBTOP_TRACE_RECORDED_TIMELINE_H
#define RBTOP_TRACE_RECORDED_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "base/unknown.h"
#include "perf/abi/record.h"
#include "trace/perfdata/perfdata_events.h"

struct playback_column;
struct ring_stats;

/* ns */
#define TIMELINE_MIN_WIDTH UINT64_C(1000000)

enum {
	TIMELINE_SLOTS = 8192,	/* from the first to the last, at most */
	TIMELINE_BYTES = 64 << 20,	/* of memory, at most */
	TIMELINE_RING_BITS = 17,	/* of a ring's number */
};

/* One ring in one slot.  Counts end at the largest value of their type. */
struct timeline_cell {
	uint64_t key;		/* the slot, then the ring: the order of cells
				 * once finished */
	uint64_t bytes;
	uint64_t lost;		/* by LOST */
	uint64_t lost_samples;	/* by LOST_SAMPLES */
	uint64_t aux_bytes;	/* that AUX records report */
	uint64_t round;		/* the largest of perf's rounds that ended in
				 * it, in bytes */
	uint32_t truncated, overwrite, partial, collision; /* AUX records */
	uint32_t types[RECORD_TYPES];	/* records by record_index() */
};

static inline uint64_t timeline_cell_slot(const struct timeline_cell *cell)
{
	return cell->key >> TIMELINE_RING_BITS;
}

static inline size_t timeline_cell_ring(const struct timeline_cell *cell)
{
	return cell->key & ((1u << TIMELINE_RING_BITS) - 1);
}

/* Starts zeroed, by timeline_init().  Read only, except by timeline_...(). */
struct timeline {
	struct timeline_cell *cells;
	size_t nr, room;
	size_t max;		/* cells, by TIMELINE_BYTES */
	unsigned int shift;	/* a slot is TIMELINE_MIN_WIDTH << shift */
	uint64_t first, last;	/* slots with a record that has a time;
				 * UNKNOWN */

	struct timeline_ring {
		uint64_t slot;	/* of its previous record; UNKNOWN */
		size_t cell;	/* there; SIZE_MAX: to be looked up */
		uint64_t from, to;	/* times in that slot, to be quick */
	} *rings;
	size_t nr_rings, rings_cap;
	struct table by_key;
};

void timeline_init(struct timeline *t);
void timeline_free(struct timeline *t);

/*
 * Add @record of ring number @ring, which counts from 0 and must fit in
 * TIMELINE_RING_BITS.  A time of 0 means none.  0 or -ENOMEM.
 */
int timeline_add(struct timeline *t, size_t ring,
		 const struct perfdata_record *record);

/* A round in which perf read @bytes of @ring ended with its last record. */
void timeline_round(struct timeline *t, size_t ring, uint64_t bytes);

/*
 * After the last record; the functions below need it.  From then on, ring
 * number N is @rows[N], which several may have in common; NULL: they stay.
 */
void timeline_finish(struct timeline *t, const uint32_t *rows);

/* ns that a slot is wide. */
uint64_t timeline_width(const struct timeline *t);

/*
 * Add the cells from number @cell on of the slots before @slot to @stats, which
 * has an element for each ring.  Returns the number of the first cell left: to
 * be at any time takes one walk, from there if it is later, else from cell 0.
 * Records from before any time of their ring are in slot 0.
 */
size_t timeline_walk(const struct timeline *t, size_t cell, uint64_t slot,
		     struct ring_stats *stats);

/*
 * The next slot from @slot on (or, backwards, before it) in which records or
 * trace were lost; UNKNOWN: none.
 */
uint64_t timeline_next_loss(const struct timeline *t, uint64_t slot);
uint64_t timeline_last_loss(const struct timeline *t, uint64_t slot);
/*
 * Divide the slots, from the first on, into stretches of @slots.  Returns the
 * start of the one that lost most: by LOST records, then LOST_SAMPLES, then
 * truncated trace.  The first one if several are equal; UNKNOWN: none.
 */
uint64_t timeline_worst_loss(const struct timeline *t, uint64_t slots);

/*
 * Divide the slots from the first to the last into at most @max columns.
 * Returns how many; *@slots is how many slots each covers, the last maybe
 * fewer.  What came before any time of its ring is in none.  0 without times.
 */
size_t timeline_columns(const struct timeline *t, size_t max,
			struct playback_column *columns, uint64_t *slots);

#endif
