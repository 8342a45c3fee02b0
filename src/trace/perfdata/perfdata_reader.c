/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_reader.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_found.h"
#include "trace/perfdata/perfdata_input.h"

enum {
	HEADER = sizeof(struct perf_event_header),
	SECTION = sizeof(struct perfdata_section),
	PIPE_HEADER = 16,
	OLD_HEADER = offsetof(struct perfdata_header, features),
	WHOLE_HEADER = sizeof(struct perfdata_header),
	ATTR_LEAST = PERF_ATTR_SIZE_VER0,
	ATTR_SIZE = 4,		/* offset of perf_event_attr.size */
	ATTR_MOST = 4096,
	/* the most that is kept of what surrounds the records */
	KEPT_MOST = 64 << 20,
	COMPRESSED2_FIXED = 16,
	TRACING_DATA_FIXED = 12,
	FEATURE_FIXED = 16,
	UPDATE_FIXED = 24,
	UPDATE_NAME = 2,
};

/* A part of the file that is in memory. */
struct kept {
	uint64_t offset;
	uint8_t *bytes;
	size_t len, room;
};

struct perfdata_reader {
	char path[PATH_MAX];	/* of what is read now */
	struct perfdata_input in;
	struct perfdata_events events;
	struct perfdata_found found;
	struct perfdata_header header;
	struct kept head, tail;	/* of a pipe: before and after the records */
	struct kept tracing;	/* the feature or record TRACING_DATA */
	bool tracing_follows;	/* it is what @skip is of */
	uint64_t left;		/* bytes of records; UINT64_MAX: to the end */
	size_t use;		/* size of the last record */
	uint64_t skip;		/* bytes that follow it and are not read */
	bool overrun;		/* they would not fit the records */
	uint64_t ids_claimed;	/* by all events of the header */
	bool lacks_features;	/* the file ends before them */
	unsigned int part;	/* of a directory: data.N is next */
	char directory[PATH_MAX];	/* "": none */

	struct perfdata_unpack *unpack;	/* NULL: not needed yet */
	bool unpacking;		/* in a compressed record */
	uint64_t packed;	/* bytes of its piece that are left */
	uint64_t pieces;	/* bytes of the pieces after that */
	uint64_t padding;	/* after these */
	uint64_t packed_at;	/* its offset */
	size_t unpacked_use;	/* size of the last record in it */
};

bool perfdata_reader_decompresses(void)
{
	return perfdata_unpack_built_in();
}

const struct perfdata_info *
perfdata_reader_info(const struct perfdata_reader *r)
{
	return &r->found.info;
}

const struct perfdata_event_info *
perfdata_reader_event(const struct perfdata_reader *r, size_t i)
{
	return i < r->events.nr ? &r->events.list[i] : NULL;
}

static uint32_t get32(const struct perfdata_reader *r, const uint8_t *at)
{
	return perfdata_get32(r->events.order, at);
}

static uint64_t get64(const struct perfdata_reader *r, const uint8_t *at)
{
	return perfdata_get64(r->events.order, at);
}

static struct perfdata_section get_section(const struct perfdata_reader *r,
					   const uint8_t *at)
{
	return (struct perfdata_section){ get64(r, at), get64(r, at + 8) };
}

size_t perfdata_reader_copy(const struct perfdata_reader *r,
			    const struct perfdata_record *record,
			    uint64_t *copy)
{
	return perfdata_events_copy(&r->events, record, copy);
}

const struct perfdata_build_id *
perfdata_reader_build_ids(const struct perfdata_reader *r, size_t *nr)
{
	*nr = r->found.nr_build_ids;
	return r->found.build_ids;
}

int perfdata_reader_formats(const struct perfdata_reader *r,
			    perfdata_format_fn *fn, void *ctx)
{
	return perfdata_found_formats(r->tracing.bytes, r->tracing.len, fn,
				      ctx);
}

static const char *name_of(const struct perfdata_reader *r)
{
	return !strcmp(r->path, "-") ? "standard input" : r->path;
}

