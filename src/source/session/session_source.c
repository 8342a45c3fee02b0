/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The live source from its opening to its end. */
#include "source/session/session_source_state.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/host_watch.h"
#include "perf/target/workload.h"
#include "symbols/symbol_loader.h"
#include "trace/call/call_event.h"
#include "trace/snapshot/snapshot_thread.h"

/*
 * Samples are resolved only after all rings were drained, so that is done more
 * often than frames are made.
 */
#define SAMPLES_INTERVAL 0.1

enum { MAX_OWN_READERS = 64 };	/* with more CPUs, neighbours share one */

/* A workload that is the target is added to it; its exec enables the events. */
static int use_workload(struct session_source *ss, pid_t *tid, struct err *err)
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

static int list_tasks(struct session_source *ss, struct err *err)
{
	const struct target_map *map = session_target(ss->session);
	struct workload *workload = ss->opts.workload;

	ss->tasks = calloc(map->nr_tids + 1, sizeof(*ss->tasks));
	if (!ss->tasks)
		return err_set(err, -ENOMEM,
			       "the target's tasks: out of memory");
	ss->nr_tasks = map->nr_tids;
	for (size_t i = 0; i < map->nr_tids; i++) {
		struct source_task *task = &ss->tasks[i];

		task->tid = map->tids[i];
		task->pid = proc_process_of("/proc", task->tid);
		/* before its exec, a workload has rbtop's comm */
		if (workload && task->tid == workload_pid(workload))
			text_copy(task->comm, sizeof(task->comm),
				  text_base_name(workload_name(workload)));
		else
			comm_cache_get(ss->comms, task->tid, sys_now(),
				       task->comm);
	}
	return 0;
}

/*
 * The reader threads: their number, CPUs and priority.
 *
 * A realtime reader on the CPU whose ring it drains preempts the writer as soon
 * as it is woken, and finds the records in that CPU's cache: in a stress test
 * nothing was lost at any ring size, with a fifth to a half of the CPU time of
 * a reader on another CPU.  A thread without realtime priority would have to
 * wait for that CPU, and does better where the scheduler puts it.
 */

/* Scheduling parameters of a thread. */
struct schedule {
	int policy;
	struct sched_param param;
};

/* 0 or an errno. */
static int go_realtime(int priority, struct schedule *was)
{
	struct sched_param param = { .sched_priority = priority };
	int ret = pthread_getschedparam(pthread_self(), &was->policy,
					&was->param);

	if (ret)
		return ret;
	return pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
}

static void leave_realtime(const struct schedule *was)
{
	pthread_setschedparam(pthread_self(), was->policy, &was->param);
}

/* Determine the priority of the readers. */
static int choose_priority(struct session_source *ss, struct err *err)
{
	bool automatic = ss->opts.realtime == SESSION_SOURCE_REALTIME_AUTO;
	int wanted = automatic ? 1 : ss->opts.realtime;
	struct schedule was;
	int ret;

	if (!wanted)
		return 0;
	ret = go_realtime(wanted, &was);
	if (!ret) {
		leave_realtime(&was);
		ss->priority = wanted;
		return 0;
	}
	if (automatic)
		return 0;
	return err_set(err, -ret, "-r %d: %s: it needs root, CAP_SYS_NICE or "
		       "a 'ulimit -r' of %d", wanted, strerror(ret), wanted);
}

/* Whether trace is written to files continuously, by AUX lanes. */
static bool has_full_trace(const struct session_source *ss)
{
	return session_has_aux(ss->session) && !ss->opts.session.aux_overwrite;
}

/*
 * Whether each ring gets a reader on its own CPU: the default with realtime
 * priority.  Not with full trace only: then the data rings get few records, and
 * at a wakeup a reader only wakes a lane, which one thread can do for many
 * rings with fewer context switches.
 */
static bool on_own_cpus(const struct session_source *ss)
{
	return ss->priority && !ss->opts.readers &&
	       ss->opts.session.target.mode != TARGET_THREADS &&
	       (event_list_has_samples(&ss->opts.session.events) ||
		!has_full_trace(ss));
}

