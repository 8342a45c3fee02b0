/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/snapshot/snapshot_thread_impl.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/file_place.h"
#include "base/new_file.h"
#include "base/sys.h"
#include "base/text.h"
#include "collect/collector.h"
#include "collect/triggers/trigger.h"
#include "perf/event/call_spec.h"

#define SOON 1e-3 /* seconds */
#define LONGEST_BEGIN 5.0 /* seconds to wait for a disk */

bool snapshot_thread_can_take(const struct snapshot_thread *t, struct err *err)
{
	if (t->opts.session_opts->overwrite)
		return true;
	if (t->opts.trace && t->opts.trace->overwrite)
		return true;
	if (t->opts.trace)
		err_set(err, -EOPNOTSUPP,
			"--full-trace empties the AUX rings all the time: leave it out for snapshots, or record with w or -o FILE");
	else
		err_set(err, -EOPNOTSUPP,
			"no ring keeps anything to save: trace (-e intel_pt// ...), or open rings with --overwrite; w records what is drained");
	return false;
}

/* By making a file in it: nothing else says that a file can be. */
static int check_dir(const char *dir, struct err *err)
{
	char path[PATH_MAX];
	struct new_file *file = NULL;
	struct err why = { 0 };

	if (snprintf(path, sizeof(path), "%s/.rbtop", dir) <
	    (int)sizeof(path))
		file = new_file_open(path, 0, &why);
	else
		err_set(&why, -ENAMETOOLONG, "name too long");
	new_file_cancel(file);
	if (file)
		return 0;
	return err_set(err, why.code,
		       "--output %s: %s: name a directory that files can be created in",
		       dir, strerror(-why.code));
}

/* Whether a condition is on samples: what is not begins with such a word. */
static bool on_samples(const char *condition)
{
	static const char *const words[] = {
		"lost", "throttle", "truncated", "fill",
	};

	condition += strspn(condition, " \t");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(condition, words[i], strlen(words[i])))
			return false;
	return true;
}

/* What traces writes no samples. */
static bool has_samples(const struct event_list *events)
{
	for (size_t i = 0; i < events->nr; i++)
		if (!events->specs[i].aux)
			return true;
	return false;
}

static int check_trigger(const struct snapshot_thread *t, struct err *err)
{
	const char *text = trigger_text(t->opts.trigger);

	/* its event is watched even if the rings are not drained */
	if (call_spec_is(text))
		return 0;
	if (t->opts.session_opts->overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "--snapshot-on watches records as they are drained, and overwrite rings are not: use --snapshot-every, or an event that traces (-e intel_pt//)");
	if (!t->opts.trace || !t->opts.trace->overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "--snapshot-on needs an event that traces, such as -e intel_pt//, in snapshot mode: of overwrite rings, --snapshot-every, s and SIGUSR2 take snapshots");
	if (on_samples(text) && !has_samples(&t->opts.session_opts->events))
		return err_set(err, -EINVAL,
			       "--snapshot-on '%.60s': no event takes samples that this could hold for: add one, such as -e sched:sched_switch -c 1",
			       text);
	return 0;
}

/* What is asked for at the start has to be possible. */
static int check_opts(const struct snapshot_thread *t, struct err *err)
{
	bool wanted = t->opts.every > 0 || t->opts.trigger;
	int ret = t->opts.trigger ? check_trigger(t, err) : 0;

	if (ret)
		return ret;
	if (wanted && !snapshot_thread_can_take(t, err))
		return err_prefix(err, t->opts.trigger ? "--snapshot-on" :
							 "--snapshot-every");
	/* the current one may be any, until something is to be saved there */
	if (wanted || strcmp(t->opts.dir, ".") != 0)
		return check_dir(t->opts.dir, err);
	return 0;
}

/* Unattended ones must be quick; a person's may not cost too much. */
static uint64_t most_memory(const struct snapshot_thread_opts *opts)
{
	const uint64_t usual = 64 << 20;

	return opts->trigger || opts->every > 0 ? UINT64_MAX : usual;
}