/* Keep what follows in the file, up to @most bytes.  0 or -errno. */
static int keep(struct perfdata_reader *r, struct kept *kept, uint64_t most)
{
	ssize_t got;

	kept->offset = r->in.offset;
	while (kept->len < most) {
		got = perfdata_input_fill(&r->in, 1);
		if (got <= 0)
			return (int)got;
		got = (ssize_t)MIN((uint64_t)got, most - kept->len);
		if (array_fit_most(kept->bytes, kept->room,
				   kept->len + (size_t)got, KEPT_MOST))
			return -ENOMEM;
		memcpy(kept->bytes + kept->len, perfdata_input_next(&r->in),
		       (size_t)got);
		kept->len += (size_t)got;
		perfdata_input_use(&r->in, (size_t)got);
	}
	return 0;
}

static bool is_kept(const struct kept *kept, struct perfdata_section s)
{
	return s.offset >= kept->offset &&
	       s.offset - kept->offset <= kept->len &&
	       s.size <= kept->len - (s.offset - kept->offset);
}

/* Whether all of a section is there: in the file, or in what is kept of it. */
static bool has_section(const struct perfdata_reader *r,
			struct perfdata_section s)
{
	if (r->in.seeks)
		return s.offset <= r->in.size &&
		       s.size <= r->in.size - s.offset;
	return is_kept(&r->head, s) || is_kept(&r->tail, s);
}

/*
 * A section into an allocation that the caller frees, or at most its first
 * @most bytes.  *@len bytes, or NULL if it is not in the file.
 */
