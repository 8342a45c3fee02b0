/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/file/trace_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "perf/abi/record.h"
#include "perf/abi/ring.h"
#include "trace/file/build_ids.h"
#include "trace/file/trace_file_state.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/synth.h"

enum { LONGEST_RECORD = 1 << 16 };

/* NAME.aux for NAME.data, or for any other NAME. */
static char *beside_path(const char *path)
{
	size_t len = strlen(path);
	char *out;

	if (len > 5 && !strcmp(path + len - 5, ".data"))
		len -= 5;
	return asprintf(&out, "%.*s.aux", (int)len, path) < 0 ? NULL : out;
}

static struct new_file *open_beside(const char *path, struct err *err)
{
	char *beside = beside_path(path);
	struct new_file *file;

	if (!beside) {
		err_set(err, -ENOMEM, "writing %s: out of memory", path);
		return NULL;
	}
	file = new_file_open(beside, 0, err);
	free(beside);
	return file;
}

static bool open_files(struct trace_file *f, struct err *err)
{
	const struct auxtrace *trace = f->from.trace;

	f->file = new_file_open(f->path, 0, err);
	if (!f->file)
		return false;
	if (trace && !trace->ops->type)
		f->beside = open_beside(f->path, err);
	return !trace || trace->ops->type || f->beside;
}

/* Free everything except the files. */
static void free_rest(struct trace_file *f)
{
	perfdata_writer_free(f->writer);
	build_ids_free(f->build_ids);
	free(f->events);
	free(f->path);
	free(f);
}

struct trace_file *trace_file_open(const struct trace_file_from *from,
				   const char *path, struct err *err)
{
	struct trace_file *f = calloc(1, sizeof(*f));

	if (f) {
		f->from = *from;
		f->path = strdup(path);
		f->build_ids = build_ids_new(from->loader);
	}
	if (!f || !f->path || !f->build_ids) {
		if (f)
			free_rest(f);
		err_set(err, -ENOMEM, "writing %s: out of memory", path);
		return NULL;
	}
	if (open_files(f, err))
		return f;
	trace_file_cancel(f);
	return NULL;
}

void trace_file_between(struct trace_file *f, new_file_between_fn *between,
			void *ctx)
{
	new_file_between(f->file, between, ctx);
	if (f->beside)
		new_file_between(f->beside, between, ctx);
}

int trace_file_records(struct trace_file *f, unsigned char *buf, size_t size,
		       const struct trace_rule *rule)
{
	return trace_records_put(&f->records, buf, size, rule);
}

/* List the offsets of the records, newest first, as overwrite_walk() does. */
static int list_records(const struct ring *ring, uint64_t trusted,
			uint64_t **out, size_t *nr)
{
	uint64_t start = -ring_head(ring), walked = 0, *at;
	size_t room = 0;

	*out = NULL;
	*nr = 0;
	while (trusted - walked >= sizeof(struct perf_event_header)) {
		struct perf_event_header header = ring_header(ring,
							      start + walked);

		if (!record_sane(header, trusted - walked))
			break;
		at = array_add(*out, *nr, room);
		if (!at) {
			free(*out);
			*out = NULL;
			return -ENOMEM;
		}
		*at = start + walked;
		walked += header.size;
	}
	return 0;
}

int trace_file_overwrite(struct trace_file *f, const struct ring *ring,
			 uint64_t newer)
{
	static const struct trace_rule all;
	uint64_t gone = newer - ring_head(ring), *list;
	unsigned char *record;
	size_t nr;
	int ret;

	if (gone >= ring->size)
		return 0;
	record = malloc(LONGEST_RECORD);
	if (!record)
		return -ENOMEM;
	ret = list_records(ring, ring->size - gone, &list, &nr);
	if (ret) {
		free(record);
		return ret;
	}
	while (!ret && nr--) {
		size_t size = ring_header(ring, list[nr]).size;

		ring_copy(ring, list[nr], record, size);
		ret = trace_file_records(f, record, size, &all);
	}
	free(list);
	free(record);
	return ret;
}

static bool put(FILE *out, const void *data, size_t len)
{
	return !len || fwrite(data, 1, len, out) == len;
}

/* The format that perfdata_write_auxtrace() writes. */
static int put_beside(struct trace_file *f,
		      const struct perfdata_auxtrace *head,
		      const void *const data[2], const size_t len[2])
{
	static const unsigned char zeros[8];
	size_t size = len[0] + len[1], pad = -size % sizeof(zeros);
	const struct perfdata_record_auxtrace record =
		perfdata_auxtrace_record(head, size + pad);
	FILE *out = new_file_stream(f->beside);
	bool good;

	flockfile(out);
	good = put(out, &record, sizeof(record)) &&
	       put(out, data[0], len[0]) && put(out, data[1], len[1]) &&
	       put(out, zeros, pad);
	funlockfile(out);
	f->beside_bytes += sizeof(record) + size + pad;
	return good ? 0 : -EIO;
}

