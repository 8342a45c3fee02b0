/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/recorded/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ring/reading.h"
#include "ring/ring_stats.h"

enum {
	TIME_BITS = 45,		/* of a slot: 2^64 ns by 1 ms */
	/* of the table: an entry and, half of them free, two places */
	CELL_BYTES = sizeof(struct timeline_cell) + sizeof(struct table_entry) +
		     4 * sizeof(uint32_t),
};

void timeline_init(struct timeline *t)
{
	memset(t, 0, sizeof(*t));
	t->first = t->last = UNKNOWN;
	t->max = TIMELINE_BYTES / CELL_BYTES;
}

void timeline_free(struct timeline *t)
{
	free(t->cells);
	free(t->rings);
	table_free(&t->by_key);
}

static uint64_t key_of(uint64_t slot, size_t ring)
{
	return slot << TIMELINE_RING_BITS | ring;
}

static void add32(uint32_t *sum, uint32_t n)
{
	*sum = n < UINT32_MAX - *sum ? *sum + n : UINT32_MAX;
}

static void raise(uint64_t *max, uint64_t n)
{
	if (n > *max)
		*max = n;
}

static void merge(struct timeline_cell *to, const struct timeline_cell *from)
{
	unknown_add(&to->bytes, from->bytes);
	unknown_add(&to->lost, from->lost);
	unknown_add(&to->lost_samples, from->lost_samples);
	unknown_add(&to->aux_bytes, from->aux_bytes);
	raise(&to->round, from->round);
	add32(&to->truncated, from->truncated);
	add32(&to->overwrite, from->overwrite);
	add32(&to->partial, from->partial);
	add32(&to->collision, from->collision);
	for (int i = 0; i < RECORD_TYPES; i++)
		add32(&to->types[i], from->types[i]);
}

/*
 * Make slots 2^@by times as wide: merge cells in place.  What is added to the
 * table was in it, so it has room.
 */
static void widen(struct timeline *t, unsigned int by)
{
	size_t nr = t->nr;

	t->shift += by;
	t->nr = 0;
	table_clear(&t->by_key);
	for (size_t i = 0; i < nr; i++) {
		const struct timeline_cell cell = t->cells[i];
		uint64_t key = key_of(timeline_cell_slot(&cell) >> by, timeline_cell_ring(&cell));
		struct table_entry *entry = table_find(&t->by_key, key);

		if (entry) {
			merge(&t->cells[entry->index], &cell);
			continue;
		}
		t->cells[t->nr] = cell;
		t->cells[t->nr].key = key;
		table_add_index(&t->by_key, key, t->nr++);
	}
	if (t->first != UNKNOWN) {
		t->first >>= by;
		t->last >>= by;
	}
	for (size_t i = 0; i < t->nr_rings; i++) {
		t->rings[i].cell = SIZE_MAX;
		if (t->rings[i].slot != UNKNOWN)
			t->rings[i].slot >>= by;
	}
}

/* The slot of @time, which is among the slots from now on. */
static uint64_t take_time(struct timeline *t, uint64_t time)
{
	uint64_t slot = time / TIMELINE_MIN_WIDTH >> t->shift;
	uint64_t first = t->first < slot ? t->first : slot;
	uint64_t last = t->last != UNKNOWN && t->last > slot ? t->last : slot;
	unsigned int by = 0;

	while ((last >> by) - (first >> by) >= TIMELINE_SLOTS)
		by++;
	if (by)
		widen(t, by);
	t->first = first >> by;
	t->last = last >> by;
	return slot >> by;
}

static int need_ring(struct timeline *t, size_t ring)
{
	if (array_fit(t->rings, t->rings_cap, ring + 1))
		return -ENOMEM;
	for (; t->nr_rings <= ring; t->nr_rings++)
		t->rings[t->nr_rings] = (struct timeline_ring){
			.slot = UNKNOWN,
			.cell = SIZE_MAX,
		};
	return 0;
}

/* The cell of @ring in the slot of its previous record; NULL: no memory. */
static struct timeline_cell *need_cell(struct timeline *t, size_t ring)
{
	struct timeline_ring *of = &t->rings[ring];
	struct table_entry *entry;
	uint64_t key;

