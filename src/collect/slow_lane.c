/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/slow_lane.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"

/* The latest counts of one ring. */
struct lane_ring {
	struct session_count *counts;
	size_t nr, room;
	double at; /* CLOCK_MONOTONIC seconds */
};

struct slow_lane {
	struct session *session;
	double interval;
	pthread_t thread;
	bool started;
	pthread_mutex_t reading; /* one pass at a time */
	struct session_count *fresh; /* the pass's own */
	size_t room_fresh;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t stopped;
	bool stop;
	struct lane_ring *rings;
	size_t nr_rings, room_rings;
};

struct slow_lane *slow_lane_new(struct session *session, double interval,
				struct err *err)
{
	struct slow_lane *lane = calloc(1, sizeof(*lane));

	if (!lane) {
		err_set(err, -ENOMEM, "reading kernel counts: out of memory");
		return NULL;
	}
	lane->session = session;
	lane->interval = interval;
	pthread_mutex_init(&lane->reading, NULL);
	pthread_mutex_init(&lane->lock, NULL);
	sys_condition_init(&lane->stopped);
	return lane;
}

/* Under the lock: room for ring @i with @nr events. */
static struct lane_ring *fit_ring(struct slow_lane *lane, size_t i, size_t nr)
{
	struct lane_ring *ring;

	while (lane->nr_rings <= i)
		if (!array_add(lane->rings, lane->nr_rings, lane->room_rings))
			return NULL;
	ring = &lane->rings[i];
	if (array_fit(ring->counts, ring->room, nr))
		return NULL;
	ring->nr = nr;
	return ring;
}

static void publish(struct slow_lane *lane, size_t i, size_t nr)
{
	struct lane_ring *ring;

	pthread_mutex_lock(&lane->lock);
	ring = fit_ring(lane, i, nr);
	if (ring) {
		memcpy(ring->counts, lane->fresh, nr * sizeof(*lane->fresh));
		ring->at = sys_now();
	}
	pthread_mutex_unlock(&lane->lock);
}

void slow_lane_refresh(struct slow_lane *lane)
{
	size_t rings = session_nr_watched(lane->session);

	pthread_mutex_lock(&lane->reading);
	for (size_t i = 0; i < rings; i++) {
		size_t nr = session_nr_events(lane->session, i);

		if (array_fit(lane->fresh, lane->room_fresh, nr))
			continue;
		nr = session_read(lane->session, i, lane->fresh, nr);
		publish(lane, i, nr);
	}
	pthread_mutex_unlock(&lane->reading);
}

/* False once the lane is to stop. */
static bool wait_interval(struct slow_lane *lane)
{
	struct timespec until = sys_deadline(lane->interval);
	bool stop;

	pthread_mutex_lock(&lane->lock);
	while (!lane->stop &&
	       pthread_cond_timedwait(&lane->stopped, &lane->lock, &until) == 0)
		;
	stop = lane->stop;
	pthread_mutex_unlock(&lane->lock);
	return !stop;
}

static void *lane_main(void *arg)
{
	struct slow_lane *lane = arg;

	pthread_setname_np(pthread_self(), "rbtop-counts");
	caps_limit(0, NULL);
	do
		slow_lane_refresh(lane);
	while (wait_interval(lane));
	return NULL;
}

int slow_lane_start(struct slow_lane *lane, struct err *err)
{
	int ret = pthread_create(&lane->thread, NULL, lane_main, lane);

	if (ret)
		return err_set(err, -ret,
			       "starting the thread that reads kernel counts: "
			       "%s; see ulimit -u",
			       strerror(ret));
	lane->started = true;
	return 0;
}

void slow_lane_read(struct slow_lane *lane, size_t ring,
		    struct session_count *counts, size_t nr, double *age)
{
	const struct session_count unknown = { UNKNOWN,
					       UNKNOWN };
	const struct lane_ring *from;
	size_t known = 0;

	*age = 0;
	pthread_mutex_lock(&lane->lock);
	if (ring < lane->nr_rings) {
		from = &lane->rings[ring];
		known = from->nr < nr ? from->nr : nr;
		if (known) {
			memcpy(counts, from->counts, known * sizeof(*counts));
			*age = sys_now() - from->at;
		}
	}
	pthread_mutex_unlock(&lane->lock);
	for (; known < nr; known++)
		counts[known] = unknown;
}

void slow_lane_free(struct slow_lane *lane)
{
	if (!lane)
		return;
	if (lane->started) {
		pthread_mutex_lock(&lane->lock);
		lane->stop = true;
		pthread_cond_signal(&lane->stopped);
		pthread_mutex_unlock(&lane->lock);
		pthread_join(lane->thread, NULL);
	}
	for (size_t i = 0; i < lane->nr_rings; i++)
		free(lane->rings[i].counts);
	free(lane->rings);
	free(lane->fresh);
	pthread_cond_destroy(&lane->stopped);
	pthread_mutex_destroy(&lane->lock);
	pthread_mutex_destroy(&lane->reading);
	free(lane);
}
