/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source_notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/sys.h"

enum { MAX_NOTES = 1024 };

void source_notes_init(struct source_notes *n)
{
	*n = (struct source_notes){ 0 };
	pthread_mutex_init(&n->lock, NULL);
}

void source_notes_free(struct source_notes *n)
{
	free(n->list);
	pthread_mutex_destroy(&n->lock);
}

static void push(struct source_notes *n, const struct reading_note *note)
{
	struct reading_note *place = array_add_most(n->list, n->nr, n->room,
						    MAX_NOTES);

	if (place)
		*place = *note;
	else
		n->dropped++;
}

void source_notes_add(struct source_notes *n, enum log_kind kind,
		      const char *fmt, ...)
{
	struct reading_note note = { .time = sys_wall_clock(), .kind = kind };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(note.text, sizeof(note.text), fmt, ap);
	va_end(ap);
	pthread_mutex_lock(&n->lock);
	push(n, &note);
	pthread_mutex_unlock(&n->lock);
}

void source_notes_take(void *notes, enum log_kind kind, const char *text)
{
	source_notes_add(notes, kind, "%s", text);
}

void source_notes_move(struct source_notes *n, struct reading *r)
{
	pthread_mutex_lock(&n->lock);
	for (size_t i = 0; i < n->nr; i++)
		reading_note(r, n->list[i].time, n->list[i].kind,
			     n->list[i].text);
	if (n->dropped)
		reading_note(r, sys_wall_clock(), LOG_INFO,
			     "some lines are missing: they came too fast for "
			     "the Log");
	n->nr = n->dropped = 0;
	pthread_mutex_unlock(&n->lock);
}
