/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes recordings (recording.h), one at a time: begins and ends them as other
 * threads ask for it, has a pass made whenever it is time, and tells how far
 * the recording is.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_RECORDER_H
#define RBTOP_TRACE_SNAPSHOT_RECORDER_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>

#include "trace/snapshot/snapshot_opts.h"

struct err;
struct loop;
struct loop_source;
struct recording;

struct recorder {
	/* set by the owner; borrowed */
	const struct snapshot_opts *opts;
	struct event_ids *ids;
	struct snapshot_status *status;

	/* the snapshot thread's own */
	struct loop_source *timer;	/* of the next pass */
	struct recording *recording;	/* NULL: none is under way */
	double pass_at;		/* of the next one, CLOCK_MONOTONIC seconds */
	bool from_start;	/* the next recording is of all there was */

	pthread_mutex_t lock;	/* of what follows; never held for long */
	bool on;		/* one is under way, or was asked for */
	bool asked, end_asked;	/* and not begun, or ended */
	bool closed;
	char path[PATH_MAX];	/* of the one asked for; "": a name is made
				 * up */
};

void recorder_init(struct recorder *r);
/* A recording that is under way is given up: nothing is left of it. */
void recorder_free(struct recorder *r);

/* Any thread; these never wait for a disk. */

/*
 * Ask for a recording into @path (NULL: a name of its own in the directory; "-"
 * is refused), or for the end of the one under way.  0 or -errno with @err.
 */
int recorder_ask(struct recorder *r, const char *path, struct err *err);
int recorder_ask_end(struct recorder *r, struct err *err);
/* One was asked for that has not begun. */
bool recorder_is_asked(struct recorder *r);
/* Nobody may ask for more. */
void recorder_close(struct recorder *r);

/* The rest: the snapshot thread, or before it is started. */

/* Have @loop make the passes.  0 or -errno. */
int recorder_add_sources(struct recorder *r, struct loop *loop);
/* Keep histories of the rings, from now on.  0 or -ENOMEM with @err. */
int recorder_keep_history(struct recorder *r, struct err *err);
/* If a recording was asked for, begin it. */
void recorder_begin_asked(struct recorder *r);
/* If the end of the recording was asked for, end it. */
void recorder_end_asked(struct recorder *r);
/* End the one that is under way, if any. */
void recorder_end(struct recorder *r);
/* Make a pass, if it is time for one. */
void recorder_pass_if_due(struct recorder *r);

#endif
