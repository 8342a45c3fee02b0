/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a recording, in order, through a buffer of a fixed size.  Pipes
 * are only read forward; parts of a regular file can be read at any offset.
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

/*
 * Have @want bytes in the buffer.  Returns how many there are, which are fewer
 * only at the end of the file; or -errno.
 */
ssize_t perfdata_input_fill(struct perfdata_input *in, size_t want);

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

#endif
