/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that looks at every ring of the machine, as often as its cost
 * allows: loads the BPF programs (or says why /proc has to do), makes passes,
 * keeps the table.
 */
#ifndef RBTOP_HOST_HOST_WATCH_H
#define RBTOP_HOST_HOST_WATCH_H

#include <stdbool.h>

#include "host/table/host.h"
#include "host/table/host_table.h"

struct err;
struct host_watch;

struct host_watch_opts {
	double interval;	/* seconds between passes, at most where that
				 * can be afforded; 0: 1 s */
	bool no_bpf;		/* /proc alone */
	struct host_filter filter; /* borrowed; has to outlive the watch */
};

/* What its thread keeps, for caps_limit(): whoever starts it has to hold it. */
unsigned int host_watch_caps(void);

/* Start watching.  NULL with @err. */
struct host_watch *host_watch_start(const struct host_watch_opts *opts,
				    struct err *err);
/* End the thread and free.  NULL is fine. */
void host_watch_free(struct host_watch *watch);

/* Wait for the first pass, @seconds at most. */
void host_watch_wait(struct host_watch *watch, double seconds);

/*
 * The picture now; it lives until the next call.  Before the first pass it is
 * empty, its status not ready.  NULL when out of memory.  For @note see
 * host_table_frame(); it is called on this thread, under the watch's lock.
 */
const struct host *host_watch_frame(struct host_watch *watch,
				    host_note_fn *note, void *ctx);

/* See host_table_reset(). */
void host_watch_reset(struct host_watch *watch);

#endif
