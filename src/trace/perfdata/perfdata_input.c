/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"

/*
 * Large reads are cheap; a larger buffer would not fit the CPU's cache.  A
 * directory has a file, and a buffer, for each CPU.
 */
enum { BUFFER = 1 << 20, PART_BUFFER = 1 << 18 };
_Static_assert((int)PART_BUFFER >= (int)PERFDATA_INPUT_MAX, "it is filled");
/* Unpacked: room for the largest record, and for much more than that. */
enum { ROOM = 1 << 18 };

static int open_path(int dir, const char *path)
{
	struct caps_own own;
	int fd;

	caps_own_begin(&own);
	fd = openat(dir, path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
	fd = fd < 0 ? -errno : fd;
	caps_own_end(&own);
	return fd;
}

int perfdata_input_open(struct perfdata_input *in, int dir, const char *name,
			const char *path, struct err *err)
{
	bool standard = !strcmp(path, "-");
	struct stat st;

	*in = (struct perfdata_input){
		.fd = STDIN_FILENO, .copy = -1, .size = UINT64_MAX,
		.room = dir == AT_FDCWD ? BUFFER : PART_BUFFER,
	};
	if (!standard)
		in->fd = open_path(dir, name);
	if (in->fd < 0)
		return err_errno(err, in->fd, "opening %s", path);
	if (fstat(in->fd, &st))
		return err_errno(err, -errno, "reading %s", path);
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISREG(st.st_mode) &&
	    (!standard || lseek(in->fd, 0, SEEK_CUR) == 0)) {
		in->seeks = true;
		in->size = (uint64_t)st.st_size;
		in->written = st.st_mtime;
	}
	in->buf = malloc(in->room);
	return in->buf ? 0 : err_errno(err, -ENOMEM, "reading %s", path);
}

/* Bytes that were read of it. */
static uint64_t read_so_far(const struct perfdata_input *in)
{
	return in->offset + in->len - in->at;
}

static void end_copy(struct perfdata_input *in, int why)
{
	sys_close(in->copy);
	in->copy = -1;
	in->copy_failed = why;
}

void perfdata_input_copy(struct perfdata_input *in)
{
	const char *dir = getenv("TMPDIR");
	char path[PATH_MAX];
	struct caps_own own;

	if (in->seeks)
		return;
	if (snprintf(path, sizeof(path), "%s/rbtop-XXXXXX",
		     dir && *dir ? dir : "/tmp") >= (int)sizeof(path)) {
		in->copy_failed = -ENAMETOOLONG;
		return;
	}
	caps_own_begin(&own);
	in->copy = mkostemp(path, O_CLOEXEC);
	if (in->copy < 0)
		in->copy_failed = -errno;
	else
		unlink(path);
	caps_own_end(&own);
}

/* Append what was read to the copy. */
static void copy(struct perfdata_input *in, const uint8_t *bytes, size_t size)
{
	uint64_t at = read_so_far(in);
	ssize_t done;

	while (in->copy >= 0 && size) {
		done = at + size > PERFDATA_COPY_LIMIT ? -EFBIG :
			pwrite(in->copy, bytes, size, (off_t)at);
		if (done == -1 && errno == EINTR)
			continue;
		if (done <= 0) {
			end_copy(in, done == -1 ? -errno :
					done ? (int)done : -ENOSPC);
			return;
		}
		bytes += done;
		at += (uint64_t)done;
		size -= (size_t)done;
	}
}

int perfdata_input_again(struct perfdata_input *in,
			 const struct perfdata_input *from)
{
	*in = (struct perfdata_input){
		.fd = -1, .copy = -1, .seeks = true, .room = BUFFER,
	};
	if (!from->seeks && from->copy < 0)
		return from->copy_failed ? from->copy_failed : -ESPIPE;
	in->size = from->seeks ? from->size : read_so_far(from);
	in->fd = fcntl(from->seeks ? from->fd : from->copy, F_DUPFD_CLOEXEC, 3);
	if (in->fd < 0)
		return -errno;
	in->buf = malloc(in->room);
	return in->buf ? 0 : -ENOMEM;
}

void perfdata_input_close(struct perfdata_input *in)
{
	if (in->fd != STDIN_FILENO)
		sys_close(in->fd);
	in->fd = -1;
	end_copy(in, 0);
	free(in->buf);
	in->buf = NULL;
}

