/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames for programs and pipes, one formatter per format. */
#ifndef RBTOP_EXPORT_EXPORT_H
#define RBTOP_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ring/frame/frame.h"

struct export_opts {
	size_t hot;		/* rows of the hot table; 0: none */
	bool wrapped;		/* text: for a terminal, at most 80 columns;
				 * else each fact is one line */
	bool alone;		/* each tick is a separate file; set by the
				 * writer */
};

/* State of a formatter that lists samples only once.  Initially zeroed. */
struct export_state {
	uint64_t next;		/* serial of the first sample not listed yet */
	uint64_t skipped;	/* samples dropped before the feed so far */
	uint64_t lacking;	/* of a format that lists all samples: total of
				 * those missing */
};

struct export_format {
	const char *name;	/* --format NAME */
	size_t hot;		/* default number of rows of the hot table */
	bool every_sample;	/* lists samples, so none should be dropped */
	/* Write one tick.  0, or -errno if writing or memory failed. */
	int (*frame)(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out);
};

/* All of them: export_text and so on, by the names of --format. */
#define EXPORT_FORMATS(format)                       \
	format(text) format(json) format(csv)        \
	format(script) format(openmetrics) format(prometheus)

#define EXPORT_DECLARE(name) extern const struct export_format export_##name;
EXPORT_FORMATS(EXPORT_DECLARE)
#undef EXPORT_DECLARE

/* The format @name; NULL if there is none. */
const struct export_format *export_find(const char *name);
/* "text, json, csv, ..." */
const char *export_names(void);

#endif
