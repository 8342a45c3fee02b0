/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_file.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/types.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"

enum {
	SECTION = sizeof(struct perfdata_section),
	PIPE_HEADER = 16,
	OLD_HEADER = offsetof(struct perfdata_header, features),
	WHOLE_HEADER = sizeof(struct perfdata_header),
	ATTR_MAX = 4096,
	/* bytes that are kept in memory of what surrounds the records */
	KEPT_MAX = 64 << 20,
};

void perfdata_file_init(struct perfdata_file *f)
{
	*f = (struct perfdata_file){
		.in.fd = -1, .in.copy = -1, .dir = AT_FDCWD,
		.records = UINT64_MAX,
	};
	f->found.info.cpus_available = UNKNOWN;
	f->found.info.cpus = UNKNOWN;
	f->found.info.ring_size = f->found.info.aux_size = UNKNOWN;
}

void perfdata_file_free(struct perfdata_file *f)
{
	perfdata_input_close(&f->in);
	if (f->dir != AT_FDCWD)
		sys_close(f->dir);
	perfdata_events_free(&f->events);
	perfdata_found_free(&f->found);
	free(f->head.bytes);
	free(f->tail.bytes);
	free(f->tracing.bytes);
}

int perfdata_file_error(const struct perfdata_file *f, int code,
			struct err *err)
{
	return err_errno(err, code, "reading %s", f->name);
}

static struct perfdata_section get_section(const struct perfdata_file *f,
					   const uint8_t *at)
{
	return (struct perfdata_section){
		perfdata_get64(f->events.order, at),
		perfdata_get64(f->events.order, at + 8),
	};
}

int perfdata_file_keep(struct perfdata_file *f, struct perfdata_kept *kept,
		       uint64_t size)
{
	ssize_t got;

	size = MIN(size, KEPT_MAX);
	kept->offset = f->in.offset;
	while (kept->len < size) {
		got = perfdata_input_fill(&f->in, 1);
		if (got <= 0)
			return (int)got;
		got = (ssize_t)MIN((uint64_t)got, size - kept->len);
		if (array_fit_max(kept->bytes, kept->room,
				  kept->len + (size_t)got, KEPT_MAX))
			return -ENOMEM;
		memcpy(kept->bytes + kept->len, perfdata_input_next(&f->in),
		       (size_t)got);
		kept->len += (size_t)got;
		perfdata_input_use(&f->in, (size_t)got);
	}
	return 0;
}

static bool is_kept(const struct perfdata_kept *kept, struct perfdata_section s)
{
	return s.offset >= kept->offset &&
	       s.offset - kept->offset <= kept->len &&
	       s.size <= kept->len - (s.offset - kept->offset);
}

/* Whether all of a section is there: in the file, or in what is kept of it. */
static bool has_section(const struct perfdata_file *f,
			struct perfdata_section s)
{
	if (f->in.seeks)
		return s.offset <= f->in.size &&
		       s.size <= f->in.size - s.offset;
	return is_kept(&f->head, s) || is_kept(&f->tail, s);
}

/*
 * A section into an allocation that the caller frees, or at most its first
 * @max bytes.  *@len bytes, or NULL if it is not in the file.
 */
