/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a tracepoint's raw data says: as the event's own print format has it,
 * and field by field.  By libtraceevent, which believes every offset and
 * length: so data is checked against the event's fields first, and short or
 * lying data never reaches it.
 *
 * Used from one thread at a time.
 */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEPOINT_H
#define RBTOP_PERF_TRACEPOINT_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct tracepoints;

/* Who knows what print formats ask for: %ps, %pS. */
struct tracepoint_names {
	/* NULL, or the kernel function at @addr, and where it starts; NULL
	 * where unknown.  The text lives until the next call. */
	const char *(*function)(void *ctx, uint64_t addr, uint64_t *start);
	void *ctx;
};

/* An empty table.  NULL when out of memory. */
struct tracepoints *tracepoints_new(const struct tracepoint_names *names);
void tracepoints_free(struct tracepoints *t);

/*
 * Learn the event @sys:@name from its format file below @tracefs.  0; -errno
 * where it cannot be read or understood: its samples then have no text.
 */
int tracepoints_add(struct tracepoints *t, const char *tracefs,
		    const char *sys, const char *name);
/* The same from the text of a format file of @len bytes. */
int tracepoints_parse(struct tracepoints *t, const char *sys,
		      const char *format, size_t len);

/*
 * Whether @data, @size bytes of PERF_SAMPLE_RAW, holds all that the event it
 * names (its first u16) has: fixed fields, and dynamic ones within @size.
 */
bool tracepoints_valid(struct tracepoints *t, const void *data, size_t size);

/*
 * The text after the event's name in a trace, sanitized, cut to @len - 1
 * bytes; that of tracepoints_fields() where libtraceevent cannot read the
 * print format.  0; -ENOENT for an event that was not learned, -EBADMSG where
 * tracepoints_valid() is false; @buf is then "".
 */
int tracepoints_text(struct tracepoints *t, const void *data, size_t size,
		     int cpu, uint64_t time, char *buf, size_t len);
/* "name=value name=value", common_ fields left out.  As above. */
int tracepoints_fields(struct tracepoints *t, const void *data, size_t size,
		       char *buf, size_t len);
/* The value of one field.  As above; -ENOENT for an unknown field too. */
int tracepoints_field(struct tracepoints *t, const void *data, size_t size,
		      const char *field, char *buf, size_t len);

#endif
