/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/recording/recording.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "collect/aux_lane.h"
#include "collect/collector.h"
#include "collect/drain/record_history.h"
#include "perf/abi/record.h"
#include "trace/file/ring_view.h"
#include "trace/file/trace_records.h"

enum {
	CHUNK = 256 << 10,		/* bytes of records read at a time */
	WATCHED = 4,	/* a pass is due after 1/4 of a history has filled */
	/* The time of a record is taken some us before it is visible. */
	LATE_NS = 1000000,
	ENDING = 64 << 20,	/* most bytes needed to finish a file, without
				 * the index of trace */
	INDEX = 16,		/* bytes of the index per piece of trace */
	UNASKED = 4,		/* 1/4 of the free space is granted before the
				 * file system is queried again */
	HEAD = 64,		/* bytes of a record's header and padding */
};

static const double longest_delay = 0.1, shortest_delay = 0.001;
static const double checkpoint_seconds = 1;	/* between two */
static const double build_id_seconds = 0.001;	/* of a pass */

/*
 * The space a recording may still use: until it reaches --max-size, or the disk
 * has only the space needed to finish the file.  Several threads write; each
 * gets space granted before it writes.
 */
struct room {
	const struct trace_file *file;
	uint64_t max_bytes;	/* limit of the file's size; 0: no limit */
	uint64_t disk;		/* bytes free at the start */
	_Atomic uint64_t granted;	/* bytes granted but not written yet */
	_Atomic int64_t known;	/* bytes that can be granted without querying
				 * the file system */
	_Atomic uint64_t pieces;	/* pieces of trace written so far */
	_Atomic bool full;	/* the disk is full: nothing more is granted */
	_Atomic bool limited;	/* max_bytes is reached: likewise */
};

/*
 * What the AUX lanes need to write trace from the rings to the file, without a
 * copy.  Zeroed: not begun.
 */
struct trace {
	struct aux_sink sink;
	struct trace_file_from from;
	struct collector *collector;
	struct trace_file *file;
	struct room *room;
	struct trace_file_ring *places;	/* by slot; set by the lanes */
	bool *known;		/* by slot: its place is set */
	size_t nr;		/* of both: the largest possible number of
				 * rings */
	_Atomic int error;	/* the first one, -errno */
};

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
	size_t nr_rings, rings_cap;
	unsigned char *chunk;
	struct trace trace;
	struct room room;
	bool begun;		/* trace_file_begin_records() was called */
	uint64_t missed, missed_by[RECORD_CAUSES];
	struct writer_times times;
	size_t unread;		/* files without build-ids at the last pass */
	bool stuck;		/* no fewer than at the pass before */
	uint64_t max;		/* upper bound of bytes in a pass */
	double checkpoint;	/* time of the last one, see sys_now() */
	double fill;		/* highest fill found in this pass, 0..1 */
	double delay;
};

/* On a small disk 1/8 of the space that was free: files are small there. */
static uint64_t bytes_of_end(const struct room *room)
{
	return MIN(ENDING, room->disk / 8) + room->pieces * INDEX;
}

/* Whether nothing more is granted. */
static bool room_is_out(const struct room *room)
{
	return room->full || (room->limited && room->max_bytes);
}

static bool ask_room(struct room *room, uint64_t granted)
{
	uint64_t left = trace_file_room(room->file);
	uint64_t need = bytes_of_end(room) + granted;

	if (left < need)
		return false;
	room->known = (int64_t)MIN((left - need) / UNASKED, INT64_MAX);
	return true;
}

/*
 * Whether @len bytes can be written with enough space left to finish the file.
 * After the first false, all further calls return false.  After every call
 * @len is to be taken from room->granted once it is written or dropped.
 */
