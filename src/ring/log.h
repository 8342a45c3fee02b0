/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened, with times: losses, throttles, exits, hotplug, the
 * workload's output.  Bounded; the oldest entries fall off.
 */
#ifndef RBTOP_RING_LOG_H
#define RBTOP_RING_LOG_H

#include <stddef.h>
#include <stdint.h>

enum log_kind {
	LOG_INFO,
	LOG_OUTPUT,		/* a line the workload printed */
	LOG_LOST,
	LOG_THROTTLE,
	LOG_AUX,		/* an AUX ring ran full, or has gaps */
	LOG_SNAPSHOT,		/* taken, or given up */
	LOG_RECORD,		/* a recording begins or ends */
	LOG_EXIT,		/* a task, a thread, the target */
	LOG_HOTPLUG,
	LOG_HOST,		/* about somebody else's ring */
	LOG_ERROR,
};

struct log_entry {
	uint64_t serial;	/* counts from 0; tells new ones apart */
	double time;		/* unix seconds */
	enum log_kind kind;
	char text[240];		/* sanitized */
};

struct log;

/* At most @capacity entries.  NULL when out of memory. */
struct log *log_new(size_t capacity);
void log_free(struct log *log);

/* Append, sanitizing the text. */
void log_add(struct log *log, double time, enum log_kind kind,
	     const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* How many entries are held. */
size_t log_len(const struct log *log);
/* The @i-th entry held, 0 being the oldest. */
const struct log_entry *log_at(const struct log *log, size_t i);
/* "lost", "throttle", ... for filters and the batch output. */
const char *log_kind_name(enum log_kind kind);

#endif
