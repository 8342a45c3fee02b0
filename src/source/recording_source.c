/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/recording_source.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "resolve/resolver_thread.h"
#include "source/recording_log.h"
#include "source/recording_samples.h"
#include "source/source.h"
#include "source/source_samples.h"
#include "trace/perfdata/perfdata_reader.h"
#include "trace/recorded/recorded.h"
#include "trace/recorded/timeline.h"

#define NSEC 1e9
#define LOSS_SECONDS 0.01	/* shown from a loss on, by a seek to it */

enum {
	ROWS = 4096,		/* rings of their own; a row takes some 60 KB */
	CHECK = 1 << 14,	/* records between two clock reads */
	SHOWN = 20,		/* seconds that it takes to play all of it */
	MAX_SPEED = 1 << 20,
};

struct recording_source {
	struct source source;
	struct recorded recorded;
	struct timeline timeline;
	const struct recorded_ring *rows[ROWS];
	struct ring_stats *stats;	/* by row, of all slots before @slot */
	struct recording_log log;
	size_t nr;		/* rows; if one more is in @recorded than in
				 * @rows, the last is all others */
	size_t cell;		/* the first that is not in @stats */
	uint64_t first, end;	/* slots */
	uint64_t origin;	/* slot; where the recording, and time, starts */
	uint64_t slot;
	double fraction;	/* part of a slot that was played, but not
				 * counted yet */
	uint64_t target;	/* of a seek */
	uint64_t seek_step;	/* slots that its rates are over */
	uint64_t column;	/* slots of one */
	uint64_t aux_size;	/* bytes of an AUX ring; UNKNOWN */
	uint64_t worst;		/* first slot of that which lost most; UNKNOWN */
	bool seeking, started;
	double last;		/* when it was read, CLOCK_MONOTONIC */
	struct recording_source_opts opts;
	bool lossless;		/* nothing was lost, by its own counts */
	bool counted;
	struct recording_samples *samples;	/* NULL: not decoded */
	uint64_t from;		/* ns: time of the first that are listed */
	uint64_t mark;		/* slot; UNKNOWN: none */
	uint64_t kernel;	/* address; UNKNOWN */
	struct playback playback;
	struct playback_column columns[PLAYBACK_COLUMNS];
	struct err damage;
};

static double width_of(const struct recording_source *rs)
{
	return (double)timeline_width(&rs->timeline) / NSEC;
}

/* Seconds since the start. */
static double time_of(const struct recording_source *rs, uint64_t slot)
{
	return (double)(slot - rs->origin) * width_of(rs);
}

static uint64_t slots_of(const struct recording_source *rs, double seconds)
{
	double slots = seconds / width_of(rs);

	return slots < 1 ? 1 : (uint64_t)fmin(slots + 0.5, 1 << 30);
}

/* The slot at @seconds since the start. */
static uint64_t slot_at(const struct recording_source *rs, double seconds)
{
	double slots = floor(seconds / width_of(rs) + 1e-6);
	uint64_t all = rs->end - rs->first;

	return rs->first + (uint64_t)fmin(fmax(slots, 0), (double)all);
}

/* Slots that an update covers; on the screen, whatever the speed is. */
static uint64_t step_of(const struct recording_source *rs)
{
	return slots_of(rs, rs->opts.interval);
}

static uint64_t forwards(const struct recording_source *rs, uint64_t slots)
{
	uint64_t left = rs->end - rs->slot;

	return rs->slot + (slots < left ? slots : left);
}

static uint64_t back(const struct recording_source *rs, uint64_t from,
		     uint64_t slots)
{
	return slots < from - rs->first ? from - slots : rs->first;
}

/* Count up to @slot. */
static void move_to(struct recording_source *rs, uint64_t slot)
{
	if (slot < rs->slot) {
		memset(rs->stats, 0, rs->nr * sizeof(*rs->stats));
		rs->cell = 0;
	}
	rs->cell = timeline_walk(&rs->timeline, rs->cell, slot, rs->stats);
	rs->slot = slot;
}

