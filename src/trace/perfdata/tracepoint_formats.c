/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format files of tracepoints in PERFDATA_TRACING_DATA. */
#include "trace/perfdata/tracepoint_formats.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What is left to read.  Once @bad, what is read is empty or 0. */
struct cursor {
	const char *at;
	size_t left;
	bool bad;
};

static const char *take(struct cursor *c, uint64_t size)
{
	const char *at = c->at;

	c->bad |= size > c->left;
	if (c->bad)
		return "";
	c->at += size;
	c->left -= (size_t)size;
	return at;
}

static uint64_t take_number(struct cursor *c, size_t size)
{
	const char *at = take(c, size);
	uint64_t word = 0;
	uint32_t half = 0;

	if (c->bad)
		return 0;
	if (size == sizeof(half)) {
		memcpy(&half, at, sizeof(half));
		return half;
	}
	memcpy(&word, at, sizeof(word));
	return word;
}

static const char *take_name(struct cursor *c)
{
	return take(c, strnlen(c->at, c->left) + 1);
}

/* A number of format files. */
static int take_formats(struct cursor *c, const char *sys,
			perfdata_format_fn *fn, void *ctx)
{
	uint64_t nr = take_number(c, sizeof(uint32_t)), len;
	const char *format;
	int ret = 0;

	while (!ret && !c->bad && nr--) {
		len = take_number(c, sizeof(len));
		format = take(c, len);
		if (!c->bad)
			ret = fn(ctx, sys, format, (size_t)len);
	}
	return ret;
}

int perfdata_tracing_formats(const void *data, size_t size,
			     perfdata_format_fn *fn, void *ctx)
{
	static const char magic[] = "\027\010\104tracing";
	struct cursor c = { data, size, false };
	const char *start = take(&c, strlen(magic)), *kind;
	uint64_t nr;
	int ret;

	if (c.bad || memcmp(start, magic, strlen(magic)))
		return 0;
	take_name(&c);	/* the version */
	kind = take(&c, 2);
	if (c.bad || kind[0] != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ||
	    kind[1] != sizeof(long))
		return 0;
	take(&c, sizeof(uint32_t));	/* the size of a page */
	for (int i = 0; i < 2; i++) {	/* header_page, header_event */
		take_name(&c);
		take(&c, take_number(&c, sizeof(uint64_t)));
	}
	ret = take_formats(&c, "ftrace", fn, ctx);
	nr = take_number(&c, sizeof(uint32_t));
	while (!ret && !c.bad && nr--) {
		const char *sys = take_name(&c);

		ret = take_formats(&c, sys, fn, ctx);
	}
	return ret;
}
