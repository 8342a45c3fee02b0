/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/recording/recording.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "trace/recording/recording_room.h"
#include "trace/recording/recording_trace.h"
#include "trace/file/trace_records.h"
#include "trace/file/writer_times.h"
#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "collect/drain/record_history.h"
#include "perf/abi/record.h"

enum {
	CHUNK = 256 << 10,		/* bytes of records read at a time */
	WATCHED = 4,	/* a pass is due after 1/4 of a history has filled */
	/* The time of a record is taken some us before it is visible. */
	LATE_NS = 1000000,
};

static const double longest_delay = 0.1, shortest_delay = 0.001;
static const double checkpoint_seconds = 1;	/* between two */
static const double build_id_seconds = 0.001;	/* of a pass */

/* How far a ring's history is written. */
struct followed {
	uint64_t at;
	uint64_t since;		/* before that, only records of tasks */
	uint64_t records, bytes;	/* read so far */
	uint64_t id;		/* id of the event of the last record */
};

struct recording {
	struct recording_opts opts;
	struct trace_file *file;
	struct followed *rings;
	size_t nr_rings, room_rings;
	unsigned char *chunk;
	struct recording_trace trace;
	struct recording_room room;
	bool begun;		/* trace_file_begin_records() was called */
	uint64_t missed, missed_by[RECORD_CAUSES];
	struct writer_times times;
	size_t unread;		/* files without build-ids at the last pass */
	bool stuck;		/* no fewer than at the pass before */
	uint64_t most;		/* upper bound of bytes in a pass */
	double checkpoint;	/* time of the last one, see sys_now() */
	double fill;		/* highest fill found in this pass, 0..1 */
	double delay;
};

static bool traces(const struct recording *r)
{
	return r->opts.from.trace && !r->opts.from.trace->overwrite;
}

static void recording_free(struct recording *r)
{
	recording_trace_end(&r->trace);
	for (size_t i = 0; i < r->nr_rings; i++)
		collector_watch_history(r->opts.collector, i, UINT64_MAX);
	writer_times_close(&r->times);
	free(r->rings);
	free(r->chunk);
	free(r);
}

/*
 * Add new rings.  If @from_now, records kept before the recording are written
 * only if they are about tasks: task_history may not have them yet.
 */
static int fit_rings(struct recording *r, size_t nr, bool from_now)
{
	while (r->nr_rings < nr) {
		const struct record_history *h =
			collector_history(r->opts.collector, r->nr_rings);
		struct followed *ring =
			array_add(r->rings, r->nr_rings, r->room_rings);

		if (!ring)
			return -ENOMEM;
		if (!h)
			continue;
		ring->at = record_history_begin(h);
		ring->since = from_now ? record_history_end(h) : ring->at;
	}
	return 0;
}

