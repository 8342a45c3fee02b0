/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording without its records: the file, or the files of a directory, its
 * header, and the events and features around the records.  For
 * perfdata_reader.c, which reads the records through @in.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_FILE_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/perfdata/perfdata_events.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_found.h"
#include "trace/perfdata/perfdata_input.h"

/* A part of the file that is in memory. */
struct perfdata_kept {
	uint64_t offset;
	uint8_t *bytes;
	size_t len, room;
};

struct perfdata_file {
	char path[PATH_MAX];	/* of what is read now */
	const char *name;	/* the same for messages */
	char directory[PATH_MAX];	/* "": none */
	struct perfdata_input in;
	struct perfdata_events events;
	struct perfdata_found found;
	struct perfdata_header header;
	struct perfdata_kept head, tail; /* of a pipe: around the records */
	struct perfdata_kept tracing;	/* feature or record TRACING_DATA */
	uint64_t records;	/* bytes; UINT64_MAX: to the end of the file */
	uint64_t ids_claimed;	/* by all events of the header */
	bool no_features;	/* the file ends before them */
};

/* Nothing is open.  To be freed with perfdata_file_free(). */
void perfdata_file_init(struct perfdata_file *f);
void perfdata_file_free(struct perfdata_file *f);

/*
 * Open @path, a directory's file "data", or @path in the directory that was
 * opened before.  0, or -errno with @err.
 */
int perfdata_file_open(struct perfdata_file *f, const char *path,
		       struct err *err);

/* The same of the regular file that @from has open, from its start. */
int perfdata_file_again(struct perfdata_file *f,
			const struct perfdata_file *from, struct err *err);

/* Whether it begins as a recording; also finds its byte order. */
bool perfdata_file_is_recording(struct perfdata_file *f);

/*
 * Read what precedes the records, and the features after them unless it is a
 * pipe.  0, or -errno with @err.
 */
int perfdata_file_read_header(struct perfdata_file *f, struct err *err);

/*
 * After the last record: read the features that a pipe has there.  0, or -errno
 * with @err, as if the file ends before its features.
 */
int perfdata_file_read_tail(struct perfdata_file *f, struct err *err);

/*
 * Keep the next @size bytes of the file in memory; fewer at its end, or over a
 * limit.  0 or -errno.
 */
int perfdata_file_keep(struct perfdata_file *f, struct perfdata_kept *kept,
		       uint64_t size);

/* Store a feature, from a file's table or a pipe's record. */
void perfdata_file_feature(struct perfdata_file *f, uint64_t bit,
			   const uint8_t *at, size_t size);

/* "reading FILE: what errno means".  Returns @code. */
int perfdata_file_error(const struct perfdata_file *f, int code,
			struct err *err);
/* The same of an event that could not be added. */
int perfdata_file_events_error(const struct perfdata_file *f, int code,
			       struct err *err);

#endif