static uint8_t *load_section(const struct perfdata_reader *r,
			     struct perfdata_section s, size_t most,
			     size_t *len)
{
	const struct kept *kept = is_kept(&r->head, s) ? &r->head : &r->tail;
	uint8_t *bytes;

	if (!has_section(r, s))
		return NULL;
	*len = MIN(s.size, most);
	bytes = malloc(*len + 1);
	if (!bytes)
		return NULL;
	if (!r->in.seeks)
		memcpy(bytes, kept->bytes + (s.offset - kept->offset), *len);
	else if (perfdata_input_at(&r->in, s.offset, bytes, *len) !=
		 (ssize_t)*len) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

static void take_tracing(struct perfdata_reader *r, const uint8_t *at,
			 size_t size)
{
	if (!size || r->tracing.bytes ||
	    array_fit(r->tracing.bytes, r->tracing.room, size))
		return;
	memcpy(r->tracing.bytes, at, size);
	r->tracing.len = size;
}

static void take_feature(struct perfdata_reader *r, uint64_t bit,
			 const uint8_t *at, size_t size)
{
	if (bit == PERFDATA_TRACING_DATA)
		take_tracing(r, at, size);
	else
		perfdata_found_feature(&r->found, &r->events, bit, at, size);
}

static bool has_feature(const struct perfdata_reader *r, unsigned int bit)
{
	return r->header.features[bit / 64] >> bit % 64 & 1;
}

/* The table of features, after the records, has a section for each bit. */
static struct perfdata_section feature_table(const struct perfdata_reader *r)
{
	struct perfdata_section table = r->header.data;

	table.offset += table.size;
	table.size = 0;
	for (unsigned int bit = 0; bit < 256; bit++)
		table.size += has_feature(r, bit) ? SECTION : 0;
	return table;
}

static void read_features(struct perfdata_reader *r)
{
	struct perfdata_section where = feature_table(r), s;
	size_t size, len;
	uint8_t *table, *bytes, *at;

	if (!where.size || r->found.info.unfinished)
		return;
	table = load_section(r, where, SIZE_MAX, &size);
	at = table;
	for (unsigned int bit = 0; table && bit < 256; bit++) {
		if (!has_feature(r, bit))
			continue;
		s = get_section(r, at);
		at += SECTION;
		/* simpleperf has its own beyond these */
		if (bit < PERFDATA_FEATURES && !has_section(r, s))
			r->lacks_features = r->tail.len < KEPT_MOST;
		if (bit >= PERFDATA_FEATURES || !perfdata_found_wants(bit))
			continue;
		bytes = load_section(r, s, KEPT_MOST, &len);
		if (bytes)
			take_feature(r, bit, bytes, len);
		free(bytes);
	}
	if (!table)
		r->lacks_features = true;
	free(table);
}

static int refuse_events(struct perfdata_reader *r, int code, struct err *err)
{
	if (code == -EFBIG)
		return err_set(err, code, "%s: damaged: more than %d events or "
			       "%d ids", name_of(r), PERFDATA_EVENTS_MAX,
			       PERFDATA_IDS_MAX);
	return err_errno(err, code, "reading %s", name_of(r));
}

/* One event of the header: its attr, and its ids elsewhere. */
static int add_event(struct perfdata_reader *r, const uint8_t *attr,
		     struct err *err)
{
	struct perfdata_section s =
		get_section(r, attr + r->header.attr_size - SECTION);
	size_t len = 0;
	uint8_t *ids = NULL;
	int ret;

	if (s.size) {
		ids = load_section(r, s, KEPT_MOST, &len);
		if (!ids)
			return err_set(err, -EBADMSG, "%s: damaged: the ids of "
				       "an event, at offset %" PRIu64 ", are "
				       "not in the file", name_of(r), s.offset);
	}
	/* many events may claim the same ids */
	r->ids_claimed += len / 8;
	ret = r->ids_claimed > 2 * (uint64_t)PERFDATA_IDS_MAX ? -EFBIG :
	      perfdata_events_add(&r->events, attr,
				  r->header.attr_size - SECTION, ids, len / 8);
	free(ids);
	return ret ? refuse_events(r, ret, err) : 0;
}

static int read_attrs(struct perfdata_reader *r, struct err *err)
{
	size_t each = r->header.attr_size, len;
	uint8_t *attrs;
	int ret = 0;

	if (!r->header.attrs.size)
		return 0;
	if (each < ATTR_LEAST + SECTION || each > ATTR_MOST)
		return err_set(err, -EBADMSG, "%s: damaged: its header says "
			       "that an event takes %zu bytes", name_of(r),
			       each);
	attrs = load_section(r, r->header.attrs, KEPT_MOST, &len);
	if (!attrs)
		return err_set(err, -EBADMSG, "%s: damaged: its events, at "
			       "offset %" PRIu64 ", are not in the file",
			       name_of(r), r->header.attrs.offset);
	for (size_t at = 0; ret == 0 && len - at >= each; at += each)
		ret = add_event(r, attrs + at, err);
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
static bool has_no_size(struct perfdata_reader *r)
{
	struct perfdata_section table = feature_table(r), first;

	if (r->header.data.size)
		return false;
	if (!table.size || perfdata_input_fill(&r->in, SECTION) < SECTION)
		return true;
	first = get_section(r, perfdata_input_next(&r->in));
	return first.offset != table.offset + table.size;
}

static void get_header(struct perfdata_reader *r, const uint8_t *at)
{
	struct perfdata_header *h = &r->header;

	h->size = get64(r, at + 8);
	h->attr_size = get64(r, at + 16);
	h->attrs = get_section(r, at + 24);
	h->data = get_section(r, at + 40);
	h->event_types = get_section(r, at + 56);
	for (size_t i = 0; h->size >= WHOLE_HEADER && i < 4; i++)
		h->features[i] = get64(r, at + OLD_HEADER + 8 * i);
	fix_features(h, r->found.info.big_endian);
}

static int read_file_header(struct perfdata_reader *r, struct err *err)
{
	struct perfdata_header *h = &r->header;
	size_t want = MIN(h->size, WHOLE_HEADER);
	ssize_t got = perfdata_input_fill(&r->in, want);
	int ret = 0;

	if (got < 0)
		return err_errno(err, (int)got, "reading %s", name_of(r));
	if ((size_t)got < want)
		return err_set(err, -EBADMSG, "%s: truncated: it ends within "
			       "its header", name_of(r));
	get_header(r, perfdata_input_next(&r->in));
	if (h->data.offset < want)
		return err_set(err, -EBADMSG, "%s: damaged: its header says "
			       "that the records begin at offset %" PRIu64
			       ", within the header", name_of(r),
			       h->data.offset);
	if (!r->in.seeks && h->data.offset > KEPT_MOST)
		return err_set(err, -EBADMSG, "%s: its records begin at offset "
			       "%" PRIu64 ": too far for a pipe; use -i FILE",
			       name_of(r), h->data.offset);
	if (r->in.seeks)
		ret = perfdata_input_skip(&r->in, h->data.offset);
	else
		ret = keep(r, &r->head, h->data.offset);
	if (ret == -ENODATA || (!ret && r->in.offset < h->data.offset))
		return err_set(err, -EBADMSG, "%s: truncated: its records "
			       "would begin at offset %" PRIu64 ", after its "
			       "end", name_of(r), h->data.offset);
	if (ret)
		return err_errno(err, ret, "reading %s", name_of(r));
	ret = read_attrs(r, err);
	if (ret)
		return ret;
	r->found.info.unfinished = has_no_size(r);
	r->left = r->found.info.unfinished ? UINT64_MAX : h->data.size;
	if (r->in.seeks)
		read_features(r);
	return 0;
}

/* The magic of the first version is the same in both orders. */
static bool is_swapped_v1(const uint8_t *at)
{
	uint64_t header_size;

	memcpy(&header_size, at + 8, sizeof(header_size));
	return header_size > UINT32_MAX;
}

/* By the first @len bytes.  False: not a recording. */
static bool find_order(struct perfdata_reader *r, const uint8_t *at, size_t len)
{
	const bool big_here = __BYTE_ORDER == __BIG_ENDIAN;
	struct perfdata_order *order = &r->events.order;

	if (len < PIPE_HEADER)
		return false;
	if (!memcmp(at, "PERFILE2", 8)) {
		order->big = false;
	} else if (!memcmp(at, "2ELIFREP", 8)) {
		order->big = true;
	} else if (!memcmp(at, "PERFFILE", 8)) {
		r->found.info.form = PERFDATA_FORM_V1;
		order->big = is_swapped_v1(at) != big_here;
	} else {
		return false;
	}
	order->swapped = order->big != big_here;
	r->found.info.big_endian = order->big;
	return true;
}

static int read_header(struct perfdata_reader *r, struct err *err)
{
	const uint8_t *at;
	ssize_t got = perfdata_input_fill(&r->in, PIPE_HEADER);

	if (got < 0)
		return err_errno(err, (int)got, "reading %s", name_of(r));
	at = perfdata_input_next(&r->in);
	if (got == 0)
		return err_set(err, -EBADMSG, "%s: not a recording: it is "
			       "empty", name_of(r));
	if (!find_order(r, at, (size_t)got))
		return err_set(err, -EBADMSG, "%s: not a recording: it has "
			       "no perf.data header",
			       name_of(r));
	r->header.size = get64(r, at + 8);
	if (r->header.size == PIPE_HEADER) {
		r->found.info.form = PERFDATA_FORM_PIPE;
		perfdata_input_use(&r->in, PIPE_HEADER);
		return 0;
	}
	if (r->header.size < OLD_HEADER)
		return err_set(err, -EBADMSG, "%s: damaged: it says that its "
			       "header takes %" PRIu64 " bytes", name_of(r),
			       r->header.size);
	return read_file_header(r, err);
}

static int set_path(struct perfdata_reader *r, const char *name,
		    struct err *err)
{
	int len = snprintf(r->path, sizeof(r->path), "%s%s%s", r->directory,
			   *r->directory ? "/" : "", name);

	if (len < 0 || (size_t)len >= sizeof(r->path))
		return err_errno(err, -ENAMETOOLONG, "reading %s", name);
	return 0;
}

static int open_file(struct perfdata_reader *r, const char *path,
		     struct err *err)
{
	int ret = set_path(r, path, err);

	if (ret == 0)
		ret = perfdata_input_open(&r->in, r->path, err);
	if (ret != -EISDIR || *r->directory)
		return ret == -EISDIR ?
			       err_errno(err, ret, "reading %s", r->path) : ret;
	memcpy(r->directory, r->path, sizeof(r->directory));
	perfdata_input_close(&r->in);
	ret = open_file(r, "data", err);
	if (ret == -ENOENT)
		err_set(err, ret, "%s: not a recording: a directory without a "
			"file \"data\"", r->directory);
	return ret;
}

static struct perfdata_reader *make_reader(const char *path, struct err *err)
{
	struct perfdata_reader *r = calloc(1, sizeof(*r));

	if (!r) {
		err_errno(err, -ENOMEM, "reading %s", path);
		return NULL;
	}
	r->in.fd = -1;
	r->left = UINT64_MAX;
	r->found.info.cpus_available = r->found.info.cpus = r->found.info.ring_size = UNKNOWN;
	return r;
}

struct perfdata_reader *
perfdata_reader_again(const struct perfdata_reader *from, struct err *err)
{
	struct perfdata_reader *r = make_reader(from->path, err);
	int ret;

	if (!r)
		return NULL;
	memcpy(r->path, from->path, sizeof(r->path));
	ret = *from->directory ? -EISDIR :
				 perfdata_input_again(&r->in, &from->in);
	if (ret)
		err_errno(err, ret, "reading %s again", from->path);
	else
		ret = read_header(r, err);
	if (ret == 0)
		return r;
	perfdata_reader_free(r);
	return NULL;
}

struct perfdata_reader *perfdata_reader_open(const char *path, struct err *err)
{
	struct perfdata_reader *r = make_reader(path, err);
	int ret;

	if (!r)
		return NULL;
	ret = open_file(r, path, err);
	if (ret == 0)
		ret = read_header(r, err);
	if (ret) {
		perfdata_reader_free(r);
		return NULL;
	}
	if (*r->directory)
		r->found.info.form = PERFDATA_FORM_DIRECTORY;
	return r;
}

void perfdata_reader_free(struct perfdata_reader *r)
{
	if (!r)
		return;
	perfdata_input_close(&r->in);
	perfdata_events_free(&r->events);
	perfdata_unpack_free(r->unpack);
	free(r->head.bytes);
	free(r->tail.bytes);
	free(r->tracing.bytes);
	perfdata_found_free(&r->found);
	free(r);
}

bool perfdata_reader_knows(const char *path)
{
	struct perfdata_reader *r = NULL;
	struct err err = { 0 };
	char data[PATH_MAX];
	struct stat st;
	ssize_t got;
	bool knows = false;

	if (strcmp(path, "-") != 0 && stat(path, &st) == 0) {
		snprintf(data, sizeof(data), "%s%s", path,
			 S_ISDIR(st.st_mode) ? "/data" : "");
		/* others may keep it waiting */
		if (stat(data, &st) == 0 && S_ISREG(st.st_mode))
			r = calloc(1, sizeof(*r));
	}
	if (!r)
		return false;
	r->in.fd = -1;
	if (open_file(r, path, &err) == 0) {
		got = perfdata_input_fill(&r->in, PIPE_HEADER);
		knows = got > 0 && find_order(r, perfdata_input_next(&r->in),
					      (size_t)got);
	}
	perfdata_reader_free(r);
	return knows;
}

/* The events that a pipe has as records: the attr, then its ids. */
static int take_attr(struct perfdata_reader *r,
		     const struct perfdata_record *rec)
{
	const uint8_t *attr = rec->bytes + HEADER;
	size_t left = rec->size - HEADER, size;

	if (left < ATTR_LEAST)
		return 0;
	size = get32(r, attr + ATTR_SIZE);
	if (size == 0)
		size = ATTR_LEAST;
	if (size < ATTR_LEAST || size > left)
		return 0;
	return perfdata_events_add(&r->events, attr, size, attr + size,
				   (left - size) / 8);
}

static void take_update(struct perfdata_reader *r,
			const struct perfdata_record *rec)
{
	if (rec->size > UPDATE_FIXED &&
	    get64(r, rec->bytes + HEADER) == UPDATE_NAME)
		perfdata_events_name_id(&r->events,
					get64(r, rec->bytes + HEADER + 8),
					rec->bytes + UPDATE_FIXED,
					rec->size - UPDATE_FIXED);
}

/* Take over what configures the reader.  0 or -errno. */
static int configure(struct perfdata_reader *r,
		     const struct perfdata_record *rec)
{
	switch (rec->type) {
	case PERFDATA_RECORD_ATTR:
		return take_attr(r, rec);
	case PERFDATA_RECORD_ID_INDEX:
		return perfdata_events_index(&r->events, rec->bytes, rec->size);
	case PERFDATA_RECORD_EVENT_UPDATE:
		take_update(r, rec);
		break;
	case PERFDATA_RECORD_BUILD_ID:
		perfdata_found_build_id(&r->found, r->events.order, rec->bytes,
					rec->size);
		break;
	case PERFDATA_RECORD_FEATURE:
		if (rec->size >= FEATURE_FIXED)
			take_feature(r, get64(r, rec->bytes + HEADER),
				     rec->bytes + FEATURE_FIXED,
				     rec->size - FEATURE_FIXED);
		break;
	}
	return 0;
}

static void get_record(const struct perfdata_reader *r, const uint8_t *at,
		       uint64_t offset, struct perfdata_record *rec)
{
	*rec = (struct perfdata_record){
		.type = get32(r, at),
		.misc = perfdata_get16(r->events.order, at + 4),
		.size = perfdata_get16(r->events.order, at + 6),
		.part = r->part,
		.offset = offset,
		.bytes = at,
	};
}

/* "FILE: damaged at offset N: ..." */
__attribute__((format(printf, 4, 5)))
static int refuse_at(const struct perfdata_reader *r, uint64_t offset,
		     struct err *err, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, -EBADMSG, "%s: damaged at offset %" PRIu64 ": %s",
		       name_of(r), offset, what);
}

static int finish_record(struct perfdata_reader *r, struct perfdata_record *rec,
			 struct err *err)
{
	int ret = configure(r, rec);

	if (ret)
		return refuse_events(r, ret, err);
	perfdata_events_decode(&r->events, rec);
	return 1;
}

/*
 * Where a piece of a COMPRESSED2 ends.  perf compresses what it took from a
 * ring into pieces of at most 64K, each with a header; the size in the first is
 * that of all pieces.  @all: bytes that are left of these.
 */
static uint64_t piece_size(struct perfdata_reader *r, uint64_t all)
{
	static const uint32_t ends[] = { 65519, 65527 };
	const uint8_t *at;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (all < ends[i] + COMPRESSED2_FIXED ||
		    perfdata_input_fill(&r->in, ends[i] + COMPRESSED2_FIXED) <
			    (ssize_t)(ends[i] + COMPRESSED2_FIXED))
			break;
		at = perfdata_input_next(&r->in) + ends[i];
		if (get32(r, at) == PERFDATA_RECORD_COMPRESSED2)
			return ends[i];
	}
	return all;
}