/* From here on, the AUX lanes instead of the readers consume the AUX rings. */
static int begin(struct recording *r, struct err *err)
{
	size_t nr = session_nr_rings(r->opts.from.session);
	int ret;

	if (fit_rings(r, nr, !r->opts.all))
		return err_set(err, -ENOMEM, "a recording: out of memory");
	trace_file_allow_checkpoints(r->file);
	ret = trace_file_begin_trace(r->file, err);
	if (ret || !traces(r))
		return ret;
	return recording_trace_begin(&r->trace, &r->opts.from,
				     r->opts.collector, r->file, &r->room,
				     err);
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
	writer_times_open(&r->times);
	r->delay = longest_delay;
	r->file = trace_file_open(&opts->from, path, err);
	if (r->file)
		recording_room_init(&r->room, r->file, opts->max_bytes);
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

/* The rule for a chunk of @size bytes that ends at ring->at. */
static struct trace_rule rule_of(const struct followed *ring, size_t size)
{
	uint64_t from = ring->at - size;

	return (struct trace_rule){
		.from = from < ring->since ? (size_t)(ring->since - from) : 0,
	};
}

/*
 * Write the loss as a PERF_RECORD_LOST in its place, before the record of @time
 * (0: no record follows yet).  The number of records is estimated from the mean
 * size.  The ring exists, since one with a history is never removed, and its
 * CPU does not change.
 */
static int tell_missed(struct recording *r, size_t i, uint64_t missed,
		       uint64_t time)
{
	struct followed *ring = &r->rings[i];
	uint64_t mean = ring->records ? ring->bytes / ring->records : missed;
	struct {
		struct perf_event_header header;
		uint64_t id, lost;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, res;
		uint64_t identifier;
	} lost = {
		.header = { PERF_RECORD_LOST, 0, sizeof(lost) },
		.lost = MAX(missed / MAX(mean, 1), 1),
		.time = time ? time : collector_drained_to(r->opts.collector),
		.cpu = (uint32_t)session_ring(r->opts.from.session, i)->cpu,
	};
	const struct trace_rule rule = { 0 };

	r->missed += missed;
	lost.id = lost.identifier = ring->id;
	return trace_file_records(r->file, (unsigned char *)&lost,
				  sizeof(lost), &rule);
}

/* Count records and bytes of a chunk, and note the last record's event. */
static void weigh(struct followed *ring, const unsigned char *chunk,
		  size_t size)
{
	struct perf_event_header header;
	size_t id = 0;

	if (!size)
		return;
	for (size_t at = 0; at < size; at += header.size) {
		memcpy(&header, chunk + at, sizeof(header));
		ring->records++;
		id = header.type == PERF_RECORD_SAMPLE ?
			     at + RECORD_SAMPLE_ID :
			     at + header.size - RECORD_TRAILER_ID;
	}
	ring->bytes += size;
	memcpy(&ring->id, chunk + id, sizeof(ring->id));
}

/* The time of the first record of a chunk; 0: none. */
static uint64_t first_time(const unsigned char *chunk, size_t size)
{
	struct perf_event_header header;

	return record_at(chunk, size, 0, &header) ?
	       record_time(chunk, header.size) : 0;
}

/* Records overwritten from @from on are missed; older ones were not wanted. */
static int follow_chunk(struct recording *r, size_t i,
			const struct record_history *h)
{
	struct followed *ring = &r->rings[i];
	uint64_t from = MAX(ring->at, ring->since), missed = 0;
	size_t size =
		record_history_read(h, &ring->at, r->chunk, CHUNK, &missed);
	const struct trace_rule rule = rule_of(ring, size);
	int ret = 0;

	weigh(ring, r->chunk, size);
	if (ring->at - size > from)
		ret = tell_missed(r, i, ring->at - size - from,
				  first_time(r->chunk, size));
	return ret ? ret : trace_file_records(r->file, r->chunk, size, &rule);
}

/* Write the next chunk.  1 if the file has no room for it. */
static int follow_some(struct recording *r, size_t i,
		       const struct record_history *h, uint64_t until)
{
	uint64_t len = MIN(CHUNK, until - r->rings[i].at);
	int ret = 1;

	if (recording_room_grant(&r->room, len))
		ret = follow_chunk(r, i, h);
	recording_room_written(&r->room, len);
	return ret;
}

static int follow(struct recording *r, size_t i)
{
	const struct record_history *h =
		collector_history(r->opts.collector, i);
	struct followed *ring = &r->rings[i];
	uint64_t until;
	int ret = 0;

	if (!h)
		return 0;
	r->most += record_history_size(h);
	until = record_history_end(h);
	note_fill(r, until - MAX(ring->at, MIN(ring->since, until)),
		  record_history_size(h));
	/* what arrives meanwhile is for the next pass: other rings wait */
	while (!ret && ring->at < until)
		ret = follow_some(r, i, h, until);
	collector_watch_history(r->opts.collector, i,
				until + record_history_size(h) / WATCHED);
	return MIN(ret, 0);
}

static void adapt_delay(struct recording *r)
{
	if (r->fill > 0.25)
		r->delay /= 2;
	else if (r->fill < 0.0625)
		r->delay *= 2;
	r->delay = fmin(fmax(r->delay, shortest_delay), longest_delay);
}

/* Once, before the first record of a ring is written. */
static int begin_records(struct recording *r, struct err *err)
{
	int ret = r->begun ? 0 : trace_file_begin_records(r->file, err);

	r->begun = true;
	return ret;
}

static int follow_rings(struct recording *r)
{
	/* first: all records older than this are in the histories now */
	uint64_t until = collector_drained_to(r->opts.collector);
	int ret = 0;

	r->fill = 0;
	r->most = 0;
	recording_room_look(&r->room);
	for (size_t i = 0; !ret && i < r->nr_rings; i++)
		ret = follow(r, i);
	if (!ret && !recording_room_is_out(&r->room) && until > LATE_NS)
		ret = trace_file_round(r->file, until - LATE_NS);
	adapt_delay(r);
	return ret ? ret : r->trace.error;
}

static int write_pass(struct recording *r, struct err *err)
{
	int ret = begin_records(r, err);

	if (ret)
		return ret;
	if (fit_rings(r, session_nr_rings(r->opts.from.session), false))
		return err_set(err, -ENOMEM, "a recording: out of memory");
	return trace_file_error(r->file, follow_rings(r), err);
}

static int set_checkpoint(struct recording *r, struct err *err)
{
	double now = sys_now();

	if (trace_file_named(r->file) &&
	    now - r->checkpoint < checkpoint_seconds)
		return 0;
	r->checkpoint = now;
	return trace_file_checkpoint(r->file, err);
}

/* Do not wait for what is not answered. */
static void read_build_ids(struct recording *r)
{
	size_t unread = r->unread;

	r->unread = trace_file_build_ids(r->file,
					 r->stuck ? 0 : build_id_seconds);
	r->stuck = r->unread && r->unread >= unread;
}

int recording_pass(struct recording *r, struct err *err)
{
	uint64_t missed = r->missed;
	enum record_cause cause;
	int ret;

	writer_times_begin(&r->times);
	ret = write_pass(r, err);
	if (!ret)
		ret = set_checkpoint(r, err);
	cause = writer_times_end(&r->times);
	r->missed_by[cause] += r->missed - missed;
	if (!ret)
		read_build_ids(r);
	return ret;
}

static enum record_cause main_cause(const struct recording *r)
{
	int most = 0;

	for (int i = 1; i < RECORD_CAUSES; i++) {
		if (r->missed_by[i] > r->missed_by[most])
			most = i;
	}
	return (enum record_cause)most;
}

double recording_delay(const struct recording *r)
{
	return r->delay;
}

bool recording_full(const struct recording *r)
{
	return recording_room_is_short(&r->room,
				       MIN(r->most, r->room.disk / 4));
}

const char *recording_named(const struct recording *r)
{
	return trace_file_named(r->file);
}

struct recording_stats recording_stats(const struct recording *r)
{
	return (struct recording_stats){
		.bytes = trace_file_bytes(r->file),
		.missed = r->missed,
		.cause = main_cause(r),
		.unknown = trace_file_unknown(r->file),
		.full = r->room.full,
		.limited = r->room.limited,
	};
}

/*
 * The trace first: the records that describe it have been drained already.
 * They are written even if max_bytes is reached, since without them the trace
 * cannot be decoded.
 */
static int write_rest(struct recording *r, struct err *err)
{
	recording_trace_flush(&r->trace);
	recording_trace_end(&r->trace);
	if (traces(r))
		recording_room_lift(&r->room);
	return recording_pass(r, err);
}

int recording_finish(struct recording *r, char *path, char *beside,
		     size_t size, struct recording_stats *stats,
		     struct err *err)
{
	int ret = write_rest(r, err);

	if (ret) {
		recording_leave(r);
		return ret;
	}
	*stats = recording_stats(r);
	stats->unread = trace_file_build_ids(r->file, TRACE_FILE_PATIENCE);
	ret = trace_file_commit(r->file, path, beside, size, err);
	recording_free(r);
	return ret;
}

void recording_cancel(struct recording *r)
{
	struct trace_file *file;

	if (!r)
		return;
	file = r->file;
	/* first stop the threads that write to the file */
	recording_free(r);
	trace_file_cancel(file);
}

void recording_leave(struct recording *r)
{
	struct trace_file *file = r->file;

	recording_free(r);	/* ends the threads that write to it */
	trace_file_leave(file);
}
