/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_shared.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>

#include "trace/file/trace_records.h"
#include "trace/snapshot/snapshot_records.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "collect/collector.h"
#include "task/task_history.h"

/* The snapshot in progress. */
struct taking {
	struct snapshot_taker *by;
	const struct snapshot_job *job;
	double time;		/* of the start, unix seconds */
	struct snapshot snapshot;
	struct snapshot_records records;
	struct snapshot_cut_found found;
	struct trace_file *file;
	char path[PATH_MAX], aux_path[PATH_MAX];
	uint64_t bytes;		/* of the file */
	size_t unread;		/* files without build-ids */
};

/* The list entry of the snapshot in progress, which is the newest. */
static struct snapshot_info *info_of(struct snapshots *s)
{
	return &s->list[s->nr - 1];
}

static void list_begin(struct taking *k)
{
	struct snapshots *s = snapshot_shared_lock(k->by->shared);
	struct snapshot_info *info;

	if (s->nr == SNAPSHOTS_LISTED)
		memmove(s->list, s->list + 1, --s->nr * sizeof(s->list[0]));
	info = &s->list[s->nr++];
	*info = (struct snapshot_info){
		.number = k->job->number,
		.requests = k->job->requests,
		.time = k->time,
		.state = SNAPSHOT_COPYING,
		.wait = NAN, .took = NAN, .reach = NAN,
	};
	text_copy(info->trigger, sizeof(info->trigger), k->job->trigger);
	snapshot_shared_unlock(k->by->shared);
}

/*
 * The data in the rings.  An overwrite ring is written backwards: its negated
 * head is the number of bytes ever written.
 */
static uint64_t bytes_held(const struct snapshot *s)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < s->nr; i++) {
		const struct snapshot_ring *r = &s->rings[i];

		bytes += r->trace_len;
		if (r->memory)
			bytes += MIN(-r->data.page->data_head, r->data.size);
	}
	return bytes;
}

static size_t aux_rings(const struct snapshot *s)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		nr += s->rings[i].trace_cap > 0;
	return nr;
}

/* "CPU 0-3 5", "tid 12 13"; consecutive CPUs as a range, " ..." if cut. */
static void name_rings(const struct snapshot *s, char *buf, size_t size)
{
	bool tasks = s->nr && s->rings[0].cpu < 0;
	size_t i, to;

	snprintf(buf, size, tasks ? "tid" : "CPU");
	for (i = 0; i < s->nr; i = to) {
		int from = tasks ? s->rings[i].tid : s->rings[i].cpu;
		char part[32];

		for (to = i + 1; !tasks && to < s->nr; to++)
			if (s->rings[to].cpu != from + (int)(to - i))
				break;
		if (to > i + 1)
			snprintf(part, sizeof(part), " %d-%d", from,
				 s->rings[to - 1].cpu);
		else
			snprintf(part, sizeof(part), " %d", from);
		if (strlen(buf) + strlen(part) + sizeof(" ...") > size) {
			text_append(buf, size, " ...");
			return;
		}
		text_append(buf, size, "%s", part);
	}
}

/* Seconds from @time to the stop; NAN: unknown. */
static double reach_of(const struct taking *k, bool known, uint64_t time)
{
	const struct snapshot *s = &k->snapshot;

	if (!known)
		return NAN;
	if (!time)
		return fmax(s->at - k->by->since, 0);
	return time < s->time ? (double)(s->time - time) / 1e9 : 0;
}

static void list_copied(struct taking *k)
{
	struct snapshot_info *info;
	uint64_t total = k->snapshot.bytes + k->records.bytes;
	struct task_history_stats tasks = { 0 };

	if (k->by->shared->opts.tasks)
		task_history_stats(k->by->shared->opts.tasks, &tasks);
	info = info_of(snapshot_shared_lock(k->by->shared));
	info->state = SNAPSHOT_WRITING;
	info->rings = k->snapshot.nr;
	info->aux_rings = aux_rings(&k->snapshot);
	name_rings(&k->snapshot, info->which, sizeof(info->which));
	info->bytes = bytes_held(&k->snapshot);
	info->wait = k->snapshot.at - k->job->at;
	info->reach = reach_of(k, k->found.known, k->found.reach);
	info->short_rings = k->found.nr_short;
	info->stopped = k->snapshot.stopped;
	info->spread = k->snapshot.spread;
	info->file_total = total + tasks.bytes;
	text_copy(info->file, sizeof(info->file), text_base_name(k->path));
	snapshot_shared_unlock(k->by->shared);
}

