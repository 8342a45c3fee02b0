/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/session/session_source.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/host_watch.h"
#include "perf/target/workload.h"
#include "source/session/session_source_trace.h"
#include "source/session/session_source_control.h"
#include "source/session/session_source_read.h"
#include "source/session/session_source_readers.h"
#include "source/session/session_source_request.h"
#include "source/session/session_source_samples.h"
#include "source/session/session_source_watch.h"
#include "symbols/symbol_loader.h"
#include "trace/call/call_event.h"
#include "trace/snapshot/snapshot_thread.h"

/* A workload that is the target is added to it; its exec enables the events. */
static int take_workload(struct session_source *ss, pid_t *tid, struct err *err)
{
	struct session_opts *opts = &ss->opts.session;

	if (!ss->opts.workload || ss->opts.workload_is_duration)
		return 0;
	if (!target_by_task(&opts->target))
		return err_usage(err,
				 "a command is not the target with -a or -C: it is only the duration");
	*tid = workload_pid(ss->opts.workload);
	if (opts->target.nr_pids == 0 && opts->target.nr_tids == 0 &&
	    !opts->target.by_uid) {
		opts->target.tids = tid;
		opts->target.nr_tids = 1;
	}
	opts->enable_on_exec = ss->opts.start_delay == 0;
	return 0;
}

/* A workload before its exec has rbtop's comm: use its file's name. */
static void name_task(struct session_source *ss, struct source_task *task)
{
	struct workload *workload = ss->opts.workload;

	if (!workload || task->tid != workload_pid(workload)) {
		comm_cache_get(ss->comms, task->tid, sys_now(), task->comm);
		return;
	}
	text_copy(task->comm, sizeof(task->comm),
		  text_base_name(workload_name(workload)));
}

static int list_tasks(struct session_source *ss, struct err *err)
{
	const struct target_map *map = session_target(ss->session);

	ss->tasks = calloc(map->nr_tids + 1, sizeof(*ss->tasks));
	if (!ss->tasks)
		return err_set(err, -ENOMEM,
			       "the target's tasks: out of memory");
	ss->nr_tasks = map->nr_tids;
	for (size_t i = 0; i < map->nr_tids; i++) {
		struct source_task *task = &ss->tasks[i];

		task->tid = map->tids[i];
		task->pid = proc_process_of("/proc", task->tid);
		name_task(ss, task);
	}
	return 0;
}

/*
 * Side-band of tasks on other CPUs is needed to follow tasks, and to decode a
 * snapshot of overwrite rings.
 */
static int open_session(struct session_source *ss, struct err *err)
{
	struct session_opts *opts = &ss->opts.session;

	opts->side_band_elsewhere =
		opts->target.mode == TARGET_CPUS &&
		(opts->overwrite || ss->snapshots.tasks);
	return session_open(opts, &ss->session, err);
}

static int open_parts(struct session_source *ss, struct err *err)
{
	int ret = session_source_control_open(ss, err);

	ss->comms = comm_cache_new("/proc");
	if (!ret && !ss->comms)
		ret = err_set(err, -ENOMEM, "names of tasks: out of memory");
	if (!ret)
		ret = session_source_open_trace(ss, err);
	if (!ret)
		ret = session_source_open_call(ss, err);
	if (!ret)
		ret = open_session(ss, err);
	if (!ret)
		ret = list_tasks(ss, err);
	if (!ret)
		ret = session_source_open_trigger(ss, err);
	if (!ret)
		ret = session_source_open_readers(ss, err);
	if (!ret)
		ret = session_source_open_samples(ss, err);
	if (!ret)
		ret = session_source_open_snapshots(ss, err);
	if (ret)
		return ret;
	ss->lane = slow_lane_new(ss->session, ss->opts.interval, err);
	ss->source.event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ss->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!ss->lane || ss->source.event_fd < 0 || ss->wake < 0)
		return err_errno(err, -errno, "preparing to watch");
	session_source_title(ss);
	snprintf(ss->source.notice, sizeof(ss->source.notice), "%s",
		 session_notice(ss->session));
	if (ss->source.notice[0])
		source_notes_add(&ss->notes, LOG_INFO, "%s", ss->source.notice);
	session_source_warn_of_trace(ss);
	return 0;
}

/* All threads of rbtop, and its processes. */
static size_t own_threads(const struct session_source *ss, pid_t *tids,
			  size_t max)
{
	size_t nr = ss->nr_loaders, nr_threads;
	pid_t *threads;

	memcpy(tids, ss->loaders, nr * sizeof(*tids));
	if (ss->snapshots.loader)
		nr += symbol_loader_pids(ss->snapshots.loader, tids + nr,
					 max - nr);
	proc_threads("/proc", proc_self("/proc"), &threads, &nr_threads);
	for (size_t i = 0; i < nr_threads && nr < max; i++)
		tids[nr++] = threads[i];
	free(threads);
	return nr;
}