static ssize_t read_some(const struct perfdata_input *in, uint64_t offset,
			 void *buf, size_t size)
{
	ssize_t got;

	if (in->seeks && offset > INT64_MAX)
		return 0; /* no file is as long */
	do {
		got = in->seeks ? pread(in->fd, buf, size, (off_t)offset) :
				  read(in->fd, buf, size);
	} while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

ssize_t perfdata_input_read(struct perfdata_input *in, size_t want)
{
	ssize_t got;

	memmove(in->buf, in->buf + in->at, in->len - in->at);
	in->len -= in->at;
	in->at = 0;
	while (in->len < want) {
		got = read_some(in, in->offset + in->len, in->buf + in->len,
				in->room - in->len);
		if (got < 0)
			return got;
		if (got == 0)
			break;
		copy(in, in->buf + in->len, (size_t)got);
		in->len += (size_t)got;
	}
	return (ssize_t)in->len;
}

int perfdata_input_skip(struct perfdata_input *in, uint64_t bytes)
{
	ssize_t got;

	if (in->seeks && bytes > in->len - in->at) {
		if (in->offset > in->size || bytes > in->size - in->offset)
			return -ENODATA;
		in->offset += bytes;
		in->at = in->len = 0;
		return 0;
	}
	while (bytes) {
		got = perfdata_input_fill(in, 1);
		if (got < 0)
			return (int)got;
		if (got == 0)
			return -ENODATA;
		got = (ssize_t)MIN((uint64_t)got, bytes);
		perfdata_input_use(in, (size_t)got);
		bytes -= (uint64_t)got;
	}
	return 0;
}

ssize_t perfdata_input_at(const struct perfdata_input *in, uint64_t offset,
			  void *buf, size_t size)
{
	size_t done = 0;
	ssize_t got;

	while (done < size) {
		got = read_some(in, offset + done, (char *)buf + done,
				size - done);
		if (got < 0)
			return got;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

struct perfdata_unpack {
	void *stream;		/* a ZSTD_DStream */
	bool pending;		/* the room did not suffice for all */
	size_t at, len;		/* buf[at] to buf[len - 1] are not used yet */
	uint8_t buf[ROOM];
};

#ifdef HAVE_LIBZSTD

bool perfdata_unpack_built_in(void)
{
	return true;
}

struct perfdata_unpack *perfdata_unpack_new(void)
{
	struct perfdata_unpack *u = malloc(sizeof(*u));

	if (!u)
		return NULL;
	u->stream = ZSTD_createDStream();
	if (!u->stream) {
		free(u);
		return NULL;
	}
	perfdata_unpack_reset(u);
	return u;
}

void perfdata_unpack_free(struct perfdata_unpack *u)
{
	if (u)
		ZSTD_freeDStream(u->stream);
	free(u);
}

void perfdata_unpack_reset(struct perfdata_unpack *u)
{
	ZSTD_DCtx_reset(u->stream, ZSTD_reset_session_only);
	u->pending = false;
	u->at = u->len = 0;
}

int64_t perfdata_unpack_more(struct perfdata_unpack *u, const uint8_t *in,
			     size_t size)
{
	ZSTD_inBuffer from = { in, size, 0 };
	ZSTD_outBuffer to = { u->buf, ROOM, 0 };
	size_t ret;

	memmove(u->buf, u->buf + u->at, u->len - u->at);
	u->len -= u->at;
	u->at = 0;
	to.pos = u->len;
	ret = ZSTD_decompressStream(u->stream, &to, &from);
	if (ZSTD_isError(ret) || (size && !from.pos && to.pos == u->len))
		return -EBADMSG;
	u->pending = to.pos == to.size;
	u->len = to.pos;
	return (int64_t)from.pos;
}

#else

bool perfdata_unpack_built_in(void)
{
	return false;
}

struct perfdata_unpack *perfdata_unpack_new(void)
{
	return NULL;
}

void perfdata_unpack_free(struct perfdata_unpack *u)
{
	(void)u;
}

void perfdata_unpack_reset(struct perfdata_unpack *u)
{
	(void)u;
}

int64_t perfdata_unpack_more(struct perfdata_unpack *u, const uint8_t *in,
			     size_t size)
{
	(void)u;
	(void)in;
	(void)size;
	return -ENOSYS;
}

#endif

bool perfdata_unpack_pending(const struct perfdata_unpack *u)
{
	return u->pending;
}

const uint8_t *perfdata_unpack_next(const struct perfdata_unpack *u,
				    size_t *size)
{
	*size = u->len - u->at;
	return u->buf + u->at;
}

void perfdata_unpack_use(struct perfdata_unpack *u, size_t bytes)
{
	u->at += bytes;
}
