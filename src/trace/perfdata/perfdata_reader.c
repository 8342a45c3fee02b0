/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_reader.h"

#include <errno.h>
#include <fcntl.h>
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
#include "base/sys.h"
#include "trace/perfdata/perfdata_file.h"

enum {
	HEADER = sizeof(struct perf_event_header),
	ATTR_SIZE = 4,		/* offset of perf_event_attr.size */
	COMPRESSED2_FIXED = 16,
	TRACING_DATA_FIXED = 12,
	FEATURE_FIXED = 16,
	UPDATE_FIXED = 24,
	UPDATE_NAME = 2,
	FILES = 1 << 14,	/* open ones: for each CPU, and twice at times */
};

#define TURN_NS UINT64_C(5000000)	/* of a part, until another is behind */

struct perfdata_reader {
	struct perfdata_file file;
	unsigned int part;	/* of a directory: data.N is next */
	uint64_t left;		/* bytes of records; UINT64_MAX: to the end */
	size_t use;		/* size of the last record */
	uint64_t skip;		/* bytes that follow it and are not read */
	bool tracing_follows;	/* they are tracing data to be kept */
	bool overrun;		/* they would not fit the records */

	struct perfdata_unpack *unpack;	/* NULL: not needed yet */
	bool unpacking;		/* in a compressed record */
	uint64_t packed;	/* bytes of its piece that are left */
	uint64_t pieces;	/* bytes of the pieces after that */
	uint64_t padding;	/* after these */
	uint64_t packed_at;	/* its offset */
	size_t unpacked_use;	/* size of the last record in it */

	/* of a directory that is read again: by time */
	bool by_time;
	bool borrows;		/* a part: its events are the directory's */
	unsigned int until;	/* as far as it was read: up to data.N */
	uint64_t last;		/* no record is later; UNKNOWN */
	struct err failed;	/* of a part; the others are still read */
	struct perfdata_reader **parts;	/* not at their end, after "data" */
	size_t nr_parts, parts_cap;
	size_t now;		/* that is read; @nr_parts: none is chosen */
	uint64_t reached;	/* latest time; of a directory: of the part that
				 * is read, when it was chosen */
};

bool perfdata_reader_decompresses(void)
{
	return perfdata_unpack_built_in();
}

const struct perfdata_info *
perfdata_reader_info(const struct perfdata_reader *r)
{
	return &r->file.found.info;
}

const struct perfdata_event_info *
perfdata_reader_event(const struct perfdata_reader *r, size_t i)
{
	return i < r->file.events.nr ? &r->file.events.list[i] : NULL;
}

static uint32_t get32(const struct perfdata_reader *r, const uint8_t *at)
{
	return perfdata_get32(r->file.events.order, at);
}

static uint64_t get64(const struct perfdata_reader *r, const uint8_t *at)
{
	return perfdata_get64(r->file.events.order, at);
}

size_t perfdata_reader_copy(const struct perfdata_reader *r,
			    const struct perfdata_record *record,
			    uint64_t *copy)
{
	return perfdata_events_copy(&r->file.events, record, copy);
}

const struct perfdata_build_id *
perfdata_reader_build_ids(const struct perfdata_reader *r, size_t *nr)
{
	*nr = r->file.found.nr_build_ids;
	return r->file.found.build_ids;
}

int perfdata_reader_formats(const struct perfdata_reader *r,
			    perfdata_format_fn *fn, void *ctx)
{
	return perfdata_found_formats(r->file.tracing.bytes,
				      r->file.tracing.len, fn, ctx);
}

/* Reads the file of @from again, or opens @path.  NULL with @err. */
static struct perfdata_reader *make_reader(const struct perfdata_reader *from,
					   const char *path, bool copied,
					   struct err *err)
{
	struct perfdata_reader *r = calloc(1, sizeof(*r));
	int ret;

	if (!r) {
		err_errno(err, -ENOMEM, "reading %s", path);
		return NULL;
	}
	perfdata_file_init(&r->file);
	ret = from ? perfdata_file_again(&r->file, &from->file, err) :
		     perfdata_file_open(&r->file, path, err);
	r->file.found.info.written = r->file.in.written;
	if (ret == 0 && copied)
		perfdata_input_copy(&r->file.in);
	if (ret == 0)
		ret = perfdata_file_read_header(&r->file, err);
	if (ret) {
		perfdata_reader_free(r);
		return NULL;
	}
	r->left = r->file.records;
	if (*r->file.directory)
		r->file.found.info.form = PERFDATA_FORM_DIRECTORY;
	r->by_time = from && *r->file.directory;
	if (r->by_time)
		r->until = from->by_time ? from->until : from->part;
	return r;
}