	if (of->cell != SIZE_MAX)
		return &t->cells[of->cell];
	key = key_of(unknown_as_zero(of->slot), ring);
	entry = table_find(&t->by_key, key);
	if (!entry && t->nr >= t->max) {
		/* ends: in one slot, rings have two cells each at most */
		while (t->nr >= t->max && t->shift < TIME_BITS)
			widen(t, 1);
		key = key_of(unknown_as_zero(of->slot), ring);
		entry = table_find(&t->by_key, key);
	}
	if (!entry) {
		if (array_fit_max(t->cells, t->room, t->nr + 1, t->max) ||
		    table_add_index(&t->by_key, key, t->nr))
			return NULL;
		t->cells[t->nr] = (struct timeline_cell){ .key = key };
		of->cell = t->nr++;
	} else {
		of->cell = entry->index;
	}
	return &t->cells[of->cell];
}

static void count_aux(struct timeline_cell *cell,
		      const struct perfdata_record *record)
{
	uint64_t flags = record->aux_flags;

	unknown_add(&cell->aux_bytes, record->trace);
	add32(&cell->truncated, !!(flags & PERFDATA_AUX_TRUNCATED));
	add32(&cell->overwrite, !!(flags & PERFDATA_AUX_OVERWRITE));
	add32(&cell->partial, !!(flags & PERFDATA_AUX_PARTIAL));
	add32(&cell->collision, !!(flags & PERFDATA_AUX_COLLISION));
}

/* The cell of a record at @time; NULL: no memory. */
__attribute__((noinline))
static struct timeline_cell *cell_at(struct timeline *t, size_t ring,
				     uint64_t time)
{
	struct timeline_ring *of;
	uint64_t slot;

	if (need_ring(t, ring))
		return NULL;
	of = &t->rings[ring];
	if (time && time != UNKNOWN) {
		slot = take_time(t, time);
		if (slot != of->slot)
			of->cell = SIZE_MAX;
		of->slot = slot;
		of->from = (slot << t->shift) * TIMELINE_MIN_WIDTH;
		of->to = of->from + timeline_width(t) - 1;
	}
	return need_cell(t, ring);
}

int timeline_add(struct timeline *t, size_t ring,
		 const struct perfdata_record *record)
{
	const struct timeline_ring *of =
		ring < t->nr_rings ? &t->rings[ring] : NULL;
	struct timeline_cell *cell;

	/* mostly, as the previous record */
	if (of && of->cell != SIZE_MAX && record->time >= of->from &&
	    record->time <= of->to)
		cell = &t->cells[of->cell];
	else
		cell = cell_at(t, ring, record->time);
	if (!cell)
		return -ENOMEM;
	unknown_add(&cell->bytes, record->size);
	add32(&cell->types[record_index(record->type)], 1);
	if (record->type == PERF_RECORD_LOST)
		unknown_add(&cell->lost, record->lost);
	else if (record->type == PERF_RECORD_LOST_SAMPLES &&
		 !(record->misc & PERFDATA_MISC_FILTERED))
		unknown_add(&cell->lost_samples, record->lost);
	else if (record->type == PERF_RECORD_AUX)
		count_aux(cell, record);
	return 0;
}

void timeline_round(struct timeline *t, size_t ring, uint64_t bytes)
{
	struct timeline_cell *cell =
		ring < t->nr_rings ? need_cell(t, ring) : NULL;

	if (cell)
		raise(&cell->round, bytes);
}

static int compare(const void *one, const void *other)
{
	const struct timeline_cell *a = one, *b = other;

	return (a->key > b->key) - (a->key < b->key);
}

void timeline_finish(struct timeline *t, const uint32_t *rows)
{
	table_free(&t->by_key);
	t->by_key = (struct table){ 0 };
	for (size_t i = 0; rows && i < t->nr; i++)
		t->cells[i].key = key_of(timeline_cell_slot(&t->cells[i]),
					 rows[timeline_cell_ring(&t->cells[i])]);
	if (t->nr)
		qsort(t->cells, t->nr, sizeof(*t->cells), compare);
}

uint64_t timeline_width(const struct timeline *t)
{
	return t->shift < 44 ? TIMELINE_MIN_WIDTH << t->shift : UINT64_MAX;
}

