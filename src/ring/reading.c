/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

int reading_reserve(struct reading *r, size_t nr_rings)
{
	size_t room = r->nr_rings;

	/* Rings are large and their number is known: no spare room. */
	if (array_fit_max(r->rings, room, nr_rings, nr_rings) != 0)
		return -ENOMEM;
	for (; r->nr_rings < nr_rings; r->nr_rings++)
		r->rings[r->nr_rings] = (struct reading_ring){
			.row = { .cpu = -1, .tid = -1, .pid = -1 },
		};
	return 0;
}

int reading_reserve_events(struct reading_ring *ring, size_t nr)
{
	struct ring_row *row = &ring->row;

	if (array_fit(row->events, ring->events_cap, nr) != 0)
		return -ENOMEM;
	for (; row->nr_events < nr; row->nr_events++)
		row->events[row->nr_events] = (struct ring_event){ 0 };
	return 0;
}

void reading_fold(struct reading *r, double time, enum log_kind kind,
		  uint64_t fold, const char *text)
{
	struct reading_note *note =
		array_add(r->notes, r->nr_notes, r->notes_cap);

	if (!note)
		return;
	note->time = time;
	note->kind = kind;
	note->fold = fold;
	text_copy(note->text, sizeof(note->text), text);
}

void reading_note(struct reading *r, double time, enum log_kind kind,
		  const char *text)
{
	reading_fold(r, time, kind, 0, text);
}

void reading_free(struct reading *r)
{
	for (size_t i = 0; i < r->nr_rings; i++)
		free(r->rings[i].row.events);
	free(r->rings);
	free(r->notes);
	memset(r, 0, sizeof(*r));
}

const char *snapshot_state_name(enum snapshot_state state)
{
	static const char *const names[] = {
		[SNAPSHOT_COPYING] = "copying",
		[SNAPSHOT_WRITING] = "writing",
		[SNAPSHOT_DONE] = "done",
		[SNAPSHOT_FAILED] = "failed",
		[SNAPSHOT_CANCELLED] = "cancelled",
		[SNAPSHOT_REMOVED] = "removed",
	};

	return state < sizeof(names) / sizeof(names[0]) ? names[state] : "?";
}

const char *record_cause_text(enum record_cause cause)
{
	static const char *const texts[] = {
		[RECORD_FAST] = "data arrives faster than it can be written",
		[RECORD_NO_CPU] = "the writer waited for a CPU",
		[RECORD_SLOW_DISK] = "the disk was too slow",
	};

	return cause < RECORD_CAUSES ? texts[cause] : "?";
}