struct perfdata_reader *
perfdata_reader_again(const struct perfdata_reader *from, uint64_t last,
		      struct err *err)
{
	struct perfdata_reader *r = make_reader(from, from->file.path, false,
						err);

	if (r)
		r->last = last;
	return r;
}

struct perfdata_reader *perfdata_reader_open(const char *path, bool copied,
					     struct err *err)
{
	return make_reader(NULL, path, copied, err);
}

void perfdata_reader_free(struct perfdata_reader *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nr_parts; i++)
		perfdata_reader_free(r->parts[i]);
	free(r->parts);
	if (r->borrows)
		r->file.events = (struct perfdata_events){ 0 };
	perfdata_file_free(&r->file);
	perfdata_unpack_free(r->unpack);
	free(r);
}

bool perfdata_reader_knows(const char *path)
{
	struct perfdata_file *f = NULL;
	struct err err = { 0 };
	char data[PATH_MAX];
	struct stat st;
	bool knows;

	if (strcmp(path, "-") != 0 && stat(path, &st) == 0) {
		snprintf(data, sizeof(data), "%s%s", path,
			 S_ISDIR(st.st_mode) ? "/data" : "");
		/* others may keep it waiting */
		if (stat(data, &st) == 0 && S_ISREG(st.st_mode))
			f = malloc(sizeof(*f));
	}
	if (!f)
		return false;
	perfdata_file_init(f);
	knows = perfdata_file_open(f, path, &err) == 0 &&
		perfdata_file_is_recording(f);
	perfdata_file_free(f);
	free(f);
	return knows;
}

/* The events that a pipe has as records: the attr, then its ids. */
static int take_attr(struct perfdata_reader *r,
		     const struct perfdata_record *rec)
{
	const uint8_t *attr = rec->bytes + HEADER;
	size_t left = rec->size - HEADER, size;

	if (left < PERF_ATTR_SIZE_VER0)
		return 0;
	size = get32(r, attr + ATTR_SIZE);
	if (size == 0)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > left)
		return 0;
	return perfdata_events_add(&r->file.events, attr, size, attr + size,
				   (left - size) / 8);
}

static void take_update(struct perfdata_reader *r,
			const struct perfdata_record *rec)
{
	if (rec->size > UPDATE_FIXED &&
	    get64(r, rec->bytes + HEADER) == UPDATE_NAME)
		perfdata_events_name_id(&r->file.events,
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
		return perfdata_events_index(&r->file.events, rec->bytes,
					     rec->size);
	case PERFDATA_RECORD_EVENT_UPDATE:
		take_update(r, rec);
		break;
	case PERFDATA_RECORD_BUILD_ID:
		perfdata_found_build_id(&r->file.found, r->file.events.order,
					rec->bytes, rec->size);
		break;
	case PERFDATA_RECORD_FEATURE:
		if (rec->size >= FEATURE_FIXED)
			perfdata_file_feature(&r->file,
					      get64(r, rec->bytes + HEADER),
					      rec->bytes + FEATURE_FIXED,
					      rec->size - FEATURE_FIXED);
		break;
	}
	return 0;
}

/* What perfdata_events_decode() does not fill: most time is spent in these. */
static void get_record(const struct perfdata_reader *r, const uint8_t *at,
		       uint64_t offset, struct perfdata_record *rec)
{
	rec->type = get32(r, at);
	rec->misc = perfdata_get16(r->file.events.order, at + 4);
	rec->size = perfdata_get16(r->file.events.order, at + 6);
	rec->part = r->part;
	rec->offset = offset;
	rec->bytes = at;
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
		       r->file.name, offset, what);
}

static int finish_record(struct perfdata_reader *r, struct perfdata_record *rec,
			 struct err *err)
{
	int ret = r->borrows ? 0 : configure(r, rec);

	if (ret)
		return perfdata_file_events_error(&r->file, ret, err);
	perfdata_events_decode(&r->file.events, rec);
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
		    perfdata_input_fill(&r->file.in,
					ends[i] + COMPRESSED2_FIXED) <
			    (ssize_t)(ends[i] + COMPRESSED2_FIXED))
			break;
		at = perfdata_input_next(&r->file.in) + ends[i];
		if (get32(r, at) == PERFDATA_RECORD_COMPRESSED2)
			return ends[i];
	}
	return all;
}

