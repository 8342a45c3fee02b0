/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"

/* Entries stand at serial % capacity; the array grows up to the capacity. */
struct log {
	struct log_entry *entries;
	size_t capacity, room;
	uint64_t next;		/* serial */
};

struct log *log_new(size_t capacity)
{
	struct log *log = calloc(1, sizeof(*log));

	if (log)
		log->capacity = capacity ? capacity : 1;
	return log;
}

void log_free(struct log *log)
{
	if (log)
		free(log->entries);
	free(log);
}

/* False: no memory for a first entry, or for one more. */
static bool make_room(struct log *log)
{
	size_t len = log_len(log);

	return len == log->capacity ||
	       array_fit_most(log->entries, log->room, len + 1,
			      log->capacity) == 0;
}

void log_add(struct log *log, double time, enum log_kind kind,
	     const char *fmt, ...)
{
	struct log_entry *entry;
	char text[sizeof(entry->text) * 2];
	va_list args;

	if (!make_room(log))
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	entry = &log->entries[log->next % log->capacity];
	entry->serial = log->next++;
	entry->time = time;
	entry->kind = kind;
	text_copy(entry->text, sizeof(entry->text), text);
}

size_t log_len(const struct log *log)
{
	return log->next < log->capacity ? (size_t)log->next : log->capacity;
}

const struct log_entry *log_at(const struct log *log, size_t i)
{
	return &log->entries[(log->next - log_len(log) + i) % log->capacity];
}

const char *log_kind_name(enum log_kind kind)
{
	switch (kind) {
	case LOG_INFO:
		return "info";
	case LOG_OUTPUT:
		return "output";
	case LOG_LOST:
		return "lost";
	case LOG_THROTTLE:
		return "throttle";
	case LOG_AUX:
		return "aux";
	case LOG_SNAPSHOT:
		return "snapshot";
	case LOG_RECORD:
		return "record";
	case LOG_EXIT:
		return "exit";
	case LOG_HOTPLUG:
		return "hotplug";
	case LOG_HOST:
		return "host";
	case LOG_ERROR:
		return "error";
	}
	return "unknown";
}
