/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBZSTD
#include <zstd.h>

/* Room for the largest record, and for much more than that. */
enum { ROOM = 1 << 18 };

struct perfdata_unpack {
	ZSTD_DStream *stream;
	bool pending;		/* the room did not suffice for all */
	size_t at, len;		/* buf[at] to buf[len - 1] are not used yet */
	uint8_t buf[ROOM];
};

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

bool perfdata_unpack_pending(const struct perfdata_unpack *u)
{
	(void)u;
	return false;
}

const uint8_t *perfdata_unpack_next(const struct perfdata_unpack *u,
				    size_t *size)
{
	(void)u;
	*size = 0;
	return NULL;
}

void perfdata_unpack_use(struct perfdata_unpack *u, size_t bytes)
{
	(void)u;
	(void)bytes;
}

#endif
