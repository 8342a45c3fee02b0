/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decompresses the stream in COMPRESSED and COMPRESSED2 records by libzstd.
 * The records in it may begin in one of these and end in a later one.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_UNPACK_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perfdata_unpack;

bool perfdata_unpack_built_in(void);

/* NULL when out of memory, or without libzstd. */
struct perfdata_unpack *perfdata_unpack_new(void);
void perfdata_unpack_free(struct perfdata_unpack *u);

/* Start with another stream, and forget what is left of this one. */
void perfdata_unpack_reset(struct perfdata_unpack *u);

/*
 * Decompress a part of the @size bytes @in.  Returns how many of them were used
 * up, or -EBADMSG if they are no such stream.  There may be more to come while
 * perfdata_unpack_pending(), even without further input.
 */
int64_t perfdata_unpack_more(struct perfdata_unpack *u, const uint8_t *in,
			     size_t size);
bool perfdata_unpack_pending(const struct perfdata_unpack *u);

/* What is decompressed and not used yet: *@size bytes. */
const uint8_t *perfdata_unpack_next(const struct perfdata_unpack *u,
				    size_t *size);
/* Use @bytes of it; the rest moves at the next perfdata_unpack_more(). */
void perfdata_unpack_use(struct perfdata_unpack *u, size_t bytes);

#endif
