/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -i FILE: the rings that a recording is from, at a moment of recorded time
 * that moves on.  All of the file is read when it is opened.
 *
 * A recording does not say how full the rings were: their fill and what wakes
 * their reader are unknown, and their size as well unless perf's -m is known.
 */
#ifndef RBTOP_SOURCE_RECORDING_SOURCE_H
#define RBTOP_SOURCE_RECORDING_SOURCE_H

#include <stdbool.h>

#include "trace/recorded/recorded.h"

struct err;
struct recorded;
struct source;

struct recording_source_opts {
	const char *path;	/* "-": standard input; borrowed until it is
				 * closed */
	double interval;	/* seconds from one reading to the next */
	bool batch;		/* each reading is @interval of recorded time
				 * after the previous one, until the end; else
				 * time passes as it is played */
	struct recorded_span span;	/* in a batch, nothing else is counted;
					 * else it is marked and shown first */
	bool no_samples;	/* they are not decoded */
	bool list_only;		/* each is printed, see resolver_thread.h */
};

/*
 * Read the recording: terminating signals keep their effect meanwhile, and if
 * it takes long, progress is shown on standard error if that is a terminal.
 * Records before damage in the file are kept.  NULL with @err.
 */
struct source *recording_source_open(const struct recording_source_opts *opts,
				     struct err *err);

/* All that is counted in the file. */
const struct recorded *recording_source_recorded(const struct source *s);

/* 0; or -errno with @err if the file was not read to its end. */
int recording_source_damage(const struct source *s, struct err *err);

/* False if compressed records could not be read. */
bool recording_source_is_counted(const struct source *s);

#endif
