/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"

/* The array grows up to the capacity; from then on it is used in a circle. */
struct log {
	struct log_entry *entries;
	size_t capacity, room;
	size_t first, len;	/* index of the oldest entry; entries held */
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

static struct log_entry *place_of(const struct log *log, size_t i)
{
	return &log->entries[(log->first + i) % log->capacity];
}

/* The place of a new entry; NULL if out of memory. */
static struct log_entry *add(struct log *log)
{
	if (log->len == log->capacity) {	/* drop the oldest */
		log->first = (log->first + 1) % log->capacity;
		log->len--;
	} else if (array_fit_max(log->entries, log->room, log->len + 1,
				 log->capacity) != 0) {
		return NULL;
	}
	return place_of(log, log->len++);
}

static void remove_at(struct log *log, size_t i)
{
	for (; i + 1 < log->len; i++)
		*place_of(log, i) = *place_of(log, i + 1);
	log->len--;
}

void log_fold(struct log *log, double time, enum log_kind kind, uint64_t fold,
	      const char *text)
{
	struct log_entry *entry;

	for (size_t i = fold ? log->len : 0; i > 0; i--) {
		if (place_of(log, i - 1)->fold == fold) {
			remove_at(log, i - 1);
			break;
		}
	}
	entry = add(log);
	if (!entry)
		return;
	*entry = (struct log_entry){
		.serial = log->next++, .time = time, .kind = kind, .fold = fold,
	};
	text_copy(entry->text, sizeof(entry->text), text);
}

void log_add(struct log *log, double time, enum log_kind kind,
	     const char *fmt, ...)
{
	char text[sizeof(log->entries->text) * 2];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	log_fold(log, time, kind, 0, text);
}

void log_cut(struct log *log, double time, unsigned int kinds)
{
	size_t kept = 0;

	for (size_t i = 0; i < log->len; i++) {
		const struct log_entry *entry = place_of(log, i);

		if (entry->time > time && kinds & 1u << entry->kind)
			continue;
		if (kept != i)
			*place_of(log, kept) = *entry;
		kept++;
	}
	log->len = kept;
}

size_t log_len(const struct log *log)
{
	return log->len;
}

const struct log_entry *log_at(const struct log *log, size_t i)
{
	return place_of(log, i);
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
	case LOG_KINDS:
		break;
	}
	return "unknown";
}
