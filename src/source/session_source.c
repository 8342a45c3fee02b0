/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/session_source.h"

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
#include "perf/session/workload.h"
#include "source/session_source_impl.h"

int session_source_reserve(struct session_source *ss, size_t nr_rings)
{
	struct source_ring *rings;

	if (nr_rings <= ss->nr_rings)
		return 0;
	rings = reallocarray(ss->rings, nr_rings, sizeof(*rings));
	if (!rings)
		return -ENOMEM;
	memset(rings + ss->nr_rings, 0,
	       (nr_rings - ss->nr_rings) * sizeof(*rings));
	ss->rings = rings;
	ss->nr_rings = nr_rings;
	return 0;
}

char *session_source_label(struct session_source *ss, size_t ring, char *buf,
			   size_t size)
{
	const struct session_ring *r = session_ring(ss->session, ring);

	if (r->cpu >= 0)
		snprintf(buf, size, "CPU %d", r->cpu);
	else
		snprintf(buf, size, "thread %d", r->tid);
	return buf;
}

/* What a collector_ring points to, one entry an event. */
struct ring_lists {
	int *fds;
	uint64_t *ids;
	uint32_t *tags;
	int *aux_fds;
	int *call_fds;
};

static void lists_free(struct ring_lists *lists)
{
	free(lists->fds);
	free(lists->ids);
	free(lists->tags);
	free(lists->aux_fds);
	free(lists->call_fds);
}

static int lists_new(struct ring_lists *lists, size_t nr)
{
	lists->fds = calloc(nr, sizeof(*lists->fds));
	lists->ids = calloc(nr, sizeof(*lists->ids));
	lists->tags = calloc(nr, sizeof(*lists->tags));
	lists->aux_fds = calloc(nr, sizeof(*lists->aux_fds));
	lists->call_fds = calloc(nr, sizeof(*lists->call_fds));
	if (lists->fds && lists->ids && lists->tags && lists->aux_fds &&
	    lists->call_fds)
		return 0;
	lists_free(lists);
	return -ENOMEM;
}

/*
 * The fds to poll: the dummy of each task, which tells when it and what it
 * started are gone; a CPU-wide owner never would.
 */
static size_t list_fds(const struct session_source *ss,
		       const struct session_ring *ring,
		       const struct session_event *owner, int *fds)
{
	size_t nr = 0;

	if (owner->tid >= 0 || !target_by_task(&ss->opts.session.target))
		fds[nr++] = owner->fd;
	for (size_t i = 1; i < ring->nr_events; i++)
		if (ring->events[i].spec == SESSION_SIDE_BAND)
			fds[nr++] = ring->events[i].fd;
	return nr;
}

/* Those of the events that trace. */
static size_t list_aux_fds(const struct session_source *ss,
			   const struct session_ring *ring, int *fds)
{
	const struct event_list *events = &ss->opts.session.events;
	size_t nr = 0;

	for (size_t i = 0; ring->aux.size && i < ring->nr_events; i++) {
		const struct session_event *event = &ring->events[i];

		if (event->spec != SESSION_SIDE_BAND &&
		    events->specs[event->spec].aux)
			fds[nr++] = event->fd;
	}
	return nr;
}

/* The fds of the events of --snapshot-on call:FUNC. */
static size_t list_call_fds(const struct session_source *ss,
			    const struct session_ring *ring, int *fds)
{
	size_t call = session_source_call(ss), nr = 0;

	for (size_t i = 0; i < ring->nr_events && call != SESSION_SIDE_BAND;
	     i++)
		if (ring->events[i].spec == call)
			fds[nr++] = ring->events[i].fd;
	return nr;
}

static void fill_collector_ring(const struct session_source *ss,
				const struct session_ring *ring,
				const struct ring *memory,
				const struct session_event *owner,
				struct ring_lists *lists,
				struct collector_ring *out)
{
	for (size_t i = 0; i < ring->nr_events; i++) {
		const struct session_event *event = i ? &ring->events[i]
						      : owner;

		lists->ids[i] = event->id;
		/* SESSION_SIDE_BAND: no event of the resolver thread's */
		lists->tags[i] = (uint32_t)event->spec;
	}
	*out = (struct collector_ring){
		.ring = *memory,
		.cpu = ring->cpu,
		.apart = ring->elsewhere,
		.fds = lists->fds,
		.nr_fds = list_fds(ss, ring, owner, lists->fds),
		.ids = lists->ids,
		.tags = lists->tags,
		.nr_ids = (uint32_t)ring->nr_events,
		.call_fds = lists->call_fds,
		.nr_call_fds = list_call_fds(ss, ring, lists->call_fds),
		.aux = ring->aux,
		.aux_fds = lists->aux_fds,
		.nr_aux_fds = list_aux_fds(ss, ring, lists->aux_fds),
		.read_finish = session_source_read_finish(ss),
	};
}

