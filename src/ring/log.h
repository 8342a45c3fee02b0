/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log of events with times: losses, throttles, exits, hotplug, the workload's
 * output.  Bounded; the oldest entries are dropped.
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
	LOG_AUX,		/* an AUX ring was full, or its trace has
				 * gaps */
	LOG_SNAPSHOT,		/* taken, failed or cancelled */
	LOG_RECORD,		/* a recording was started or stopped */
	LOG_EXIT,		/* a task, a thread or the target ended */
	LOG_HOTPLUG,
	LOG_HOST,		/* about another program's ring */
	LOG_ERROR,
	LOG_KINDS
};

struct log_entry {
	uint64_t serial;	/* counts from 0 and is never reused */
	double time;		/* unix seconds */
	enum log_kind kind;
	uint64_t fold;		/* see log_fold(); 0: none */
	char text[240];		/* sanitized */
};

struct log;

/* At most @capacity entries.  NULL when out of memory. */
struct log *log_new(size_t capacity);
void log_free(struct log *log);

/* Append, sanitizing the text. */
void log_add(struct log *log, double time, enum log_kind kind,
	     const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/*
 * Append @text, sanitized, in place of the entry held with the same @fold,
 * which is removed: so what happens again and again is one line, at the time
 * when it last happened.  @fold 0: like log_add().
 */
void log_fold(struct log *log, double time, enum log_kind kind, uint64_t fold,
	      const char *text);

/* Remove the entries of @kinds (bits) of after @time: they will be logged
 * again. */
void log_cut(struct log *log, double time, unsigned int kinds);

/* How many entries are held. */
size_t log_len(const struct log *log);
/* The @i-th entry held; 0 is the oldest. */
const struct log_entry *log_at(const struct log *log, size_t i);
/* "lost", "throttle", ... for filters and the batch output. */
const char *log_kind_name(enum log_kind kind);

#endif