/* Go on with the next piece, after its header. */
static void next_piece(struct perfdata_reader *r)
{
	uint64_t all = r->pieces - COMPRESSED2_FIXED;

	perfdata_input_use(&r->in, COMPRESSED2_FIXED);
	r->packed = piece_size(r, all);
	r->pieces = all - r->packed;
}

/*
 * The next record in the compressed one.  1; 0 if the rest of it, if any,
 * follows in a later one; or -errno with @err.
 */
static int next_unpacked(struct perfdata_reader *r, struct perfdata_record *rec,
			 struct err *err)
{
	const uint8_t *at;
	int64_t used;
	ssize_t got;
	size_t size;

	perfdata_unpack_use(r->unpack, r->unpacked_use);
	r->unpacked_use = 0;
	for (;;) {
		at = perfdata_unpack_next(r->unpack, &size);
		if (size >= HEADER) {
			get_record(r, at, r->packed_at, rec);
			if (rec->size < HEADER ||
			    rec->type == PERFDATA_RECORD_AUXTRACE ||
			    rec->type == PERFDATA_RECORD_COMPRESSED ||
			    rec->type == PERFDATA_RECORD_COMPRESSED2)
				return refuse_at(r, r->packed_at, err,
					"its decompressed data has a record of "
					"type %" PRIu32 " and %" PRIu64
					" bytes",
					rec->type, rec->size);
			if (rec->size <= size) {
				r->unpacked_use = rec->size;
				return finish_record(r, rec, err);
			}
		}
		if (!r->packed && r->pieces)
			next_piece(r);
		if (!r->packed && !perfdata_unpack_pending(r->unpack))
			return 0;
		got = r->packed ? perfdata_input_fill(&r->in, 1) : 0;
		if (got < 0)
			return err_errno(err, (int)got, "reading %s",
					 name_of(r));
		if (got == 0 && r->packed)
			return refuse_at(r, r->packed_at, err, "the file ends "
					 "within a compressed record");
		size = MIN((uint64_t)got, r->packed);
		used = perfdata_unpack_more(r->unpack,
					    perfdata_input_next(&r->in), size);
		if (used < 0)
			return refuse_at(r, r->packed_at, err, "a compressed "
					 "record cannot be decompressed");
		perfdata_input_use(&r->in, (size_t)used);
		r->packed -= (uint64_t)used;
	}
}