/* At least a slot, so that there are rates. */
static void play(struct recording_source *rs, double seconds)
{
	double slots =
		rs->fraction + seconds * rs->playback.speed / width_of(rs);

	slots = fmax(fmin(slots, 1 << 30), 1);
	rs->fraction = slots - floor(slots);
	move_to(rs, forwards(rs, (uint64_t)slots));
	if (rs->slot == rs->end)
		rs->playback.playing = false;
}

/*
 * To the target, from a reading that its rates start from: a step earlier,
 * unless it stands in between.
 */
static void seek(struct recording_source *rs, struct reading *r)
{
	uint64_t base = back(rs, rs->target, rs->seek_step);

	if (rs->target > rs->slot && base < rs->slot)
		base = rs->slot;
	if (rs->slot != base && rs->target != base) {
		r->rewound = base < rs->slot;
		r->base = true;
		move_to(rs, base);
		return;
	}
	r->rewound = rs->target < rs->slot;
	move_to(rs, rs->target);
	rs->seeking = false;
	rs->fraction = 0;
}

static void advance(struct recording_source *rs, struct reading *r)
{
	double passed = sys_now() - rs->last;

	r->rewound = r->base = false;
	if (!rs->started)
		move_to(rs, rs->mark == UNKNOWN ? rs->first : rs->mark);
	else if (rs->opts.batch)
		move_to(rs, forwards(rs, step_of(rs)));
	else if (rs->seeking)
		seek(rs, r);
	else if (rs->playback.playing)
		play(rs, passed);
	rs->source.still = !rs->opts.batch && !rs->seeking &&
			   !rs->playback.playing;
	r->ended = rs->opts.batch && rs->slot == rs->end;
}

static void fill(const struct recording_source *rs, size_t row,
		 struct reading_ring *to)
{
	const struct recorded_ring *ring = rs->rows[row];
	bool aux = ring && ring->aux.records;

	if (ring && ring->origin == PERFDATA_OF_CPU)
		to->row.cpu = (int)ring->nr;
	else if (ring && ring->origin == PERFDATA_OF_TASK)
		to->row.tid = (pid_t)ring->nr;
	to->row.enabled = true;
	to->row.size = UNKNOWN;
	to->row.wakeup_events = UNKNOWN;
	to->counts_age = NAN;
	to->stats = rs->stats[row];
	to->recent_peak = to->stats.peak;
	if (ring && rs->lossless && rs->playback.ring_size)
		to->most_waited = unknown_as_zero(ring->max_round);
	to->row.aux.size = aux ? rs->aux_size : 0;
	to->row.aux.overwrite = aux && ring->aux.overwrite;
	to->aux = (struct reading_aux){
		.recorded = aux, .head_age = NAN, .read_cost = NAN,
	};
}

static void set_mark(struct recording_source *rs, uint64_t slot)
{
	rs->mark = slot;
	rs->playback.mark = slot == UNKNOWN ? NAN : time_of(rs, slot);
}

/*
 * @base: only the next reading is shown.  Without a screen, their thread does
 * not run.
 */
static void play_samples(struct recording_source *rs, bool base, bool back)
{
	uint64_t width = timeline_width(&rs->timeline), to;

	if (rs->mark != UNKNOWN && (base ? rs->target : rs->slot) < rs->mark)
		set_mark(rs, UNKNOWN);
	if (rs->mark != UNKNOWN && base)
		return;
	if (rs->mark != UNKNOWN)
		rs->from = rs->mark * width;
	else if (base || back)
		rs->from = rs->slot * width;
	if (!rs->samples)
		return;
	to = rs->slot * width;
	if (rs->opts.batch && rs->opts.span.given && rs->opts.span.to < to)
		to = rs->opts.span.to + 1;
	recording_samples_play(rs->samples, rs->from, to);
	if (rs->opts.batch)
		resolver_thread_finish(rs->source.resolver);
	if (!rs->damage.code &&
	    recording_samples_failed(rs->samples, &rs->damage) &&
	    !rs->opts.batch)
		text_copy(rs->source.notice, sizeof(rs->source.notice),
			  rs->damage.text);
}

static int recording_read(struct source *source, struct reading *r,
			  struct err *err)
{
	struct recording_source *rs = (struct recording_source *)source;
	uint64_t before = rs->slot;
	int ret = reading_reserve(r, rs->nr);

