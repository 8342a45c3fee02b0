/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_put.h"

#include <errno.h>
#include <string.h>

static void write_out(struct perfdata_writer *w, const void *bytes, size_t size)
{
	errno = 0;
	if (fwrite(bytes, 1, size, w->out) != size)
		w->error = errno ? -errno : -EIO;
}

void perfdata_go_to(struct perfdata_writer *w, uint64_t offset)
{
	errno = 0;
	if (!w->error && fseeko(w->out, (off_t)offset, SEEK_SET))
		w->error = errno ? -errno : -EIO;
}

void perfdata_put(struct perfdata_writer *w, const void *bytes, size_t size)
{
	if (w->error || !size)
		return;
	write_out(w, bytes, size);
	w->pos += size;
}

void perfdata_put_at(struct perfdata_writer *w, uint64_t offset,
		     const void *bytes, size_t size)
{
	perfdata_go_to(w, offset);
	if (!w->error && size)
		write_out(w, bytes, size);
}

void perfdata_put_u32(struct perfdata_writer *w, uint32_t value)
{
	perfdata_put(w, &value, sizeof(value));
}

void perfdata_put_u64(struct perfdata_writer *w, uint64_t value)
{
	perfdata_put(w, &value, sizeof(value));
}

void perfdata_put_pad(struct perfdata_writer *w, size_t size)
{
	static const uint8_t zeros[PERFDATA_STRING_ALIGN];

	perfdata_put(w, zeros, size);
}

void perfdata_put_string(struct perfdata_writer *w, const char *text)
{
	size_t len = strnlen(text, PERFDATA_PATH_MAX - 1);
	size_t padded = perfdata_align(len + 1, PERFDATA_STRING_ALIGN);

	perfdata_put_u32(w, (uint32_t)padded);
	perfdata_put(w, text, len);
	perfdata_put_pad(w, padded - len);
}

void perfdata_seek(struct perfdata_writer *w, uint64_t offset)
{
	perfdata_go_to(w, offset);
	w->pos = offset;
}

/*
 * A longer attribute is cut: the members behind are of kernels newer than perf
 * 6.1, and 0 unless someone set them.
 */
void perfdata_fill_attr(uint8_t bytes[PERFDATA_ATTR_SIZE],
			const struct perf_event_attr *attr)
{
	const uint32_t size = PERFDATA_ATTR_SIZE;

	memset(bytes, 0, PERFDATA_ATTR_SIZE);
	memcpy(bytes, attr,
	       sizeof(*attr) < PERFDATA_ATTR_SIZE ? sizeof(*attr) :
						    PERFDATA_ATTR_SIZE);
	memcpy(bytes + offsetof(struct perf_event_attr, size), &size,
	       sizeof(size));
}