/* Go on with the next piece, after its header. */
static void next_piece(struct perfdata_reader *r)
{
	uint64_t all = r->pieces - COMPRESSED2_FIXED;

	perfdata_input_use(&r->file.in, COMPRESSED2_FIXED);
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
		got = r->packed ? perfdata_input_fill(&r->file.in, 1) : 0;
		if (got < 0)
			return perfdata_file_error(&r->file, (int)got, err);
		if (got == 0 && r->packed)
			return refuse_at(r, r->packed_at, err, "the file ends "
					 "within a compressed record");
		size = MIN((uint64_t)got, r->packed);
		used = perfdata_unpack_more(r->unpack,
					    perfdata_input_next(&r->file.in),
					    size);
		if (used < 0)
			return refuse_at(r, r->packed_at, err, "a compressed "
					 "record cannot be decompressed");
		perfdata_input_use(&r->file.in, (size_t)used);
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
			return perfdata_file_error(&r->file, -ENOMEM, err);
	}
	perfdata_events_decode(&r->file.events, rec);
	perfdata_input_use(&r->file.in, (size_t)fixed);
	r->padding = MIN(rec->size, r->left) - fixed - packed;
	spend(r, MIN(rec->size, r->left));
	if (!r->unpack) {
		r->file.found.info.compressed_unread++;
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
	uint64_t at = r->file.in.offset;
	int ret;

	perfdata_input_use(&r->file.in, r->use);
	r->use = 0;
	if (!r->skip)
		return 0;
	if (r->tracing_follows && !r->overrun) {
		ret = perfdata_file_keep(&r->file, &r->file.tracing, r->skip);
		if (ret)
			return perfdata_file_error(&r->file, ret, err);
		r->skip -= r->file.tracing.len;
	}
	r->tracing_follows = false;
	ret = r->overrun ? -ENODATA : perfdata_input_skip(&r->file.in, r->skip);
	if (ret == -ENODATA)
		return refuse_at(r, at, err, "%" PRIu64 " bytes should follow "
				 "this record, more than there are", r->skip);
	r->skip = 0;
	return ret ? perfdata_file_error(&r->file, ret, err) : 0;
}

/* After the last record of the file.  0 or -errno with @err. */
static int finish_file(struct perfdata_reader *r, struct err *err)
{
	size_t rest = 0;

	if (r->unpack)
		perfdata_unpack_next(r->unpack, &rest);
	if (rest)
		return refuse_at(r, r->file.in.offset, err, "the last "
				 "compressed record ends within a record");
	return perfdata_file_read_tail(&r->file, err);
}

/* Open data.@n of a directory.  1, 0 if there is none, or -errno. */
static int open_data(struct perfdata_file *f, unsigned int n, struct err *err)
{
	char name[32];
	int ret;

	snprintf(name, sizeof(name), "data.%u", n);
	ret = perfdata_file_open(f, name, err);
	if (ret != -ENOENT)
		return ret ? ret : 1;
	*err = (struct err){ 0 };
	return 0;
}

/* Go on with data.N of a directory.  As open_data(). */
static int next_part(struct perfdata_reader *r, struct err *err)
{
	int ret;

	if (!*r->file.directory)
		return 0;
	perfdata_input_close(&r->file.in);
	ret = open_data(&r->file, r->part++, err);
	if (ret <= 0)
		return ret;
	r->left = UINT64_MAX;
	if (r->unpack)
		perfdata_unpack_reset(r->unpack);
	return 1;
}

/* Open the next of @r, to be read by time.  As open_data(). */
static int open_part(struct perfdata_reader *r, struct err *err)
{
	struct perfdata_reader *part = calloc(1, sizeof(*part));
	unsigned int n = (unsigned int)r->nr_parts;
	int ret;

	if (!part || array_fit(r->parts, r->parts_cap, r->nr_parts + 1)) {
		free(part);
		return perfdata_file_error(&r->file, -ENOMEM, err);
	}
	perfdata_file_init(&part->file);
	memcpy(part->file.directory, r->file.directory,
	       sizeof(part->file.directory));
	part->file.dir = r->file.dir;
	ret = open_data(&part->file, n, err);
	/* no other part follows it */
	part->file.dir = AT_FDCWD;
	part->file.directory[0] = '\0';
	if (ret <= 0) {
		perfdata_reader_free(part);
		return ret;
	}
	part->file.events = r->file.events;
	part->borrows = true;
	part->part = n + 1;
	part->left = UINT64_MAX;
	r->parts[r->nr_parts++] = part;
	return 1;
}

/* Once "data", which has no times, is read.  0 or -errno with @err. */
static int open_parts(struct perfdata_reader *r, struct err *err)
{
	int ret;

	sys_raise_nofile(FILES);
	do {
		ret = r->nr_parts < r->until ? open_part(r, err) : 0;
	} while (ret > 0);
	return ret;
}

/* Go on with the part that is behind most. */
static void choose_part(struct perfdata_reader *r)
{
	r->now = 0;
	for (size_t i = 1; i < r->nr_parts; i++)
		if (r->parts[i]->reached < r->parts[r->now]->reached)
			r->now = i;
	r->reached = r->parts[r->now]->reached;
}

