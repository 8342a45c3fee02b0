/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/recording/recording.h"
#include "trace/file/snapshot_files.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/file/file_place.h"
#include "base/loop.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "collect/collector.h"

enum { MIN_HISTORY = 64 << 10 };	/* per ring, bytes */

#define DISK_FULL "the disk is nearly full"

#define WITHOUT_TRACE \
	", without AUX trace: in snapshot mode only snapshots have it"

void recorder_init(struct recorder *r)
{
	pthread_mutex_init(&r->lock, NULL);
}

void recorder_free(struct recorder *r)
{
	recording_cancel(r->recording);
	pthread_mutex_destroy(&r->lock);
}

/* 1, 0 or -errno with @err.  A dangling symbolic link counts as taken. */
static int is_taken(const char *path, struct err *err)
{
	struct file_place place;
	struct caps_own own;
	struct stat st;
	int ret;

	caps_own_begin(&own);
	ret = file_place_open(path, 0, &place, err);
	if (ret == 0) {
		ret = !fstatat(place.dir, place.name, &st,
			       AT_SYMLINK_NOFOLLOW);
		file_place_close(&place);
	}
	caps_own_end(&own);
	return ret;
}

/* Check in advance whether a file can be created at @path. */
static int check_path(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX];
	int ret;

	if (!strcmp(path, "-"))
		return err_usage(err,
				 "a recording cannot go to standard output, because its header is rewritten as it grows: give a file name");
	if (strlen(path) >= sizeof(dir) - 16)
		return err_errno(err, -ENAMETOOLONG, "recording into %.40s...",
				 path);
	ret = is_taken(path, err);
	if (ret < 0)
		return ret;
	if (ret)
		return err_set(err, -EEXIST,
			       "recording into %s: the file exists: remove it, or choose another name",
			       path);
	snprintf(dir, sizeof(dir), "%.*s",
		 slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	ret = sys_access(dir, W_OK | X_OK);
	if (ret)
		return err_errno(err, ret, "recording into %s", path);
	return 0;
}

/* Called under the lock. */
static int ask_recording(struct recorder *r, const char *path, struct err *err)
{
	if (r->closed)
		return err_set(err, -ESHUTDOWN,
			       "the events have ended: nothing to record");
	if (r->on)
		return err_set(err, -EBUSY, "a recording is under way");
	snprintf(r->path, sizeof(r->path), "%s", path);
	r->asked = true;
	/* it was for a recording that has since ended by itself */
	r->end_asked = false;
	r->on = true;
	return 0;
}

int recorder_ask(struct recorder *r, const char *path, struct err *err)
{
	int ret;

	if (r->shared->opts.session_opts->overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "overwrite rings are not drained, so they cannot be recorded: press s for a snapshot");
	ret = path ? check_path(path, err) : 0;
	if (ret)
		return ret;
	pthread_mutex_lock(&r->lock);
	ret = ask_recording(r, path ? path : "", err);
	pthread_mutex_unlock(&r->lock);
	return ret;
}

int recorder_ask_end(struct recorder *r, struct err *err)
{
	bool on;

	pthread_mutex_lock(&r->lock);
	on = r->on;
	r->end_asked = on;
	pthread_mutex_unlock(&r->lock);
	return on ? 0 : err_set(err, -ENOENT, "nothing is being recorded");
}

bool recorder_is_asked(struct recorder *r)
{
	bool asked;

	pthread_mutex_lock(&r->lock);
	asked = r->asked;
	pthread_mutex_unlock(&r->lock);
	return asked;
}

void recorder_close(struct recorder *r)
{
	pthread_mutex_lock(&r->lock);
	r->closed = true;
	pthread_mutex_unlock(&r->lock);
}

static void set_status(struct recorder *r, bool on, const char *path,
		       const char *error)
{
	struct snapshots *s;

	/* first: once this one is shown as ended, a new one can be requested */
	pthread_mutex_lock(&r->lock);
	r->on = on;
	pthread_mutex_unlock(&r->lock);
	s = snapshot_shared_lock(r->shared);
	s->recording = on;
	if (path)
		text_copy(s->record_file, sizeof(s->record_file), path);
	if (on) {
		s->record_since = sys_wall_clock();
		s->record_bytes = 0;
		s->record_missed = 0;
	}
	text_copy(s->record_error, sizeof(s->record_error), error);
	snapshot_shared_unlock(r->shared);
}

/* @left: the path of what was written before; "": nothing. */
static void recording_failed(struct recorder *r, const char *left,
			     const struct err *err)
{
	char why[sizeof(err->text) + PATH_MAX];

	snprintf(why, sizeof(why), "%s%s%s", err->text,
		 left[0] ? "; what was recorded before that is in " : "",
		 left);
	set_status(r, false, left[0] ? left : NULL, why);
	snapshot_shared_note(r->shared, LOG_ERROR, "recording abandoned: %s",
			     why);
}

static void update_status(struct recorder *r,
			  const struct recording_stats *stats)
{
	struct snapshots *s = snapshot_shared_lock(r->shared);
	const char *named = r->recording ? recording_named(r->recording) : NULL;

	if (named)
		text_copy(s->record_file, sizeof(s->record_file), named);
	s->record_bytes = stats->bytes;
	s->record_missed = stats->missed;
	s->record_cause = stats->cause;
	snapshot_shared_unlock(r->shared);
}

/* What is left of the recording if it fails: see recording_failed(). */
static void what_is_left(const struct recorder *r, char *path, size_t size)
{
	const char *named = recording_named(r->recording);

	text_copy(path, size, named ? named : "");
}

