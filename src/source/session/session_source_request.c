/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles requests of a front end to the live source. */
#include "source/session/session_source_request.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "collect/drain/overwrite.h"
#include "source/session/session_source_ring.h"
#include "source/session/session_source_trace.h"
#include "source/source_samples.h"

/* Log a line about a ring: "CPU 0: " and the text. */
static void note_ring(struct session_source *ss, size_t ring, const char *fmt,
		      ...) __attribute__((format(printf, 3, 4)));

static void note_ring(struct session_source *ss, size_t ring, const char *fmt,
		      ...)
{
	char label[40], text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	source_notes_add(&ss->notes, LOG_INFO, "%s: %s",
			 session_source_ring_label(ss, ring, label,
						   sizeof(label)),
			 text);
}

static int resize(struct session_source *ss, const struct request *rq,
		  struct err *err)
{
	const struct session_ring *ring = session_ring(ss->session, rq->ring);
	uint64_t old = ring->ring.size;
	char from[16], to[16];
	int ret;

	if (!rq->on && old <= sys_page_size())
		return err_set(err, -EINVAL,
			       "a ring has at least one page: it cannot be halved");
	ret = session_source_ring_swap(ss, rq->ring, rq->on ? old * 2 : old / 2,
				       err);
	if (ret)
		return ret;
	note_ring(ss, rq->ring, "ring of %s replaced by one of %s",
		  units_bytes(from, sizeof(from), (double)old),
		  units_bytes(to, sizeof(to), (double)ring->ring.size));
	return 0;
}

static int pause_output(struct session_source *ss, const struct request *rq,
			struct err *err)
{
	int ret = session_pause(ss->session, rq->ring, rq->on, err);

	if (ret)
		return ret;
	ss->rings[rq->ring].paused = rq->on;
	note_ring(ss, rq->ring, "output %s", rq->on ? "paused" : "resumed");
	return 0;
}

static int enable(struct session_source *ss, const struct request *rq,
		  struct err *err)
{
	int ret;

	collector_trace(ss->collector, false);
	ret = session_enable(ss->session, rq->on, err);
	collector_trace(ss->collector, ret ? ss->enabled : rq->on);
	if (ret)
		return ret;
	ss->enabled = rq->on;
	source_notes_add(&ss->notes, LOG_INFO, "all events %s",
			 rq->on ? "enabled" : "disabled");
	return 0;
}

static void note_freq(struct session_source *ss, uint64_t asked)
{
	unsigned long long freq = session_limit_freq(asked);

	if (freq < asked)
		source_notes_add(&ss->notes, LOG_INFO, SESSION_FREQ_LOWERED,
				 (unsigned long long)asked, freq);
	else
		source_notes_add(&ss->notes, LOG_INFO, "samples at %llu Hz",
				 freq);
}

/* The notice of a too short period stays on screen until the rate changes. */
static void tell_period(struct session_source *ss, uint64_t period)
{
	char *notice = ss->source.notice;

	if (!session_period_notice(ss->session, period, notice,
				   sizeof(ss->source.notice)) &&
	    strstr(notice, SESSION_PERIOD_OVER))
		*notice = '\0';
}

static int set_rate(struct session_source *ss, const struct request *rq,
		    struct err *err)
{
	bool freq = rq->kind == REQUEST_FREQ;
	int ret = session_set_rate(ss->session, freq ? rq->value : 0,
				   freq ? 0 : rq->value, err);

	if (ret)
		return ret;
	session_source_title(ss);
	tell_period(ss, freq ? 0 : rq->value);
	if (freq)
		note_freq(ss, rq->value);
	else
		source_notes_add(&ss->notes, LOG_INFO, "samples at period %llu",
				 (unsigned long long)rq->value);
	return 0;
}

