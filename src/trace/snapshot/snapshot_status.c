/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_status.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

void snapshot_status_init(struct snapshot_status *s, snapshot_note_fn *note,
			  void *ctx)
{
	pthread_mutex_init(&s->lock, NULL);
	s->note = note;
	s->ctx = ctx;
}

void snapshot_status_destroy(struct snapshot_status *s)
{
	pthread_mutex_destroy(&s->lock);
}

struct snapshots *snapshot_status_lock(struct snapshot_status *s)
{
	pthread_mutex_lock(&s->lock);
	return &s->now;
}

void snapshot_status_unlock(struct snapshot_status *s)
{
	pthread_mutex_unlock(&s->lock);
}

void snapshot_status_copy(struct snapshot_status *s, struct snapshots *out)
{
	pthread_mutex_lock(&s->lock);
	*out = s->now;
	pthread_mutex_unlock(&s->lock);
}

uint64_t snapshot_status_ended(struct snapshot_status *s)
{
	uint64_t ended = 0;

	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->now.nr; i++)
		if (s->now.list[i].state >= SNAPSHOT_DONE)
			ended = s->now.list[i].number;
	pthread_mutex_unlock(&s->lock);
	return ended;
}

void snapshot_status_note(const struct snapshot_status *s, enum log_kind kind,
			  const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (s->note)
		s->note(s->ctx, kind, text);
}

void snapshot_status_note_unread(const struct snapshot_status *s,
				 const char *path, size_t nr)
{
	if (nr)
		snapshot_status_note(s, LOG_ERROR,
				     "%s lacks the build-ids of %zu file%s that could not be read in time",
				     text_base_name(path), nr,
				     nr == 1 ? "" : "s");
}