static uint8_t *load_section(const struct perfdata_file *f,
			     struct perfdata_section s, size_t max,
			     size_t *len)
{
	const struct perfdata_kept *kept =
		is_kept(&f->head, s) ? &f->head : &f->tail;
	uint8_t *bytes;

	if (!has_section(f, s))
		return NULL;
	*len = MIN(s.size, max);
	bytes = malloc(*len + 1);
	if (!bytes)
		return NULL;
	if (!f->in.seeks)
		memcpy(bytes, kept->bytes + (s.offset - kept->offset), *len);
	else if (perfdata_input_at(&f->in, s.offset, bytes, *len) !=
		 (ssize_t)*len) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

static void take_tracing(struct perfdata_file *f, const uint8_t *at,
			 size_t size)
{
	if (!size || f->tracing.bytes ||
	    array_fit(f->tracing.bytes, f->tracing.room, size))
		return;
	memcpy(f->tracing.bytes, at, size);
	f->tracing.len = size;
}

void perfdata_file_feature(struct perfdata_file *f, uint64_t bit,
			   const uint8_t *at, size_t size)
{
	if (bit == PERFDATA_TRACING_DATA)
		take_tracing(f, at, size);
	else
		perfdata_found_feature(&f->found, &f->events, bit, at, size);
}

static bool has_feature(const struct perfdata_file *f, unsigned int bit)
{
	return f->header.features[bit / 64] >> bit % 64 & 1;
}

/* The table of features, after the records, has a section for each bit. */
static struct perfdata_section feature_table(const struct perfdata_file *f)
{
	struct perfdata_section table = f->header.data;

	table.offset += table.size;
	table.size = 0;
	for (unsigned int bit = 0; bit < 256; bit++)
		table.size += has_feature(f, bit) ? SECTION : 0;
	return table;
}

static void read_features(struct perfdata_file *f)
{
	struct perfdata_section where = feature_table(f), s;
	size_t size, len;
	uint8_t *table, *bytes, *at;

	if (!where.size || f->found.info.unfinished)
		return;
	table = load_section(f, where, SIZE_MAX, &size);
	at = table;
	for (unsigned int bit = 0; table && bit < 256; bit++) {
		if (!has_feature(f, bit))
			continue;
		s = get_section(f, at);
		at += SECTION;
		/* simpleperf has its own beyond these */
		if (bit < PERFDATA_FEATURES && !has_section(f, s))
			f->no_features = f->tail.len < KEPT_MAX;
		if (bit >= PERFDATA_FEATURES || !perfdata_found_wants(bit))
			continue;
		bytes = load_section(f, s, KEPT_MAX, &len);
		if (bytes)
			perfdata_file_feature(f, bit, bytes, len);
		free(bytes);
	}
	if (!table)
		f->no_features = true;
	free(table);
}

int perfdata_file_events_error(const struct perfdata_file *f, int code,
			       struct err *err)
{
	if (code == -EFBIG)
		return err_set(err, code, "%s: damaged: more than %d events or "
			       "%d ids", f->name, PERFDATA_EVENTS_MAX,
			       PERFDATA_IDS_MAX);
	return perfdata_file_error(f, code, err);
}

/* One event of the header: its attr, and its ids elsewhere. */
static int add_event(struct perfdata_file *f, const uint8_t *attr,
		     struct err *err)
{
	struct perfdata_section s =
		get_section(f, attr + f->header.attr_size - SECTION);
	size_t len = 0;
	uint8_t *ids = NULL;
	int ret;

	if (s.size) {
		ids = load_section(f, s, KEPT_MAX, &len);
		if (!ids)
			return err_set(err, -EBADMSG, "%s: damaged: the ids of "
				       "an event, at offset %" PRIu64 ", are "
				       "not in the file", f->name, s.offset);
	}
	/* many events may claim the same ids */
	f->ids_claimed += len / 8;
	ret = f->ids_claimed > 2 * (uint64_t)PERFDATA_IDS_MAX ? -EFBIG :
	      perfdata_events_add(&f->events, attr,
				  f->header.attr_size - SECTION, ids, len / 8);
	free(ids);
	return ret ? perfdata_file_events_error(f, ret, err) : 0;
}

static int read_attrs(struct perfdata_file *f, struct err *err)
{
	size_t each = f->header.attr_size, len;
	uint8_t *attrs;
	int ret = 0;

	if (!f->header.attrs.size)
		return 0;
	if (each < PERF_ATTR_SIZE_VER0 + SECTION || each > ATTR_MAX)
		return err_set(err, -EBADMSG, "%s: damaged: its header says "
			       "that an event takes %zu bytes", f->name, each);
	attrs = load_section(f, f->header.attrs, KEPT_MAX, &len);
	if (!attrs)
		return err_set(err, -EBADMSG, "%s: damaged: its events, at "
			       "offset %" PRIu64 ", are not in the file",
			       f->name, f->header.attrs.offset);
	for (size_t at = 0; ret == 0 && len - at >= each; at += each)
		ret = add_event(f, attrs + at, err);
	free(attrs);
	return ret;
}

/*
 * The bitmap of features consists of longs: in a file of a 32-bit big-endian
 * machine, the halves of each word are exchanged.  Each file has a host name.
 */
static void fix_features(struct perfdata_header *h, bool big_endian)
{
	bool has = h->features[0] >> PERFDATA_HOSTNAME & 1;
	bool exchanged = h->features[0] >> (32 + PERFDATA_HOSTNAME) & 1;

	for (size_t i = 0; big_endian && !has && exchanged && i < 4; i++)
		h->features[i] = h->features[i] << 32 | h->features[i] >> 32;
}

/*
 * A size of 0 for the records: perf was killed, and they reach to the end of
 * the file; unless its features follow at once.
 */
static bool has_no_size(struct perfdata_file *f)
{
	struct perfdata_section table = feature_table(f), first;

	if (f->header.data.size)
		return false;
	if (!table.size || perfdata_input_fill(&f->in, SECTION) < SECTION)
		return true;
	first = get_section(f, perfdata_input_next(&f->in));
	return first.offset != table.offset + table.size;
}

static void get_header(struct perfdata_file *f, const uint8_t *at)
{
	const struct perfdata_order order = f->events.order;
	struct perfdata_header *h = &f->header;

	h->size = perfdata_get64(order, at + 8);
	h->attr_size = perfdata_get64(order, at + 16);
	h->attrs = get_section(f, at + 24);
	h->data = get_section(f, at + 40);
	for (size_t i = 0; h->size >= WHOLE_HEADER && i < 4; i++)
		h->features[i] = perfdata_get64(order, at + OLD_HEADER + 8 * i);
	fix_features(h, f->found.info.big_endian);
}

static int read_file_header(struct perfdata_file *f, struct err *err)
{
	struct perfdata_header *h = &f->header;
	size_t want = MIN(h->size, WHOLE_HEADER);
	ssize_t got = perfdata_input_fill(&f->in, want);
	int ret = 0;

	if (got < 0)
		return perfdata_file_error(f, (int)got, err);
	if ((size_t)got < want)
		return err_set(err, -EBADMSG, "%s: truncated: it ends within "
			       "its header", f->name);
	get_header(f, perfdata_input_next(&f->in));
	if (h->data.offset < want)
		return err_set(err, -EBADMSG, "%s: damaged: its header says "
			       "that the records begin at offset %" PRIu64
			       ", within the header", f->name,
			       h->data.offset);
	if (!f->in.seeks && h->data.offset > KEPT_MAX)
		return err_set(err, -EBADMSG, "%s: its records begin at offset "
			       "%" PRIu64 ": too far for a pipe; use -i FILE",
			       f->name, h->data.offset);
	if (f->in.seeks)
		ret = perfdata_input_skip(&f->in, h->data.offset);
	else
		ret = perfdata_file_keep(f, &f->head, h->data.offset);
	if (ret == -ENODATA || (!ret && f->in.offset < h->data.offset))
		return err_set(err, -EBADMSG, "%s: truncated: its records "
			       "would begin at offset %" PRIu64 ", after its "
			       "end", f->name, h->data.offset);
	if (ret)
		return perfdata_file_error(f, ret, err);
	ret = read_attrs(f, err);
	if (ret)
		return ret;
	f->found.info.unfinished = has_no_size(f);
	if (!f->found.info.unfinished)
		f->records = h->data.size;
	if (f->in.seeks)
		read_features(f);
	return 0;
}

/* The magic of the first version is the same in both orders. */
static bool is_swapped_v1(const uint8_t *at)
{
	uint64_t header_size;

	memcpy(&header_size, at + 8, sizeof(header_size));
	return header_size > UINT32_MAX;
}

bool perfdata_file_is_recording(struct perfdata_file *f)
{
	const bool big_here = __BYTE_ORDER == __BIG_ENDIAN;
	struct perfdata_order *order = &f->events.order;
	const uint8_t *at;

	if (perfdata_input_fill(&f->in, PIPE_HEADER) < PIPE_HEADER)
		return false;
	at = perfdata_input_next(&f->in);
	if (!memcmp(at, "PERFILE2", 8)) {
		order->big = false;
	} else if (!memcmp(at, "2ELIFREP", 8)) {
		order->big = true;
	} else if (!memcmp(at, "PERFFILE", 8)) {
		f->found.info.form = PERFDATA_FORM_V1;
		order->big = is_swapped_v1(at) != big_here;
	} else {
		return false;
	}
	order->swapped = order->big != big_here;
	f->found.info.big_endian = order->big;
	return true;
}

int perfdata_file_read_header(struct perfdata_file *f, struct err *err)
{
	const uint8_t *at;
	ssize_t got = perfdata_input_fill(&f->in, PIPE_HEADER);

	if (got < 0)
		return perfdata_file_error(f, (int)got, err);
	if (got == 0)
		return err_set(err, -EBADMSG, "%s: not a recording: it is "
			       "empty", f->name);
	if (!perfdata_file_is_recording(f))
		return err_set(err, -EBADMSG, "%s: not a recording: it has "
			       "no perf.data header", f->name);
	at = perfdata_input_next(&f->in);
	f->header.size = perfdata_get64(f->events.order, at + 8);
	if (f->header.size == PIPE_HEADER) {
		f->found.info.form = PERFDATA_FORM_PIPE;
		perfdata_input_use(&f->in, PIPE_HEADER);
		return 0;
	}
	if (f->header.size < OLD_HEADER)
		return err_set(err, -EBADMSG, "%s: damaged: it says that its "
			       "header takes %" PRIu64 " bytes", f->name,
			       f->header.size);
	return read_file_header(f, err);
}

int perfdata_file_read_tail(struct perfdata_file *f, struct err *err)
{
	int ret;

	if (!f->in.seeks && !f->tail.bytes) {
		ret = perfdata_file_keep(f, &f->tail, KEPT_MAX);
		if (ret)
			return perfdata_file_error(f, ret, err);
		read_features(f);
	}
	if (f->no_features)
		return err_set(err, -EBADMSG, "%s: truncated: it ends at "
			       "offset %" PRIu64 ", before what perf appends "
			       "to the records", f->name,
			       f->in.seeks ? f->in.size : f->in.offset);
	return 0;
}

static int set_path(struct perfdata_file *f, const char *name,
		    struct err *err)
{
	int len = snprintf(f->path, sizeof(f->path), "%s%s%s", f->directory,
			   *f->directory ? "/" : "", name);

	if (len < 0 || (size_t)len >= sizeof(f->path))
		return err_errno(err, -ENAMETOOLONG, "reading %s", name);
	f->name = strcmp(f->path, "-") ? f->path : "standard input";
	return 0;
}

int perfdata_file_open(struct perfdata_file *f, const char *path,
		       struct err *err)
{
	int ret = set_path(f, path, err);

	if (ret == 0)
		ret = perfdata_input_open(&f->in, f->dir, path, f->path, err);
	if (ret != -EISDIR)
		return ret;
	if (*f->directory)
		return perfdata_file_error(f, ret, err);
	memcpy(f->directory, f->path, sizeof(f->directory));
	f->dir = f->in.fd;
	f->in.fd = -1;
	ret = perfdata_file_open(f, "data", err);
	if (ret == -ENOENT)
		err_set(err, ret, "%s: not a recording: a directory without a "
			"file \"data\"", f->directory);
	return ret;
}

int perfdata_file_again(struct perfdata_file *f,
			const struct perfdata_file *from, struct err *err)
{
	int ret;

	if (from->dir != AT_FDCWD) {
		memcpy(f->directory, from->directory, sizeof(f->directory));
		f->dir = fcntl(from->dir, F_DUPFD_CLOEXEC, 3);
		if (f->dir >= 0)
			return perfdata_file_open(f, "data", err);
		f->dir = AT_FDCWD;
		return perfdata_file_error(from, -errno, err);
	}
	ret = set_path(f, from->path, err);
	if (ret)
		return ret;
	ret = perfdata_input_again(&f->in, &from->in);
	if (from->in.copy_failed)
		return err_errno(err, ret, "%s: no samples: it could not be "
				 "copied to $TMPDIR or /tmp (limit %d MiB; -i "
				 "FILE needs no copy)", f->name,
				 (int)(PERFDATA_COPY_LIMIT >> 20));
	return ret ? err_errno(err, ret, "reading %s again", f->name) : 0;
}
