/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/counter_poller.h"

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
struct polled_ring {
	struct session_count *counts;
	size_t nr, room;
	double at; /* CLOCK_MONOTONIC seconds */
};

struct counter_poller {
	struct session *session;
	double interval;
	pthread_t thread;
	bool started;
	pthread_mutex_t reading; /* one pass at a time */
	struct session_count *fresh; /* the pass's own */
	size_t fresh_cap;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t stopped;
	bool stop;
	struct polled_ring *rings;
	size_t nr_rings, rings_cap;
};

struct counter_poller *counter_poller_new(struct session *session,
					  double interval, struct err *err)
{
	struct counter_poller *p = calloc(1, sizeof(*p));

	if (!p) {
		err_set(err, -ENOMEM, "reading kernel counts: out of memory");
		return NULL;
	}
	p->session = session;
	p->interval = interval;
	pthread_mutex_init(&p->reading, NULL);
	pthread_mutex_init(&p->lock, NULL);
	sys_condition_init(&p->stopped);
	return p;
}

/* Under the lock: room for ring @i with @nr events. */
static struct polled_ring *fit_ring(struct counter_poller *p, size_t i,
				    size_t nr)
{
	struct polled_ring *ring;

	while (p->nr_rings <= i)
		if (!array_add(p->rings, p->nr_rings, p->rings_cap))
			return NULL;
	ring = &p->rings[i];
	if (array_fit(ring->counts, ring->room, nr))
		return NULL;
	ring->nr = nr;
	return ring;
}

static void publish(struct counter_poller *p, size_t i, size_t nr)
{
	struct polled_ring *ring;

	pthread_mutex_lock(&p->lock);
	ring = fit_ring(p, i, nr);
	if (ring) {
		memcpy(ring->counts, p->fresh, nr * sizeof(*p->fresh));
		ring->at = sys_now();
	}
	pthread_mutex_unlock(&p->lock);
}

void counter_poller_refresh(struct counter_poller *p)
{
	size_t rings = session_nr_watched(p->session);

	pthread_mutex_lock(&p->reading);
	for (size_t i = 0; i < rings; i++) {
		size_t nr = session_nr_events(p->session, i);

		if (array_fit(p->fresh, p->fresh_cap, nr))
			continue;
		nr = session_read(p->session, i, p->fresh, nr);
		publish(p, i, nr);
	}
	pthread_mutex_unlock(&p->reading);
}

/* False once the thread is to stop. */
static bool wait_interval(struct counter_poller *p)
{
	struct timespec until = sys_deadline(p->interval);
	bool stop;

	pthread_mutex_lock(&p->lock);
	while (!p->stop &&
	       pthread_cond_timedwait(&p->stopped, &p->lock, &until) == 0)
		;
	stop = p->stop;
	pthread_mutex_unlock(&p->lock);
	return !stop;
}

static void *poller_main(void *arg)
{
	struct counter_poller *p = arg;

	pthread_setname_np(pthread_self(), "rbtop-counts");
	caps_limit(0, NULL);
	do
		counter_poller_refresh(p);
	while (wait_interval(p));
	return NULL;
}

int counter_poller_start(struct counter_poller *p, struct err *err)
{
	int ret = pthread_create(&p->thread, NULL, poller_main, p);

	if (ret)
		return err_set(err, -ret,
			       "starting the thread that reads kernel counts: "
			       "%s; see ulimit -u",
			       strerror(ret));
	p->started = true;
	return 0;
}

void counter_poller_read(struct counter_poller *p, size_t ring,
			 struct session_count *counts, size_t nr, double *age)
{
	const struct session_count unknown = { UNKNOWN, UNKNOWN };
	const struct polled_ring *from;
	size_t known = 0;

	*age = 0;
	pthread_mutex_lock(&p->lock);
	if (ring < p->nr_rings) {
		from = &p->rings[ring];
		known = from->nr < nr ? from->nr : nr;
		if (known) {
			memcpy(counts, from->counts, known * sizeof(*counts));
			*age = sys_now() - from->at;
		}
	}
	pthread_mutex_unlock(&p->lock);
	for (; known < nr; known++)
		counts[known] = unknown;
}

void counter_poller_free(struct counter_poller *p)
{
	if (!p)
		return;
	if (p->started) {
		pthread_mutex_lock(&p->lock);
		p->stop = true;
		pthread_cond_signal(&p->stopped);
		pthread_mutex_unlock(&p->lock);
		pthread_join(p->thread, NULL);
	}
	for (size_t i = 0; i < p->nr_rings; i++)
		free(p->rings[i].counts);
	free(p->rings);
	free(p->fresh);
	pthread_cond_destroy(&p->stopped);
	pthread_mutex_destroy(&p->lock);
	pthread_mutex_destroy(&p->reading);
	free(p);
}