	if (ret)
		return err_set(err, ret, "reading the rings: out of memory");
	advance(rs, r);
	play_samples(rs, r->base, rs->slot < before);
	rs->started = true;
	rs->last = sys_now();
	r->mono = r->wall = time_of(rs, rs->slot);
	r->start = rs->origin * timeline_width(&rs->timeline);
	r->start += !r->start;
	rs->playback.position = r->wall;
	r->playback = &rs->playback;
	for (size_t i = 0; i < rs->nr; i++)
		fill(rs, i, &r->rings[i]);
	recording_log_tell(&rs->log, rs->slot, r);
	return 0;
}

/* At the present position, or none. */
static int request_mark(struct recording_source *rs, bool on, struct err *err)
{
	if (!rs->samples)
		return err_set(err, -EOPNOTSUPP,
			       "the samples of this recording are not decoded");
	set_mark(rs, on ? rs->slot : UNKNOWN);
	play_samples(rs, false, true);
	return 0;
}

static void go_to(struct recording_source *rs, uint64_t slot, uint64_t step)
{
	rs->target = slot;
	rs->seek_step = step;
	rs->seeking = true;
	rs->source.still = false;
}

/*
 * To the end of the few milliseconds that begin with it, or of the column in
 * which most was lost.
 */
static int seek_loss(struct recording_source *rs, const struct request *rq,
		     struct err *err)
{
	uint64_t step = slots_of(rs, LOSS_SECONDS);
	uint64_t start = back(rs, rs->slot, step);
	bool worst = rq->value == REQUEST_TO_WORST;
	uint64_t at = worst ? rs->worst : rq->on ?
		timeline_next_loss(&rs->timeline, rs->slot) :
		timeline_last_loss(&rs->timeline, start);

	if (at == UNKNOWN || at < rs->first)
		return err_set(err, -ENOENT, "nothing was lost %s", worst ?
			       "in this recording" : rq->on ? "after this" :
			       "before this");
	if (worst && rs->column > step)
		step = rs->column;
	go_to(rs, rs->end - at < step ? rs->end : at + step, step);
	rs->playback.playing = false;
	return 0;
}

static int request_seek(struct recording_source *rs, const struct request *rq,
			struct err *err)
{
	uint64_t step = step_of(rs);

	if (rq->value == REQUEST_TO_LOSS || rq->value == REQUEST_TO_WORST)
		return seek_loss(rs, rq, err);
	if (rq->value == REQUEST_TO_TIME) {
		go_to(rs, slot_at(rs, rq->time), step);
		rs->playback.playing = false;
		return 0;
	}
	if (rq->value == REQUEST_TO_END) {
		go_to(rs, rq->on ? rs->end : rs->first, step);
		rs->playback.playing &= !rq->on;
		return 0;
	}
	if (rs->slot == (rq->on ? rs->end : rs->first))
		return err_set(err, -ENOENT, rq->on ?
			       "this is the end of the recording" :
			       "this is the start of the recording");
	go_to(rs, rq->on ? forwards(rs, step) : back(rs, rs->slot, step), step);
	rs->playback.playing = false;
	return 0;
}

/* At the end, it plays from the beginning again. */
static int request_play(struct recording_source *rs, bool on)
{
	if (on && rs->slot == rs->end)
		go_to(rs, rs->first, step_of(rs));
	rs->playback.playing = on;
	rs->source.still = !rs->playback.playing && !rs->seeking;
	rs->last = on ? sys_now() : rs->last;
	return 0;
}

static int request_speed(struct recording_source *rs, bool on,
			 struct err *err)
{
	double speed = rs->playback.speed * (on ? 2 : 0.5);

	if (speed > MAX_SPEED || speed < 1.0 / MAX_SPEED)
		return err_set(err, -ERANGE, on ? "it cannot be played faster" :
						  "it cannot be played slower");
	rs->playback.speed = speed;
	return 0;
}

static int recording_request(struct source *source, const struct request *rq,
			     struct err *err)
{
	struct recording_source *rs = (struct recording_source *)source;
	int ret;

