/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the live source's own files share; nobody else includes this. */
#ifndef RBTOP_SOURCE_SESSION_SOURCE_IMPL_H
#define RBTOP_SOURCE_SESSION_SOURCE_IMPL_H

#include <pthread.h>

#include "trace/file/ring_view.h"
#include "collect/collector.h"
#include "resolve/resolver_thread.h"
#include "collect/slow_lane.h"
#include "task/comm_cache.h"
#include "source/session_source.h"
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
	struct reading_overwrite read;
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
	size_t nr_trace_fields;

	struct session_source_trace *trace;
	struct call_event *call;	/* NULL: not --snapshot-on call: */

	/*
	 * Held by whoever reads or changes the rings: a reading, a request,
	 * the watch thread.
	 */
	pthread_mutex_t lock;
	struct source_ring *rings;
	size_t nr_rings;
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
	size_t nr_scratch;

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
	size_t nr_hangups;
	bool stop;
};

/* session_source.c */
/* Make room for a ring's state.  0 or -ENOMEM. */
int session_source_reserve(struct session_source *ss, size_t nr_rings);
/* Under the lock: what the collector is to know of a ring. */
int session_source_add(struct session_source *ss, size_t ring,
		       struct err *err);
int session_source_replace(struct session_source *ss, size_t ring,
			   const struct ring *memory,
			   const struct session_event *owner,
			   struct err *err);
/* Not under the lock: disable, drain all, read all counts, decode the rest. */
void session_source_stop_counting(struct session_source *ss);
/* Under the lock: put a ring of @bytes in the place of the present one. */
int session_source_swap(struct session_source *ss, size_t ring,
			uint64_t bytes, struct err *err);
/*
 * Under the lock.  A ring tells of its losses with the next record that finds
 * room.  What the former ones of @ring did not tell (they lost @lost in all,
 * and told of @told) they never will.
 */
void session_source_unreported(struct session_source *ss, size_t ring,
			       uint64_t lost, uint64_t told);
void session_source_title(struct session_source *ss);
/* "CPU 3", "thread 12" */
char *session_source_label(struct session_source *ss, size_t ring, char *buf,
			   size_t size);

/* session_source_readers.c: the collector, its slots, and its threads. */
int session_source_open_readers(struct session_source *ss, struct err *err);
/* Drops the capabilities that are not needed any more, too. */
int session_source_start_readers(struct session_source *ss, struct err *err);

/* session_source_samples.c: the resolver thread and what it has to know. */
int session_source_open_samples(struct session_source *ss, struct err *err);
/* False as of resolver_thread_free(): what it may use has to stay. */
bool session_source_close_samples(struct session_source *ss);

/*
 * session_source_trace.c: tracing, snapshots, recordings.  Opened in this
 * order: the trace before the session, the trigger before the collector, the
 * snapshots after it.  Closed by one call before the collector is freed, and
 * one after it.
 */
int session_source_open_trace(struct session_source *ss, struct err *err);
int session_source_open_trigger(struct session_source *ss, struct err *err);
int session_source_open_snapshots(struct session_source *ss, struct err *err);
/*
 * Call this before the events are enabled: if a recording was requested, enable
 * the side-band, so that no change of the tasks is missed, and start it.
 */
int session_source_begin_recording(struct session_source *ss, struct err *err);
/* Once the events are enabled: no change of the tasks is missed then. */
void session_source_start_snapshots(struct session_source *ss);
/* After the last drain: what is being written is finished. */
void session_source_settle_snapshots(struct session_source *ss);
void session_source_close_snapshots(struct session_source *ss);
void session_source_close_trace(struct session_source *ss);
/* The thread of snapshots; what has to be known of the others' is these. */
int session_source_start_snapshot_thread(struct session_source *ss,
					 struct err *err);
/* How events that trace are let go on; NULL where none does. */
int (*session_source_read_finish(const struct session_source *ss))(int fd);
struct trigger *session_source_trigger(const struct session_source *ss);
/* Whom the resolver thread tells of tasks; NULL: nobody wants to know. */
struct task_history *session_source_tasks(const struct session_source *ss);
/* Put the warning of auxtrace_open() in the log, and in the notice if unset. */
void session_source_warn_of_trace(struct session_source *ss);
/* As of now; lives until the next call.  For the thread that reads alone. */
const struct snapshots *session_source_snapshots(struct session_source *ss);
/* Any thread: the number of the latest one that has ended; 0: none. */
uint64_t session_source_ended_snapshot(struct session_source *ss);
/* Under the lock: rr->aux of ring @i, whose stats are there. */
void session_source_fill_aux(struct session_source *ss, size_t i, double now,
			     struct reading_ring *rr);
/* Under the lock: stop, read, start, on behalf of the one who waits. */
int session_source_read_aux(struct session_source *ss, size_t ring,
			    struct err *err);
/* REQUEST_SNAPSHOT, _SNAPSHOT_CANCEL, _RECORD. */
int session_source_request_snapshot(struct session_source *ss,
				    const struct request *rq, struct err *err);

/*
 * session_source_call.c: opened after the trace, since it adds an event to the
 * list, and before the session; closed after the session.
 */
int session_source_open_call(struct session_source *ss, struct err *err);
void session_source_close_call(struct session_source *ss);
/* The index of the event of call:FUNC; SESSION_SIDE_BAND: there is none. */
size_t session_source_call(const struct session_source *ss);

/* session_source_read.c */
int session_source_read(struct source *source, struct reading *r,
			struct err *err);

/* session_source_request.c */
int session_source_request(struct source *source, const struct request *rq,
			   struct err *err);

/* session_source_watch.c */
int session_source_watch_start(struct session_source *ss, struct err *err);
void session_source_watch_stop(struct session_source *ss);
void session_source_note(struct session_source *ss, enum log_kind kind,
			 const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Not under the lock: counting is over, and the front end should look. */
void session_source_end_target(struct session_source *ss);
/* The collector's callback, on a reader's thread. */
void session_source_hangup(void *ctx, size_t slot);

/*
 * session_source_control.c: opened with the other parts, watched by the watch
 * thread.  0 or -errno.  Closed after that has ended.
 */
int session_source_control_open(struct session_source *ss, struct err *err);
int session_source_control_watch(struct session_source *ss);
void session_source_control_close(struct session_source *ss);

/* session_source_cpus.c: CPUs that come and go; on the watch thread. */
int session_source_cpus_open(void);	/* netlink socket or -1 */
void session_source_cpus_event(struct session_source *ss);
void session_source_cpus_check(struct session_source *ss);

#endif