static int set_filters(struct session_source *ss, struct err *err)
{
	enum { MAX_THREADS = 128 };	/* 100 readers, 7 lanes, and others */
	pid_t tids[MAX_THREADS];
	bool all = !target_by_task(&ss->opts.session.target);
	size_t nr = 0;

	if (all && !ss->opts.with_self)
		nr = own_threads(ss, tids, MAX_THREADS);
	return session_filter(ss->session, tids, nr, err);
}

static int start_threads(struct session_source *ss, struct err *err)
{
	int ret = session_source_start_readers(ss, err);

	if (!ret)
		ret = slow_lane_start(ss->lane, err);
	if (!ret && ss->source.resolver)
		ret = resolver_thread_start(ss->source.resolver, err);
	if (!ret)
		ret = session_source_start_snapshot_thread(ss, err);
	return ret ? ret : session_source_watch_start(ss, err);
}

/*
 * Signals are the front end's: no thread of this source may take one.  Under
 * the lock, so that the watch thread waits for the workload's start.
 */
static int start_all(struct session_source *ss, struct err *err)
{
	int ret = start_threads(ss, err);

	if (!ret)
		ret = set_filters(ss, err);
	if (!ret)
		ret = session_source_begin_recording(ss, err);
	if (!ret)
		ret = session_enable(ss->session, true, err);
	ss->enabled = ret == 0 && ss->opts.start_delay == 0;
	collector_trace(ss->collector, ss->enabled);
	if (!ret)
		snapshot_thread_enabled(ss->snapshots.thread);
	if (!ret && ss->opts.workload)
		ret = workload_start(ss->opts.workload, err);
	/* the threads have theirs; H may start the host view's thread later */
	if (!ret)
		ret = caps_limit(CAPS_EVENTS | CAPS_FILES | host_watch_caps(),
				 err);
	ss->started = ret == 0;
	return ret;
}

static int session_source_start(struct source *source, struct err *err)
{
	struct session_source *ss = (struct session_source *)source;
	sigset_t old;
	int ret;

	sys_block_signals(&old);
	pthread_mutex_lock(&ss->lock);
	ret = start_all(ss, err);
	pthread_mutex_unlock(&ss->lock);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

static void session_source_finish(struct source *source)
{
	session_source_stop((struct session_source *)source);
}

static void session_source_close(struct source *source)
{
	struct session_source *ss = (struct session_source *)source;

	session_source_watch_stop(ss);
	session_source_control_close(ss);
	/* A recording contains all that was written so far. */
	if (ss->started) {
		session_source_stop_locked(ss);
		source_snapshots_settle(&ss->snapshots);
	}
	source_snapshots_close(&ss->snapshots, ss->finished);
	if (!session_source_close_samples(ss)) {
		/* rbtop exits soon; until then all it may use is kept */
		workload_free(ss->opts.workload);
		return;
	}
	slow_lane_free(ss->lane);
	collector_free(ss->collector);
	source_snapshots_free(&ss->snapshots);
	session_close(ss->session);
	call_event_close(ss->call);
	workload_free(ss->opts.workload);
	sys_close(source->event_fd);
	sys_close(ss->wake);
	comm_cache_free(ss->comms);
	free(ss->rings);
	free(ss->tasks);
	cpulist_free(&ss->refused);
	free(ss->counts);
	free(ss->samples);
	source_notes_free(&ss->notes);
	free(ss->hangups);
	pthread_mutex_destroy(&ss->lock);
	pthread_mutex_destroy(&ss->hangups_lock);
	free(ss);
}

static const struct source_ops session_source_ops = {
	.name = "session",
	.start = session_source_start,
	.read = session_source_read,
	.request = session_source_request,
	.finish = session_source_finish,
	.close = session_source_close,
};

struct source *session_source_open(const struct session_source_opts *opts,
				   struct err *err)
{
	struct session_source *ss = calloc(1, sizeof(*ss));

	if (!ss || source_init(&ss->source, &session_source_ops)) {
		free(ss);
		err_set(err, -ENOMEM, "opening the session: out of memory");
		return NULL;
	}
	ss->opts = *opts;
	/* Overwrite rings are not drained, so no samples are decoded. */
	if (opts->session.overwrite)
		ss->opts.decode_rate = 0;
	ss->source.decodes = ss->opts.decode_rate > 0;
	ss->source.snapshots = &ss->snapshots;
	ss->opts.session.start_disabled = opts->start_delay != 0;
	ss->wake = ss->uevents = -1;
	pthread_mutex_init(&ss->lock, NULL);
	pthread_mutex_init(&ss->hangups_lock, NULL);
	source_notes_init(&ss->notes);
	if (take_workload(ss, &ss->workload_tid, err) || open_parts(ss, err)) {
		ss->opts.workload = NULL; /* the caller owns it */
		source_close(&ss->source);
		return NULL;
	}
	return &ss->source;
}
