/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that reads all rings of the machine, as often as its cost allows:
 * loads the BPF programs (or reports why /proc is used), makes passes, updates
 * the table.
 */
#ifndef RBTOP_HOST_HOST_WATCH_H
#define RBTOP_HOST_HOST_WATCH_H

#include <stdbool.h>

#include "host/table/host.h"
#include "host/table/host_table.h"

struct err;
struct host_watch;

struct host_watch_opts {
	double interval;	/* longest seconds between passes, if
				 * affordable; 0: 1 s */
	bool no_bpf;		/* use /proc only */
	bool drops;		/* count those of BPF ring buffers from the
				 * start, see host_bpf.h */
	bool keeps_lost;	/* see struct host_table_opts */
	bool closely;		/* poll more often, at a cost that is fine for
				 * a run of seconds or minutes */
	pid_t root;		/* only rings of this process and its
				 * descendants, in place of filter.pids; 0 */
	struct host_filter filter; /* borrowed; must outlive the watch */
};

/* The capabilities that the thread keeps, and its starter needs. */
unsigned int host_watch_caps(void);

/* Start watching.  NULL with @err. */
struct host_watch *host_watch_start(const struct host_watch_opts *opts,
				    struct err *err);
/* End the thread and free.  NULL is fine. */
void host_watch_free(struct host_watch *watch);

/* Wait for the first pass, at most @seconds. */
void host_watch_wait(struct host_watch *watch, double seconds);

/* Wait for a whole pass that begins after now, at most @seconds. */
void host_watch_again(struct host_watch *watch, double seconds);

/*
 * The present frame, valid until the next call.  Before the first pass it is
 * empty, with status.ready false.  NULL when out of memory.  For @note see
 * host_table_frame(); it is called on the caller's thread, under the watch's
 * lock.
 */
const struct host *host_watch_frame(struct host_watch *watch,
				    host_note_fn *note, void *ctx);

/* From the next pass on, count drops of BPF ring buffers, or no longer. */
void host_watch_drops(struct host_watch *watch, bool on);

/* See host_table_reset(). */
void host_watch_reset(struct host_watch *watch);

#endif