/* Reorder "what PATH: why" to "why (what PATH)": only the path is cut. */
static void reason_first(int ret, const char *text, char *buf, size_t size)
{
	const char *why = strerror(-ret);
	size_t len = strlen(text), tail = strlen(why) + 2;

	if (len > tail && !strcmp(text + len - tail + 2, why) &&
	    !strncmp(text + len - tail, ": ", 2))
		len = (size_t)snprintf(buf, size, "%s (%.*s)", why,
				       (int)(len - tail), text);
	else
		len = (size_t)snprintf(buf, size, "%s", text);
	if (len >= size)
		buf[size - 1] = '\0';
}

/* The size of the file including its features. */
static uint64_t bytes_of(const char *path)
{
	struct stat st;

	return path[0] && stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static void list_end(struct taking *k, int ret, const struct err *err)
{
	bool cancelled = ret == -ECANCELED, failed = ret && !cancelled;
	char why[sizeof(err->text) + 4];
	struct snapshot_info *info;
	struct snapshots *s;

	reason_first(ret, err->text, why, sizeof(why));
	if (!ret)
		k->bytes = bytes_of(k->path) + bytes_of(k->aux_path);
	s = snapshot_shared_lock(k->by->shared);
	info = info_of(s);
	info->state = cancelled ? SNAPSHOT_CANCELLED :
		      failed	? SNAPSHOT_FAILED :
				  SNAPSHOT_DONE;
	info->file_bytes = k->bytes;
	info->took = sys_now() - k->job->at;
	text_copy(info->file, sizeof(info->file), ret ? "" :
						  text_base_name(k->path));
	if (!ret)
		info->file_total = k->bytes;
	if (failed)
		text_copy(info->error, sizeof(info->error), why);
	s->taken += !ret;
	s->failed += failed;
	s->cancelled += cancelled;
	snapshot_shared_unlock(k->by->shared);
}

/* "snapshot 3 (key)", "snapshot 4 (SIGUSR2, 3 requests)" */
static const char *name_taking(const struct taking *k, char *buf, size_t size)
{
	const struct snapshot_job *w = k->job;
	char requests[40] = "";

	if (w->requests > 1)
		snprintf(requests, sizeof(requests), ", %" PRIu64 " requests",
			 w->requests);
	snprintf(buf, size, "snapshot %" PRIu64 " (%s%s)", w->number,
		 w->trigger, requests);
	return buf;
}

static void note_done(const struct taking *k, const char *name)
{
	const struct snapshot *s = &k->snapshot;
	char bytes[16], stopped[16], took[16];

	units_bytes(bytes, sizeof(bytes), (double)bytes_held(s));
	units_duration(stopped, sizeof(stopped), s->stopped);
	units_duration(took, sizeof(took), sys_now() - k->job->at);
	snapshot_shared_note(k->by->shared, LOG_SNAPSHOT,
			     "%s: %s%s%s, %s of %zu ring%s, %s for %s, written %s after the request",
			     name, text_base_name(k->path),
			     k->aux_path[0] ? " and " : "",
			     text_base_name(k->aux_path), bytes, s->nr,
			     s->nr == 1 ? "" : "s",
			     aux_rings(s) ? "stopped" : "paused", stopped,
			     took);
}

/* Log it, and which queued snapshot is taken next. */
static void note_cancelled(const struct taking *k, const char *name)
{
	uint64_t number = snapshot_queue_waiting(k->by->queue);
	char next[64] = "";

	if (number)
		snprintf(next, sizeof(next),
			 "; the queued snapshot %" PRIu64 " is taken next",
			 number);
	snapshot_shared_note(k->by->shared, LOG_SNAPSHOT, "%s: cancelled%s",
			     name, next);
}

/* Log that the records for the older part of the trace were overwritten. */
static void note_short(const struct taking *k)
{
	const struct snapshot_cut_found *f = &k->found;
	char trace[16], records[16];

	units_duration(trace, sizeof(trace),
		       reach_of(k, true, f->short_reach));
	units_duration(records, sizeof(records),
		       reach_of(k, true, f->short_records));
	snapshot_shared_note(k->by->shared, LOG_ERROR,
			     "snapshot %" PRIu64 ": %s: the trace covers %s, the context switches only %s, on %zu ring%s: use a larger --history",
			     k->job->number, text_base_name(k->path), trace,
			     records, f->nr_short, f->nr_short == 1 ? "" : "s");
}

static void note_end(const struct taking *k, int ret, const struct err *err)
{
	char name[192];

	name_taking(k, name, sizeof(name));
	if (ret == -ECANCELED)
		note_cancelled(k, name);
	else if (ret)
		snapshot_shared_note(k->by->shared, LOG_ERROR, "%s failed: %s",
				     name, err->text);
	if (ret)
		return;
	note_done(k, name);
	snapshot_shared_note_unread(k->by->shared, k->path, k->unread);
	if (k->found.nr_short)
		note_short(k);
}

/* The file. */

/* Called between pieces of it; lets a recording make its passes. */
static int between(void *ctx)
{
	struct taking *k = ctx;
	struct snapshots *s = snapshot_shared_lock(k->by->shared);

	info_of(s)->file_bytes = trace_file_bytes(k->file);
	snapshot_shared_unlock(k->by->shared);
	recorder_pass_if_due(k->by->recorder);
	return snapshot_queue_is_cancelled(k->by->queue) ? -ECANCELED : 0;
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
static struct trace_rule rule_of(const struct auxtrace *trace,
				 const struct snapshot_ring *ring)
{
	struct trace_rule rule = { .tasks_only = !ring };

	if (!ring || !ring->trace || !trace->ops->cuts_by_aux)
		return rule;
	rule.cut_aux = true;
	rule.aux_from = ring->span.from;
	rule.aux_to = ring->span.to;
	return rule;
}

static int put_records(struct taking *k)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < k->records.nr; i++) {
		const struct snapshot_history *h = &k->records.rings[i];
		const struct snapshot_ring *ring = find_ring(&k->snapshot, i);
		const struct trace_rule rule = rule_of(
			k->by->shared->opts.trace, ring);

		ret = trace_file_records(k->file, h->bytes, h->size, &rule);
		if (!ret && ring && ring->memory)
			ret = trace_file_overwrite(k->file, &ring->data,
						   ring->newer);
	}
	return ret;
}