static void note_end(const struct recorder *r, const char *path,
		     const char *aux_path, struct recording_stats stats)
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
	snapshot_shared_note(r->shared, LOG_RECORD,
			     "recorded %s into %s%s%s%s%s",
			     units_bytes(bytes, sizeof(bytes),
					 (double)stats.bytes),
			     path, aux_path[0] ? " and " : "", aux_path, slow,
			     unknown);
	snapshot_shared_note_unread(r->shared, path, stats.unread);
}

/* @why: the error that ends it; "": none. */
static void end_recording(struct recorder *r, const char *why)
{
	char path[PATH_MAX], aux_path[PATH_MAX], left[PATH_MAX];
	struct recording_stats stats;
	struct err err = { 0 };
	char limit[16];
	int ret;

	if (!r->recording)
		return;
	what_is_left(r, left, sizeof(left));
	ret = recording_finish(r->recording, path, aux_path, sizeof(path),
			       &stats, &err);
	r->recording = NULL;
	loop_set_timer(r->timer, 0);
	if (ret) {
		recording_failed(r, left, &err);
		return;
	}
	update_status(r, &stats);
	/* the last pass may also have found the disk full */
	if (stats.full && !stats.limited)
		why = DISK_FULL;
	set_status(r, false, path, why);
	if (why[0])
		snapshot_shared_note(r->shared, LOG_ERROR,
				     "%s: the recording ends here", why);
	if (stats.limited) {
		units_option_bytes(limit, sizeof(limit),
			    (double)r->shared->opts.max_record);
		snapshot_shared_note(r->shared, LOG_RECORD,
				     "recording ended: it reached --max-size %s",
				     limit);
	}
	note_end(r, path, aux_path, stats);
}

void recorder_end(struct recorder *r)
{
	end_recording(r, "");
}

static void make_pass(struct recorder *r)
{
	struct recording_stats stats;
	struct err err = { 0 };
	char left[PATH_MAX];
	double delay;

	if (!r->recording)
		return;
	if (recording_pass(r->recording, &err)) {
		what_is_left(r, left, sizeof(left));
		recording_leave(r->recording);
		r->recording = NULL;
		loop_set_timer(r->timer, 0);
		recording_failed(r, left, &err);
		return;
	}
	stats = recording_stats(r->recording);
	update_status(r, &stats);
	if (recording_full(r->recording)) {
		end_recording(r, stats.limited ? "" : DISK_FULL);
		return;
	}
	delay = recording_delay(r->recording);
	r->pass_at = sys_now() + delay;
	loop_set_timer(r->timer, delay);
}

/* The history of each ring: a power of two. */
int recorder_keep_history(struct recorder *r, struct err *err)
{
	const struct snapshot_opts *opts = &r->shared->opts;
	size_t nr = opts->session_opts->overwrite ?
			    session_nr_rings(opts->session) :
			    session_nr_watched(opts->session);
	size_t share = opts->history_bytes / MAX(nr, 1);
	size_t bytes = MIN_HISTORY;

	while (bytes <= share / 2)
		bytes *= 2;
	return collector_keep_history(opts->collector, bytes, err);
}

/* Start a recording to @path, which is set to the default name if it is "". */
static void begin_recording(struct recorder *r, char *path, size_t size)
{
	const struct snapshot_opts *with = &r->shared->opts;
	const struct recording_opts opts = {
		.from = snapshot_shared_from(r->shared),
		.collector = with->collector,
		.all = r->from_start,
		.max_bytes = with->max_record,
	};
	struct err err = { 0 };
	int ret = 0;

	/* Recordings have number 0, which no snapshot has. */
	if (!path[0])
		ret = snapshot_files_name(with->dir, sys_wall_clock(), 0, path,
					  size, &err);
	if (!ret)
		ret = recorder_keep_history(r, &err);
	if (!ret)
		r->recording = recording_new(&opts, path, &err);
	r->from_start = false;
	if (!r->recording) {
		recording_failed(r, "", &err);
		return;
	}
	set_status(r, true, path, "");
	snapshot_shared_note(r->shared, LOG_RECORD, "recording into %s%s",
			     path,
			     with->trace && with->trace->overwrite ?
				     WITHOUT_TRACE : "");
	make_pass(r);
}

void recorder_begin_asked(struct recorder *r)
{
	char path[PATH_MAX];
	bool asked;

	pthread_mutex_lock(&r->lock);
	asked = r->asked;
	r->asked = false;
	memcpy(path, r->path, sizeof(path));
	pthread_mutex_unlock(&r->lock);
	if (asked)
		begin_recording(r, path, sizeof(path));
}

void recorder_end_asked(struct recorder *r)
{
	bool asked;

	pthread_mutex_lock(&r->lock);
	/* the end of a recording that has not started must wait */
	asked = r->end_asked && !r->asked;
	if (asked)
		r->end_asked = false;
	pthread_mutex_unlock(&r->lock);
	if (asked)
		end_recording(r, "");
}

void recorder_pass_if_due(struct recorder *r)
{
	if (r->recording && sys_now() >= r->pass_at)
		make_pass(r);
}

static void pass_now(void *ctx, uint64_t expirations)
{
	(void)expirations;
	make_pass(ctx);
}

/* A history has filled quickly: make a pass now. */
static void history_filled(void *ctx, uint32_t events)
{
	struct recorder *r = ctx;
	eventfd_t value;

	(void)events;
	eventfd_read(collector_history_fd(r->shared->opts.collector), &value);
	make_pass(r);
}

int recorder_add_sources(struct recorder *r, struct loop *loop)
{
	int fd = collector_history_fd(r->shared->opts.collector);

	r->timer = loop_add_timer(loop, 0, pass_now, r);
	if (!r->timer || !loop_add_fd(loop, fd, EPOLLIN, history_filled, r))
		return -errno;
	return 0;
}