static bool grant_room(struct room *room, uint64_t len)
{
	uint64_t granted = atomic_fetch_add(&room->granted, len) + len;
	int64_t known = atomic_fetch_sub(&room->known, (int64_t)len);

	if (room->max_bytes &&
	    trace_file_bytes(room->file) >= room->max_bytes)
		room->limited = true;
	if (!room_is_out(room) && known < (int64_t)len &&
	    !ask_room(room, granted))
		room->full = true;
	return !room_is_out(room);
}

/*
 * A slot's CPU and thread, which never change.  They are looked up only once,
 * since the session may be locked while it opens events.
 */
static const struct trace_file_ring *place_of(struct trace *t,
					      size_t slot)
{
	struct trace_file_ring *place;

	if (slot >= t->nr)
		return NULL;
	place = &t->places[slot];
	if (!t->known[slot]) {
		place->ring = slot;
		ring_place(t->from.session,
			   session_ring(t->from.session, slot), &place->cpu,
			   &place->tid);
		t->known[slot] = true;
	}
	return place;
}

/*
 * Write a piece of trace.  If the file has no room for it, it is dropped; there
 * will not be room later either.
 */
static void take(void *ctx, size_t slot, const struct aux_ring *aux,
		 uint64_t from, uint64_t to)
{
	struct trace *t = ctx;
	const struct auxtrace_span span = { from, to };
	struct aux_pieces pieces = auxtrace_pieces(t->from.trace, aux, span);
	const struct trace_file_ring *place = place_of(t, slot);
	uint64_t len = pieces.len[0] + pieces.len[1] + HEAD;
	int ret = 0;

	if (!place)
		return;
	if (grant_room(t->room, len)) {
		t->room->pieces++;
		ret = trace_file_pieces(t->file, place, from, &pieces);
	}
	t->room->granted -= len;
	if (ret)
		t->error = ret;
}

/* Does nothing if begin_trace() was not called. */
static void end_trace(struct trace *t)
{
	if (t->collector)
		collector_end_trace(t->collector);
	free(t->places);
	free(t->known);
	*t = (struct trace){ .error = t->error };
}

static bool traces(const struct recording *r)
{
	return r->opts.from.trace && !r->opts.from.trace->overwrite;
}

static void recording_free(struct recording *r)
{
	end_trace(&r->trace);
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
			array_add(r->rings, r->nr_rings, r->rings_cap);

		if (!ring)
			return -ENOMEM;
		if (!h)
			continue;
		ring->at = record_history_begin(h);
		ring->since = from_now ? record_history_end(h) : ring->at;
	}
	return 0;
}

/*
 * From now on the AUX lanes instead of the readers drain the AUX rings.  0, or
 * -ENOMEM with @err.
 */
static int begin_trace(struct recording *r, struct err *err)
{
	const struct auxtrace *trace = r->opts.from.trace;
	size_t nr = ring_view_max(r->opts.from.session);
	struct trace *t = &r->trace;

	*t = (struct trace){
		/*
		 * Decoders that cut the trace by AUX records need the trace of
		 * a record in one piece (cs_etm__queue_aux_fragment() of
		 * tools/perf/util/cs-etm.c).
		 */
		.sink = { take, t, trace->ops->cuts_by_aux ?
					   0 : trace->ops->alignment },
		.from = r->opts.from,
		.file = r->file,
		.room = &r->room,
		.places = calloc(nr, sizeof(*t->places)),
		.known = calloc(nr, sizeof(*t->known)),
		.nr = nr,
	};
	if (!t->places || !t->known) {
		end_trace(t);
		return err_set(err, -ENOMEM, "a recording: out of memory");
	}
	t->collector = r->opts.collector;
	collector_begin_trace(t->collector, &t->sink);
	return 0;
}

static int begin(struct recording *r, struct err *err)
{
	size_t nr = session_nr_rings(r->opts.from.session);
	int ret;

	if (fit_rings(r, nr, !r->opts.all))
		return err_set(err, -ENOMEM, "a recording: out of memory");
	trace_file_allow_checkpoints(r->file);
	ret = trace_file_begin_trace(r->file, err);
	return ret || !traces(r) ? ret : begin_trace(r, err);
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
		r->room = (struct room){
			.file = r->file,
			.max_bytes = opts->max_bytes,
			.disk = trace_file_room(r->file),
		};
	if (r->file && begin(r, err) == 0)
		return r;
	recording_cancel(r);
	return NULL;
}