static int next_by_time(struct perfdata_reader *r,
			struct perfdata_record *record, struct err *err)
{
	struct perfdata_reader *part;
	int ret;

	while (r->nr_parts) {
		if (r->now == r->nr_parts ||
		    r->parts[r->now]->reached - r->reached > TURN_NS)
			choose_part(r);
		part = r->parts[r->now];
		ret = perfdata_reader_next(part, record, &r->failed);
		if (ret > 0 && record->time != UNKNOWN &&
		    record->time <= r->last)
			part->reached = MAX(part->reached, record->time);
		if (ret > 0)
			return ret;
		perfdata_reader_free(part);
		r->parts[r->now] = r->parts[--r->nr_parts];
		r->now = r->nr_parts;
	}
	if (r->failed.code)
		*err = r->failed;
	return r->failed.code;
}

uint64_t perfdata_reader_reached(const struct perfdata_reader *r)
{
	return r->reached;
}

static int refuse_end(const struct perfdata_reader *r, size_t got,
		      struct err *err)
{
	if (r->left != UINT64_MAX && got < r->left)
		return err_set(err, -EBADMSG, "%s: truncated: it ends at offset "
			       "%" PRIu64 ", %" PRIu64 " bytes before the end "
			       "of its records", r->file.name,
			       r->file.in.offset + got, r->left - got);
	return err_set(err, -EBADMSG, "%s: truncated: it ends at offset %"
		       PRIu64 ", within the record at offset %" PRIu64,
		       r->file.name, r->file.in.offset + got,
		       r->file.in.offset);
}

/* The next record of the file itself.  1, 0 at the end, or -errno with @err. */
static int next_outer(struct perfdata_reader *r, struct perfdata_record *rec,
		      struct err *err)
{
	ssize_t got;
	int ret;

	if (r->left == 0)
		return 0;
	got = perfdata_input_fill(&r->file.in, COMPRESSED2_FIXED);
	if (got == 0 && r->left == UINT64_MAX)
		return 0;
	if (got < 0)
		return perfdata_file_error(&r->file, (int)got, err);
	if (got < HEADER)
		return refuse_end(r, (size_t)got, err);
	if (r->left < HEADER)
		return refuse_at(r, r->file.in.offset, err, "its last %" PRIu64
				 " bytes are not a record", r->left);
	get_record(r, perfdata_input_next(&r->file.in), r->file.in.offset, rec);
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
	got = perfdata_input_fill(&r->file.in, rec->size);
	if (got < 0)
		return perfdata_file_error(&r->file, (int)got, err);
	if ((size_t)got < rec->size)
		return refuse_end(r, (size_t)got, err);
	rec->bytes = perfdata_input_next(&r->file.in);
	ret = finish_record(r, rec, err);
	if (ret < 0)
		return ret;
	r->use = rec->size;
	spend(r, rec->size);
	r->skip = bytes_after(r, rec);
	r->tracing_follows = rec->type == PERFDATA_RECORD_TRACING_DATA &&
			     r->skip && !r->file.tracing.bytes;
	r->overrun = r->skip > r->left;
	if (!r->overrun)
		spend(r, r->skip);
	return 1;
}

/*
 * The next record, if it is one of the kernel and in the buffer, as nearly all
 * are: what next_of_any() does with those.
 */
static bool next_of_kernel(struct perfdata_reader *r,
			   struct perfdata_record *rec)
{
	struct perfdata_input *in = &r->file.in;
	const uint8_t *at = perfdata_input_next(in) + r->use;
	size_t got = in->len - in->at - r->use;

	if (r->unpacking || r->skip || got < HEADER)
		return false;
	get_record(r, at, in->offset + r->use, rec);
	if (rec->type >= PERFDATA_RECORD_FIRST || rec->size < HEADER ||
	    rec->size > got || rec->size > r->left)
		return false;
	perfdata_input_use(in, r->use);
	r->use = rec->size;
	spend(r, rec->size);
	perfdata_events_decode(&r->file.events, rec);
	return true;
}

__attribute__((noinline))
static int next_of_any(struct perfdata_reader *r,
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
		if (ret == 0 && r->by_time)
			ret = open_parts(r, err);
		if (ret == 0 && r->by_time)
			return next_by_time(r, record, err);
		if (ret == 0)
			ret = next_part(r, err);
		if (ret <= 0)
			return ret;
	}
}

int perfdata_reader_next(struct perfdata_reader *r,
			 struct perfdata_record *record, struct err *err)
{
	if (r->parts)
		return next_by_time(r, record, err);
	return next_of_kernel(r, record) ? 1 : next_of_any(r, record, err);
}
