/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a front end may ask of live events. */
#include "source/session_source_impl.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "collect/overwrite.h"

static int resize(struct session_source *ss, const struct request *rq,
		  struct err *err)
{
	const struct session_ring *ring = session_ring(ss->session, rq->ring);
	uint64_t old = ring->ring.size;
	char label[40], from[16], to[16];
	int ret;

	ret = session_source_swap(ss, rq->ring, rq->value, err);
	if (ret)
		return ret;
	session_source_note(
		ss, LOG_INFO, "%s: ring of %s replaced by one of %s",
		session_source_label(ss, rq->ring, label, sizeof(label)),
		units_bytes(from, sizeof(from), (double)old),
		units_bytes(to, sizeof(to), (double)ring->ring.size));
	return 0;
}

static int pause_output(struct session_source *ss, const struct request *rq,
			struct err *err)
{
	int ret = session_pause(ss->session, rq->ring, rq->on, err);

	if (!ret)
		ss->rings[rq->ring].paused = rq->on;
	return ret;
}

static int enable(struct session_source *ss, const struct request *rq,
		  struct err *err)
{
	int ret = session_enable(ss->session, rq->on, err);

	if (!ret)
		ss->enabled = rq->on;
	return ret;
}

static int set_rate(struct session_source *ss, const struct request *rq,
		    struct err *err)
{
	bool freq = rq->kind == REQUEST_FREQ;
	int ret = session_set_rate(ss->session, freq ? rq->value : 0,
				   freq ? 0 : rq->value, err);

	if (!ret)
		session_source_title(ss);
	return ret;
}

/* Records that the pauses of this ring cost, all of its events together. */
static uint64_t lost_of(struct session_source *ss, size_t ring)
{
	size_t nr = session_nr_events(ss->session, ring);
	uint64_t lost = 0;

	nr = session_read(ss->session, ring, ss->counts,
			  nr < ss->nr_scratch ? nr : ss->nr_scratch);
	for (size_t i = 0; i < nr; i++)
		if (ss->counts[i].lost == SESSION_UNKNOWN)
			return READING_UNKNOWN;
		else
			lost += ss->counts[i].lost;
	return lost;
}

static int read_overwrite(struct session_source *ss, const struct request *rq,
			  struct err *err)
{
	const struct session_ring *ring = session_ring(ss->session, rq->ring);
	struct source_ring *state = &ss->rings[rq->ring];
	double before = sys_now();
	int ret = 0;

	if (!ring->ring.overwrite)
		return err_set(
			err, -EOPNOTSUPP,
			"this ring is drained all the time: only one opened with --overwrite is read on demand");
	if (!state->paused)
		ret = session_pause(ss->session, rq->ring, true, err);
	if (ret)
		return ret;
	overwrite_walk(&ring->ring, sys_now_ns(), &state->read);
	if (!state->paused)
		ret = session_pause(ss->session, rq->ring, false, err);
	state->read.at = sys_now();
	state->read.paused = state->read.at - before;
	state->read.lost = lost_of(ss, rq->ring);
	return ret;
}

static int request_ring(struct session_source *ss, const struct request *rq,
			struct err *err)
{
	if (rq->ring >= session_nr_rings(ss->session))
		return err_set(err, -EINVAL, "there is no ring %zu", rq->ring);
	if (session_ring(ss->session, rq->ring)->gone)
		return err_set(err, -ENODEV,
			       "the ring's CPU or thread is no more");
	switch (rq->kind) {
	case REQUEST_RESIZE:
		return resize(ss, rq, err);
	case REQUEST_PAUSE:
		return pause_output(ss, rq, err);
	default:
		return read_overwrite(ss, rq, err);
	}
}

static int request_locked(struct session_source *ss, const struct request *rq,
			  struct err *err)
{
	if (ss->finished)
		return err_set(
			err, -ESRCH,
			"the target has ended: these are its final figures");
	switch (rq->kind) {
	case REQUEST_RESIZE:
	case REQUEST_PAUSE:
	case REQUEST_READ:
		return request_ring(ss, rq, err);
	case REQUEST_ENABLE:
		return enable(ss, rq, err);
	case REQUEST_FREQ:
	case REQUEST_PERIOD:
		return set_rate(ss, rq, err);
	}
	return err_set(err, -EOPNOTSUPP, "live events know no such request");
}

int session_source_request(struct source *source, const struct request *rq,
			   struct err *err)
{
	struct session_source *ss = (struct session_source *)source;
	int ret;

	pthread_mutex_lock(&ss->lock);
	ret = request_locked(ss, rq, err);
	pthread_mutex_unlock(&ss->lock);
	return ret;
}
