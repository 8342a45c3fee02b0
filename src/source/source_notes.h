/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log lines from any thread, kept until the next reading takes them. */
#ifndef RBTOP_SOURCE_SOURCE_NOTES_H
#define RBTOP_SOURCE_SOURCE_NOTES_H

#include <pthread.h>
#include <stddef.h>

#include "ring/reading.h"

struct source_notes {
	pthread_mutex_t lock;
	struct reading_note *list;
	size_t nr, room, dropped;
};

void source_notes_init(struct source_notes *n);
void source_notes_free(struct source_notes *n);
/* Add a line of this moment.  If there is no room, that is logged instead. */
void source_notes_add(struct source_notes *n, enum log_kind kind,
		      const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same as a callback: @notes is a struct source_notes. */
void source_notes_take(void *notes, enum log_kind kind, const char *text);
/* Move all of them to @r. */
void source_notes_move(struct source_notes *n, struct reading *r);

#endif
