/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "auxtrace/recording.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "auxtrace/ring_view.h"
#include "auxtrace/trace_records.h"
#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "collect/history.h"

enum {
	CHUNK = 256 << 10,		/* of records, read at once */
	ENDING = 64 << 20,	/* bytes at most for one pass and the end of a
				 * file */
	/* The time of a record is taken some us before it can be seen. */
	LATE_NS = 1000000,
};

static const double longest_delay = 0.1, shortest_delay = 0.001;

/* How far a ring's history was written. */
struct followed {
	uint64_t at;
	uint64_t since;		/* before that, task records alone */
	double asked;		/* when its AUX ring was last given back,
				 * CLOCK_MONOTONIC seconds */
};

struct recording {
	struct recording_opts opts;
	struct trace_file *file;
	struct followed *rings;
	size_t nr_rings;
	unsigned char *chunk;
	unsigned char *trace;	/* as large as the largest AUX ring */
	size_t trace_room;
	bool held;		/* the AUX rings are ours to empty */
	uint64_t missed;
	double fill;		/* the most that was found at this pass, 0..1 */
	double delay;
};

static bool traces(const struct recording *r)
{
	return r->opts.from.trace && !r->opts.from.trace->overwrite;
}

static void recording_free(struct recording *r)
{
	if (r->held)
		collector_hold_aux(r->opts.collector, false);
	free(r->rings);
	free(r->chunk);
	free(r->trace);
	free(r);
}

/*
 * Rings that came since.  Of those there are at the beginning, what is kept
 * from before tells only of tasks, unless it is wanted: task_history may not
 * know of it yet.
 */
static int fit_rings(struct recording *r, size_t nr, bool from_now)
{
	struct followed *rings;

	if (nr <= r->nr_rings)
		return 0;
	rings = reallocarray(r->rings, nr, sizeof(*rings));
	if (!rings)
		return -ENOMEM;
	r->rings = rings;
	for (size_t i = r->nr_rings; i < nr; i++) {
		const struct history *h;

		h = collector_history(r->opts.collector, i);
		rings[i] = (struct followed){ 0 };
		if (!h)
			continue;
		rings[i].at = history_begin(h);
		rings[i].since = from_now ? history_end(h) : rings[i].at;
	}
	r->nr_rings = nr;
	return 0;
}

/* The AUX ring was emptied by the readers until now. */
static int begin(struct recording *r, struct err *err)
{
	size_t nr = session_nr_rings(r->opts.from.session);

	if (fit_rings(r, nr, !r->opts.all))
		return err_set(err, -ENOMEM, "a recording: out of memory");
	if (traces(r)) {
		collector_hold_aux(r->opts.collector, true);
		r->held = true;
	}
	return trace_file_begin(r->file, err);
}

struct recording *recording_new(const struct recording_opts *opts,
				const char *path, struct err *err)
{
	struct recording *r = calloc(1, sizeof(*r));

	if (r)
		r->chunk = malloc(CHUNK);
	if (!r || !r->chunk) {
		free(r);
		err_set(err, -ENOMEM, "a recording: out of memory");
		return NULL;
	}
	r->opts = *opts;
	r->delay = longest_delay;
	r->file = trace_file_open(&opts->from, path, err);
	if (r->file && begin(r, err) == 0)
		return r;
	recording_cancel(r);
	return NULL;
}

static void note_fill(struct recording *r, uint64_t used, uint64_t size)
{
	if (size)
		r->fill = fmax(r->fill, (double)used / (double)size);
}

/* The rule for a chunk that ends where the ring was followed to. */
static struct trace_rule rule_of(const struct followed *ring, size_t size)
{
	uint64_t from = ring->at - size;

	return (struct trace_rule){
		.from = from < ring->since ? (size_t)(ring->since - from) : 0,
	};
}

static int follow(struct recording *r, size_t i)
{
	const struct history *h = collector_history(r->opts.collector, i);
	struct followed *ring = &r->rings[i];
	uint64_t until, missed = 0;
	size_t size;
	int ret = 0;

	if (!h)
		return 0;
	until = history_end(h);
	note_fill(r, until - MAX(ring->at, MIN(ring->since, until)),
		  history_size(h));
	/* what comes meanwhile is for the next pass: others wait */
	while (!ret && ring->at < until) {
		struct trace_rule rule;

		size = history_read(h, &ring->at, r->chunk, CHUNK, &missed);
		if (!size)
			break;
		rule = rule_of(ring, size);
		ret = trace_file_records(r->file, r->chunk, size, &rule);
	}
	if (ring->at > ring->since)
		r->missed += missed;
	return ret;
}

/* Which part of a ring was copied, and how many bytes that gave. */
struct taken {
	struct auxtrace_span span;
	size_t len;
};

