/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader threads: how many, on which CPUs, with which priority.
 *
 * A realtime reader on the CPU whose ring it drains preempts the writer the
 * moment it is woken, and finds the records in that CPU's cache: measured in a
 * storm, nothing is lost at any ring size, for a fifth to a half of the CPU
 * time of a reader on another CPU.  An ordinary thread would wait there for
 * its turn, and does better where the scheduler puts it.
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
 * A sample waits for its name until all rings were looked at: so that is done
 * more often than pictures are made.
 */
#define SAMPLES_INTERVAL 0.1

enum { MAX_OWN_READERS = 64 };	/* beyond, neighbouring CPUs share one */

/* How a thread was scheduled. */
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

/* Find out which priority the readers may have. */
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

/* Whether trace is written to files as it comes: lanes take it. */
static bool has_full_trace(const struct session_source *ss)
{
	return session_has_aux(ss->session) && !ss->opts.session.aux_overwrite;
}

static bool has_samples(const struct session_source *ss)
{
	const struct event_list *events = &ss->opts.session.events;

	for (size_t i = 0; i < events->nr; i++)
		if (!events->specs[i].aux)
			return true;
	return false;
}

/*
 * Whether every ring gets a reader on its own CPU, nothing else being asked.
 * Where full trace is all there is, the data rings hold little, and a reader
 * does no more at a wakeup than wake a lane: one thread does that for many
 * rings with fewer switches of CPUs.
 */
static bool on_own_cpus(const struct session_source *ss)
{
	return ss->priority && !ss->opts.readers &&
	       ss->opts.session.target.mode != TARGET_THREADS &&
	       (has_samples(ss) || !has_full_trace(ss));
}

static double drain_interval(const struct session_source *ss)
{
	return session_source_tasks(ss) ?
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
		.side_band = session_source_tasks(ss) != NULL,
		.sample_type = ss->opts.session.sample_type,
		.clock = session_clock(ss->session),
		.trigger = session_source_trigger(ss),
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
 * Threads inherit how their creator is scheduled.  So this one goes first,
 * while it has the capability for it, and comes back, which takes none.
 */
int session_source_start_readers(struct session_source *ss, struct err *err)
{
	struct schedule was;
	int ret = ss->priority ? -go_realtime(ss->priority, &was) : 0;

	if (ret)
		return err_set(err, ret, "realtime readers: %s",
			       strerror(-ret));
	/* of all threads together; each keeps its own */
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
	/* A writer that was interrupted by that still has to publish. */
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
	/* Of a start that failed nothing is to be kept. */
	if (!started)
		return;
	/* Both may take a while, in which the picture goes on. */
	if (ss->resolver)
		resolver_thread_finish(ss->resolver);
	session_source_settle_snapshots(ss);
}

void session_source_stop_target(struct session_source *ss)
{
	session_source_stop(ss);
	pthread_mutex_lock(&ss->lock);
	ss->ended = true;
	pthread_mutex_unlock(&ss->lock);
	eventfd_write(ss->source.event_fd, 1);
}
