/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of what can be monitored: live events, a simulated kernel, the
 * rings of the whole machine, a recording.  Each has an ops table; front ends
 * use only this header.
 *
 * A source is used from one thread, its front end's.
 */
#ifndef RBTOP_SOURCE_SOURCE_H
#define RBTOP_SOURCE_SOURCE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "ring/frame/frame.h"
#include "ring/request.h"

struct collector;
struct err;
struct host_watch;
struct host_watch_opts;
struct resolver_thread;
struct source;
struct source_snapshots_parts;
struct workload;

struct source_ops {
	const char *name;	/* "session": the export's "source" */
	/*
	 * Start threads, then events, then the workload, which waits for them,
	 * and drop capabilities that no later request needs.  NULL: nothing to
	 * start.
	 */
	int (*start)(struct source *s, struct err *err);
	/* Read everything known now.  0 or -errno with @err. */
	int (*read)(struct source *s, struct reading *r, struct err *err);
	/* 0 or -errno with the reason in @err; NULL: refuses all requests. */
	int (*request)(struct source *s, const struct request *rq,
		       struct err *err);
	/*
	 * Stop counting, drain the rings, read the counts and finish files: the
	 * next reading is exact.  NULL: the source has no counts of its own.
	 */
	void (*finish)(struct source *s);
	/* Stop what still runs and free @s. */
	void (*close)(struct source *s);
};

/* First member of every source's own struct. */
struct source {
	const struct source_ops *ops;
	char title[160];	/* what is monitored */
	char notice[240];	/* a message for the user; "": none */
	int event_fd;		/* readable when the front end should read at
				 * once (the target ended); -1: never */
	int exit_status;	/* of the workload; 0 until it has ended */
	int exit_signal;	/* signal that ended it, 0: none; exit_status is
				 * then 128 + signal */
	bool has_status;	/* a workload has ended, not another target */
	struct host_watch *host;	/* NULL: the machine is not watched */
	struct resolver_thread *resolver;	/* NULL: none is needed */
	bool decodes;		/* samples; else the resolver follows tasks */
	struct source_snapshots_parts *snapshots;	/* NULL: none can be
							 * taken */
	bool still;		/* a reading would not differ from the last:
				 * only the samples of the frame change */
	const struct frame *frame;	/* the latest; NULL: none yet */
	struct reading reading;
	struct frame_builder *builder;
};

int source_start(struct source *s, struct err *err);

/*
 * Add the rings of the whole machine to all further frames, if they are not
 * there already.  0 or -errno with @err.
 */
int source_watch_host(struct source *s, const struct host_watch_opts *opts,
		      struct err *err);

/* Read, and build the next frame, valid until the next call.  NULL, @err. */
const struct frame *source_frame(struct source *s, struct err *err);

/* REQUEST_HOST and REQUEST_DROPS are handled here, for all sources. */
int source_request(struct source *s, const struct request *rq,
		   struct err *err);
/*
 * Start peaks, histories and latencies, those of the machine's rings too, and
 * the hot counts afresh.
 */
void source_reset(struct source *s);

void source_finish(struct source *s);

/* Stop everything and free.  NULL is fine. */
void source_close(struct source *s);

/*
 * --host: all rings of the machine and none of rbtop's own.  Opens no event, so
 * its frames have no rings except those of frame->host.  Starting it waits for
 * the first poll of the machine, at most @patience seconds, and then starts
 * @workload (NULL: none), which the source owns.  NULL with @err; the caller
 * then still owns the workload.
 */
struct source *host_source_open(const struct host_watch_opts *opts,
				struct workload *workload, double patience,
				struct err *err);

/* For the sources themselves. */

/* Used by the open functions.  0 or -ENOMEM. */
int source_init(struct source *s, const struct source_ops *ops);

/*
 * Set @r's mono, wall and kernel, read at the same moment.  The latter is the
 * clock of the records of @collector, or CLOCK_MONOTONIC for NULL.
 */
void source_clock_read(struct reading *r, const struct collector *collector);

/* Log lines from any thread, kept until the next reading moves them. */
struct source_notes {
	pthread_mutex_t lock;
	struct reading_note *list;
	size_t nr, cap, dropped;
};

void source_notes_init(struct source_notes *n);
void source_notes_free(struct source_notes *n);
/* Add a line of this moment.  If there are too many, that is logged instead. */
void source_notes_add(struct source_notes *n, enum log_kind kind,
		      const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same as a callback: @notes is a struct source_notes. */
void source_notes_text(void *notes, enum log_kind kind, const char *text);
/* Move all of them to @r. */
void source_notes_move(struct source_notes *n, struct reading *r);

#endif
