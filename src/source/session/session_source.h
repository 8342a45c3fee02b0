/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Live source: rbtop's own perf events, whose rings a collector drains. */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_H

#include <stdbool.h>

#include "trace/pmu/auxtrace.h"
#include "perf/session/session.h"
#include "source/source_snapshots.h"

struct err;
struct source;
struct workload;

/*
 * Use the lowest realtime priority if permitted: most records are lost by a
 * reader that waits for a CPU used by what it monitors.
 */
enum { SESSION_SOURCE_REALTIME_AUTO = -1 };

struct session_source_opts {
	struct session_opts session;
	struct auxtrace_opts aux;
	struct source_snapshots snapshots;
	struct workload *workload;	/* owned by the source; NULL: none */
	bool workload_is_duration;	/* with -a, -C, -p: it is not the
					 * target */
	bool with_self;			/* include rbtop's own tracepoint
					 * hits */
	unsigned int readers;		/* collector threads; 0: with realtime
					 * priority one on each ring's CPU, up
					 * to 64; else one per 64 rings */
	bool affinity;			/* pin them to the CPUs of their
					 * rings */
	int realtime;			/* SCHED_FIFO priority of the readers;
					 * 0: none; or
					 * SESSION_SOURCE_REALTIME_AUTO */
	const char *control;		/* --control; NULL: none */
	double start_delay;		/* -D, seconds until events are enabled;
					 * -1: when the user enables them */
	double interval;		/* seconds between timer drains */
	double decode_rate;		/* samples decoded per second, of all
					 * rings; 0: none; overwrite rings:
					 * none */
	size_t feed_entries;		/* samples listed; 0: default */
	size_t feed_bytes;		/* memory for them; 0: default */
	double text_rate;		/* see resolver_thread.h; 0: default */
	bool list_only;			/* see there */
	bool list_none;			/* the list of samples is not shown:
					 * context switches, which only appear
					 * there, are not decoded */
};

/* Default of decode_rate. */
#define SESSION_SOURCE_DECODE_RATE 20000.0
/* Default if every sample is to be printed. */
#define SESSION_SOURCE_LIST_RATE 200000.0

/* Check the syntax of --control.  0, or -errno with @err. */
int session_source_control_check(const char *text, struct err *err);

/*
 * Open the events, which start enables.  NULL with @err on failure; the caller
 * then still owns the workload.
 */
struct source *session_source_open(const struct session_source_opts *opts,
				   struct err *err);

#endif
