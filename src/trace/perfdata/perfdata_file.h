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
#include <sys/types.h>

#include "trace/perfdata/perfdata_events.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_reader.h"

/*
 * The bytes of a recording, in order, through a buffer of a fixed size.  Pipes
 * are only read forward; parts of a regular file can be read at any offset.
 * And the bytes in compressed records.
 */

struct err;

/* The most that perfdata_input_fill() can be asked for, in bytes. */
enum { PERFDATA_INPUT_MAX = 1 << 17 };

/* Bytes of the copy of a pipe. */
#define PERFDATA_COPY_LIMIT (UINT64_C(1) << 30)

struct perfdata_input {
	int fd;			/* -1: none */
	int copy;		/* the same; all that was read of a pipe */
	int copy_failed;	/* why it is not complete: -errno */
	bool seeks;		/* a regular file, not standard input */
	uint64_t size;		/* of a regular file; UINT64_MAX: unknown */
	int64_t written;	/* the last time, s; 0: no regular file */
	uint64_t offset;	/* in the file, of buf[at] */
	uint8_t *buf;
	size_t room;		/* bytes of it */
	size_t at, len;		/* buf[at] to buf[len - 1] are not used yet */
};

/*
 * Open @name in the open directory @dir, with the user's own rights; @path is
 * for messages.  Without a directory, @dir is AT_FDCWD and @name is @path, or
 * "-" for standard input.  0; -EISDIR without @err for a directory; or -errno
 * with @err.  Close it in any case.
 */
int perfdata_input_open(struct perfdata_input *in, int dir, const char *name,
			const char *path, struct err *err);
/*
 * Before anything is read: unless it is a regular file, write what will be read
 * also to a file without a name in $TMPDIR, or /tmp, for perfdata_input_again().
 * That fails if it cannot be written or is above the limit: -EFBIG.
 */
void perfdata_input_copy(struct perfdata_input *in);
/*
 * Open the regular file of @from, or its copy, once more, at its start.  0 or
 * -errno.
 */
int perfdata_input_again(struct perfdata_input *in,
			 const struct perfdata_input *from);
void perfdata_input_close(struct perfdata_input *in);

/* The part of perfdata_input_fill() that reads. */
ssize_t perfdata_input_read(struct perfdata_input *in, size_t want);

/*
 * Have @want bytes in the buffer.  Returns how many there are, which are fewer
 * only at the end of the file; or -errno.
 */
static inline ssize_t perfdata_input_fill(struct perfdata_input *in,
					  size_t want)
{
	return in->len - in->at >= want ? (ssize_t)(in->len - in->at) :
					  perfdata_input_read(in, want);
}

/* The next byte in the buffer. */
static inline const uint8_t *
perfdata_input_next(const struct perfdata_input *in)
{
	return in->buf + in->at;
}

/* Go @bytes further: within the buffer it cannot fail. */
static inline void perfdata_input_use(struct perfdata_input *in, size_t bytes)
{
	in->at += bytes;
	in->offset += bytes;
}

/*
 * Go @bytes further, wherever that is.  0, -ENODATA if the file ends before, or
 * another -errno.
 */
int perfdata_input_skip(struct perfdata_input *in, uint64_t bytes);

/*
 * Read @size bytes at @offset of a regular file, without a change of the
 * position.  Returns how many there are, or -errno.
 */
ssize_t perfdata_input_at(const struct perfdata_input *in, uint64_t offset,
			  void *buf, size_t size);

/*
 * Decompresses the stream in COMPRESSED and COMPRESSED2 records by libzstd.
 * The records in it may begin in one of these and end in a later one.
 */
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

/*
 * Metadata of a recording: features of a file, or the equivalent records of a
 * pipe.  None of it is trusted.
 */

/* Zeroed, with the unknown numbers of @info set, before anything is found. */
struct perfdata_found {
	struct perfdata_info info;
	struct perfdata_build_id *build_ids;
	size_t nr_build_ids, build_ids_cap;
	size_t build_id_bytes;	/* of their paths */
};

/* Whether the feature, below PERFDATA_FEATURES, is read at all. */
bool perfdata_found_wants(unsigned int bit);

/* Take over the feature at @at, @size bytes; names go to @events. */
void perfdata_found_feature(struct perfdata_found *f,
			    struct perfdata_events *events, uint64_t bit,
			    const uint8_t *at, size_t size);

/*
 * Add an entry of PERFDATA_BUILD_IDS, or such a record, of 8 bytes at least.
 * If memory runs out, it is dropped.
 */
void perfdata_found_build_id(struct perfdata_found *f,
			     struct perfdata_order order, const uint8_t *at,
			     size_t size);

void perfdata_found_free(struct perfdata_found *f);

/* See perfdata_reader_formats(); @data is that of the feature TRACING_DATA. */
int perfdata_found_formats(const void *data, size_t size,
			   perfdata_format_fn *fn, void *ctx);

/* Part of the argument of -m. */
struct perf_cmdline_size {
	uint64_t nr;		/* 0: not given, or not understood */
	bool pages;		/* it counts pages, not bytes */
};

/*
 * The sizes of data and AUX rings by the command line of perf record.  It is
 * read word by word, until the command that perf ran.  Starts zeroed.
 */
struct perf_cmdline {
	unsigned int nr;	/* words so far */
	bool ended;		/* what follows is no option of perf record */
	bool is_size, is_other;	/* the next word is the argument of -m, or of
				 * another option */
	struct perf_cmdline_size data, aux;
};

void perf_cmdline_add(struct perf_cmdline *c, const char *word);

/*
 * Bytes of each ring of this -m; UNKNOWN: perf's default, which depends on the
 * machine, another command, or not known.  @arch as uname -m has it: a page is
 * 4 KiB there, or its size is not known.
 */
uint64_t perf_cmdline_ring_size(const struct perf_cmdline_size *size,
				const char *arch);

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
	int dir;		/* the same; AT_FDCWD: none */
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

/*
 * The same of the regular file that @from has open, from its start, or of the
 * file "data" of its directory.
 */
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
