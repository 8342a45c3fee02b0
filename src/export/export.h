/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames for programs and pipes: one formatter each. */
#ifndef RBTOP_EXPORT_EXPORT_H
#define RBTOP_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ring/frame/frame.h"

struct export_opts {
	size_t hot;		/* rows of the hot table; 0: no table */
	bool alone;		/* each tick is a file of its own; set by who
				 * writes it */
};

/* How far the formatter came in what it lists but once: zeroed at first. */
struct export_state {
	uint64_t next;		/* serial of the first sample not listed yet */
	uint64_t skipped;	/* samples that were never listed, up to then */
	uint64_t lacking;	/* of a format that lists every sample: all
				 * that it did not */
};

struct export_format {
	const char *name;	/* --format NAME */
	size_t hot;		/* rows of the hot table by default */
	bool every_sample;	/* lists samples: wants as many as there are */
	/* One tick.  0, or -errno where writing or memory failed. */
	int (*frame)(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out);
};

extern const struct export_format export_text, export_json, export_csv,
	export_script, export_openmetrics, export_prometheus;

/* By name; NULL where there is none. */
const struct export_format *export_find(const char *name);
/* "text, json, csv, script, openmetrics, prometheus" */
const char *export_names(void);

#endif