/* Under the view's lock. */
static int take_trace(struct recording *r, const struct aux_ring *aux,
		      struct taken *taken)
{
	struct aux_pieces pieces;
	unsigned char *more;

	*taken = (struct taken){ 0 };
	if (!aux->size || aux->overwrite)
		return 0;
	if (aux->size > r->trace_room) {
		more = realloc(r->trace, aux->size);
		if (!more)
			return -ENOMEM;
		r->trace = more;
		r->trace_room = aux->size;
	}
	taken->span.from = aux_ring_tail(aux);
	taken->span.to = aux_ring_head(aux);
	note_fill(r, taken->span.to - taken->span.from, aux->size);
	pieces = auxtrace_pieces(r->opts.from.trace, aux, taken->span);
	memcpy(r->trace, pieces.data[0], pieces.len[0]);
	if (pieces.len[1])
		memcpy(r->trace + pieces.len[0], pieces.data[1],
		       pieces.len[1]);
	taken->len = pieces.len[0] + pieces.len[1];
	return 0;
}

/*
 * Give the ring back.  Where nothing came that is worth doing too, if not each
 * time: the kernel may have stopped the event for lack of room, and said so
 * after the last time.
 */
static void give_back(struct recording *r, size_t i, const struct taken *taken)
{
	double now = sys_now();

	if (taken->span.from == taken->span.to &&
	    now - r->rings[i].asked < longest_delay)
		return;
	r->rings[i].asked = now;
	collector_consume_aux(r->opts.collector, i, taken->span.to);
}

static int follow_trace(struct recording *r, struct ring_view *view, size_t i,
			struct err *err)
{
	struct trace_file_ring of = { .ring = i };
	struct taken taken;
	int ret = ring_view_lock(view, err);

	if (ret)
		return ret;
	ret = take_trace(r, &view->rings[i]->aux, &taken);
	ring_view_place(view, i, &of.cpu, &of.tid);
	ring_view_unlock(view);
	if (ret)
		return trace_file_error(r->file, ret, err);
	give_back(r, i, &taken);
	if (!taken.len)
		return 0;
	ret = trace_file_trace(r->file, &of, taken.span.from, r->trace,
			       taken.len);
	return trace_file_error(r->file, ret, err);
}

static int follow_traces(struct recording *r, struct err *err)
{
	struct ring_view view;
	int ret;

	if (!traces(r))
		return 0;
	ret = ring_view_open(&view, r->opts.from.session, err);
	if (ret)
		return ret;
	for (size_t i = 0; !ret && i < MIN(view.nr, r->nr_rings); i++)
		ret = follow_trace(r, &view, i, err);
	ring_view_close(&view);
	return ret;
}

static void adapt_delay(struct recording *r)
{
	if (r->fill > 0.25)
		r->delay /= 2;
	else if (r->fill < 0.0625)
		r->delay *= 2;
	r->delay = fmin(fmax(r->delay, shortest_delay), longest_delay);
}

int recording_pass(struct recording *r, struct err *err)
{
	/* first: what stood in the rings by then is in the histories now */
	uint64_t until = collector_drained_to(r->opts.collector);
	int ret;

	r->fill = 0;
	if (fit_rings(r, session_nr_rings(r->opts.from.session), false))
		return err_set(err, -ENOMEM, "a recording: out of memory");
	ret = follow_traces(r, err);
	if (ret)
		return ret;
	for (size_t i = 0; !ret && i < r->nr_rings; i++)
		ret = follow(r, i);
	if (!ret && until > LATE_NS)
		ret = trace_file_round(r->file, until - LATE_NS);
	adapt_delay(r);
	return trace_file_error(r->file, ret, err);
}

double recording_delay(const struct recording *r)
{
	return r->delay;
}

bool recording_disk_full(const struct recording *r)
{
	/* of a small disk, a share */
	uint64_t room = trace_file_room(r->file);

	return room < MIN(ENDING, trace_file_bytes(r->file) / 4);
}

struct recording_stats recording_stats(const struct recording *r)
{
	return (struct recording_stats){
		.bytes = trace_file_bytes(r->file),
		.missed = r->missed,
		.unknown = trace_file_unknown(r->file),
	};
}

int recording_finish(struct recording *r, char *path, char *beside,
		     size_t size, struct err *err)
{
	int ret = recording_pass(r, err);

	if (ret) {
		recording_cancel(r);
		return ret;
	}
	ret = trace_file_commit(r->file, path, beside, size, err);
	recording_free(r);
	return ret;
}

void recording_cancel(struct recording *r)
{
	if (!r)
		return;
	trace_file_cancel(r->file);
	recording_free(r);
}
