/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file/trace_records.h"
#include "base/err.h"
#include "collect/collector.h"
#include "task/history.h"

enum { LEAST_CHUNK = 64 << 10 };	/* that history_read() asks for */

static int hold_one(struct snapshot_history *out, const struct history *h)
{
	uint64_t at = history_begin(h), end = history_end(h), missed = 0;
	size_t room = (size_t)(end - at) + LEAST_CHUNK, len;

	out->bytes = malloc(room);
	if (!out->bytes)
		return -ENOMEM;
	out->overwritten = at > 0;
	while (at < end && room - out->size >= LEAST_CHUNK) {
		len = history_read(h, &at, out->bytes + out->size,
				   room - out->size, &missed);
		if (!len)
			break;
		out->size += len;
	}
	return 0;
}

int snapshot_records_hold(struct snapshot_records *records,
			  struct collector *collector, size_t nr_rings,
			  struct err *err)
{
	int ret = 0;

	*records = (struct snapshot_records){ 0 };
	records->rings = calloc(nr_rings + 1, sizeof(*records->rings));
	if (!records->rings)
		return err_set(err, -ENOMEM,
			       "a copy of the histories: out of memory");
	records->nr = nr_rings;
	for (size_t i = 0; !ret && i < nr_rings; i++) {
		const struct history *h = collector_history(collector, i);

		if (h)
			ret = hold_one(&records->rings[i], h);
		records->bytes += records->rings[i].size;
	}
	if (!ret)
		return 0;
	snapshot_records_free(records);
	return err_set(err, ret,
		       "a copy of the histories: out of memory: use a smaller --history");
}

void snapshot_records_free(struct snapshot_records *records)
{
	for (size_t i = 0; i < records->nr; i++)
		free(records->rings[i].bytes);
	free(records->rings);
	*records = (struct snapshot_records){ 0 };
}

struct progress {
	const struct snapshot_write_opts *opts;
	const struct trace_file *file;
};

static int between(void *ctx)
{
	const struct progress *p = ctx;

	return p->opts->progress(p->opts->ctx, trace_file_bytes(p->file));
}

static const struct snapshot_ring *find_ring(const struct snapshot *s,
					     size_t ring)
{
	for (size_t i = 0; i < s->nr; i++)
		if (s->rings[i].ring == ring)
			return &s->rings[i];
	return NULL;
}

/*
 * Of rings that are not part of the snapshot only what tells of tasks is
 * wanted.
 */
static struct trace_rule rule_of(const struct snapshot_write_opts *opts,
				 const struct snapshot_ring *ring)
{
	const struct auxtrace *trace = opts->from.trace;
	struct trace_rule rule = { .tasks_only = !ring };

	if (!ring || !ring->trace || !trace->ops->cuts_by_aux)
		return rule;
	rule.cut_aux = true;
	rule.aux_from = ring->span.from;
	rule.aux_to = ring->span.to;
	return rule;
}

static int put_records(const struct snapshot_write_opts *opts,
		       struct trace_file *f)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < opts->records->nr; i++) {
		const struct snapshot_ring *ring = find_ring(opts->snapshot,
							     i);
		const struct trace_rule rule = rule_of(opts, ring);

		ret = trace_file_records(f, opts->records->rings[i].bytes,
					 opts->records->rings[i].size, &rule);
		if (!ret && ring && ring->memory)
			ret = trace_file_overwrite(f, &ring->data,
						   ring->newer);
	}
	return ret;
}

static int put_traces(const struct snapshot_write_opts *opts,
		      struct trace_file *f)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < opts->snapshot->nr; i++) {
		const struct snapshot_ring *r = &opts->snapshot->rings[i];
		const struct trace_file_ring of = { r->ring, r->cpu, r->tid };

		if (r->trace_len)
			ret = trace_file_trace(f, &of, r->span.from, r->trace,
					       r->trace_len);
	}
	return ret;
}

static int fill(const struct snapshot_write_opts *opts, struct trace_file *f,
		struct err *err)
{
	int ret = trace_file_begin(f, err);

	if (ret)
		return ret;
	ret = put_records(opts, f);
	if (!ret)
		ret = put_traces(opts, f);
	return trace_file_error(f, ret, err);
}

int snapshot_write(const struct snapshot_write_opts *opts, char *path,
		   char *beside, size_t size, uint64_t *bytes,
		   struct err *err)
{
	struct trace_file *f = trace_file_open(&opts->from, path, err);
	struct progress progress = { opts, f };
	int ret;

	*bytes = 0;
	if (!f)
		return err ? err->code : -EIO;
	if (opts->progress)
		trace_file_between(f, between, &progress);
	ret = fill(opts, f, err);
	*bytes = trace_file_bytes(f);
	if (ret)
		trace_file_cancel(f);
	else
		ret = trace_file_commit(f, path, beside, size, err);
	return ret;
}