static void fill_status(struct snapshot_thread *t)
{
	struct snapshots *s = &t->status;

	text_copy(s->dir, sizeof(s->dir), t->opts.dir);
	s->keep = t->opts.keep;
	s->every = t->opts.every;
	if (t->opts.trigger)
		text_copy(s->armed, sizeof(s->armed),
			  trigger_text(t->opts.trigger));
}

struct snapshot_thread *
snapshot_thread_new(const struct snapshot_thread_opts *opts, struct err *err)
{
	struct snapshot_thread *t = calloc(1, sizeof(*t));

	if (!t) {
		err_set(err, -ENOMEM, "snapshots: out of memory");
		return NULL;
	}
	t->opts = *opts;
	t->opts.dir = opts->dir ? opts->dir : ".";
	t->memory.limit = most_memory(opts);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->settled, NULL);
	pthread_mutex_init(&t->joining, NULL);
	t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	t->loop = t->wake < 0 ? NULL : loop_new();
	if (!t->loop)
		err_set(err, -errno, "snapshots: %s", strerror(errno));
	else if (check_opts(t, err) == 0) {
		fill_status(t);
		return t;
	}
	snapshot_thread_free(t);
	return NULL;
}

/*
 * For a moment before the first file, histories have to run before it: also of
 * the rings that are drained beside overwrite rings.
 */
static bool keeps_from_start(const struct snapshot_thread *t)
{
	struct session *session = t->opts.session;

	return t->opts.trace || t->from_start ||
	       (t->opts.session_opts->overwrite &&
		session_nr_rings(session) > session_nr_watched(session));
}

int snapshot_thread_start(struct snapshot_thread *t, struct err *err)
{
	int ret = snapshot_thread_add_sources(t, err);

	t->from_start = t->asked.record;
	if (!ret && keeps_from_start(t))
		ret = snapshot_thread_keep_history(t, err);
	if (ret)
		return ret;
	/* what the first records tell counts too */
	if (t->opts.trigger)
		trigger_arm(t->opts.trigger);
	ret = -pthread_create(&t->thread, NULL, snapshot_thread_main, t);
	if (ret)
		return err_set(err, ret, "starting the snapshot thread: %s",
			       strerror(-ret));
	t->started = true;
	return 0;
}

/* Under the lock, which it lets go of. */
static void wake_up(struct snapshot_thread *t)
{
	pthread_mutex_unlock(&t->lock);
	eventfd_write(t->wake, 1);
}

void snapshot_thread_begin(struct snapshot_thread *t)
{
	const struct timespec until = sys_deadline(LONGEST_BEGIN);
	int ret = 0;

	pthread_mutex_lock(&t->lock);
	t->asked.begin = t->beginning = t->asked.record;
	eventfd_write(t->wake, 1);
	while (t->beginning && ret == 0)
		ret = pthread_cond_clockwait(&t->settled, &t->lock,
					     CLOCK_MONOTONIC, &until);
	pthread_mutex_unlock(&t->lock);
}

void snapshot_thread_enabled(struct snapshot_thread *t)
{
	pthread_mutex_lock(&t->lock);
	t->asked.enabled = true;
	wake_up(t);
}

/* Request a last snapshot, if possible; it is merged with a queued one. */
static void ask_last(struct snapshot_thread *t, const char *last)
{
	struct snapshot_wanted one = { .requests = 1, .at = sys_now() };
	struct err err;

	if (!last || !snapshot_thread_can_take(t, NULL))
		return;
	text_copy(one.trigger, sizeof(one.trigger), last);
	if (snapshot_thread_want(t, &one, NULL, &err))
		snapshot_thread_note(t, LOG_ERROR, "%s", err.text);
}

void snapshot_thread_settle(struct snapshot_thread *t, const char *last)
{
	pthread_mutex_lock(&t->joining);
	if (t->started) {
		pthread_mutex_lock(&t->lock);
		ask_last(t, last);
		t->asked.settle = true;
		t->settling = !t->over;
		eventfd_write(t->wake, 1);
		while (t->settling)
			pthread_cond_wait(&t->settled, &t->lock);
		pthread_mutex_unlock(&t->lock);
	}
	pthread_mutex_unlock(&t->joining);
}