/* Bytes after a record that its size does not include. */
static uint64_t bytes_after(const struct perfdata_reader *r,
			    const struct perfdata_record *rec)
{
	uint64_t size;

	if (rec->type == PERFDATA_RECORD_AUXTRACE)
		return rec->trace;
	if (rec->type != PERFDATA_RECORD_TRACING_DATA ||
	    rec->size < TRACING_DATA_FIXED)
		return 0;
	size = get32(r, rec->bytes + HEADER);
	/* simpleperf's size includes them */
	return rec->size - TRACING_DATA_FIXED >= size && size ?
		       0 : perfdata_align(size, sizeof(uint64_t));
}

/* @bytes fewer are left of the records. */
static void spend(struct perfdata_reader *r, uint64_t bytes)
{
	if (r->left != UINT64_MAX)
		r->left -= bytes;
}

/*
 * Begin with a compressed record.  Its bytes follow @fixed ones; the size of a
 * COMPRESSED2 says how many, since they may be more than its header can.
 */
static int begin_unpacking(struct perfdata_reader *r,
			   struct perfdata_record *rec, struct err *err)
{
	uint64_t fixed = HEADER, packed = rec->size - HEADER;

	if (rec->type == PERFDATA_RECORD_COMPRESSED2) {
		fixed = COMPRESSED2_FIXED;
		packed = get64(r, rec->bytes + HEADER);
		if (packed > MIN(r->left, INT64_MAX) - fixed)
			return refuse_at(r, rec->offset, err, "a compressed "
					 "record has %" PRIu64 " bytes, more "
					 "than are left", packed);
		if (rec->size < fixed + packed)
			rec->size = perfdata_align(fixed + packed, 8);
	}
	rec->bytes = NULL;
	if (!r->unpack && perfdata_unpack_built_in()) {
		r->unpack = perfdata_unpack_new();
		if (!r->unpack)
			return err_errno(err, -ENOMEM, "reading %s",
					 name_of(r));
	}
	perfdata_events_decode(&r->events, rec);
	perfdata_input_use(&r->in, (size_t)fixed);
	r->padding = MIN(rec->size, r->left) - fixed - packed;
	spend(r, MIN(rec->size, r->left));
	if (!r->unpack) {
		r->found.info.compressed_unread++;
		r->skip = packed + r->padding;
		return 1;
	}
	r->unpacking = true;
	r->packed_at = rec->offset;
	r->packed = rec->type == PERFDATA_RECORD_COMPRESSED2 ?
			    piece_size(r, packed) : packed;
	r->pieces = packed - r->packed;
	return 1;
}

