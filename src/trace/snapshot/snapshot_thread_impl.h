/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the snapshot thread's own files share; nobody else includes this. */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_THREAD_IMPL_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_THREAD_IMPL_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "trace/file/event_ids.h"
#include "trace/snapshot/recording.h"
#include "trace/snapshot/snapshot.h"
#include "trace/snapshot/snapshot_files.h"
#include "trace/snapshot/snapshot_thread.h"
#include "base/loop.h"

/* One or more requests, for which one snapshot is taken. */
struct snapshot_wanted {
	uint64_t number;	/* of the snapshot */
	size_t *rings;		/* owned; nr 0: all rings */
	size_t nr;
	uint64_t requests;	/* 0: none */
	double at;		/* of the first, CLOCK_MONOTONIC seconds */
	char trigger[96];
};

/* What other threads asked for, and the thread has not begun. */
struct snapshot_asked {
	bool enabled, stop;
	bool begin;		/* the recording, before events are enabled */
	bool drop;		/* with stop: leave what is under way */
	struct snapshot_wanted next;
	bool record, record_end;
	bool settle;		/* see snapshot_thread_settle() */
	char path[PATH_MAX];	/* "": a name is made up */
};

struct snapshot_thread {
	struct snapshot_thread_opts opts;
	pthread_t thread;
	pthread_mutex_t joining;	/* of who waits for its end; of ... */
	bool started;
	int wake;		/* eventfd: something was asked for */

	/* The thread's own. */
	struct loop *loop;
	struct loop_source *every, *rearm, *pass;
	bool ready;		/* tasks were read */
	bool enabled;
	bool from_start;	/* the next recording is of all there was */
	struct event_ids ids;
	struct snapshot_tracks tracks;
	struct snapshot_memory memory;
	struct snapshot_files files;
	struct recording *recording;
	double pass_at;		/* of the next one, CLOCK_MONOTONIC seconds */
	double since;		/* enabled */

	atomic_bool cancel;	/* the snapshot in hand */
	pthread_mutex_t lock;	/* of what follows; never held for long */
	struct snapshot_asked asked;
	pthread_cond_t settled;
	bool settling;		/* somebody waits for that */
	bool beginning;		/* ... or for the recording from the start */
	bool over;		/* the thread does nothing any more */
	bool taking;
	uint64_t numbers;	/* the last one assigned to a snapshot */
	bool recording_on;	/* or asked for */
	double rearm_at;	/* 0: the trigger is armed */
	struct snapshots status;
};

/* Whether there are rings whose contents can be copied. */
bool snapshot_thread_can_take(const struct snapshot_thread *t,
			      struct err *err);

/* snapshot_thread_ask.c */
/*
 * Add the requests @one (its rings are copied) to those of the next snapshot;
 * t->lock must be held.  0 with @got (may be NULL), or -ENOMEM with @err.
 */
int snapshot_thread_want(struct snapshot_thread *t,
			 const struct snapshot_wanted *one,
			 struct request_snapshot *got, struct err *err);
/* The next snapshot to take, which the caller frees; requests 0: none. */
struct snapshot_wanted snapshot_thread_next(struct snapshot_thread *t);
void snapshot_wanted_free(struct snapshot_wanted *w);

/* snapshot_thread_run.c: what the thread does. */
void *snapshot_thread_main(void *arg);
/* Before that: what its loop waits for.  0 or -errno with @err. */
int snapshot_thread_add_sources(struct snapshot_thread *t, struct err *err);
/* The log, sanitized there. */
void snapshot_thread_note(const struct snapshot_thread *t, enum log_kind kind,
			  const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Whose files they are. */
struct trace_file_from snapshot_thread_from(struct snapshot_thread *t);

/* snapshot_thread_take.c */
/* Make ready what the first snapshot would have to wait for. */
void snapshot_thread_prepare(struct snapshot_thread *t);
void snapshot_thread_do_take(struct snapshot_thread *t,
			     const struct snapshot_wanted *wanted);

/* snapshot_thread_record.c; path "": a name is made up */
void snapshot_thread_do_record(struct snapshot_thread *t, const char *path);
void snapshot_thread_do_pass(struct snapshot_thread *t);
void snapshot_thread_end_record(struct snapshot_thread *t);
/* Keep histories of the data rings, from now on.  0 or -ENOMEM with @err. */
int snapshot_thread_keep_history(struct snapshot_thread *t, struct err *err);

#endif
