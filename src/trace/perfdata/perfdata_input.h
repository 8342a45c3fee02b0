/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a recording, in order, through a buffer of a fixed size.  Pipes
 * are only read forward; parts of a regular file can be read at any offset.
 * And the bytes in compressed records.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_INPUT_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;

/* The most that perfdata_input_fill() can be asked for, in bytes. */
enum { PERFDATA_INPUT_MAX = 1 << 17 };

struct perfdata_input {
	int fd;			/* -1: none */
	bool seeks;		/* a regular file, not standard input */
	uint64_t size;		/* of a regular file; UINT64_MAX: unknown */
	uint64_t offset;	/* in the file, of buf[at] */
	uint8_t *buf;
	size_t at, len;		/* buf[at] to buf[len - 1] are not used yet */
};

/*
 * Open @path, "-" for standard input, with the user's own rights.  0; -EISDIR
 * without @err for a directory; or -errno with @err.  Close it in any case.
 */
int perfdata_input_open(struct perfdata_input *in, const char *path,
			struct err *err);
/* The same of a regular file that @from has open, from its start. */
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

#endif