/* Go to what follows the last record.  0, or -errno with @err. */
static int advance(struct perfdata_reader *r, struct err *err)
{
	uint64_t at = r->in.offset;
	int ret;

	perfdata_input_use(&r->in, r->use);
	r->use = 0;
	if (!r->skip)
		return 0;
	if (r->tracing_follows && !r->overrun) {
		ret = keep(r, &r->tracing, MIN(r->skip, KEPT_MOST));
		if (ret)
			return err_errno(err, ret, "reading %s", name_of(r));
		r->skip -= r->tracing.len;
	}
	r->tracing_follows = false;
	ret = r->overrun ? -ENODATA : perfdata_input_skip(&r->in, r->skip);
	if (ret == -ENODATA)
		return refuse_at(r, at, err, "%" PRIu64 " bytes should follow "
				 "this record, more than there are", r->skip);
	r->skip = 0;
	return ret ? err_errno(err, ret, "reading %s", name_of(r)) : 0;
}

/* After the records: what a pipe has behind them.  0 or -errno with @err. */
static int finish_file(struct perfdata_reader *r, struct err *err)
{
	size_t rest = 0;
	int ret;

	if (r->unpack)
		perfdata_unpack_next(r->unpack, &rest);
	if (rest)
		return refuse_at(r, r->in.offset, err, "the last compressed "
				 "record ends within a record");
	if (r->left == 0 && !r->in.seeks && !r->tail.bytes) {
		ret = keep(r, &r->tail, KEPT_MOST);
		if (ret < 0)
			return err_errno(err, ret, "reading %s", name_of(r));
		read_features(r);
	}
	if (r->lacks_features)
		return err_set(err, -EBADMSG, "%s: truncated: it ends at "
			       "offset %" PRIu64 ", before what perf appends "
			       "to the records", name_of(r),
			       r->in.seeks ? r->in.size : r->in.offset);
	return 0;
}

