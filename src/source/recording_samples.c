/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/recording_samples.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/utsname.h>

#include "base/err.h"
#include "base/text.h"
#include "perf/abi/side_band.h"
#include "perf/tracepoint/tracepoint.h"
#include "resolve/digest.h"
#include "resolve/resolver_thread.h"
#include "ring/request.h"
#include "samples/names.h"
#include "source/source_samples.h"
#include "symbols/resolver.h"
#include "trace/perfdata/machine.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_reader.h"
#include "trace/recorded/recorded.h"

#define KERNEL "[kernel.kallsyms]"
#define NO_MEMORY "decoding of samples: out of memory"

enum {
	BATCH = 1024,		/* records of a turn */
	SLOTS = 1 << 10,	/* of the order, for rings */
	HEAD = 320,		/* bytes of a format that have its id */
	RUNS = 1 << 10,		/* more of them */
	MAX_HELD = 64 << 20,	/* bytes; above, those that follow are later */
	NAMES_BYTES = 16 << 20,	/* limit of all names together */
	LOADERS = 2,		/* processes that read symbols */
	MAX_LISTED = 1 << 20,	/* samples of a tick, if each is printed */
	MAX_LISTED_BYTES = 256 << 20,	/* of these */
};

/*
 * The kernel takes a record's time before the record is in the ring; a virtual
 * CPU may stand still in between.
 */
#define MARGIN_NS UINT64_C(50000000)

/* All texts of tracepoints are made: they need not keep up with a ring. */
#define TEXT_RATE 1e18

struct recording_samples {
	uint64_t last;		/* time of the recording; UNKNOWN */
	struct resolver_thread *thread;
	struct source_fields fields;
	char (*names)[PERFDATA_NAME_SIZE];	/* of events */

	pthread_mutex_t lock;	/* of the following */
	uint64_t to, from;	/* what is to be played */
	uint64_t jumps;
	struct err err;		/* why nothing follows; code 0: nothing failed */

	/* used by the thread */
	struct perfdata_reader *reader;
	bool begun, ended;
	struct record_order order;
	uint64_t jumped;	/* jumps so far */
	uint64_t latest;	/* time of a record */
	uint64_t round;		/* the same at the end of perf's last round */
	uint64_t ripe;		/* no earlier record follows in the file */
	uint64_t reached;	/* records before it were processed */
	uint64_t asked;		/* the latest time that was to be played */
	uint64_t run;		/* runs so far, see slot_of() */
	uint64_t run_time;	/* of the last record in one */
	uint64_t copy[PERFDATA_COPY_MAX / sizeof(uint64_t)];
};

/* Read nothing more, because of @err if its code is set. */
static void end_reading(struct recording_samples *s, const struct err *err)
{
	s->ended = true;
	if (!err->code)
		return;
	pthread_mutex_lock(&s->lock);
	if (!s->err.code)
		s->err = *err;
	pthread_mutex_unlock(&s->lock);
}

static void rewind_file(struct recording_samples *s)
{
	struct err err = { 0 };
	struct perfdata_reader *again = perfdata_reader_again(s->reader, s->last,
							      &err);

	record_order_free(&s->order);
	s->begun = true;
	s->ended = false;
	if (again) {
		perfdata_reader_free(s->reader);
		s->reader = again;
	} else {
		end_reading(s, &err);
	}
	s->latest = s->round = s->ripe = s->reached = s->asked = 0;
}

/*
 * The rings are nearly in order themselves.  perf writes what it has read of
 * one, then of the next: where a file does not distinguish them, a time that is
 * earlier than the one before it begins another run in order.
 */
static uint32_t slot_of(struct recording_samples *s,
			const struct perfdata_record *r, uint64_t time)
{
	uint32_t nr = r->origin == PERFDATA_OF_CPU ||
		      r->origin == PERFDATA_OF_TASK ? r->ring : r->cpu;

	if (!time)
		return 0;
	if (nr != UINT32_MAX)
		return 1 + nr % SLOTS;
	s->run += time < s->run_time;
	s->run_time = time;
	return 1 + SLOTS + (uint32_t)(s->run % RUNS);
}