int session_source_add(struct session_source *ss, size_t ring, struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	struct collector_ring cr;
	struct ring_lists lists;
	size_t slot;
	int ret;

	if (session_source_reserve(ss, ring + 1) ||
	    lists_new(&lists, r->nr_events))
		return err_set(err, -ENOMEM, "adding a ring: out of memory");
	fill_collector_ring(ss, r, &r->ring, &r->events[0], &lists, &cr);
	ret = collector_add(ss->collector, &cr, &slot, err);
	lists_free(&lists);
	return ret;
}

int session_source_replace(struct session_source *ss, size_t ring,
			   const struct ring *memory,
			   const struct session_event *owner, struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	struct collector_ring cr;
	struct ring_lists lists;
	int ret;

	if (lists_new(&lists, r->nr_events))
		return err_set(err, -ENOMEM, "replacing a ring: out of memory");
	fill_collector_ring(ss, r, memory, owner, &lists, &cr);
	ret = collector_replace(ss->collector, ring, &cr, err);
	lists_free(&lists);
	return ret;
}

/*
 * What the events of @ring have lost up to now, when all of them have just been
 * directed to @fresh.  Unknown if some of it may have been lost in there.
 */
static uint64_t lost_before(struct session_source *ss, size_t ring,
			    const struct ring *fresh)
{
	/* Dynamic fields of a tracepoint: PERF_MAX_TRACE_SIZE of the kernel's
	 * linux/trace_events.h; and a LOST before it. */
	enum { DYNAMIC = 8192 + 64 };
	uint64_t longest = session_longest_record(ss->session) + DYNAMIC;
	uint64_t lost, head;

	if (fresh->overwrite || ss->rings[ring].paused)
		return SESSION_UNKNOWN;
	lost = session_lost(ss->session, ring);
	head = ring_head(fresh); /* all that it ever got */
	if (head && head + longest > fresh->size)
		return SESSION_UNKNOWN;
	return lost;
}

void session_source_unreported(struct session_source *ss, size_t ring,
			       uint64_t lost, uint64_t told)
{
	struct source_ring *state = &ss->rings[ring];

	if (lost != SESSION_UNKNOWN && lost > told + state->unreported)
		state->unreported = lost - told;
}

int session_source_swap(struct session_source *ss, size_t ring, uint64_t bytes,
			struct err *err)
{
	struct session_swap swap;
	uint64_t lost;
	int ret = session_swap_prepare(ss->session, ring, bytes, &swap, err);

	if (ret)
		return ret;
	ret = session_source_replace(ss, ring, &swap.ring, &swap.owner, err);
	if (ret) {
		session_swap_cancel(ss->session, &swap);
		return ret;
	}
	ret = session_swap_redirect(ss->session, &swap, err);
	if (ret) {
		/* Back to the old memory; what little the new got is kept. */
		session_source_replace(ss, ring, &swap.old, &swap.old_owner,
				       NULL);
		collector_retire(ss->collector, ring);
		session_swap_cancel(ss->session, &swap);
		return ret;
	}
	lost = lost_before(ss, ring, &swap.ring);
	session_source_unreported(ss, ring, lost,
				  collector_retire(ss->collector, ring));
	session_swap_finish(ss->session, &swap);
	return 0;
}

static void stop_locked(struct session_source *ss)
{
	if (ss->finished)
		return;
	collector_trace(ss->collector, false);
	session_end(ss->session);
	/* A writer that was interrupted by that still has to publish. */
	sys_grace_period();
	collector_drain_all(ss->collector);
	slow_lane_refresh(ss->lane);
	ss->finished = true;
	ss->enabled = false;
}

void session_source_stop_counting(struct session_source *ss)
{
	bool started;

	pthread_mutex_lock(&ss->lock);
	started = ss->started;
	if (started)
		stop_locked(ss);
	pthread_mutex_unlock(&ss->lock);
	/* Of a start that failed nothing is to be kept. */
	if (!started)
		return;
	/* Both may take a while, in which the picture goes on. */
	if (ss->resolver)
		resolver_thread_finish(ss->resolver);
	session_source_settle_snapshots(ss);
}

static void append(char *buf, size_t size, const char *text)
{
	size_t len = strlen(buf);

	snprintf(buf + len, size - len, "%s", text);
}

static void append_rate(char *buf, size_t size,
			const struct perf_event_attr *attr)
{
	char rate[40];

	if (attr->freq)
		snprintf(rate, sizeof(rate), " %llu Hz",
			 (unsigned long long)attr->sample_freq);
	else
		snprintf(rate, sizeof(rate), " period %llu",
			 (unsigned long long)attr->sample_period);
	append(buf, size, rate);
}