static int put_traces(struct taking *k)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < k->snapshot.nr; i++) {
		const struct snapshot_ring *r = &k->snapshot.rings[i];
		const struct trace_file_ring of = { r->ring, r->cpu, r->tid };

		if (r->trace_len)
			ret = trace_file_trace(k->file, &of, r->span.from,
					       r->trace, r->trace_len);
	}
	return ret;
}

static int fill_file(struct taking *k, struct err *err)
{
	int ret = trace_file_begin(k->file, err);

	if (ret)
		return ret;
	ret = put_records(k);
	if (!ret)
		ret = put_traces(k);
	return trace_file_error(k->file, ret, err);
}

/* Between waits, a recording makes its passes.  Returns what is not read. */
static size_t read_build_ids(struct taking *k)
{
	const double step = 0.01;
	size_t left = trace_file_build_ids(k->file, step), before = left;
	double waited = step;

	while (left && waited < TRACE_FILE_PATIENCE && !between(k)) {
		left = trace_file_build_ids(k->file, step);
		waited = left < before ? step : waited + step;
		before = left;
	}
	return left;
}

/* Sets k->path and k->aux_path to the final names: see trace_file_commit(). */
static int write_file(struct taking *k, struct err *err)
{
	const struct trace_file_from from = snapshot_shared_from(k->by->shared);
	int ret;

	if (snapshot_queue_is_cancelled(k->by->queue))
		return -ECANCELED;
	k->file = trace_file_open(&from, k->path, err);
	if (!k->file)
		return err->code;
	trace_file_between(k->file, between, k);
	ret = fill_file(k, err);
	if (!ret)
		k->unread = read_build_ids(k);
	k->bytes = trace_file_bytes(k->file);
	if (!ret)
		return trace_file_commit(k->file, k->path, k->aux_path,
					 sizeof(k->path), err);
	trace_file_cancel(k->file);
	return ret;
}

