/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/record_order.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "perf/record.h"

static uint64_t word_at(const unsigned char *record, size_t offset)
{
	uint64_t word;

	memcpy(&word, record + offset, sizeof(word));
	return word;
}

/* A record's time stands at a fixed place: see RECORD_SAMPLE_TYPE. */
static uint64_t record_time(const struct queued *head, const void *record)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE)
		return head->size < RECORD_SAMPLE_TIME + sizeof(uint64_t) ? 0 :
			word_at(record, RECORD_SAMPLE_TIME);
	if (head->size < sizeof(header) + RECORD_TRAILER)
		return 0;
	return word_at(record, head->size - RECORD_TRAILER_TIME);
}

static bool earlier(const struct held_record *a, const struct held_record *b)
{
	return a->time != b->time ? a->time < b->time : a->serial < b->serial;
}

static int make_room(struct record_order *o)
{
	size_t room = o->room ? 2 * o->room : 64;
	struct held_record **heap;

	if (o->nr < o->room)
		return 0;
	heap = reallocarray(o->heap, room, sizeof(struct held_record *));
	if (!heap)
		return -ENOMEM;
	o->heap = heap;
	o->room = room;
	return 0;
}

/* From @i upwards, until what is above is earlier. */
static void sift_up(struct record_order *o, size_t i,
		    struct held_record *record)
{
	for (; i && earlier(record, o->heap[(i - 1) / 2]); i = (i - 1) / 2)
		o->heap[i] = o->heap[(i - 1) / 2];
	o->heap[i] = record;
}

/* From the top downwards, until what is below is later. */
static void sift_down(struct record_order *o, struct held_record *record)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < o->nr) {
		if (child + 1 < o->nr &&
		    earlier(o->heap[child + 1], o->heap[child]))
			child++;
		if (!earlier(o->heap[child], record))
			break;
		o->heap[i] = o->heap[child];
		i = child;
	}
	o->heap[i] = record;
}

int record_order_add(struct record_order *o, const struct queued *head,
		     const void *record)
{
	struct held_record *held;

	if (make_room(o))
		return -ENOMEM;
	held = malloc(sizeof(*held) + head->size);
	if (!held)
		return -ENOMEM;
	held->time = record_time(head, record);
	held->serial = o->serial++;
	held->head = *head;
	memcpy(held->record, record, head->size);
	sift_up(o, o->nr++, held);
	o->bytes += head->size;
	return 0;
}

struct held_record *record_order_take(struct record_order *o, uint64_t before)
{
	struct held_record *first;

	if (!o->nr || o->heap[0]->time >= before)
		return NULL;
	first = o->heap[0];
	o->bytes -= first->head.size;
	o->nr--;
	if (o->nr)
		sift_down(o, o->heap[o->nr]);
	return first;
}

void record_order_free(struct record_order *o)
{
	for (size_t i = 0; i < o->nr; i++)
		free(o->heap[i]);
	free(o->heap);
	*o = (struct record_order){ 0 };
}