/* "system-wide: cpu-clock 4000 Hz, page-faults 4000 Hz" */
void session_source_title(struct session_source *ss)
{
	enum { NAMED = 3 };
	char *title = ss->source.title, more[32];
	size_t size = sizeof(ss->source.title);
	size_t nr = 0;

	if (ss->opts.workload && !ss->opts.workload_is_duration)
		snprintf(title, size, "%s", workload_name(ss->opts.workload));
	else
		target_describe(&ss->opts.session.target, title, size);
	for (size_t i = 0; i < ss->opts.session.events.nr; i++) {
		if (session_event_left_out(ss->session, i) || nr++ >= NAMED)
			continue;
		append(title, size, nr > 1 ? ", " : ": ");
		append(title, size, session_event_name(ss->session, i));
		append_rate(title, size, session_event_attr(ss->session, i));
	}
	if (nr > NAMED) {
		snprintf(more, sizeof(more), " and %zu more", nr - NAMED);
		append(title, size, more);
	}
	if (ss->opts.session.all_user)
		append(title, size, ", user space only");
	if (ss->opts.session.all_kernel)
		append(title, size, ", kernel only");
}

/* A workload that is the target joins it, and its exec starts the events. */
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

/* A held workload is still called rbtop; it will be called as its file is. */
static void name_task(struct session_source *ss, struct source_task *task)
{
	struct workload *workload = ss->opts.workload;
	const char *name, *slash;

	if (!workload || task->tid != workload_pid(workload)) {
		comm_cache_get(ss->comms, task->tid, sys_now(), task->comm);
		return;
	}
	name = workload_name(workload);
	slash = strrchr(name, '/');
	text_copy(task->comm, sizeof(task->comm), slash ? slash + 1 : name);
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
 * Who wants to know of tasks is to know of those that come from elsewhere, and
 * so is who reads a snapshot of overwrite rings.
 */
static int open_session(struct session_source *ss, struct err *err)
{
	struct session_opts *opts = &ss->opts.session;

	opts->side_band_elsewhere =
		opts->target.mode == TARGET_CPUS &&
		(opts->overwrite || session_source_tasks(ss));
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
		return err_set(err, -errno, "preparing to watch: %s",
			       strerror(errno));
	session_source_title(ss);
	snprintf(ss->source.notice, sizeof(ss->source.notice), "%s",
		 session_notice(ss->session));
	if (ss->source.notice[0])
		session_source_note(ss, LOG_INFO, "%s", ss->source.notice);
	session_source_warn_of_trace(ss);
	return 0;
}

/* Every thread that rbtop has by now, and its processes. */
static size_t own_threads(const struct session_source *ss, pid_t *tids,
			  size_t max)
{
	size_t nr = ss->nr_loaders, nr_threads;
	pid_t *threads;

	memcpy(tids, ss->loaders, nr * sizeof(*tids));
	proc_threads("/proc", getpid(), &threads, &nr_threads);
	for (size_t i = 0; i < nr_threads && nr < max; i++)
		tids[nr++] = threads[i];
	free(threads);
	return nr;
}

static int set_filters(struct session_source *ss, struct err *err)
{
	enum { MAX_THREADS = 128 };	/* 100 readers, 7 lanes, a few more */
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
	if (!ret && ss->resolver)
		ret = resolver_thread_start(ss->resolver, err);
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
		session_source_start_snapshots(ss);
	if (!ret && ss->opts.workload)
		ret = workload_start(ss->opts.workload, err);
	/* the threads have theirs; H may yet start the host view's */
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
	session_source_stop_counting((struct session_source *)source);
}

static void session_source_reset(struct source *source)
{
	struct session_source *ss = (struct session_source *)source;

	if (ss->resolver)
		resolver_thread_reset(ss->resolver);
}

static void session_source_close(struct source *source)
{
	struct session_source *ss = (struct session_source *)source;

	session_source_watch_stop(ss);
	session_source_control_close(ss);
	/* A recording has all that was written up to now. */
	if (ss->started) {
		stop_locked(ss);
		session_source_settle_snapshots(ss);
	}
	session_source_close_snapshots(ss);
	if (!session_source_close_samples(ss)) {
		/* rbtop is about to exit; until then all it uses stays */
		workload_free(ss->opts.workload);
		return;
	}
	slow_lane_free(ss->lane);
	collector_free(ss->collector);
	session_source_close_trace(ss);
	session_close(ss->session);
	session_source_close_call(ss);
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
	.reset = session_source_reset,
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
	/* Rings that nobody drains bring no samples to decode. */
	if (opts->session.overwrite)
		ss->opts.decode_rate = 0;
	ss->opts.session.start_disabled = opts->start_delay != 0;
	ss->wake = ss->uevents = -1;
	pthread_mutex_init(&ss->lock, NULL);
	pthread_mutex_init(&ss->hangups_lock, NULL);
	source_notes_init(&ss->notes);
	if (take_workload(ss, &ss->workload_tid, err) || open_parts(ss, err)) {
		ss->opts.workload = NULL; /* still the caller's */
		source_close(&ss->source);
		return NULL;
	}
	return &ss->source;
}