/* Have the thread end, and wait for it: who comes second waits too. */
static void end_thread(struct snapshot_thread *t, bool drop)
{
	pthread_mutex_lock(&t->joining);
	if (t->started) {
		pthread_mutex_lock(&t->lock);
		t->asked.stop = true;
		t->asked.drop = drop;
		if (drop && (t->taking || t->asked.next.requests))
			atomic_store(&t->cancel, true);
		wake_up(t);
		pthread_join(t->thread, NULL);
		t->started = false;
	}
	pthread_mutex_unlock(&t->joining);
}

void snapshot_thread_stop(struct snapshot_thread *t)
{
	if (t)
		end_thread(t, false);
}

void snapshot_thread_free(struct snapshot_thread *t)
{
	if (!t)
		return;
	end_thread(t, true);
	recording_cancel(t->recording);
	loop_free(t->loop);
	sys_close(t->wake);
	event_ids_free(&t->ids);
	snapshot_tracks_free(&t->tracks);
	snapshot_memory_free(&t->memory);
	snapshot_files_free(&t->files);
	snapshot_wanted_free(&t->asked.next);
	pthread_cond_destroy(&t->settled);
	pthread_mutex_destroy(&t->joining);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

/* 1, 0 or -errno with @err.  A link that leads nowhere bears the name, too. */
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

/* Whether @path can become a file, as far as that is to be seen now. */
static int check_path(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX];
	int ret;

	if (!strcmp(path, "-"))
		return err_usage(err,
				 "a recording cannot go to standard output: its header is written last");
	if (strlen(path) >= sizeof(dir) - 16)
		return err_set(err, -ENAMETOOLONG, "recording into %.40s...: %s",
			       path, strerror(ENAMETOOLONG));
	ret = is_taken(path, err);
	if (ret < 0)
		return ret;
	if (ret)
		return err_set(err, -EEXIST,
			       "recording into %s: it is there already: remove it, or choose another name",
			       path);
	snprintf(dir, sizeof(dir), "%.*s",
		 slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	ret = sys_access(dir, W_OK | X_OK);
	if (ret)
		return err_set(err, ret, "recording into %s: %s", path,
			       strerror(-ret));
	return 0;
}

/* Under the lock. */
static int ask_record(struct snapshot_thread *t, const char *path,
		      struct err *err)
{
	if (t->asked.stop || t->over)
		return err_set(err, -ESHUTDOWN,
			       "the events have ended: nothing to record");
	if (t->recording_on)
		return err_set(err, -EBUSY, "a recording is under way");
	snprintf(t->asked.path, sizeof(t->asked.path), "%s", path);
	t->asked.record = true;
	/* it was about one that has ended by itself since */
	t->asked.record_end = false;
	t->recording_on = true;
	return 0;
}

int snapshot_thread_record(struct snapshot_thread *t, const char *path,
			   struct err *err)
{
	int ret;

	if (t->opts.session_opts->overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "overwrite rings are not drained, so not recorded: s takes a snapshot of them");
	ret = path ? check_path(path, err) : 0;
	if (ret)
		return ret;
	pthread_mutex_lock(&t->lock);
	ret = ask_record(t, path ? path : "", err);
	wake_up(t);
	return ret;
}

int snapshot_thread_record_end(struct snapshot_thread *t, struct err *err)
{
	bool on;

	pthread_mutex_lock(&t->lock);
	on = t->recording_on;
	t->asked.record_end = on;
	wake_up(t);
	return on ? 0 : err_set(err, -ENOENT, "nothing is being recorded");
}

uint64_t snapshot_thread_ended(struct snapshot_thread *t)
{
	uint64_t ended = 0;

	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < t->status.nr; i++)
		if (t->status.list[i].state >= SNAPSHOT_DONE)
			ended = t->status.list[i].number;
	pthread_mutex_unlock(&t->lock);
	return ended;
}

void snapshot_thread_status(struct snapshot_thread *t, struct snapshots *out)
{
	double now = sys_now();

	pthread_mutex_lock(&t->lock);
	*out = t->status;
	/* it may be over, and what it was for still be written */
	if (t->rearm_at > 0)
		out->cooldown_left = fmax(t->rearm_at - now, SOON);
	pthread_mutex_unlock(&t->lock);
}
