/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of a source, live or simulated, as its resolver thread has them. */
#ifndef RBTOP_SOURCE_SOURCE_SAMPLES_H
#define RBTOP_SOURCE_SOURCE_SAMPLES_H

#include <stdbool.h>

#include "source/source.h"

/* For a frame of @r. */
const struct samples *source_samples_read(struct resolver_thread *resolver,
					  const struct reading *r);

/*
 * REQUEST_FILTER and REQUEST_FIELD; @overwrite: the rings are, which is why
 * nothing may be decoded.  0 or -errno with @err.
 */
int source_samples_request(struct source *s, bool overwrite,
			   const struct request *rq, struct err *err);

#endif
