/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the live source, and what its files call of each other. */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_STATE_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_STATE_H

#include <pthread.h>

#include "trace/file/ring_view.h"
#include "collect/collector.h"
#include "resolve/resolver_thread.h"
#include "collect/counter_poller.h"
#include "task/comm_cache.h"
#include "source/session/session_source.h"
#include "source/source_command.h"
#include "source/source_samples.h"

struct call_event;
struct err;
struct loop;
struct loop_source;
struct session_source_control;

/* State of a ring, added to that of session and collector, with their index. */
struct source_ring {
	bool paused;
	bool offline;		/* its CPU is offline */
	bool reopen_failed;	/* logged once; reopening is tried repeatedly */
	uint64_t unreported;	/* losses of former memories, which no record
				 * will report */
	struct ring_overwrite read;
	double aux_read_at;	/* time of the last read of the AUX head,
				 * CLOCK_MONOTONIC seconds; 0: none */
	double aux_read_cost;	/* seconds that the read stopped tracing */
	bool aux_free_running;	/* see struct reading_aux */
	struct ring_track trace;	/* whether the AUX ring was ever full */
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
	pid_t workload_tid;	/* opts.session.target.tids points to it */
	struct session_source_opts opts;
	struct session *session;
	struct collector *collector;
	int priority;		/* SCHED_FIFO, of the readers; 0: none */
	size_t fell_back;	/* readers already reported */
	struct counter_poller *poller;	/* of kernel counts */
	struct comm_cache *comms;

	/* session_source_trace.c */
	pid_t loaders[SESSION_LOADERS];	/* processes of rbtop that load files */
	size_t nr_loaders;
	struct source_fields fields;
	struct source_snapshots_parts snapshots;
	struct auxtrace trace;
	bool traces;			/* an event does */
	bool switches_asked;		/* --switch-events */
	struct call_event *call;	/* NULL: not --snapshot-on call: */

	/*
	 * Held while the rings are read or changed: by a reading, a request,
	 * the watch thread.
	 */
	pthread_mutex_t lock;
	struct source_ring *rings;
	size_t rings_cap;
	struct source_task *tasks;
	size_t nr_tasks;
	struct cpulist refused;	/* new CPUs that could not be opened */
	bool enabled;
	bool started;		/* successfully */
	bool finished;		/* counting has ended, figures are final */
	bool ended;		/* because the target has ended */
	struct source_command command;	/* opts.workload */
	struct session_count *counts;	/* used during a reading */
	uint64_t *samples;
	size_t counts_cap, samples_cap;

	/* session_source_watch.c */
	pthread_t watch;
	bool watching;
	struct loop *loop;
	struct loop_source *output, *pidfd, *start_delay;
	struct session_source_control *control;	/* NULL: no --control */
	int wake;		/* eventfd: hangups are queued, or stop */
	int uevents;		/* netlink socket, -1: none */
	int watch_times_fd;	/* of the watch thread; < 0: unknown */
	uint64_t watch_ran, watch_waited;	/* ns, at the last poll */
	uint64_t watch_runs;
	double watch_wait;	/* seconds that it waited for a CPU each time it
				 * ran between the last two polls; 0: was read */

	struct source_notes notes;
	/* Hangups come from any thread; the lock is not held during calls. */
	pthread_mutex_t hangups_lock;
	size_t *hangups;
	size_t nr_hangups, hangups_cap;
	bool stop;
};

/* session_source.c */

/* Set .source.title: the target and the events. */
void session_source_title(struct session_source *ss);
/*
 * Not under the lock: the target has ended.  Disable the events, drain all
 * rings, decode the rest, finish files, and wake the front end.
 */
void session_source_stop_target(struct session_source *ss);

/* session_source_ring.c; under the lock */

/* Have the collector drain a ring. */
int session_source_ring_add(struct session_source *ss, size_t ring,
			    struct err *err);
/* Replace a ring by one of @bytes. */
int session_source_ring_swap(struct session_source *ss, size_t ring,
			     uint64_t bytes, struct err *err);
/* Hotplug of CPUs, on the watch thread. */
int session_source_cpus_open(void);	/* netlink socket, or -1 */
void session_source_cpus_event(struct session_source *ss);
void session_source_cpus_check(struct session_source *ss);

/* session_source_ops.c: see struct source_ops */

int session_source_read(struct source *source, struct reading *r,
			struct err *err);
int session_source_request(struct source *source, const struct request *rq,
			   struct err *err);
/*
 * session_source_control.c: opened with the other parts, watched by the watch
 * thread, closed after that thread has ended.
 */
int session_source_control_open(struct session_source *ss, struct err *err);
int session_source_control_watch(struct session_source *ss);	/* 0 or -errno */
void session_source_control_close(struct session_source *ss);

/* session_source_watch.c */

int session_source_watch_start(struct session_source *ss, struct err *err);
void session_source_watch_stop(struct session_source *ss);
/*
 * Callback of the collector, on a reader thread: the tasks of a ring of source
 * @ctx have ended.  Queued for the watch thread.
 */
void session_source_watch_hangup(void *ctx, size_t slot);

/*
 * session_source_trace.c.  Opened in this order: the trace; the event of
 * --snapshot-on call:FUNC, which is added to the list (ss->call is closed after
 * the session); the session; the trigger; the collector; samples; snapshots.
 * source_snapshots.h closes the snapshots.
 */
int session_source_open_trace(struct session_source *ss, struct err *err);
int session_source_open_call(struct session_source *ss, struct err *err);
int session_source_open_trigger(struct session_source *ss, struct err *err);
int session_source_open_samples(struct session_source *ss, struct err *err);
int session_source_open_snapshots(struct session_source *ss, struct err *err);
/* As resolver_thread_free(); if false, the thread still uses its objects. */
bool session_source_close_samples(struct session_source *ss);
/* The index of the event of call:FUNC; SESSION_SIDE_BAND: there is none. */
size_t session_source_call(const struct session_source *ss);

#endif
