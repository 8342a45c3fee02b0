/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings, from the first pass to the file; on the thread. */
#include "trace/snapshot/snapshot_thread_impl.h"

#include <string.h>
#include <sys/param.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "collect/collector.h"

#define DISK_FULL "the disk is nearly full"

#define WITHOUT_TRACE \
	", without AUX trace: in snapshot mode only snapshots have it"

enum { LEAST_HISTORY = 64 << 10 };	/* of a ring, bytes */

/* The largest power of two that gives each ring its share. */
static size_t history_share(const struct snapshot_thread *t)
{
	size_t nr = t->opts.session_opts->overwrite ?
			    session_nr_rings(t->opts.session) :
			    session_nr_watched(t->opts.session);
	size_t share = t->opts.history_bytes / MAX(nr, 1);
	size_t bytes = LEAST_HISTORY;

	while (bytes <= share / 2)
		bytes *= 2;
	return bytes;
}

int snapshot_thread_keep_history(struct snapshot_thread *t, struct err *err)
{
	return collector_keep_history(t->opts.collector, history_share(t),
				      err);
}

static void set_status(struct snapshot_thread *t, bool on, const char *path,
		       const char *error)
{
	struct snapshots *s = &t->status;

	pthread_mutex_lock(&t->lock);
	s->recording = on;
	t->recording_on = on;
	if (path)
		text_copy(s->record_file, sizeof(s->record_file), path);
	if (on) {
		s->record_since = sys_wall_clock();
		s->record_bytes = 0;
		s->record_missed = 0;
	}
	text_copy(s->record_error, sizeof(s->record_error), error);
	pthread_mutex_unlock(&t->lock);
}

static void failed(struct snapshot_thread *t, const struct err *err)
{
	set_status(t, false, NULL, err->text);
	snapshot_thread_note(t, LOG_ERROR, "recording given up: %s",
			     err->text);
}

/* A name that no snapshot has: recordings are not numbered. */
static int make_name(const struct snapshot_thread *t, char *path, size_t size,
		     struct err *err)
{
	return snapshot_files_name(t->opts.dir, sys_wall_clock(), 0, path,
				   size, err);
}

/* AUX rings in snapshot mode are not recorded. */
static bool leaves_trace(const struct snapshot_thread *t)
{
	return t->opts.trace && t->opts.trace->overwrite;
}

void snapshot_thread_do_record(struct snapshot_thread *t, const char *name)
{
	const struct recording_opts opts = {
		.from = snapshot_thread_from(t),
		.collector = t->opts.collector,
		.all = t->from_start,
		.max_bytes = t->opts.max_record,
	};
	char path[PATH_MAX];
	struct err err = { 0 };
	int ret;

	if (name[0])
		ret = snprintf(path, sizeof(path), "%s", name) < 0;
	else
		ret = make_name(t, path, sizeof(path), &err);
	if (!ret)
		ret = snapshot_thread_keep_history(t, &err);
	if (!ret)
		t->recording = recording_new(&opts, path, &err);
	if (!t->recording) {
		t->from_start = false;
		failed(t, &err);
		return;
	}
	t->from_start = false;
	set_status(t, true, path, "");
	snapshot_thread_note(t, LOG_RECORD, "recording into %s%s", path,
			     leaves_trace(t) ? WITHOUT_TRACE : "");
	snapshot_thread_do_pass(t);
}

static void update(struct snapshot_thread *t,
		   const struct recording_stats *stats)
{
	pthread_mutex_lock(&t->lock);
	t->status.record_bytes = stats->bytes;
	t->status.record_missed = stats->missed;
	t->status.record_cause = stats->cause;
	pthread_mutex_unlock(&t->lock);
}

static void give_up(struct snapshot_thread *t, const struct err *err)
{
	recording_cancel(t->recording);
	t->recording = NULL;
	loop_set_timer(t->pass, 0);
	failed(t, err);
}

static void end_record(struct snapshot_thread *t, const char *why);

void snapshot_thread_do_pass(struct snapshot_thread *t)
{
	struct recording_stats stats;
	struct err err = { 0 };
	double delay;

	if (!t->recording)
		return;
	if (recording_pass(t->recording, &err)) {
		give_up(t, &err);
		return;
	}
	stats = recording_stats(t->recording);
	update(t, &stats);
	if (recording_full(t->recording)) {
		end_record(t, stats.limited ? "" : DISK_FULL);
		return;
	}
	delay = recording_delay(t->recording);
	t->pass_at = sys_now() + delay;
	loop_set_timer(t->pass, delay);
}

static void note_end(const struct snapshot_thread *t, const char *path,
		     const char *beside, struct recording_stats stats)
{
	char bytes[16], missed[16], slow[120] = "", unknown[80] = "";

	if (stats.missed)
		snprintf(slow, sizeof(slow),
			 "; %s of records missed: %s",
			 units_bytes(missed, sizeof(missed),
				     (double)stats.missed),
			 record_cause_text(stats.cause));
	if (stats.unknown)
		snprintf(unknown, sizeof(unknown),
			 "; %llu sample%s of unknown events left out",
			 (unsigned long long)stats.unknown,
			 stats.unknown == 1 ? "" : "s");
	snapshot_thread_note(t, LOG_RECORD, "recorded %s into %s%s%s%s%s",
			     units_bytes(bytes, sizeof(bytes),
					 (double)stats.bytes),
			     path, beside[0] ? " and " : "", beside, slow,
			     unknown);
}

static void note_limit(const struct snapshot_thread *t)
{
	char limit[16];

	snapshot_thread_note(t, LOG_RECORD, "recording ended: it reached "
			     "--max-size %s",
			     units_bytes(limit, sizeof(limit),
					 (double)t->opts.max_record));
}

/* @why: what it ends for, if for any fault; "". */
static void end_record(struct snapshot_thread *t, const char *why)
{
	char path[PATH_MAX], beside[PATH_MAX];
	struct recording_stats stats;
	struct err err = { 0 };
	int ret;

	if (!t->recording)
		return;
	ret = recording_finish(t->recording, path, beside, sizeof(path),
			       &stats, &err);
	t->recording = NULL;
	loop_set_timer(t->pass, 0);
	if (ret) {
		failed(t, &err);
		return;
	}
	update(t, &stats);
	/* the last pass may have found it full, too */
	if (stats.full && !stats.limited)
		why = DISK_FULL;
	set_status(t, false, path, why);
	if (why[0])
		snapshot_thread_note(t, LOG_ERROR, "%s: the recording ends here",
				     why);
	if (stats.limited)
		note_limit(t);
	note_end(t, path, beside, stats);
}

void snapshot_thread_end_record(struct snapshot_thread *t)
{
	end_record(t, "");
}