/* Go on with data.N of a directory.  1, 0 if there is none, or -errno. */
static int next_part(struct perfdata_reader *r, struct err *err)
{
	char name[32];
	int ret;

	if (!*r->directory)
		return 0;
	perfdata_input_close(&r->in);
	snprintf(name, sizeof(name), "data.%u", r->part++);
	ret = open_file(r, name, err);
	if (ret == -ENOENT)
		return 0;
	if (ret)
		return ret;
	r->left = UINT64_MAX;
	if (r->unpack)
		perfdata_unpack_reset(r->unpack);
	return 1;
}

static int refuse_end(const struct perfdata_reader *r, size_t got,
		      struct err *err)
{
	if (r->left != UINT64_MAX && got < r->left)
		return err_set(err, -EBADMSG, "%s: truncated: it ends at offset "
			       "%" PRIu64 ", %" PRIu64 " bytes before the end "
			       "of its records", name_of(r),
			       r->in.offset + got, r->left - got);
	return err_set(err, -EBADMSG, "%s: truncated: it ends at offset %"
		       PRIu64 ", within the record at offset %" PRIu64,
		       name_of(r), r->in.offset + got, r->in.offset);
}

/* The next record of the file itself.  1, 0 at the end, or -errno with @err. */
static int next_outer(struct perfdata_reader *r, struct perfdata_record *rec,
		      struct err *err)
{
	ssize_t got;
	int ret;

