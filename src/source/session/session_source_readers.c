/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader threads: their number, CPUs and priority.
 *
 * A realtime reader on the CPU whose ring it drains preempts the writer as soon
 * as it is woken, and finds the records in that CPU's cache: in a stress test
 * nothing was lost at any ring size, with a fifth to a half of the CPU time of
 * a reader on another CPU.  A thread without realtime priority would have to
 * wait for that CPU, and does better where the scheduler puts it.
 */
#include "source/session/session_source_readers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "host/host_watch.h"
#include "source/session/session_source_ring.h"
#include "source/session/session_source_trace.h"

/*
 * Samples are resolved only after all rings were drained, so that is done more
 * often than frames are made.
 */
#define SAMPLES_INTERVAL 0.1

enum { MAX_OWN_READERS = 64 };	/* with more CPUs, neighbours share one */

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
static int settle_priority(struct session_source *ss, struct err *err)
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

static double drain_interval(const struct session_source *ss)
{
	return ss->snapshots.tasks || ss->opts.list_only ?
		       MIN(ss->opts.interval, SAMPLES_INTERVAL) :
		       ss->opts.interval;
}

int session_source_open_readers(struct session_source *ss, struct err *err)
{
	size_t rings = session_nr_watched(ss->session);
	size_t all = session_nr_rings(ss->session);
	int ret = settle_priority(ss, err);
	bool own = on_own_cpus(ss);
	struct collector_opts opts = {
		.readers = own ? (unsigned int)MIN(rings, MAX_OWN_READERS)
			       : ss->opts.readers,
		.rings = rings,
		.apart = ss->opts.session.side_band_elsewhere,
		.apart_alone = ss->opts.session.overwrite,
		.affinity = own || ss->opts.affinity,
		.roam = own && !ss->opts.affinity,
		.interval = drain_interval(ss),
		.lanes = has_full_trace(ss),
		.self = getpid(),
		.decode_rate = ss->opts.decode_rate,
		.switches = ss->opts.decode_rate > 0 && !ss->opts.list_none,
		.side_band = ss->snapshots.tasks != NULL,
		.sample_type = ss->opts.session.sample_type,
		.clock = session_clock(ss->session),
		.trigger = ss->snapshots.trigger,
		.hangup = session_source_hangups_add,
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

/*
 * Threads inherit the scheduling of their creator: this thread becomes realtime
 * while it has the capability, and changes back afterwards, which needs none.
 */
int session_source_start_readers(struct session_source *ss, struct err *err)
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

void session_source_stop_locked(struct session_source *ss)
{
	if (ss->finished)
		return;
	collector_trace(ss->collector, false);
	session_end(ss->session);
	/* A writer that this interrupted must still publish its head. */
	sys_grace_period();
	collector_drain_all(ss->collector);
	slow_lane_refresh(ss->lane);
	ss->finished = true;
	ss->enabled = false;
}

void session_source_stop(struct session_source *ss)
{
	bool started;

	pthread_mutex_lock(&ss->lock);
	started = ss->started;
	if (started)
		session_source_stop_locked(ss);
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
	session_source_stop(ss);
	pthread_mutex_lock(&ss->lock);
	ss->ended = true;
	pthread_mutex_unlock(&ss->lock);
	eventfd_write(ss->source.event_fd, 1);
}