/* @lost: records lost before the pause. */
static void note_read(struct session_source *ss, size_t ring, uint64_t lost)
{
	const struct ring_overwrite *read = &ss->rings[ring].read;
	char oldest[16], paused[16], cost[40] = "";

	if (lost != UNKNOWN && read->lost != UNKNOWN)
		snprintf(cost, sizeof(cost), ", %llu lost",
			 (unsigned long long)(read->lost - lost));
	note_ring(ss, ring, "read %llu records, oldest %s; paused for %s%s",
		  (unsigned long long)read->records,
		  units_duration(oldest, sizeof(oldest), read->oldest),
		  units_duration(paused, sizeof(paused), read->paused), cost);
}

static int read_overwrite(struct session_source *ss, const struct request *rq,
			  struct err *err)
{
	const struct session_ring *ring = session_ring(ss->session, rq->ring);
	struct source_ring *state = &ss->rings[rq->ring];
	uint64_t lost;
	double before;
	int ret = 0;

	if (ring->aux.overwrite)
		return session_source_read_aux(ss, rq->ring, err);
	if (!ring->ring.overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "this ring is drained continuously: only overwrite rings (--overwrite), and AUX rings in snapshot mode, are read on demand");
	lost = session_lost(ss->session, rq->ring);
	before = sys_now();
	if (!state->paused)
		ret = session_pause(ss->session, rq->ring, true, err);
	if (ret)
		return ret;
	overwrite_walk(&ring->ring, sys_now_ns(), &state->read);
	if (!state->paused)
		ret = session_pause(ss->session, rq->ring, false, err);
	state->read.at = sys_now();
	state->read.paused = state->read.at - before;
	state->read.lost = session_lost(ss->session, rq->ring);
	note_read(ss, rq->ring, lost);
	return ret;
}

static int request_ring(struct session_source *ss, const struct request *rq,
			struct err *err)
{
	if (rq->ring >= session_nr_watched(ss->session))
		return err_set(err, -EINVAL, "there is no ring %zu", rq->ring);
	if (session_ring(ss->session, rq->ring)->gone)
		return err_set(err, -ENODEV,
			       "the ring's CPU or thread is gone");
	switch (rq->kind) {
	case REQUEST_RESIZE:
		return resize(ss, rq, err);
	case REQUEST_PAUSE:
		return pause_output(ss, rq, err);
	default:
		return read_overwrite(ss, rq, err);
	}
}

/* The request needs samples, rings or events, which no longer exist. */
static int refuse_finished(const struct request *rq, struct err *err)
{
	switch (rq->kind) {
	case REQUEST_FILTER:
		return err_set(err, -ESRCH,
			       "the target has ended: no more samples arrive, and the filter applies to those listed");
	case REQUEST_FIELD:
		return err_set(err, -ESRCH,
			       "the target has ended: its samples were taken without that field");
	default:
		return err_set(err, -ESRCH,
			       "the target has ended: these are its final figures");
	}
}

static int request_locked(struct session_source *ss, const struct request *rq,
			  struct err *err)
{
	/* The last contents of the rings are still available. */
	if (rq->kind == REQUEST_SNAPSHOT || rq->kind == REQUEST_SNAPSHOT_CANCEL)
		return source_snapshots_request(&ss->snapshots, rq, err);
	if (ss->finished)
		return refuse_finished(rq, err);
	switch (rq->kind) {
	case REQUEST_FILTER:
	case REQUEST_FIELD:
		return source_samples_request(&ss->source,
					      ss->opts.session.overwrite, rq,
					      err);
	case REQUEST_RESIZE:
	case REQUEST_PAUSE:
	case REQUEST_READ:
		return request_ring(ss, rq, err);
	case REQUEST_ENABLE:
		return enable(ss, rq, err);
	case REQUEST_FREQ:
	case REQUEST_PERIOD:
		return set_rate(ss, rq, err);
	case REQUEST_RECORD:
		return source_snapshots_request(&ss->snapshots, rq, err);
	default:
		break;
	}
	return err_set(err, -EOPNOTSUPP, "not supported with live events");
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
