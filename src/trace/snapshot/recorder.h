/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes recordings (recording.h), one at a time: starts and ends them on
 * request of other threads, makes their passes when due, and publishes the
 * progress.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_RECORDER_H
#define RBTOP_TRACE_SNAPSHOT_RECORDER_H

#include <limits.h>

#include "trace/snapshot/snapshot_shared.h"

struct loop;
struct loop_source;
struct recording;

struct recorder {
	struct snapshot_shared *shared;	/* set by the owner; borrowed */

	/* used by the snapshot thread only */
	struct loop_source *timer;	/* next pass */
	struct recording *recording;	/* NULL: none in progress */
	double pass_at;		/* of the next pass, CLOCK_MONOTONIC seconds */
	bool from_start;	/* the next recording includes all that
				 * histories contain */

	pthread_mutex_t lock;	/* of the following; never held for long */
	bool on;		/* in progress, or requested */
	bool asked, end_asked;	/* requests not served yet */
	bool closed;
	char path[PATH_MAX];	/* of the requested one; "": default name */
};

void recorder_init(struct recorder *r);
/* Cancels the recording in progress: its file is removed. */
void recorder_free(struct recorder *r);

/* Functions for any thread; they never wait for a disk. */

/*
 * Request a recording to @path (NULL: a default name in the directory; "-" is
 * refused), or the end of the one in progress.  0 or -errno with @err.
 */
int recorder_ask(struct recorder *r, const char *path, struct err *err);
int recorder_ask_end(struct recorder *r, struct err *err);
/* Whether a recording is requested but not started. */
bool recorder_is_asked(struct recorder *r);
/* Refuse further requests. */
void recorder_close(struct recorder *r);

/* Functions for the snapshot thread, or before it is started. */

/* Add to @loop what makes the passes.  0 or -errno. */
int recorder_add_sources(struct recorder *r, struct loop *loop);
/* Keep histories of the rings from now on.  0 or -ENOMEM with @err. */
int recorder_keep_history(struct recorder *r, struct err *err);
/* Start the recording, or end it, if that was requested. */
void recorder_begin_asked(struct recorder *r);
void recorder_end_asked(struct recorder *r);
/* End the recording in progress, if any. */
void recorder_end(struct recorder *r);
/* Make a pass if one is due. */
void recorder_pass_if_due(struct recorder *r);

#endif
