/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "resolve/digest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "perf/abi/record.h"

/* Several of the largest records, or many usual ones. */
enum { CHUNK = 256 << 10 };

/*
 * Memory for records of all slots, filled in order of arrival.  Records are
 * removed in nearly the same order, so a chunk becomes free soon after its
 * first record.
 */
struct record_chunk {
	size_t size, used;	/* bytes of @data */
	size_t live;		/* records in it */
	uint64_t data[];
};

/* The records of a slot, by time. */
struct record_list {
	struct held_record *first, *last;
	size_t place;		/* index in the heap, if it has records */
};

static uint64_t first_time(const struct record_order *o, size_t place)
{
	return o->lists[o->heap[place]].first->time;
}

static void put(struct record_order *o, size_t place, uint32_t slot)
{
	o->heap[place] = slot;
	o->lists[slot].place = place;
}

/* Move a slot up in the heap until its parent is not later. */
static void sift_up(struct record_order *o, uint32_t slot)
{
	uint64_t time = o->lists[slot].first->time;
	size_t i = o->lists[slot].place;

	for (; i && time < first_time(o, (i - 1) / 2); i = (i - 1) / 2)
		put(o, i, o->heap[(i - 1) / 2]);
	put(o, i, slot);
}

/* Move a slot down from the top until its children are not earlier. */
static void sift_down(struct record_order *o, uint32_t slot)
{
	uint64_t time = o->lists[slot].first->time;
	size_t i = 0, child;

	while ((child = 2 * i + 1) < o->nr) {
		if (child + 1 < o->nr &&
		    first_time(o, child + 1) < first_time(o, child))
			child++;
		if (first_time(o, child) >= time)
			break;
		put(o, i, o->heap[child]);
		i = child;
	}
	put(o, i, slot);
}

static void free_chunk(struct record_order *o, struct record_chunk *chunk)
{
	o->bytes -= sizeof(*chunk) + chunk->size;
	free(chunk);
}

/* A chunk with room for @need bytes. */
static struct record_chunk *fit_chunk(struct record_order *o, size_t need)
{
	struct record_chunk *chunk = o->chunk;
	size_t size = need > CHUNK ? need : CHUNK;

	if (chunk && chunk->size - chunk->used >= need)
		return chunk;
	chunk = malloc(sizeof(*chunk) + size);
	if (!chunk)
		return NULL;
	*chunk = (struct record_chunk){ .size = size };
	o->bytes += sizeof(*chunk) + size;
	if (o->chunk && !o->chunk->live)
		free_chunk(o, o->chunk);
	o->chunk = chunk;
	return chunk;
}

static struct held_record *hold(struct record_order *o,
				const struct queued *head, const void *record,
				uint64_t time)
{
	size_t need = (sizeof(struct held_record) + head->size + 7) &
		      ~(size_t)7;
	struct record_chunk *chunk = fit_chunk(o, need);
	struct held_record *held;

	if (!chunk)
		return NULL;
	held = (struct held_record *)(chunk->data +
				      chunk->used / sizeof(uint64_t));
	chunk->used += need;
	chunk->live++;
	held->time = time;
	held->chunk = chunk;
	held->head = *head;
	memcpy(held->record, record, head->size);
	return held;
}

/* The current chunk is reused, others are freed with their last record. */
static void let_go(struct record_order *o, struct held_record *held)
{
	struct record_chunk *chunk = held->chunk;

	if (--chunk->live)
		return;
	if (chunk == o->chunk)
		chunk->used = 0;
	else
		free_chunk(o, chunk);
}

/* Insert after the records that are not later: mostly at the end. */
static void insert(struct record_list *list, struct held_record *held)
{
	struct held_record *before = list->last;

	while (before && before->time > held->time)
		before = before->before;
	held->before = before;
	held->after = before ? before->after : list->first;
	*(before ? &before->after : &list->first) = held;
	*(held->after ? &held->after->before : &list->last) = held;
}

int record_order_add(struct record_order *o, const struct queued *head,
		     const void *record)
{
	return record_order_add_at(o, head, record,
				   record_time(record, head->size));
}

int record_order_add_at(struct record_order *o, const struct queued *head,
			const void *record, uint64_t time)
{
	size_t nr = (size_t)head->slot + 1;
	struct held_record *held;
	struct record_list *list;

	if (array_fit_zero(o->lists, o->lists_cap, nr) ||
	    array_fit(o->heap, o->heap_cap, nr))
		return -ENOMEM;
	held = hold(o, head, record, time);
	if (!held)
		return -ENOMEM;
	list = &o->lists[head->slot];
	if (!list->first)
		list->place = o->nr++;
	insert(list, held);
	if (list->first == held)
		sift_up(o, head->slot);
	return 0;
}

static struct held_record *take_first(struct record_order *o)
{
	uint32_t slot = o->heap[0];
	struct record_list *list = &o->lists[slot];
	struct held_record *first = list->first;

	list->first = first->after;
	if (list->first) {
		list->first->before = NULL;
		sift_down(o, slot);
		return first;
	}
	list->last = NULL;
	o->nr--;
	if (o->nr)
		sift_down(o, o->heap[o->nr]);
	return first;
}

const struct held_record *record_order_take(struct record_order *o,
					    uint64_t before)
{
	if (o->taken)
		let_go(o, o->taken);
	o->taken = NULL;
	if (o->nr && first_time(o, 0) < before)
		o->taken = take_first(o);
	return o->taken;
}

void record_order_free(struct record_order *o)
{
	if (o->taken)
		let_go(o, o->taken);
	while (o->nr)
		let_go(o, take_first(o));
	free(o->chunk);
	free(o->lists);
	free(o->heap);
	*o = (struct record_order){ 0 };
}
