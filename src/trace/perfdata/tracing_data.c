/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The feature TRACING_DATA: what is needed to decode the raw data of
 * tracepoints, in trace-cmd's file format 0.6 (trace-cmd.dat.v6(5)), as perf
 * 6.1 reads it (tools/perf/util/trace-event-read.c).  Kernel symbols and saved
 * command lines are left empty: perf has better sources.
 */
#include "trace/perfdata/machine.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "perf/tracepoint/tracefs.h"

enum {
	HEADER_BYTES = 64 << 10,	/* limit of header_page and
					 * header_event */
	PRINTK_BYTES = 16 << 20,
	NAME_BYTES = 128,		/* limit of a system's or event's
					 * name */
};

/* A tracepoint's format file. */
struct format {
	char system[NAME_BYTES], name[NAME_BYTES];
	char *text;
	size_t len;
};

static void put_u32(FILE *out, uint32_t value)
{
	fwrite(&value, sizeof(value), 1, out);
}

static void put_u64(FILE *out, uint64_t value)
{
	fwrite(&value, sizeof(value), 1, out);
}

static void put_text(FILE *out, const char *text, size_t len)
{
	put_u64(out, len);
	if (len)
		fwrite(text, 1, len, out);
}

/* Write "header_page", say, and that file; empty if it cannot be read. */
static void put_header_file(FILE *out, const char *tracefs, const char *name)
{
	char path[PATH_MAX], *text;
	ssize_t len;

	snprintf(path, sizeof(path), "%s/events/%s", tracefs, name);
	len = sys_read_file_alloc(path, HEADER_BYTES, &text);
	fwrite(name, 1, strlen(name) + 1, out);
	put_text(out, text, len > 0 ? (size_t)len : 0);
	free(text);
}

static void put_begin(FILE *out, const char *tracefs)
{
	static const char magic[] = "\027\010\104tracing0.6";
	const uint8_t big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const uint8_t long_size = sizeof(long);

	fwrite(magic, 1, sizeof(magic), out);
	fwrite(&big, 1, 1, out);
	fwrite(&long_size, 1, 1, out);
	put_u32(out, (uint32_t)sys_page_size());
	put_header_file(out, tracefs, "header_page");
	put_header_file(out, tracefs, "header_event");
}

static void put_formats(FILE *out, const struct format *formats, size_t nr,
			const char *system)
{
	uint32_t own = 0;

	for (size_t i = 0; i < nr; i++)
		own += !strcmp(formats[i].system, system);
	put_u32(out, own);
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(formats[i].system, system))
			put_text(out, formats[i].text, formats[i].len);
	}
}

/* Whether a new system starts at @i; formats are sorted by system. */
static bool begins(const struct format *formats, size_t i)
{
	const char *system = formats[i].system;

	return strcmp(system, "ftrace") &&
	       (!i || strcmp(system, formats[i - 1].system));
}

/* ftrace's own events first, in a list of their own. */
static void put_events(FILE *out, const struct format *formats, size_t nr)
{
	uint32_t systems = 0;

	put_formats(out, formats, nr, "ftrace");
	for (size_t i = 0; i < nr; i++)
		systems += begins(formats, i);
	put_u32(out, systems);
	for (size_t i = 0; i < nr; i++) {
		const char *system = formats[i].system;

		if (!begins(formats, i))
			continue;
		fwrite(system, 1, strlen(system) + 1, out);
		put_formats(out, formats, nr, system);
	}
}

static void put_end(FILE *out, const char *tracefs)
{
	char path[PATH_MAX], *text;
	ssize_t len;

	put_u32(out, 0);	/* no kernel symbols */
	snprintf(path, sizeof(path), "%s/printk_formats", tracefs);
	len = sys_read_file_alloc(path, PRINTK_BYTES, &text);
	put_u32(out, len > 0 ? (uint32_t)len : 0);
	if (len > 0)
		fwrite(text, 1, (size_t)len, out);
	free(text);
	put_u64(out, 0);	/* no command lines */
}

static int write_data(const char *tracefs, const struct format *formats,
		      size_t nr, void **data, size_t *size)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, size);
	bool failed;

	if (!out)
		return -ENOMEM;
	put_begin(out, tracefs);
	put_events(out, formats, nr);
	put_end(out, tracefs);
	failed = ferror(out);
	if (fclose(out) || failed) {
		free(bytes);
		*size = 0;
		return -ENOMEM;
	}
	*data = bytes;
	return 0;
}

/* Split "sched:sched_switch:u"; modifiers are dropped. */
static bool split_name(const char *tracepoint, struct format *format)
{
	size_t len = strcspn(tracepoint, ":"), name_len;

	if (!tracepoint[len] || len >= NAME_BYTES)
		return false;
	name_len = strcspn(tracepoint + len + 1, ":");
	if (name_len >= NAME_BYTES)
		return false;
	*format = (struct format){ 0 };
	memcpy(format->system, tracepoint, len);
	memcpy(format->name, tracepoint + len + 1, name_len);
	return true;
}

static int by_name(const void *a, const void *b)
{
	const struct format *x = a, *y = b;
	int order = strcmp(x->system, y->system);

	return order ? order : strcmp(x->name, y->name);
}

/*
 * Read the formats of @nr tracepoints, sorted by system, without duplicates and
 * without those that cannot be read.  Returns their number.
 */
static size_t read_formats(const char *tracefs, const char *const *tracepoints,
			   size_t nr, struct format *formats)
{
	size_t named = 0, found = 0;

	for (size_t i = 0; i < nr; i++)
		named += split_name(tracepoints[i], &formats[named]);
	qsort(formats, named, sizeof(*formats), by_name);
	for (size_t i = 0; i < named; i++) {
		struct format f = formats[i];
		ssize_t len;

		if (found && !by_name(&f, &formats[found - 1]))
			continue;
		len = tracefs_read_format(tracefs, f.system, f.name, &f.text);
		f.len = len > 0 ? (size_t)len : 0;
		if (f.len)
			formats[found++] = f;
		else
			free(f.text);
	}
	return found;
}

int perfdata_tracing_data(const char *tracefs, const char *const *tracepoints,
			  size_t nr, void **data, size_t *size)
{
	struct format *formats;
	size_t found;
	int ret;

	*data = NULL;
	*size = 0;
	if (!nr || !tracefs)
		return 0;
	formats = calloc(nr, sizeof(*formats));
	if (!formats)
		return -ENOMEM;
	found = read_formats(tracefs, tracepoints, nr, formats);
	ret = write_data(tracefs, formats, found, data, size);
	for (size_t i = 0; i < found; i++)
		free(formats[i].text);
	free(formats);
	return ret;
}