int trace_file_pieces(struct trace_file *f, const struct trace_file_ring *of,
		      uint64_t offset, const struct aux_pieces *pieces)
{
	const struct perfdata_auxtrace head = {
		.offset = offset,
		.reference = f->from.trace->ops->reference(),
		.idx = (uint32_t)of->ring,
		.tid = of->tid,
		.cpu = of->cpu,
	};
	const void *const data[2] = { pieces->data[0], pieces->data[1] };

	if (f->beside)
		return put_beside(f, &head, data, pieces->len);
	return perfdata_write_auxtrace(f->writer, &head, data, pieces->len);
}

int trace_file_trace(struct trace_file *f, const struct trace_file_ring *of,
		     uint64_t offset, const void *data, size_t len)
{
	const struct aux_pieces pieces = { { data, NULL }, { len, 0 } };

	return trace_file_pieces(f, of, offset, &pieces);
}

int trace_file_round(struct trace_file *f, uint64_t until)
{
	int ret;

	/*
	 * At this record perf sorts and processes all records that are not
	 * newer than the newest one before the previous round
	 * (tools/perf/util/ordered-events.c).
	 */
	if (until < f->round)
		return 0;
	ret = synth_finished_round(f->writer);
	f->round = f->records.newest;
	return ret;
}

void trace_file_allow_checkpoints(struct trace_file *f)
{
	f->checkpoints = true;
}

/* The trace gets its name first: if NAME.data exists, so does NAME.aux. */
int trace_file_checkpoint(struct trace_file *f, struct err *err)
{
	int ret = f->beside ? new_file_name_beside(f->beside, err) : 0;

	if (ret)
		return ret;
	ret = trace_file_error(f, perfdata_writer_checkpoint(f->writer), err);
	return ret ? ret : new_file_name_beside(f->file, err);
}

const char *trace_file_named(const struct trace_file *f)
{
	return new_file_named(f->file);
}

size_t trace_file_build_ids(struct trace_file *f, double seconds)
{
	return build_ids_read(f->build_ids, seconds);
}

uint64_t trace_file_bytes(const struct trace_file *f)
{
	uint64_t bytes = f->writer ? perfdata_writer_bytes(f->writer) : 0;

	return bytes + f->beside_bytes;
}

uint64_t trace_file_room(const struct trace_file *f)
{
	return new_file_room(f->file);
}

uint64_t trace_file_unknown(const struct trace_file *f)
{
	return f->records.unknown;
}

int trace_file_error(const struct trace_file *f, int ret, struct err *err)
{
	int why = new_file_error(f->file);

	if (!why && f->beside)
		why = new_file_error(f->beside);
	if (!ret)
		return 0;
	ret = why ? why : ret;
	return err_errno(err, ret, "writing %s", f->path);
}

static int finish(struct trace_file *f, struct err *err)
{
	int ret = build_ids_write(f->build_ids, f->writer);

	if (f->records.last)
		perfdata_writer_times(f->writer, f->records.first,
				      f->records.last);
	if (!ret)
		ret = perfdata_writer_finish(f->writer, f->from.machine, NULL);
	return trace_file_error(f, ret, err);
}

/* The trace first: if NAME.data exists, it is complete. */
static int commit_files(struct trace_file *f, char *path, char *beside,
			size_t size, struct err *err)
{
	bool named = new_file_named(f->file);
	int ret = 0;

	beside[0] = '\0';
	if (f->beside)
		ret = new_file_commit_beside(f->beside, beside, size, err);
	if (ret) {
		new_file_leave(f->file);
		return ret;
	}
	ret = new_file_commit_beside(f->file, path, size, err);
	if (ret && f->beside && !named)
		new_file_remove(beside);
	return ret;
}

int trace_file_commit(struct trace_file *f, char *path, char *beside,
		      size_t size, struct err *err)
{
	int ret = finish(f, err);

	if (ret) {
		trace_file_leave(f);
		return ret;
	}
	ret = commit_files(f, path, beside, size, err);
	free_rest(f);
	return ret;
}

void trace_file_cancel(struct trace_file *f)
{
	if (!f)
		return;
	new_file_cancel(f->file);
	new_file_cancel(f->beside);
	free_rest(f);
}

void trace_file_leave(struct trace_file *f)
{
	/* trace alone is of no use */
	if (new_file_named(f->file))
		new_file_leave(f->beside);
	else
		new_file_cancel(f->beside);
	new_file_leave(f->file);
	free_rest(f);
}