static int open_readers(struct session_source *ss, struct err *err)
{
	size_t rings = session_nr_watched(ss->session);
	size_t all = session_nr_rings(ss->session);
	int ret = choose_priority(ss, err);
	bool own = on_own_cpus(ss);
	struct collector_opts opts = {
		.readers = own ? (unsigned int)MIN(rings, MAX_OWN_READERS) :
				 ss->opts.readers,
		.rings = rings,
		.side_band_rings = ss->opts.session.side_band_all_cpus,
		.drains_side_band = ss->opts.session.overwrite,
		.affinity = own || ss->opts.affinity,
		.roam = own && !ss->opts.affinity,
		.interval = ss->snapshots.tasks || ss->opts.list_only ?
				    MIN(ss->opts.interval, SAMPLES_INTERVAL) :
				    ss->opts.interval,
		.lanes = has_full_trace(ss),
		.self = getpid(),
		.decode_rate = ss->opts.decode_rate,
		.switches = ss->opts.decode_rate > 0 && !ss->opts.list_none,
		.side_band = ss->snapshots.tasks != NULL,
		.sample_type = ss->opts.session.sample_type,
		.clock = session_clock(ss->session),
		.trigger = ss->snapshots.trigger,
		.hangup = session_source_watch_hangup,
		.ctx = ss,
	};

	if (ret)
		return ret;
	ss->collector = collector_new(&opts, err);
	if (!ss->collector)
		return err ? err->code : -ENOMEM;
	for (size_t i = 0; !ret && i < all; i++)
		ret = session_source_ring_add(ss, i, err);
	return ret;
}

/* "system-wide: cpu-clock 4000 Hz, page-faults 4000 Hz" */
void session_source_title(struct session_source *ss)
{
	enum { NAMED = 3 };
	char *title = ss->source.title;
	size_t size = sizeof(ss->source.title);
	size_t nr = 0;

	if (ss->opts.workload && !ss->opts.workload_is_duration)
		snprintf(title, size, "%s", workload_name(ss->opts.workload));
	else
		target_describe(&ss->opts.session.target, title, size);
	for (size_t i = 0; i < ss->opts.session.events.nr; i++) {
		const struct perf_event_attr *attr =
			session_event_attr(ss->session, i);

		if (session_event_left_out(ss->session, i) || nr++ >= NAMED)
			continue;
		text_append(title, size, "%s%s", nr > 1 ? ", " : ": ",
			    session_event_name(ss->session, i));
		text_append(title, size,
			    attr->freq ? " %llu Hz" : " period %llu",
			    (unsigned long long)(attr->freq ?
							 attr->sample_freq :
							 attr->sample_period));
	}
	if (nr > NAMED)
		text_append(title, size, " and %zu more", nr - NAMED);
	if (ss->opts.session.all_user)
		text_append(title, size, ", user space only");
	if (ss->opts.session.all_kernel)
		text_append(title, size, ", kernel only");
}

static int open_parts(struct session_source *ss, struct err *err)
{
	struct session_opts *opts = &ss->opts.session;
	int ret = session_source_control_open(ss, err);

	ss->comms = comm_cache_new("/proc");
	if (!ret && !ss->comms)
		ret = err_set(err, -ENOMEM, "names of tasks: out of memory");
	if (!ret)
		ret = session_source_open_trace(ss, err);
	if (!ret)
		ret = session_source_open_call(ss, err);
	/*
	 * Side-band of tasks on other CPUs is needed to follow tasks, and to
	 * decode a snapshot of overwrite rings.
	 */
	opts->side_band_all_cpus = opts->target.mode == TARGET_CPUS &&
				   (opts->overwrite || ss->snapshots.tasks);
	if (!ret)
		ret = session_open(opts, &ss->session, err);
	if (!ret)
		ret = list_tasks(ss, err);
	if (!ret)
		ret = session_source_open_trigger(ss, err);
	if (!ret)
		ret = open_readers(ss, err);
	if (!ret)
		ret = session_source_open_samples(ss, err);
	if (!ret)
		ret = session_source_open_snapshots(ss, err);
	if (ret)
		return ret;
	ss->poller = counter_poller_new(ss->session, ss->opts.interval, err);
	ss->source.event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ss->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!ss->poller || ss->source.event_fd < 0 || ss->wake < 0)
		return err_errno(err, -errno, "preparing to watch");
	session_source_title(ss);
	snprintf(ss->source.notice, sizeof(ss->source.notice), "%s",
		 session_notice(ss->session));
	if (ss->source.notice[0])
		source_notes_add(&ss->notes, LOG_INFO, "%s", ss->source.notice);
	if (ss->trace.warning[0])
		source_notes_add(&ss->notes, LOG_INFO, "%s", ss->trace.warning);
	if (ss->trace.warning[0] && !ss->source.notice[0])
		snprintf(ss->source.notice, sizeof(ss->source.notice), "%s",
			 ss->trace.warning);
	return 0;
}

