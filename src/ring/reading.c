/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int reading_reserve(struct reading *r, size_t nr_rings)
{
	struct reading_ring *rings;

	if (nr_rings <= r->nr_rings)
		return 0;
	rings = reallocarray(r->rings, nr_rings, sizeof(*rings));
	if (!rings)
		return -ENOMEM;
	memset(rings + r->nr_rings, 0,
	       (nr_rings - r->nr_rings) * sizeof(*rings));
	for (size_t i = r->nr_rings; i < nr_rings; i++)
		rings[i].cpu = rings[i].tid = rings[i].owner = -1;
	r->rings = rings;
	r->nr_rings = nr_rings;
	return 0;
}

int reading_reserve_events(struct reading_ring *ring, size_t nr)
{
	struct ring_event *events;

	if (nr <= ring->nr_events)
		return 0;
	events = reallocarray(ring->events, nr, sizeof(*events));
	if (!events)
		return -ENOMEM;
	memset(events + ring->nr_events, 0,
	       (nr - ring->nr_events) * sizeof(*events));
	ring->events = events;
	ring->nr_events = nr;
	return 0;
}

void reading_note(struct reading *r, double time, enum log_kind kind,
		  const char *text)
{
	struct reading_note *notes, *note;

	notes = reallocarray(r->notes, r->nr_notes + 1, sizeof(*notes));
	if (!notes)
		return;
	r->notes = notes;
	note = &notes[r->nr_notes++];
	note->time = time;
	note->kind = kind;
	text_copy(note->text, sizeof(note->text), text);
}

void reading_free(struct reading *r)
{
	for (size_t i = 0; i < r->nr_rings; i++)
		free(r->rings[i].events);
	free(r->rings);
	free(r->notes);
	memset(r, 0, sizeof(*r));
}
