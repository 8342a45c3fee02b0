/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whatever can be watched: live events, a simulated kernel, the rings of the
 * whole machine.  One ops table each; the front ends know only this.
 *
 * A source is used from one thread, its front end's.
 */
#ifndef RBTOP_SOURCE_SOURCE_H
#define RBTOP_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "ring/frame/frame.h"
#include "ring/request.h"

struct err;
struct host_watch;
struct host_watch_opts;
struct source;

struct source_ops {
	const char *name;	/* "session": the export's "source" */
	/* Start threads, then events, then the command that waits for them;
	 * capabilities that no later request takes are dropped.  NULL: nothing
	 * is to be started. */
	int (*start)(struct source *s, struct err *err);
	/* Fill in everything known now.  0 or -errno with @err. */
	int (*read)(struct source *s, struct reading *r, struct err *err);
	/* Refuses with a reason in @err; NULL: refuses everything. */
	int (*request)(struct source *s, const struct request *rq,
		       struct err *err);
	/* What it counts itself since the last reset begins anew; may be
	 * NULL. */
	void (*reset)(struct source *s);
	/* Counting stops, rings are drained to their ends, counts are read and
	 * files completed: the next reading is exact.  NULL: nothing of the
	 * source's own counts. */
	void (*finish)(struct source *s);
	/* Stop what still runs, and free @s. */
	void (*close)(struct source *s);
};

/* The head of every source's own struct. */
struct source {
	const struct source_ops *ops;
	char title[160];	/* what is watched */
	char notice[240];	/* what a person has to know of it; "": none */
	int event_fd;		/* readable when the front end should read now
				 * (the target ended); -1: never */
	int exit_status;	/* the workload's; 0 until it has one */
	int exit_signal;	/* that ended it, 0: none; the status is then
				 * 128 + it */
	bool has_status;	/* a workload ended, rather than some target
				 * that was there before */
	struct host_watch *host;	/* NULL: the machine is not watched */
	struct reading reading;
	struct frame_builder *builder;
};

/* For the sources' own open functions.  0 or -ENOMEM. */
int source_init(struct source *s, const struct source_ops *ops);

int source_start(struct source *s, struct err *err);

/*
 * From now on frames have the rings of the whole machine, too.  Where that is
 * so already nothing is changed.  0 or -errno with @err.
 */
int source_watch_host(struct source *s, const struct host_watch_opts *opts,
		      struct err *err);

/* Read and build the next frame; it lives until the next call.  NULL, @err. */
const struct frame *source_frame(struct source *s, struct err *err);

/* REQUEST_HOST is answered here, for every source. */
int source_request(struct source *s, const struct request *rq,
		   struct err *err);
/*
 * Start peaks, histories and latencies, those of the machine's rings too, and
 * what ->reset is about afresh.
 */
void source_reset(struct source *s);

void source_finish(struct source *s);

/* Stop everything and free.  NULL is fine. */
void source_close(struct source *s);

#endif