	switch ((int)rq->kind) {
	case REQUEST_PLAY:
		return request_play(rs, rq->on);
	case REQUEST_SPEED:
		return request_speed(rs, rq->on, err);
	case REQUEST_MARK:
		return request_mark(rs, rq->on, err);
	case REQUEST_SEEK:
		return request_seek(rs, rq, err);
	case REQUEST_FILTER:
	case REQUEST_FIELD:
		ret = source_samples_request(source, false, rq, err);
		/* also for the samples that are already listed and counted */
		if (!ret && rs->samples)
			recording_samples_again(rs->samples);
		return ret;
	case REQUEST_HOST:
		return 0;	/* the screen says that it has none */
	default:
		return err_set(err, -EOPNOTSUPP, "these rings are recorded: "
			       "nothing about them can be changed");
	}
}

/*
 * A key may write a file.  Signals are the front end's: the thread may not take
 * one.
 */
static int recording_start(struct source *source, struct err *err)
{
	struct recording_source *rs = (struct recording_source *)source;
	int ret = caps_limit(CAPS_FILES, err);
	sigset_t old;

	if (ret || rs->opts.batch || !source->resolver)
		return ret;
	sys_block_signals(&old);
	ret = resolver_thread_start(source->resolver, err);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

static void recording_close(struct source *source)
{
	struct recording_source *rs = (struct recording_source *)source;

	/* if it hangs, it may still use its file */
	if (resolver_thread_free(source->resolver))
		recording_samples_free(rs->samples);
	recorded_free(&rs->recorded);
	timeline_free(&rs->timeline);
	free(rs->stats);
	recording_log_free(&rs->log);
	free(rs);
}

static const struct source_ops recording_ops = {
	.name = "recording",
	.start = recording_start,
	.read = recording_read,
	.request = recording_request,
	.close = recording_close,
};

/* Progress of reading, shown on a terminal if it takes over a second. */
struct progress {
	const char *path;
	bool terminal;
	unsigned int records;
	double next;		/* time to show it */
	bool shown;
};

static void show_progress(struct progress *p, const struct recorded *recorded)
{
	double now;
	char bytes[16], path[64];

	if (!p->terminal || ++p->records % CHECK)
		return;
	now = sys_now();
	if (now < p->next)
		return;
	p->next = now + 0.25;
	p->shown = true;
	text_copy(path, sizeof(path), p->path);
	fprintf(stderr, "\rrbtop: reading %s: %s of records ", path,
		units_bytes(bytes, sizeof(bytes), (double)recorded->bytes));
}

/* The damage of a file ends it, and is kept. */
static int read_all(struct recording_source *rs, struct perfdata_reader *reader,
		    const char *path, struct err *err)
{
	struct progress progress = {
		.path = strcmp(path, "-") ? path : "standard input",
		.terminal = isatty(STDERR_FILENO),
		.next = sys_now() + 1,
	};
	struct perfdata_record record;
	int ret, held;

	rs->recorded.cpus = &perfdata_reader_info(reader)->cpus_available;
	while ((ret = perfdata_reader_next(reader, &record,
					   &rs->damage)) > 0) {
		if (rs->kernel == UNKNOWN && record.type == PERF_RECORD_MMAP)
			rs->kernel = recording_samples_kernel(reader, &record);
		ret = recorded_add(&rs->recorded, &record);
		if (ret < 0)
			break;
		show_progress(&progress, &rs->recorded);
	}
	if (progress.shown)
		fputs("\r\033[K", stderr);
	held = recorded_finish(&rs->recorded);
	rs->recorded.cpus = NULL;
	if (ret < 0 && !rs->damage.code)
		held = ret;
	return held < 0 ? err_errno(err, held, "counting records") : 0;
}

/* CPUs, then threads, then what the file does not distinguish. */
static int compare_rows(const void *one, const void *other)
{
	const struct recorded_ring *a = *(const struct recorded_ring *const *)
						one;
	const struct recorded_ring *b = *(const struct recorded_ring *const *)
						other;
	int rank_a = a->origin == PERFDATA_OF_SOME_RING ? 2 :
		     a->origin == PERFDATA_OF_TASK;
	int rank_b = b->origin == PERFDATA_OF_SOME_RING ? 2 :
		     b->origin == PERFDATA_OF_TASK;

	return rank_a != rank_b ? rank_a - rank_b : (a->nr > b->nr) -
						    (a->nr < b->nr);
}

/* The rings that lost most have a row of their own. */
static int make_rows(struct recording_source *rs)
{
	const struct recorded *r = &rs->recorded;
	size_t own = r->nr_rings <= ROWS ? r->nr_rings : ROWS - 1;
	uint32_t *row_of = calloc(r->nr_rings + 1, sizeof(*row_of));

	rs->nr = own + (own < r->nr_rings);
	rs->stats = calloc(rs->nr + 1, sizeof(*rs->stats));
	if (!row_of || !rs->stats) {
		free(row_of);
		return -ENOMEM;
	}
	for (size_t i = 0; i < own; i++)
		rs->rows[i] = &r->rings[i];
	if (own)
		qsort(rs->rows, own, sizeof(rs->rows[0]), compare_rows);
	for (size_t i = 0; i < r->nr_rings; i++)
		row_of[i] = (uint32_t)own;
	for (size_t i = 0; i < own; i++)
		row_of[rs->rows[i]->index] = (uint32_t)i;
	timeline_finish(&rs->timeline, row_of);
	free(row_of);
	return 0;
}

/* The slot of a time of the span, in the recording. */
static uint64_t span_slot(const struct recording_source *rs, uint64_t time)
{
	time = MAX(MIN(time, rs->recorded.last), rs->recorded.first);
	return time / timeline_width(&rs->timeline);
}

/* Only the span is played, or it is marked and its end shown. */
static void begin_span(struct recording_source *rs)
{
	const struct recorded_span *span = &rs->opts.span;
	uint64_t from = span_slot(rs, span->from);
	uint64_t to = span_slot(rs, span->to) + 1;

	if (rs->opts.batch) {
		rs->first = rs->slot = from;
		rs->end = to;
		rs->origin = span_slot(rs, 0);
		rs->from = span->from;
		return;
	}
	if (rs->samples)
		set_mark(rs, from);
	go_to(rs, to, step_of(rs));
	rs->playback.playing = false;
}

static int begin(struct recording_source *rs)
{
	const struct recorded_ring total = recorded_total(&rs->recorded);
	const struct timeline *t = &rs->timeline;
	uint64_t lost;

	rs->first = rs->origin = unknown_as_zero(t->first);
	rs->end = unknown_as_zero(t->last) + 1;
	rs->slot = rs->first;
	rs->playback.length = time_of(rs, rs->end);
	rs->playback.columns = rs->columns;
	rs->playback.nr_columns = timeline_columns(t, PLAYBACK_COLUMNS,
						   rs->columns, &rs->column);
	rs->playback.column = (double)rs->column * width_of(rs);
	rs->worst = timeline_worst_loss(t, rs->column ? rs->column : 1);
	if (rs->worst != UNKNOWN && rs->playback.nr_columns)
		rs->columns[(rs->worst - rs->first) / rs->column].worst = true;
	rs->playback.pages = rs->counted ?
				     recorded_pages(&rs->recorded, &lost) : 0;
	rs->lossless = rs->counted && !recorded_loss(&total);
	rs->playback.speed = 1;
	set_mark(rs, UNKNOWN);
	rs->playback.playing = !rs->opts.batch;
	while (!rs->opts.batch &&
	       rs->playback.length > SHOWN * rs->playback.speed * 1.5 &&
	       rs->playback.speed < MAX_SPEED)
		rs->playback.speed *= 2;
	if (rs->opts.span.given)
		begin_span(rs);
	rs->log = (struct recording_log){
		.timeline = t,
		.origin = rs->origin,
		.first = rs->first,
		/* a tick of a batch has its own lines */
		.span = rs->opts.batch ? step_of(rs) : 0,
	};
	return recording_log_init(&rs->log, rs->nr);
}

/* "recording: perf.data, 12.3 s, by perf 6.1 on HOST" */
static void set_title(struct recording_source *rs, const char *path,
		      const struct perfdata_info *info)
{
	const struct recorded *r = &rs->recorded;
	char title[sizeof(rs->source.title)];
	bool number = info->version[0] >= '0' && info->version[0] <= '9';

	snprintf(title, sizeof(title), "recording: %.64s",
		 strcmp(path, "-") ? text_base_name(path) : "standard input");
	if (r->first != UNKNOWN)
		text_append(title, sizeof(title), ", %.1f s",
			    (double)(r->last - r->first) / NSEC);
	if (info->version[0])
		text_append(title, sizeof(title), ", by %s%.40s",
			    number ? "perf " : "", info->version);
	if (info->hostname[0])
		text_append(title, sizeof(title), " on %.32s", info->hostname);
	text_copy(rs->source.title, sizeof(rs->source.title), title);
}

static void set_notice(struct recording_source *rs,
		       const struct perfdata_info *info)
{
	char *notice = rs->source.notice;
	size_t size = sizeof(rs->source.notice);
	char left_out[120];

	if (rs->damage.code && !rs->opts.batch)
		text_copy(notice, size, rs->damage.text);
	else if (info->compressed_unread)
		snprintf(notice, size, "%" PRIu64 " compressed records not "
			 "decompressed: this rbtop was built without libzstd",
			 info->compressed_unread);
	else if (info->unfinished)
		snprintf(notice, size, "the file is unfinished: its writer was "
			 "killed, and the last records may be missing");
	recorded_left_out(&rs->recorded, left_out, sizeof(left_out));
	if (left_out[0])
		text_append(notice, size, "%s%s", *notice ? "; " : "",
			    left_out);
	rs->counted = !info->compressed_unread;
}

static int load(struct recording_source *rs, struct err *err)
{
	const char *path = rs->opts.path;
	struct perfdata_reader *reader =
		perfdata_reader_open(path, !rs->opts.no_samples, err);
	struct err failed = { 0 };
	struct recording_samples_opts samples = {
		.reader = reader,
		.recorded = &rs->recorded,
		.list_only = rs->opts.list_only,
	};
	int ret;

	if (!reader)
		return err->code;
	if (rs->opts.batch)
		rs->recorded.span = rs->opts.span;
	ret = read_all(rs, reader, path, err);
	rs->recorded.span = rs->opts.span;
	if (ret == 0)
		ret = recorded_check_span(&rs->recorded, err);
	if (ret == 0 && make_rows(rs))
		ret = err_set(err, -ENOMEM, "%s: out of memory", path);
	samples.kernel = rs->kernel;
	/* all but them is shown if a pipe could not be copied */
	if (ret == 0 && !rs->opts.no_samples &&
	    recording_samples_open(&samples, &rs->samples,
				   &rs->source.resolver, &failed) < 0 &&
	    !rs->damage.code)
		rs->damage = failed;
	if (ret == 0) {
		set_title(rs, path, perfdata_reader_info(reader));
		set_notice(rs, perfdata_reader_info(reader));
		rs->playback.ring_size = unknown_as_zero(recorded_ring_size(
			&rs->recorded,
			perfdata_reader_info(reader)->ring_size));
		rs->aux_size = perfdata_reader_info(reader)->aux_size;
	}
	rs->source.decodes = rs->samples;
	perfdata_reader_free(reader);
	return ret;
}

struct source *recording_source_open(const struct recording_source_opts *opts,
				     struct err *err)
{
	struct recording_source *rs = calloc(1, sizeof(*rs));
	int ret;

	if (!rs || source_init(&rs->source, &recording_ops) != 0) {
		free(rs);
		err_set(err, -ENOMEM, "%s: out of memory", opts->path);
		return NULL;
	}
	rs->opts = *opts;
	rs->kernel = UNKNOWN;
	recorded_init(&rs->recorded);
	timeline_init(&rs->timeline);
	rs->recorded.timeline = &rs->timeline;
	ret = load(rs, err);
	if (ret == 0 && begin(rs) != 0)
		ret = err_set(err, -ENOMEM, "%s: out of memory", opts->path);
	if (ret == 0)
		return &rs->source;
	source_close(&rs->source);
	return NULL;
}

const struct recorded *recording_source_recorded(const struct source *s)
{
	return &((const struct recording_source *)s)->recorded;
}

int recording_source_damage(const struct source *s, struct err *err)
{
	const struct recording_source *rs = (const struct recording_source *)s;

	if (rs->damage.code)
		*err = rs->damage;
	return rs->damage.code;
}

bool recording_source_is_counted(const struct source *s)
{
	return ((const struct recording_source *)s)->counted;
}
