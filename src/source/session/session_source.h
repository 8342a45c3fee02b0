/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Live: perf events of rbtop's own, their rings drained by a collector. */
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
 * The lowest realtime priority where the caller may have it: a reader that
 * waits for its turn behind what it watches is what loses most records.
 */
enum { SESSION_SOURCE_REALTIME_AUTO = -1 };

struct session_source_opts {
	struct session_opts session;
	struct auxtrace_opts aux;
	struct source_snapshots snapshots;
	struct workload *workload;	/* taken over; NULL: none */
	bool workload_is_duration;	/* with -a, -C, -p: not the target */
	bool with_self;			/* keep rbtop's own tracepoint hits */
	unsigned int readers;		/* collector threads; 0: with realtime
					 * priority one on each ring's CPU, up
					 * to 64; else one per 64 rings */
	bool affinity;			/* pin each to the CPUs of its rings */
	int realtime;			/* their SCHED_FIFO priority; 0: none;
					 * or SESSION_SOURCE_REALTIME_AUTO */
	const char *control;		/* --control; NULL: none */
	double start_delay;		/* -D, seconds that events stay disabled;
					 * -1: until they are enabled */
	double interval;		/* seconds between timer drains */
	double decode_rate;		/* samples a second to decode, of all
					 * rings; 0: none; none of overwrite
					 * rings either */
	size_t feed_entries;		/* samples listed; 0: the default */
	size_t feed_bytes;		/* of their memory; 0: the default */
	double text_rate;		/* see resolver_thread.h; 0: default */
	bool list_only;			/* see there */
	bool list_none;			/* nobody sees a list of samples: context
					 * switches, which are only listed, are
					 * not decoded */
};

/* What decode_rate is unless asked for otherwise. */
#define SESSION_SOURCE_DECODE_RATE 20000.0
/* The same where every sample is to be printed. */
#define SESSION_SOURCE_LIST_RATE 200000.0

/* Whether @text has the form of --control.  0, or -errno with @err. */
int session_source_control_check(const char *text, struct err *err);

/* Open the events (start lets them run).  NULL with @err on failure; the
 * workload is then still the caller's. */
struct source *session_source_open(const struct session_source_opts *opts,
				   struct err *err);

#endif
