/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of a source, from its resolver thread, and their fields. */
#ifndef RBTOP_SOURCE_SOURCE_SAMPLES_H
#define RBTOP_SOURCE_SOURCE_SAMPLES_H

#include <stdbool.h>

#include "source/source.h"

struct resolver_event;
struct resolver_thread_opts;
struct symbolizer_ops;

/* For a frame of @r. */
const struct samples *source_samples_read(struct resolver_thread *resolver,
					  const struct reading *r);

/*
 * REQUEST_FILTER and REQUEST_FIELD; @overwrite: the rings are overwrite rings,
 * so no samples may be decoded.  0 or -errno with @err.
 */
int source_samples_request(struct source *s, bool overwrite,
			   const struct request *rq, struct err *err);

/* Its ctx is a struct resolver. */
extern const struct symbolizer_ops source_symbolizer;
/* The member of struct tracepoint_names; likewise. */
const char *source_function(void *ctx, uint64_t addr, uint64_t *start);

/* Names of fields of tracepoints, "sys:name.field".  Zeroed: none. */
struct source_fields {
	char **list;
	size_t nr, cap;
};

/* Split "sys:name" or "sys:name:mods".  False if it is neither. */
bool source_fields_split(const char *event, char sys[128], char name[128]);
/*
 * Add the fields of the @events (opts->nr_events) that opts->tracepoints knows,
 * and set the most informative one of each event.  Also set these members of
 * @opts, and how Hot groups at first, in @field (REQUEST_TEXT bytes).  0 or
 * -ENOMEM.
 */
int source_fields_learn(struct source_fields *f, struct resolver_event *events,
			struct resolver_thread_opts *opts, char *field);
void source_fields_free(struct source_fields *f);

#endif
