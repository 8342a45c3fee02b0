/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_taker.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>

#include "trace/snapshot/snapshot_cut.h"
#include "trace/snapshot/snapshot_records.h"
#include "trace/snapshot/snapshot_write.h"
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
	char path[PATH_MAX], beside[PATH_MAX];
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
	struct snapshots *s = snapshot_status_lock(k->by->status);
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
	snapshot_status_unlock(k->by->status);
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
		nr += s->rings[i].trace_room > 0;
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

	if (k->by->opts->tasks)
		task_history_stats(k->by->opts->tasks, &tasks);
	info = info_of(snapshot_status_lock(k->by->status));
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
	snapshot_status_unlock(k->by->status);
}

static enum snapshot_state state_of(int ret)
{
	if (!ret)
		return SNAPSHOT_DONE;
	return ret == -ECANCELED ? SNAPSHOT_CANCELLED : SNAPSHOT_FAILED;
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
	char why[sizeof(err->text) + 4];
	struct snapshot_info *info;
	struct snapshots *s;

	reason_first(ret, err->text, why, sizeof(why));
	if (!ret)
		k->bytes = bytes_of(k->path) + bytes_of(k->beside);
	s = snapshot_status_lock(k->by->status);
	info = info_of(s);
	info->state = state_of(ret);
	info->file_bytes = k->bytes;
	info->took = sys_now() - k->job->at;
	text_copy(info->file, sizeof(info->file), ret ? "" :
						  text_base_name(k->path));
	if (!ret)
		info->file_total = k->bytes;
	else if (ret != -ECANCELED)
		text_copy(info->error, sizeof(info->error), why);
	s->taken += !ret;
	s->failed += ret && ret != -ECANCELED;
	s->cancelled += ret == -ECANCELED;
	snapshot_status_unlock(k->by->status);
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
	snapshot_status_note(k->by->status, LOG_SNAPSHOT,
			     "%s: %s%s%s, %s of %zu ring%s, %s for %s, written %s after the request",
			     name, text_base_name(k->path),
			     k->beside[0] ? " and " : "",
			     text_base_name(k->beside), bytes, s->nr,
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
	snapshot_status_note(k->by->status, LOG_SNAPSHOT, "%s: cancelled%s",
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
	snapshot_status_note(k->by->status, LOG_ERROR,
			     "snapshot %" PRIu64 ": %s: the trace covers %s, the context switches only %s, on %zu ring%s: use a larger --history",
			     k->job->number, text_base_name(k->path), trace,
			     records, f->nr_short, f->nr_short == 1 ? "" : "s");
}

static void note_end(const struct taking *k, int ret, const struct err *err)
{
	char name[192];

	name_taking(k, name, sizeof(name));
	if (!ret)
		note_done(k, name);
	if (!ret)
		snapshot_status_note_unread(k->by->status, k->path, k->unread);
	if (!ret && k->found.nr_short)
		note_short(k);
	if (ret == -ECANCELED)
		note_cancelled(k, name);
	else if (ret)
		snapshot_status_note(k->by->status, LOG_ERROR, "%s failed: %s", name,
				     err->text);
}

/* Called between pieces of the file; lets a recording make its passes. */
static int progress(void *ctx, uint64_t bytes)
{
	struct taking *k = ctx;
	struct snapshot_taker *by = k->by;

	info_of(snapshot_status_lock(by->status))->file_bytes = bytes;
	snapshot_status_unlock(by->status);
	by->between(by->ctx);
	return snapshot_queue_is_cancelled(by->queue) ? -ECANCELED : 0;
}

static struct snapshot_from rings_of(struct snapshot_taker *taker)
{
	return (struct snapshot_from){
		.session = taker->opts->session,
		.trace = taker->opts->trace,
		.tracks = &taker->tracks,
		.memory = &taker->memory,
	};
}

/* Without a limit for automatic snapshots, which should be quick. */
static uint64_t most_memory(const struct snapshot_opts *opts)
{
	const uint64_t usual = 64 << 20;

	return opts->trigger || opts->every > 0 ? UINT64_MAX : usual;
}

void snapshot_taker_prepare(struct snapshot_taker *taker, double since)
{
	const struct snapshot_from from = rings_of(taker);

	taker->since = since;
	taker->memory.limit = most_memory(taker->opts);
	/* errors are reported when a snapshot is taken */
	if (snapshot_opts_can_take(taker->opts, NULL))
		snapshot_prepare(&from, NULL);
}

/* Remove the records that are older than the trace. */
static void cut_records(struct taking *k)
{
	const struct snapshot_opts *opts = k->by->opts;
	struct perf_clock clock = session_clock(opts->session);
	struct snapshot_cut_from from = {
		.trace = opts->trace,
		.counter = opts->trace->ops->reference(),
	};

	if (clock.page)
		from.conv = perf_clock_conv(clock.page);
	snapshot_cut_records(&from, &k->snapshot, &k->records,
			     !opts->keep_switches, &k->found);
}

static int copy_rings(struct taking *k, struct err *err)
{
	const struct snapshot_opts *opts = k->by->opts;
	const struct snapshot_from from = rings_of(k->by);
	int ret = snapshot_take(&from, k->job->rings, k->job->nr,
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

static int write_file(struct taking *k, struct err *err)
{
	const struct snapshot_write_opts opts = {
		.from = snapshot_opts_from(k->by->opts, k->by->ids),
		.snapshot = &k->snapshot,
		.records = &k->records,
		.progress = progress,
		.ctx = k,
	};
	struct snapshot_written written;
	int ret;

	if (snapshot_queue_is_cancelled(k->by->queue))
		return -ECANCELED;
	ret = snapshot_write(&opts, k->path, k->beside, sizeof(k->path),
			     &written, err);
	k->bytes = written.bytes;
	k->unread = written.unread;
	return ret;
}

/* Mark the deleted file in the list, if it is still listed. */
static void list_removed(void *ctx, uint64_t number)
{
	struct snapshot_taker *taker = ctx;
	struct snapshots *s = snapshot_status_lock(taker->status);

	s->removed++;
	for (size_t i = 0; i < s->nr; i++) {
		if (s->list[i].number == number)
			s->list[i].state = SNAPSHOT_REMOVED;
	}
	snapshot_status_unlock(taker->status);
}

/* Delete files beyond --keep. */
static void keep_files(struct taking *k)
{
	struct snapshot_taker *by = k->by;

	if (by->opts->keep &&
	    !snapshot_files_add(&by->files, k->job->number, k->path,
				k->beside))
		snapshot_files_keep(&by->files, by->opts->keep, list_removed,
				    by);
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
	ret = snapshot_files_name(taker->opts->dir, k.time, job->number,
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
	snapshot_free(&k.snapshot);
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
	snapshot_tracks_free(&taker->tracks);
	snapshot_memory_free(&taker->memory);
	snapshot_files_free(&taker->files);
}
