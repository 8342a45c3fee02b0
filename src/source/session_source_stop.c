/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/session_source_stop.h"

#include <sys/eventfd.h>

#include "base/sys.h"
#include "source/session_source_trace.h"

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
