/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the live source knows: plain data, for the files session_source_*, and
 * what takes nothing else.
 */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_STATE_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_STATE_H

#include <pthread.h>

#include "trace/file/ring_view.h"
#include "collect/collector.h"
#include "resolve/resolver_thread.h"
#include "collect/slow_lane.h"
#include "task/comm_cache.h"
#include "source/session/session_source.h"
#include "source/source.h"
#include "source/source_notes.h"

struct call_event;
struct loop;
struct loop_source;
struct session_source_control;
struct session_source_trace;
struct task_history;
struct trigger;

/* Of a ring, beside what session and collector know; same index in all. */
struct source_ring {
	bool paused;
	bool offline;		/* its CPU */
	bool reopen_failed;	/* said once, tried again and again */
	uint64_t unreported;	/* lost in former rings, which can no longer
				 * say so */
	struct ring_overwrite read;
	double aux_read_at;	/* when the head of its AUX ring was asked for,
				 * CLOCK_MONOTONIC seconds; 0: never */
	double aux_read_cost;	/* seconds that it stopped tracing */
	bool aux_free_running;	/* see struct reading_aux */
	struct ring_track trace;	/* whether that was ever full */
};

enum { SESSION_LOADERS = 4 };

/* A task of the target, for the log. */
struct source_task {
	pid_t tid, pid;
	char comm[16];
	bool ended;
};

struct session_source {
	struct source source;
	pid_t workload_tid;	/* what opts.session.target.tids points to */
	struct session_source_opts opts;
	struct session *session;
	struct collector *collector;
	int priority;		/* SCHED_FIFO, of the readers; 0: none */
	size_t fell_back;	/* readers, as far as it was told */
	struct slow_lane *lane;
	struct comm_cache *comms;

	/* session_source_samples.c; NULL: no sample is decoded */
	struct resolver_thread *resolver;
	pid_t loaders[SESSION_LOADERS];	/* rbtop's processes that load files */
	size_t nr_loaders;
	char **trace_fields;	/* "sys:name.field" */
	size_t nr_trace_fields, room_trace_fields;

	struct session_source_trace *trace;
	struct call_event *call;	/* NULL: not --snapshot-on call: */

	/*
	 * Held by whoever reads or changes the rings: a reading, a request,
	 * the watch thread.
	 */
	pthread_mutex_t lock;
	struct source_ring *rings;
	size_t room_rings;
	struct source_task *tasks;
	size_t nr_tasks;
	struct cpulist refused;	/* new CPUs that could not be opened */
	bool enabled;
	bool started;		/* and nothing of that failed */
	bool finished;		/* counting is over, figures are final */
	bool ended;		/* because the target is gone */
	int exit_status;
	int exit_signal;
	bool has_status;	/* the workload's end gave one */
	struct session_count *counts;	/* scratch of a reading */
	uint64_t *samples;
	size_t room_counts, room_samples;

	/* session_source_watch.c */
	pthread_t watch;
	bool watching;
	struct loop *loop;
	struct loop_source *output, *pidfd, *start_delay;
	struct session_source_control *control;	/* NULL: no --control */
	int wake;		/* eventfd: hangups wait, or stop */
	int uevents;		/* netlink socket, -1: none */
	char line[200];		/* of the workload's output, unfinished */
	size_t line_len;

	struct source_notes notes;
	/* Hangups come from any thread; never held with calls out. */
	pthread_mutex_t hangups_lock;
	size_t *hangups;
	size_t nr_hangups, room_hangups;
	bool stop;
};

/* The collector's callback, on a reader's thread: the tasks of a ring of the
 * source @ctx are gone, until the watch thread looks at it. */
void session_source_hangups_add(void *ctx, size_t slot);
/* One of them; SIZE_MAX: there is none. */
size_t session_source_hangups_take(struct session_source *ss);

/* Set .source.title: whom the source watches, and with which events. */
void session_source_title(struct session_source *ss);

#endif
