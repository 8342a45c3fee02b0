/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking a snapshot, from the stop to the file; on the thread. */
#include "auxtrace/snapshot_thread_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "auxtrace/snapshot_write.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "collect/collector.h"
#include "collect/task_history.h"

/* The one in hand. */
struct taking {
	struct snapshot_thread *t;
	uint64_t number;
	double time;
	struct snapshot snapshot;
	struct snapshot_records records;
	char path[PATH_MAX], beside[PATH_MAX];
	uint64_t bytes;		/* of the file */
};

/* Under the lock: of the snapshot in hand, the newest. */
static struct snapshot_info *info_of(struct snapshot_thread *t)
{
	return &t->status.list[t->status.nr - 1];
}

static void list_begin(struct taking *k, const char *trigger)
{
	struct snapshots *s = &k->t->status;
	struct snapshot_info *info;

	pthread_mutex_lock(&k->t->lock);
	k->number = s->nr ? s->list[s->nr - 1].number + 1 : 1;
	if (s->nr == SNAPSHOTS_LISTED)
		memmove(s->list, s->list + 1, --s->nr * sizeof(s->list[0]));
	info = &s->list[s->nr++];
	*info = (struct snapshot_info){
		.number = k->number,
		.time = k->time,
		.state = SNAPSHOT_COPYING,
	};
	text_copy(info->trigger, sizeof(info->trigger), trigger);
	pthread_mutex_unlock(&k->t->lock);
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void list_copied(struct taking *k)
{
	struct snapshot_info *info;
	uint64_t total = k->snapshot.bytes + k->records.bytes;
	struct task_history_stats tasks = { 0 };

	if (k->t->opts.tasks)
		task_history_stats(k->t->opts.tasks, &tasks);
	pthread_mutex_lock(&k->t->lock);
	info = info_of(k->t);
	info->state = SNAPSHOT_WRITING;
	info->rings = k->snapshot.nr;
	info->bytes = k->snapshot.bytes;
	info->stopped = k->snapshot.stopped;
	info->spread = k->snapshot.spread;
	info->file_total = total + tasks.bytes;
	text_copy(info->file, sizeof(info->file), file_name(k->path));
	pthread_mutex_unlock(&k->t->lock);
}

static enum snapshot_state state_of(int ret)
{
	if (!ret)
		return SNAPSHOT_DONE;
	return ret == -ECANCELED ? SNAPSHOT_CANCELLED : SNAPSHOT_FAILED;
}

/* What it takes in the directory, the features at its end too. */
static uint64_t bytes_of(const char *path)
{
	struct stat st;

	return path[0] && stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static void list_end(struct taking *k, int ret, const struct err *err)
{
	struct snapshot_thread *t = k->t;
	struct snapshot_info *info;

	if (!ret)
		k->bytes = bytes_of(k->path) + bytes_of(k->beside);
	pthread_mutex_lock(&t->lock);
	info = info_of(t);
	info->state = state_of(ret);
	info->file_bytes = k->bytes;
	text_copy(info->file, sizeof(info->file), ret ? "" :
						  file_name(k->path));
	if (!ret)
		info->file_total = k->bytes;
	else if (ret != -ECANCELED)
		text_copy(info->error, sizeof(info->error), err->text);
	t->status.taken += !ret;
	t->status.failed += ret && ret != -ECANCELED;
	t->taking = false;
	atomic_store(&t->cancel, false);
	pthread_mutex_unlock(&t->lock);
}

static void note_end(const struct taking *k, int ret, const char *trigger,
		     const struct err *err)
{
	const struct snapshot *s = &k->snapshot;
	unsigned long long number = k->number;
	char bytes[16], stopped[16];

	if (ret == -ECANCELED)
		snapshot_thread_note(k->t, LOG_SNAPSHOT,
				     "snapshot %llu (%s): given up", number,
				     trigger);
	else if (ret)
		snapshot_thread_note(k->t, LOG_ERROR,
				     "snapshot %llu (%s) failed: %s", number,
				     trigger, err->text);
	else
		snapshot_thread_note(k->t, LOG_SNAPSHOT,
				     "snapshot %llu (%s): %s%s%s, %s of %zu ring%s, stopped for %s",
				     number, trigger, file_name(k->path),
				     k->beside[0] ? " and " : "",
				     file_name(k->beside),
				     units_bytes(bytes, sizeof(bytes),
						 (double)s->bytes),
				     s->nr, s->nr == 1 ? "" : "s",
				     units_duration(stopped, sizeof(stopped),
						    s->stopped));
}

/* Between pieces of the file: a recording goes on meanwhile. */
static int progress(void *ctx, uint64_t bytes)
{
	struct taking *k = ctx;
	struct snapshot_thread *t = k->t;

	pthread_mutex_lock(&t->lock);
	info_of(t)->file_bytes = bytes;
	pthread_mutex_unlock(&t->lock);
	if (t->recording && sys_now() >= t->pass_at)
		snapshot_thread_do_pass(t);
	return atomic_load(&t->cancel) ? -ECANCELED : 0;
}

static int copy(struct taking *k, const size_t *rings, size_t nr,
		struct err *err)
{
	struct snapshot_thread *t = k->t;
	const struct snapshot_from from = {
		.session = t->opts.session,
		.trace = t->opts.trace,
		.tracks = &t->tracks,
	};
	int ret = snapshot_take(&from, rings, nr, &k->snapshot, err);

	if (ret)
		return ret;
	/* the records of the stop are among those of the histories then */
	collector_drain_all(t->opts.collector);
	return snapshot_records_hold(&k->records, t->opts.collector,
				     session_nr_rings(t->opts.session), err);
}

static int write_file(struct taking *k, struct err *err)
{
	struct snapshot_thread *t = k->t;
	const struct snapshot_write_opts opts = {
		.from = snapshot_thread_from(t),
		.snapshot = &k->snapshot,
		.records = &k->records,
		.progress = progress,
		.ctx = k,
	};

	if (atomic_load(&t->cancel))
		return -ECANCELED;
	return snapshot_write(&opts, k->path, k->beside, sizeof(k->path),
			      &k->bytes, err);
}

/* The newest that fit --keep stay. */
static void keep_files(struct taking *k)
{
	struct snapshot_thread *t = k->t;
	size_t removed;

	if (!t->opts.keep)
		return;
	if (snapshot_files_add(&t->files, k->path, k->beside))
		return;
	removed = snapshot_files_keep(&t->files, t->opts.keep);
	pthread_mutex_lock(&t->lock);
	t->status.removed += removed;
	pthread_mutex_unlock(&t->lock);
}

void snapshot_thread_do_take(struct snapshot_thread *t, const size_t *rings,
			     size_t nr, const char *trigger)
{
	struct taking k = { .t = t, .time = sys_wall_clock() };
	struct err err = { 0 };
	int ret;

	list_begin(&k, trigger);
	ret = snapshot_files_name(t->opts.dir, k.time, k.number, k.path,
				  sizeof(k.path), &err);
	if (!ret)
		ret = copy(&k, rings, nr, &err);
	if (!ret) {
		list_copied(&k);
		ret = write_file(&k, &err);
	}
	if (!ret)
		keep_files(&k);
	list_end(&k, ret, &err);
	note_end(&k, ret, trigger, &err);
	snapshot_free(&k.snapshot);
	snapshot_records_free(&k.records);
}