	if (r->left == 0)
		return 0;
	got = perfdata_input_fill(&r->in, COMPRESSED2_FIXED);
	if (got == 0 && r->left == UINT64_MAX)
		return 0;
	if (got < 0)
		return err_errno(err, (int)got, "reading %s", name_of(r));
	if (got < HEADER)
		return refuse_end(r, (size_t)got, err);
	if (r->left < HEADER)
		return refuse_at(r, r->in.offset, err, "its last %" PRIu64
				 " bytes are not a record", r->left);
	get_record(r, perfdata_input_next(&r->in), r->in.offset, rec);
	if (rec->type == PERFDATA_RECORD_COMPRESSED2 &&
	    got >= COMPRESSED2_FIXED && r->left >= COMPRESSED2_FIXED)
		return begin_unpacking(r, rec, err);
	if (rec->size < HEADER)
		return refuse_at(r, rec->offset, err, "a record of type %"
				 PRIu32 " has %" PRIu64 " bytes, fewer than its "
				 "own header", rec->type, rec->size);
	if (rec->size > r->left)
		return refuse_at(r, rec->offset, err, "a record of type %"
				 PRIu32 " has %" PRIu64 " bytes, but only %"
				 PRIu64 " are left", rec->type, rec->size,
				 r->left);
	if (rec->type == PERFDATA_RECORD_COMPRESSED)
		return begin_unpacking(r, rec, err);
	got = perfdata_input_fill(&r->in, rec->size);
	if (got < 0)
		return err_errno(err, (int)got, "reading %s", name_of(r));
	if ((size_t)got < rec->size)
		return refuse_end(r, (size_t)got, err);
	rec->bytes = perfdata_input_next(&r->in);
	ret = finish_record(r, rec, err);
	if (ret < 0)
		return ret;
	r->use = rec->size;
	spend(r, rec->size);
	r->skip = bytes_after(r, rec);
	r->tracing_follows = rec->type == PERFDATA_RECORD_TRACING_DATA &&
			     !r->tracing.bytes;
	r->overrun = r->skip > r->left;
	if (!r->overrun)
		spend(r, r->skip);
	return 1;
}

int perfdata_reader_next(struct perfdata_reader *r,
			 struct perfdata_record *record, struct err *err)
{
	int ret;

	for (;;) {
		if (r->unpacking) {
			ret = next_unpacked(r, record, err);
			if (ret)
				return ret;
			r->unpacking = false;
			r->skip = r->padding;
		}
		ret = advance(r, err);
		if (ret == 0)
			ret = next_outer(r, record, err);
		if (ret)
			return ret;
		ret = finish_file(r, err);
		if (ret == 0)
			ret = next_part(r, err);
		if (ret <= 0)
			return ret;
	}
}
