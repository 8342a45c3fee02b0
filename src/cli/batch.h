/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front end without a terminal: ticks to standard output or a file. */
#ifndef RBTOP_CLI_BATCH_H
#define RBTOP_CLI_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/gate.h"
#include "export/export.h"

struct err;
struct source;

struct batch_opts {
	int fd;			/* standard output */
	const char *textfile;	/* replaced by each tick, instead of writing to
				 * fd; NULL: none */
	bool quiet;		/* write no tick */
	const struct export_format *format;
	struct export_opts export;
	double delay;		/* seconds between ticks */
	bool unpaced;		/* of a recording: each tick follows at once,
				 * until a frame says that it has ended */
	struct gate *gate;	/* sees each tick; NULL: none */
	bool until_failed;	/* end as soon as one of its conditions is met */
	size_t ticks;		/* -n; 0: until the target ends or a signal */
};

/*
 * Block the signals that batch_run() handles.  Call this after a workload is
 * forked, which must not inherit this, and before threads are started, which
 * must.
 */
void batch_prepare(void);

/*
 * Run on a source that is started.  The first tick is written after one delay;
 * when the target ends, a last one is written at once.  The last tick is taken
 * after source_finish(), so it is exact.  SIGUSR2 takes a snapshot; if that
 * fails, a warning is printed.  If the text file cannot be written for lack of
 * space or memory, or by an I/O error, a warning is printed, once until it can
 * be, and the next tick tries again; only the last tick fails.
 * SIGINT, SIGTERM and SIGHUP end it; another one kills the process while the
 * source is finished, and after the return.
 * Returns 0, 128 + signal (SIGPIPE if standard output has no more readers), or
 * -errno with @err (writing standard output or the text file failed).
 */
int batch_run(struct source *source, const struct batch_opts *opts,
	      struct err *err);

#endif