static void add_to(struct ring_stats *s, const struct timeline_cell *cell)
{
	unknown_add(&s->bytes, cell->bytes);
	unknown_add(&s->lost, cell->lost);
	unknown_add(&s->lost_samples, cell->lost_samples);
	raise(&s->peak, cell->round);
	for (int i = 0; i < RECORD_TYPES; i++) {
		s->types[i] += cell->types[i];
		s->records += cell->types[i];
	}
	s->aux.records += cell->types[PERF_RECORD_AUX];
	s->aux.itrace_starts += cell->types[PERF_RECORD_ITRACE_START];
	s->aux.hw_ids += cell->types[RECORD_AUX_OUTPUT_HW_ID];
	unknown_add(&s->aux.bytes, cell->aux_bytes);
	s->aux.truncated += cell->truncated;
	s->aux.overwrite += cell->overwrite;
	s->aux.partial += cell->partial;
	s->aux.collision += cell->collision;
}

size_t timeline_walk(const struct timeline *t, size_t cell, uint64_t slot,
		     struct ring_stats *stats)
{
	for (; cell < t->nr && timeline_cell_slot(&t->cells[cell]) < slot; cell++)
		add_to(&stats[timeline_cell_ring(&t->cells[cell])], &t->cells[cell]);
	return cell;
}

static bool loses(const struct timeline_cell *cell)
{
	return cell->lost || cell->lost_samples || cell->truncated;
}

uint64_t timeline_next_loss(const struct timeline *t, uint64_t slot)
{
	size_t from = 0, to = t->nr;	/* the first cell of @slot or later */

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (timeline_cell_slot(&t->cells[middle]) < slot)
			from = middle + 1;
		else
			to = middle;
	}
	while (from < t->nr && !loses(&t->cells[from]))
		from++;
	return from < t->nr ? timeline_cell_slot(&t->cells[from]) : UNKNOWN;
}

uint64_t timeline_last_loss(const struct timeline *t, uint64_t slot)
{
	for (size_t i = t->nr; i-- > 0;)
		if (timeline_cell_slot(&t->cells[i]) < slot && loses(&t->cells[i]))
			return timeline_cell_slot(&t->cells[i]);
	return UNKNOWN;
}

/* Whether more was lost in @cell than in @than. */
static bool is_worse(const struct timeline_cell *cell,
		     const struct timeline_cell *than)
{
	if (cell->lost != than->lost)
		return cell->lost > than->lost;
	if (cell->lost_samples != than->lost_samples)
		return cell->lost_samples > than->lost_samples;
	return cell->truncated > than->truncated;
}

uint64_t timeline_worst_loss(const struct timeline *t, uint64_t slots)
{
	struct timeline_cell sum = { 0 }, worst = { 0 };
	uint64_t first = unknown_as_zero(t->first), at = 0, found = UNKNOWN;

	for (size_t i = 0; i < t->nr; i++) {
		uint64_t slot = timeline_cell_slot(&t->cells[i]);

		if (slot < first)
			continue;
		slot -= (slot - first) % slots;
		if (slot != at)
			sum = (struct timeline_cell){ 0 };
		at = slot;
		merge(&sum, &t->cells[i]);
		if (is_worse(&sum, &worst)) {
			worst = sum;
			found = at;
		}
	}
	return found;
}

size_t timeline_columns(const struct timeline *t, size_t max,
			struct playback_column *columns, uint64_t *slots)
{
	uint64_t nr = t->last - t->first + 1;

	*slots = (nr + max - 1) / max;
	if (t->first == UNKNOWN)
		return 0;
	nr = (nr + *slots - 1) / *slots;
	memset(columns, 0, nr * sizeof(*columns));
	for (size_t i = 0; i < t->nr; i++) {
		const struct timeline_cell *cell = &t->cells[i];
		struct playback_column *c;

		if (timeline_cell_slot(cell) < t->first)
			continue;
		c = &columns[(timeline_cell_slot(cell) - t->first) / *slots];
		c->bytes += (double)cell->bytes + (double)cell->aux_bytes;
		c->lost |= cell->lost || cell->lost_samples;
		c->truncated |= cell->truncated;
	}
	return nr;
}