/* Start. */

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

/*
 * Threads inherit the scheduling of their creator: this thread becomes realtime
 * while it has the capability, and changes back afterwards, which needs none.
 * Also drops capabilities that are no longer needed.
 */
static int start_readers(struct session_source *ss, struct err *err)
{
	struct schedule was;
	int ret = ss->priority ? -go_realtime(ss->priority, &was) : 0;

	if (ret)
		return err_errno(err, ret, "realtime readers");
	/* of all threads together; each drops more itself */
	ret = caps_limit(CAPS_EVENTS | CAPS_SYMBOLS | CAPS_FILES |
			 host_watch_caps(), err);
	if (!ret)
		ret = collector_start(ss->collector, err);
	if (ss->priority)
		leave_realtime(&was);
	return ret;
}

static int start_threads(struct session_source *ss, struct err *err)
{
	const char *record = ss->opts.snapshots.record;
	int ret = start_readers(ss, err);

	if (!ret)
		ret = counter_poller_start(ss->poller, err);
	if (!ret && ss->source.resolver)
		ret = resolver_thread_start(ss->source.resolver, err);
	if (!ret && record)
		ret = snapshot_thread_record(ss->snapshots.thread, record, err);
	if (!ret)
		ret = snapshot_thread_start(ss->snapshots.thread, err);
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
	/* the side-band first, so that no change of the tasks is missed */
	if (!ret && ss->opts.snapshots.record)
		ret = session_enable_side_band(ss->session, err);
	if (!ret && ss->opts.snapshots.record)
		snapshot_thread_begin(ss->snapshots.thread);
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

/* The end. */

/* Under the lock: disable the events, drain all rings, read all counts. */
static void stop_locked(struct session_source *ss)
{
	if (ss->finished)
		return;
	collector_trace(ss->collector, false);
	session_end(ss->session);
	/* A writer that this interrupted must still publish its head. */
	sys_grace_period();
	collector_drain_all(ss->collector);
	counter_poller_refresh(ss->poller);
	ss->finished = true;
	ss->enabled = false;
}

/* Not under the lock: the same, then decode the rest and finish files. */
static void session_source_finish(struct source *source)
{
	struct session_source *ss = (struct session_source *)source;
	bool started;

	pthread_mutex_lock(&ss->lock);
	started = ss->started;
	if (started)
		stop_locked(ss);
	pthread_mutex_unlock(&ss->lock);
	/* A failed start leaves no files. */
	if (!started)
		return;
	/* Both may take a while; frames are still made. */
	if (ss->source.resolver)
		resolver_thread_finish(ss->source.resolver);
	source_snapshots_settle(&ss->snapshots);
}

void session_source_stop_target(struct session_source *ss)
{
	session_source_finish(&ss->source);
	pthread_mutex_lock(&ss->lock);
	ss->ended = true;
	pthread_mutex_unlock(&ss->lock);
	eventfd_write(ss->source.event_fd, 1);
}

static void session_source_close(struct source *source)
{
	struct session_source *ss = (struct session_source *)source;

	session_source_watch_stop(ss);
	session_source_control_close(ss);
	/* A recording contains all that was written so far. */
	if (ss->started) {
		stop_locked(ss);
		source_snapshots_settle(&ss->snapshots);
	}
	source_snapshots_close(&ss->snapshots, ss->finished);
	if (!session_source_close_samples(ss)) {
		/* rbtop exits soon; until then all it may use is kept */
		workload_free(ss->opts.workload);
		return;
	}
	counter_poller_free(ss->poller);
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
	ss->command.workload = opts->workload;
	ss->command.notes = &ss->notes;
	if (use_workload(ss, &ss->workload_tid, err) || open_parts(ss, err)) {
		ss->opts.workload = NULL; /* the caller owns it */
		source_close(&ss->source);
		return NULL;
	}
	return &ss->source;
}