/* Mark the deleted file in the list, if it is still listed. */
static void list_removed(void *ctx, uint64_t number)
{
	struct snapshot_taker *taker = ctx;
	struct snapshots *s = snapshot_shared_lock(taker->shared);

	s->removed++;
	for (size_t i = 0; i < s->nr; i++) {
		if (s->list[i].number == number)
			s->list[i].state = SNAPSHOT_REMOVED;
	}
	snapshot_shared_unlock(taker->shared);
}

/* Delete files beyond --keep. */
static void keep_files(struct taking *k)
{
	struct snapshot_taker *by = k->by;
	unsigned int keep = by->shared->opts.keep;

	if (keep && !snapshot_files_add(&by->files, k->job->number, k->path,
					k->aux_path))
		snapshot_files_keep(&by->files, keep, list_removed, by);
}

/* The copy. */

void snapshot_taker_prepare(struct snapshot_taker *taker, double since)
{
	const struct snapshot_opts *opts = &taker->shared->opts;
	const uint64_t usual = 64 << 20;

	taker->since = since;
	/* Without a limit for automatic snapshots, which should be quick. */
	taker->from.memory.limit =
		opts->trigger || opts->every > 0 ? UINT64_MAX : usual;
	/* errors are reported when a snapshot is taken */
	if (snapshot_shared_can_take(taker->shared, NULL))
		snapshot_prepare(&taker->from, NULL);
}

/* Remove the records that are older than the trace. */
static void cut_records(struct taking *k)
{
	const struct snapshot_opts *opts = &k->by->shared->opts;
	struct perf_clock clock = session_clock(opts->session);
	struct snapshot_cut_from from = {
		.trace = opts->trace,
		.counter = opts->trace->ops->reference(),
	};

	if (clock.page)
		from.conv = perf_clock_conv(clock.page);
	snapshot_records_cut(&k->records, &from, &k->snapshot,
			     !opts->keep_switches, &k->found);
}

static int copy_rings(struct taking *k, struct err *err)
{
	const struct snapshot_opts *opts = &k->by->shared->opts;
	int ret = snapshot_take(&k->by->from, k->job->rings, k->job->nr,
				&k->snapshot, err);

	if (ret)
		return ret;
	/* after this the histories contain the records of the stop */
	collector_drain_all(opts->collector);
	ret = snapshot_records_hold(&k->records, opts->collector,
				    session_nr_rings(opts->session), err);
	if (!ret && opts->trace)
		cut_records(k);
	return ret;
}

static void take_snapshot(struct snapshot_taker *taker,
			  const struct snapshot_job *job)
{
	struct taking k = {
		.by = taker, .job = job, .time = sys_wall_clock(),
	};
	struct err err = { 0 };
	int ret;

	list_begin(&k);
	ret = snapshot_files_name(taker->shared->opts.dir, k.time, job->number,
				  k.path, sizeof(k.path), &err);
	if (!ret)
		ret = copy_rings(&k, &err);
	if (!ret) {
		list_copied(&k);
		ret = write_file(&k, &err);
	}
	if (!ret)
		keep_files(&k);
	/* first: a listed end means that no snapshot is in progress */
	snapshot_queue_done(taker->queue);
	list_end(&k, ret, &err);
	note_end(&k, ret, &err);
	snapshot_free(&taker->from, &k.snapshot);
	snapshot_records_free(&k.records);
}

void snapshot_taker_take(struct snapshot_taker *taker)
{
	struct snapshot_job next = snapshot_queue_next(taker->queue);

	if (next.requests)
		take_snapshot(taker, &next);
	snapshot_job_free(&next);
}

void snapshot_taker_free(struct snapshot_taker *taker)
{
	snapshot_from_free(&taker->from);
	snapshot_files_free(&taker->files);
}