static void hold(struct recording_samples *s, const struct perfdata_record *r,
		 uint64_t from)
{
	bool sample = r->type == PERF_RECORD_SAMPLE;
	uint64_t time = r->time != UNKNOWN ? r->time : sample ? s->latest : 0;
	struct queued head = {
		.weight = sample,
		.tag = (uint32_t)r->event,
		.slot = slot_of(s, r, time),
	};

	if (time > s->last && s->last != UNKNOWN)
		return;	/* impossible, see recorded_add() */
	s->latest = MAX(s->latest, time);
	if (sample && time < from)
		return;
	head.size = (uint32_t)perfdata_reader_copy(s->reader, r, s->copy);
	if (head.size)
		record_order_add_at(&s->order, &head, s->copy, time);
}

static void ripen(struct recording_samples *s, uint64_t time)
{
	s->ripe = MAX(s->ripe, time - MIN(time, MARGIN_NS));
}

static void read_next(struct recording_samples *s, uint64_t from)
{
	struct err err = { 0 };
	struct perfdata_record r;

	if (perfdata_reader_next(s->reader, &r, &err) <= 0) {
		end_reading(s, &err);
	} else if (r.type == PERFDATA_RECORD_FINISHED_ROUND) {
		/*
		 * perf has read all rings: what is in them now is later than
		 * what was in the round before, but for the margin.
		 */
		ripen(s, s->round);
		s->round = s->latest;
	} else if (r.type == PERF_RECORD_SAMPLE || side_band_known(r.type)) {
		hold(s, &r, from);
	}
	ripen(s, perfdata_reader_reached(s->reader));
}

/* The next record before @to; NULL if there is none, or not yet. */
static const struct held_record *next_before(struct recording_samples *s,
					     uint64_t to)
{
	bool all = s->ended || s->order.bytes >= MAX_HELD;

	return record_order_take(&s->order, all ? to : MIN(s->ripe, to));
}

static bool play_some(struct recording_samples *s, struct digest *d,
		      uint64_t from, uint64_t to)
{
	for (int i = 0; i < BATCH; i++) {
		const struct held_record *held = next_before(s, to);

		if (held && (!held->head.weight || held->time >= from))
			digest_record(d, &held->head, held->record);
		if (held)
			continue;
		if (s->ended || s->ripe >= to || s->order.bytes >= MAX_HELD)
			return false;
		read_next(s, from);
	}
	return true;
}

static bool play(void *ctx, struct digest *d, uint64_t *seen_ns)
{
	struct recording_samples *s = ctx;
	uint64_t from, to, jumps;
	bool more;

	pthread_mutex_lock(&s->lock);
	from = s->from;
	to = s->to;
	jumps = s->jumps;
	pthread_mutex_unlock(&s->lock);
	if (!s->begun || (jumps != s->jumped && from < s->asked)) {
		digest_restart(d);
		rewind_file(s);
	} else if (jumps != s->jumped) {
		digest_clear(d);
	}
	s->jumped = jumps;
	/* what is before it may be dropped or processed from now on */
	s->asked = MAX(s->asked, to);
	more = play_some(s, d, from, to);
	if (!more)
		s->reached = MAX(s->reached, to);
	*seen_ns = s->reached;
	return more;
}

static uint64_t wanted(void *ctx)
{
	struct recording_samples *s = ctx;
	uint64_t to;

	pthread_mutex_lock(&s->lock);
	to = s->to;
	pthread_mutex_unlock(&s->lock);
	return to;
}

void recording_samples_play(struct recording_samples *s, uint64_t from,
			    uint64_t to)
{
	pthread_mutex_lock(&s->lock);
	s->jumps += from != s->from || to < s->to;
	s->from = from;
	s->to = to;
	pthread_mutex_unlock(&s->lock);
	resolver_thread_wake(s->thread);
}

void recording_samples_again(struct recording_samples *s)
{
	pthread_mutex_lock(&s->lock);
	s->jumps++;
	pthread_mutex_unlock(&s->lock);
	resolver_thread_wake(s->thread);
}

bool recording_samples_failed(struct recording_samples *s, struct err *err)
{
	bool failed;

	pthread_mutex_lock(&s->lock);
	failed = s->err.code;
	if (failed)
		*err = s->err;
	pthread_mutex_unlock(&s->lock);
	return failed;
}

