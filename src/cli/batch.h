/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front end without a terminal: a tick to standard output, then another. */
#ifndef RBTOP_CLI_BATCH_H
#define RBTOP_CLI_BATCH_H

#include <stddef.h>

#include "export/export.h"

struct err;
struct source;

struct batch_opts {
	int fd;			/* standard output */
	const char *textfile;	/* that each tick replaces, in place of writing
				 * to fd; NULL: none */
	const struct export_format *format;
	struct export_opts export;
	double delay;		/* seconds between ticks */
	size_t ticks;		/* -n; 0: until the target ends or a signal */
};

/*
 * Block the signals that batch_run takes: after a workload is forked, which
 * would inherit that, and before threads are started, which have to.
 */
void batch_prepare(void);

/*
 * Run on a source that is started.  The first tick comes after one delay;
 * when the target ends, a last one is printed at once.  The last tick is
 * exact.  SIGUSR2 takes a snapshot; that it cannot is a warning on standard
 * error.  So is a text file that cannot be written for want of room or memory,
 * once until it can: unless it is the last tick, the next one tries again.
 * A signal ends it once the source is finished; on return, and while that is
 * waited for, another one kills.
 * Returns 0, 128 + signal (SIGPIPE where nobody reads any more), or -errno with
 * @err (standard output closed or full, the text file not to be written).
 */
int batch_run(struct source *source, const struct batch_opts *opts,
	      struct err *err);

#endif
