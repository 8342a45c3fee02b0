/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_write.h"

#include <errno.h>

#include "trace/file/trace_records.h"
#include "trace/snapshot/snapshot_records.h"
#include "base/err.h"

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

/* Rings that are not part of the snapshot: only records about tasks. */
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

/* Between waits, a recording makes its passes.  Returns what is not read. */
static size_t read_build_ids(struct trace_file *f, struct progress *progress)
{
	const double step = 0.01;
	size_t left = trace_file_build_ids(f, step), before = left;
	double waited = step;

	while (left && waited < TRACE_FILE_PATIENCE) {
		if (progress->opts->progress && between(progress))
			break;
		left = trace_file_build_ids(f, step);
		waited = left < before ? step : waited + step;
		before = left;
	}
	return left;
}

int snapshot_write(const struct snapshot_write_opts *opts, char *path,
		   char *beside, size_t size, struct snapshot_written *written,
		   struct err *err)
{
	struct trace_file *f = trace_file_open(&opts->from, path, err);
	struct progress progress = { opts, f };
	int ret;

	*written = (struct snapshot_written){ 0 };
	if (!f)
		return err ? err->code : -EIO;
	if (opts->progress)
		trace_file_between(f, between, &progress);
	ret = fill(opts, f, err);
	if (!ret)
		written->unread = read_build_ids(f, &progress);
	written->bytes = trace_file_bytes(f);
	if (ret)
		trace_file_cancel(f);
	else
		ret = trace_file_commit(f, path, beside, size, err);
	return ret;
}