uint64_t recording_samples_kernel(const struct perfdata_reader *reader,
				  const struct perfdata_record *record)
{
	uint64_t copy[PERFDATA_COPY_MAX / sizeof(uint64_t)];
	size_t size = record->type == PERF_RECORD_MMAP ?
			      perfdata_reader_copy(reader, record, copy) : 0;
	struct side_band map;

	if (!size || side_band_parse(copy, size, &side_band_own, &map) ||
	    !map.map.kernel || !text_begins(map.map.name, KERNEL))
		return UNKNOWN;
	return map.map.pgoff;
}

/* Whether addresses of the recording's kernel are those of the running one. */
static bool same_kernel(const struct recording_samples_opts *opts)
{
	struct perfdata_machine here = { 0 };
	struct err err = { 0 };
	const struct perfdata_build_id *ids;
	size_t nr;
	bool same = false;

	ids = perfdata_reader_build_ids(opts->reader, &nr);
	if (!nr || perfdata_machine_read(&here, NULL, 0, &err))
		return false;
	for (size_t i = 0; i < nr && !same; i++)
		same = ids[i].kernel && ids[i].id.len &&
		       strcmp(ids[i].path, KERNEL) == 0 &&
		       ids[i].id.len == here.kernel_build_id.len &&
		       !memcmp(ids[i].id.bytes, here.kernel_build_id.bytes,
			       ids[i].id.len);
	/* the kernel may have another address since it was started */
	if (opts->kernel != UNKNOWN && here.kernel_ref)
		same &= opts->kernel == here.kernel_ref;
	perfdata_machine_free(&here);
	return same;
}

/* When, if it was on this machine, as far as is known; else 0. */
static int64_t written_here(const struct perfdata_info *info)
{
	struct utsname here;

	return uname(&here) || strcmp(info->hostname, here.nodename) ||
	       strcmp(info->os_release, here.release) ? 0 : info->written;
}

static struct resolver *open_resolver(const struct recording_samples_opts *opts,
				      struct names *names, struct err *err)
{
	const struct resolver_opts resolver_opts = {
		.proc = "",
		.written = written_here(perfdata_reader_info(opts->reader)),
		.kallsyms = same_kernel(opts) ? NULL : "",
		.loaders = LOADERS,
		.names = names,
	};
	struct resolver *resolver = resolver_new(&resolver_opts, err);
	const struct perfdata_build_id *ids;
	size_t nr;

	ids = perfdata_reader_build_ids(opts->reader, &nr);
	for (size_t i = 0; resolver && i < nr; i++)
		if (!ids[i].kernel && ids[i].id.len &&
		    resolver_know_build_id(resolver, ids[i].path, &ids[i].id)) {
			resolver_free(resolver);
			err_set(err, -ENOMEM, NO_MEMORY);
			return NULL;
		}
	return resolver;
}

/* Formats are being learned. */
struct learning {
	struct tracepoints *tracepoints;
	bool wanted[UINT16_MAX + 1];	/* by id */
};

/*
 * Parse one format of each event, and none of other events.
 * If it cannot be parsed, the event has no text.
 */
static int learn_format(void *ctx, const char *sys, const char *format,
			size_t len)
{
	struct learning *l = ctx;
	char head[HEAD];
	unsigned int id;

	snprintf(head, sizeof(head), "%.*s", (int)MIN(len, sizeof(head)),
		 format);
	if (sscanf(head, "name: %*s ID: %u", &id) != 1 || id > UINT16_MAX ||
	    !l->wanted[id])
		return 0;
	l->wanted[id] = false;
	tracepoints_parse(l->tracepoints, sys, format, len);
	return 0;
}

static int learn_formats(const struct perfdata_reader *reader,
			 struct tracepoints *tracepoints)
{
	struct learning *l = calloc(1, sizeof(*l));
	const struct perfdata_event_info *event;

	if (!l)
		return -ENOMEM;
	l->tracepoints = tracepoints;
	for (size_t i = 0; (event = perfdata_reader_event(reader, i)); i++)
		if (event->type == PERF_TYPE_TRACEPOINT &&
		    event->config <= UINT16_MAX)
			l->wanted[event->config] = true;
	perfdata_reader_formats(reader, learn_format, l);
	free(l);
	return 0;
}

/* Make what the thread will own.  0, or -errno with @err (some may exist). */
static int make_parts(const struct recording_samples_opts *opts,
		      struct resolver_thread_opts *thread, struct err *err)
{
	struct tracepoint_names names = { .function = source_function };