/*
 * Write the loss as a PERF_RECORD_LOST in its place, before the record of @time
 * (0: no record follows yet).  The number of records is estimated from the mean
 * size.  The ring exists, since one with a history is never removed, and its
 * CPU does not change.
 */
static int put_lost(struct recording *r, size_t i, uint64_t missed,
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
static void count_records(struct followed *ring, const unsigned char *chunk,
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
			     at + record_end(chunk + at, header) -
				     RECORD_TRAILER_ID;
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
	uint64_t start = ring->at - size;
	const struct trace_rule rule = {
		.from = start < ring->since ? (size_t)(ring->since - start) : 0,
	};
	int ret = 0;

	count_records(ring, r->chunk, size);
	if (start > from)
		ret = put_lost(r, i, start - from, first_time(r->chunk, size));
	return ret ? ret : trace_file_records(r->file, r->chunk, size, &rule);
}

/* Write the next chunk.  1 if the file has no room for it. */
static int follow_some(struct recording *r, size_t i,
		       const struct record_history *h, uint64_t until)
{
	uint64_t len = MIN(CHUNK, until - r->rings[i].at);
	int ret = 1;

	if (grant_room(&r->room, len))
		ret = follow_chunk(r, i, h);
	r->room.granted -= len;
	return ret;
}

static int follow(struct recording *r, size_t i)
{
	const struct record_history *h =
		collector_history(r->opts.collector, i);
	struct followed *ring = &r->rings[i];
	uint64_t size, until, used;
	int ret = 0;

	if (!h)
		return 0;
	size = record_history_size(h);
	r->max += size;
	until = record_history_end(h);
	used = until - MAX(ring->at, MIN(ring->since, until));
	if (size)
		r->fill = fmax(r->fill, (double)used / (double)size);
	/* what arrives meanwhile is for the next pass: other rings wait */
	while (!ret && ring->at < until)
		ret = follow_some(r, i, h, until);
	collector_watch_history(r->opts.collector, i,
				until + size / WATCHED);
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

static int follow_rings(struct recording *r)
{
	/* first: all records older than this are in the histories now */
	uint64_t until = collector_drained_to(r->opts.collector);
	int ret = 0;

	r->fill = 0;
	r->max = 0;
	/* other programs may have used the space: query the file system */
	r->room.known = 0;
	for (size_t i = 0; !ret && i < r->nr_rings; i++)
		ret = follow(r, i);
	if (!ret && !room_is_out(&r->room) && until > LATE_NS)
		ret = trace_file_round(r->file, until - LATE_NS);
	adapt_delay(r);
	return ret ? ret : r->trace.error;
}

static int write_pass(struct recording *r, struct err *err)
{
	int ret = r->begun ? 0 : trace_file_begin_records(r->file, err);

	r->begun = true;
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
	int max = 0;

	for (int i = 1; i < RECORD_CAUSES; i++) {
		if (r->missed_by[i] > r->missed_by[max])
			max = i;
	}
	return (enum record_cause)max;
}

double recording_delay(const struct recording *r)
{
	return r->delay;
}

bool recording_full(const struct recording *r)
{
	uint64_t need = bytes_of_end(&r->room) +
			MIN(r->max, r->room.disk / 4);

	return room_is_out(&r->room) || trace_file_room(r->file) < need;
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
	if (r->trace.collector)
		collector_flush_trace(r->trace.collector);
	end_trace(&r->trace);
	if (traces(r))
		r->room.max_bytes = 0; /* no other thread writes any more */
	return recording_pass(r, err);
}

int recording_finish(struct recording *r, char *path, char *aux_path,
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
	ret = trace_file_commit(r->file, path, aux_path, size, err);
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