	thread->names = names_new(NAMES_BYTES);
	if (!thread->names)
		return err_set(err, -ENOMEM, NO_MEMORY);
	thread->symbolizer_ctx = open_resolver(opts, thread->names, err);
	if (!thread->symbolizer_ctx)
		return err->code;
	names.ctx = thread->symbolizer_ctx;
	thread->tracepoints = tracepoints_new(&names);
	if (!thread->tracepoints ||
	    learn_formats(opts->reader, thread->tracepoints))
		return err_set(err, -ENOMEM, NO_MEMORY);
	return 0;
}

static void set_event(struct resolver_event *to, char name[PERFDATA_NAME_SIZE],
		      const struct perfdata_event_info *event, uint64_t samples)
{
	text_copy(name, PERFDATA_NAME_SIZE,
		  event->name[0] ? event->name : "unnamed event");
	*to = (struct resolver_event){
		.name = name,
		.layout = event->layout,
		.tracepoint = event->type == PERF_TYPE_TRACEPOINT ? name : NULL,
		.period = event->period,
		.silent = samples == 0,
	};
}

/* NULL when out of memory. */
static struct resolver_event *
list_events(struct recording_samples *s,
	    const struct recording_samples_opts *opts,
	    struct resolver_thread_opts *thread)
{
	const struct recorded *recorded = opts->recorded;
	struct resolver_event *events;
	size_t nr = 0;

	while (perfdata_reader_event(opts->reader, nr))
		nr++;
	events = calloc(nr + 1, sizeof(*events));
	s->names = calloc(nr + 1, sizeof(*s->names));
	if (!events || !s->names) {
		free(events);
		return NULL;
	}
	for (size_t i = 0; i < nr; i++) {
		const struct perfdata_event_info *event =
			perfdata_reader_event(opts->reader, i);

		set_event(&events[i], s->names[i], event,
			  i < recorded->nr_samples ? recorded->samples[i] : 0);
		if (event->layout.sample_type & PERF_SAMPLE_CALLCHAIN &&
		    !events[i].silent)
			thread->chains = true;
	}
	thread->nr_events = nr;
	return events;
}

static int make_thread(struct recording_samples *s,
		       const struct recording_samples_opts *opts,
		       struct err *err)
{
	const struct resolver_player player = { play, wanted, s };
	struct resolver_thread_opts thread = {
		.player = &player,
		.symbolizer = &source_symbolizer,
		.side_band = side_band_own,
		.text_rate = TEXT_RATE,
		.list_only = opts->list_only,
	};
	struct resolver_event *events = list_events(s, opts, &thread);
	char field[REQUEST_TEXT];
	int ret = events ? make_parts(opts, &thread, err) :
			   err_set(err, -ENOMEM, NO_MEMORY);

	if (opts->list_only) {
		thread.feed_entries = MAX_LISTED;
		thread.feed_bytes = MAX_LISTED_BYTES;
	}
	if (!ret && source_fields_learn(&s->fields, events, &thread, field))
		ret = err_set(err, -ENOMEM, NO_MEMORY);
	if (ret) {
		resolver_thread_free_opts(&thread);
	} else {
		s->thread = resolver_thread_new(&thread, err);
		ret = s->thread ? 0 : -ENOMEM;
	}
	free(events);
	return ret;
}

int recording_samples_open(const struct recording_samples_opts *opts,
			   struct recording_samples **out,
			   struct resolver_thread **thread, struct err *err)
{
	struct recording_samples *s;
	int ret;

	s = calloc(1, sizeof(*s));
	if (!s)
		return err_set(err, -ENOMEM, NO_MEMORY);
	pthread_mutex_init(&s->lock, NULL);
	s->last = opts->recorded->last;
	s->reader = perfdata_reader_again(opts->reader, s->last, err);
	ret = s->reader ? make_thread(s, opts, err) : err->code;
	if (ret) {
		recording_samples_free(s);
		return ret;
	}
	*out = s;
	*thread = s->thread;
	return 0;
}

void recording_samples_free(struct recording_samples *s)
{
	if (!s)
		return;
	perfdata_reader_free(s->reader);
	record_order_free(&s->order);
	source_fields_free(&s->fields);
	pthread_mutex_destroy(&s->lock);
	free(s->names);
	free(s);
}
