/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "resolve/digest.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/text.h"
#include "task/comm_cache.h"
#include "task/task_history.h"
#include "samples/feed.h"
#include "samples/hot_table.h"
#include "samples/names.h"
#include "ring/request.h"
#include "samples/sample_filter.h"
#include "perf/tracepoint/tracepoint.h"
#include "symbols/resolver.h"

enum {
	FEED_ENTRIES = 8192,
	FEED_BYTES = 8 << 20,
	TEXT_RATE = 4000,
	/*
	 * kernel.perf_event_max_stack and _max_contexts_per_stack by default;
	 * of longer callchains the outermost frames are dropped
	 */
	MAX_FRAMES = 127 + 8,
	TEXT = 512,
	MAX_NAME = 64,		/* of a field */
	SYSCALL = 48,		/* a name of a system call, or a number */
};

/* Input for frames; under the lock. */
struct published {
	struct hot_table *hot;
	struct feed *feed;
	uint64_t decoded, undecodable, unresolved, late;
	uint64_t listed_ns;	/* time of the last sample in the feed */
	struct resolver_stats symbols;
	size_t name_bytes;
	/* requested, not yet taken over by the thread */
	struct sample_filter *new_filter;
	bool filter_changed, field_changed;
	char filter_text[REQUEST_TEXT];
	char field[REQUEST_TEXT];
};

struct digest {
	const struct symbolizer_ops *symbolizer;
	void *ctx;
	struct names *names;
	struct tracepoints *tracepoints;
	struct task_history *tasks;	/* borrowed; may be NULL */
	struct comm_cache *comms;	/* likewise */
	struct resolver_event *events;
	size_t nr_events;
	struct side_band_layout side_band;
	double text_rate, text_tokens;
	bool list_only;

	/* the thread's copies of what was requested */
	struct sample_filter *filter;
	char field_event[REQUEST_TEXT];	/* "": any tracepoint */
	char field_name[REQUEST_TEXT];		/* "": none */
	bool own_fields;	/* each event's own: SAMPLES_OWN_FIELD */

	/* buffers for one sample */
	struct sample_frame frames[MAX_FRAMES];
	struct symbol symbols[MAX_FRAMES];
	struct feed_frame feed_frames[MAX_FRAMES];

	pthread_mutex_t lock;
	struct published pub;

	/* used by the reading thread */
	struct feed *feed_copy;
	struct hot hot_copy;
	char filter_shown[REQUEST_TEXT];
};

static int copy_events(struct digest *d,
		       const struct resolver_thread_opts *opts)
{
	d->events = calloc(opts->nr_events + 1, sizeof(*d->events));
	if (!d->events)
		return -ENOMEM;
	if (opts->nr_events)
		memcpy(d->events, opts->events,
		       opts->nr_events * sizeof(*d->events));
	d->nr_events = opts->nr_events;
	return 0;
}

/* "sys:name.field": a field of that event; "field": of any event. */
static void take_field(struct digest *d, const char *field)
{
	const char *dot = strrchr(field, '.');

	d->own_fields = strcmp(field, SAMPLES_OWN_FIELD) == 0;
	d->field_event[0] = '\0';
	if (dot)
		snprintf(d->field_event, sizeof(d->field_event), "%.*s",
			 (int)(dot - field), field);
	snprintf(d->field_name, sizeof(d->field_name), "%s",
		 dot ? dot + 1 : field);
}

struct digest *digest_new(const struct resolver_thread_opts *opts)
{
	size_t entries = opts->feed_entries ? opts->feed_entries
					    : FEED_ENTRIES;
	size_t bytes = opts->feed_bytes ? opts->feed_bytes : FEED_BYTES;
	struct hot_table_opts hot = { 0 };
	struct digest *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->side_band = opts->side_band;
	d->text_rate = opts->text_rate > 0 ? opts->text_rate : TEXT_RATE;
	d->text_tokens = d->text_rate;
	d->list_only = opts->list_only;
	pthread_mutex_init(&d->lock, NULL);
	d->pub.hot = hot_table_new(&hot);
	d->pub.feed = feed_new(entries, bytes);
	d->feed_copy = feed_new(entries, bytes);
	if (!d->pub.hot || !d->pub.feed || !d->feed_copy ||
	    copy_events(d, opts)) {
		digest_free(d);
		return NULL;
	}
	hot_table_set_chains(d->pub.hot, opts->chains);
	if (opts->field) {
		take_field(d, opts->field);
		hot_table_set_field(d->pub.hot, opts->field);
	}
	d->symbolizer = opts->symbolizer;
	d->ctx = opts->symbolizer_ctx;
	d->names = opts->names;
	d->tracepoints = opts->tracepoints;
	d->tasks = opts->tasks;
	d->comms = opts->comms;
	return d;
}

void digest_free(struct digest *d)
{
	if (!d)
		return;
	hot_free(&d->hot_copy);
	feed_free(d->feed_copy);
	feed_free(d->pub.feed);
	hot_table_free(d->pub.hot);
	sample_filter_free(d->pub.new_filter);
	sample_filter_free(d->filter);
	tracepoints_free(d->tracepoints);
	if (d->symbolizer)
		d->symbolizer->free(d->ctx);
	names_free(d->names);
	pthread_mutex_destroy(&d->lock);
	free(d->events);
	free(d);
}

static void count_undecodable(struct digest *d)
{
	pthread_mutex_lock(&d->lock);
	d->pub.undecodable++;
	pthread_mutex_unlock(&d->lock);
}

/*
 * A caller's address is its return address, which may be in the next function
 * if the call does not return: the call is before it.  The first frame in
 * another address space called nothing: the exception or system call occurred
 * at its address.
 */
static size_t name_frames(struct digest *d, const struct sample *sample)
{
	size_t nr = sample_frames(sample, d->frames, MAX_FRAMES);

	for (size_t i = 0; i < nr; i++) {
		const struct sample_frame *frame = &d->frames[i];
		bool caller = i > 0 && frame->ip &&
			      frame->cpumode == frame[-1].cpumode;

		d->symbolizer->symbol(d->ctx, sample->pid, frame->cpumode,
				      frame->ip - caller, &d->symbols[i]);
		d->symbols[i].offset += caller;
		d->feed_frames[i] = (struct feed_frame){
			.ip = frame->ip,
			.symbol = d->symbols[i],
		};
	}
	return nr;
}

/*
 * The name of the system call that @sample of raw_syscalls is about; false with
 * its number where its program may have another table, with "" for other
 * samples.
 */
static bool syscall_name(struct digest *d, const struct sample *sample,
			 char name[SYSCALL])
{
	const char *known = NULL;
	int64_t nr;

	name[0] = '\0';
	if (!tracepoints_syscall(d->tracepoints, sample->raw, sample->raw_size,
				 &nr))
		return false;
	if (d->symbolizer->is_native &&
	    d->symbolizer->is_native(d->ctx, sample->pid))
		known = syscalls_name(nr);
	if (known)
		text_copy(name, SYSCALL, known);
	else
		snprintf(name, SYSCALL, "%" PRId64, nr);
	return known;
}

/*
 * The value of a field of @sample; "" if its event has none of that name.  A
 * value without text is one, too.
 */
static void named_value(struct digest *d, const struct sample *sample,
			const char *name, char value[TEXT])
{
	int ret = tracepoints_field(d->tracepoints, sample->raw,
				    sample->raw_size, name, value, TEXT);

	if (ret == -ENOENT && strcmp(name, SYSCALLS_FIELD) == 0)
		syscall_name(d, sample, value);
	else if (ret == -EBADMSG)
		text_copy(value, TEXT, "[invalid]");
	else if (!ret && !value[0])
		text_copy(value, TEXT, "\"\"");
	text_sanitize(value);
}

/* "next_comm=dd"; of an event without a telling field "comm=dd". */
static void own_value(struct digest *d, const struct resolver_event *event,
		      const struct sample *sample, const char *comm,
		      char value[TEXT])
{
	const char *name = event->field ? event->field : "comm";
	char text[TEXT] = "";

	if (event->field && d->tracepoints &&
	    sample->fields & PERF_SAMPLE_RAW)
		named_value(d, sample, name, text);
	if (!text[0])
		text_copy(text, sizeof(text), event->field ? "-" : comm);
	snprintf(value, TEXT, "%.*s=%.*s", MAX_NAME, name,
		 TEXT - MAX_NAME - 2, text);
}

/* The value of the field to group by; or "". */
static void field_value(struct digest *d, const struct resolver_event *event,
			const struct sample *sample, const char *comm,
			char value[TEXT])
{
	value[0] = '\0';
	if (d->own_fields) {
		own_value(d, event, sample, comm, value);
		return;
	}
	if (!d->field_name[0] || !d->tracepoints ||
	    !(sample->fields & PERF_SAMPLE_RAW))
		return;
	if (d->field_event[0] && strcmp(d->field_event, event->name) != 0)
		return;
	named_value(d, sample, d->field_name, value);
}

/* Texts are expensive: limit their number per second. */
static bool may_make_text(struct digest *d)
{
	if (d->text_tokens < 1)
		return false;
	d->text_tokens--;
	return true;
}

/*
 * Add the name of a system call to the texts; but a list of perf script's texts
 * stays that.
 */
static void name_syscall(struct digest *d, const struct sample *sample,
			 char text[TEXT], char values[TEXT])
{
	char name[SYSCALL], fields[TEXT];
	bool known = syscall_name(d, sample, name);

	if (!name[0])
		return;
	if (!d->list_only)
		syscalls_name_text(text, TEXT, known ? name : NULL);
	text_copy(fields, sizeof(fields), values);
	snprintf(values, TEXT, SYSCALLS_FIELD "=%s %.*s", name,
		 TEXT - SYSCALL - (int)sizeof(SYSCALLS_FIELD) - 2, fields);
}

static void make_texts(struct digest *d, const struct sample *sample,
		       char text[TEXT], char values[TEXT])
{
	text[0] = values[0] = '\0';
	if (!d->tracepoints)
		return;
	if (tracepoints_text(d->tracepoints, sample->raw, sample->raw_size,
			     (int)sample->cpu, sample->time, text, TEXT))
		return;
	if (d->list_only && !d->filter)
		return;
	tracepoints_fields(d->tracepoints, sample->raw, sample->raw_size,
			   values, TEXT);
	name_syscall(d, sample, text, values);
}

static const char *cgroup_path(const struct digest *d,
			       const struct sample *sample)
{
	if (!(sample->fields & PERF_SAMPLE_CGROUP) || !d->symbolizer->cgroup)
		return NULL;
	return d->symbolizer->cgroup(d->ctx, sample->cgroup);
}

static struct feed_sample feed_sample_of(const struct digest *d,
					 const struct sample *sample, size_t nr)
{
	return (struct feed_sample){
		.time = sample->time,
		.cpu = (int)sample->cpu,
		.pid = sample->pid,
		.tid = sample->tid,
		.fields = sample->fields,
		.period = sample->period,
		.ip = sample->ip,
		.addr = sample->addr,
		.sample_weight = sample->weight.full,
		.data_src = sample->data_src,
		.transaction = sample->transaction,
		.phys_addr = sample->phys_addr,
		.cgroup = sample->cgroup,
		.cgroup_path = cgroup_path(d, sample),
		.data_page_size = sample->data_page_size,
		.code_page_size = sample->code_page_size,
		.nr_branches = (uint32_t)sample->nr_branches,
		.frames = d->feed_frames,
		.nr_frames = (uint32_t)nr,
		.chain = sample->fields & PERF_SAMPLE_CALLCHAIN,
		.text = "",
		.values = "",
	};
}

/*
 * List @feed; under the lock.  A list that is all there is must be in order:
 * one that comes too late for its place is counted instead.
 */
static void list(struct digest *d, const struct feed_sample *feed)
{
	if (d->list_only && feed->time < d->pub.listed_ns) {
		/* a context switch has no weight */
		d->pub.late += feed->weight ? feed->weight : 1;
		return;
	}
	d->pub.listed_ns = feed->time;
	feed_add(d->pub.feed, feed);
}

/* Result for a sample in the feed. */
enum listing {
	LISTED,
	SKIPPED,	/* over the limit of texts */
	UNWANTED,	/* the filter does not match */
};

static void publish(struct digest *d, const struct hot_sample *hot,
		    const struct feed_sample *feed, enum listing listing)
{
	pthread_mutex_lock(&d->lock);
	d->pub.decoded++;
	if (hot->nr_frames)
		d->pub.unresolved += hot->frames[0].kind == SYMBOL_UNKNOWN;
	if (!d->list_only)
		hot_table_add(d->pub.hot, hot);
	if (listing == LISTED)
		list(d, feed);
	else if (listing == SKIPPED)
		feed_skip(d->pub.feed);
	pthread_mutex_unlock(&d->lock);
}

/*
 * Whether to list a sample, and with which text.  The text is only made if the
 * filter does not reject the sample without it.
 */
static enum listing choose_listing(struct digest *d,
				   const struct sample *sample,
				   struct feed_sample *feed, char text[TEXT],
				   char values[TEXT])
{
	if (sample_filter_rejects(d->filter, feed))
		return UNWANTED;
	if (sample->fields & PERF_SAMPLE_RAW) {
		if (!may_make_text(d))
			return SKIPPED;
		make_texts(d, sample, text, values);
		feed->text = text;
		feed->values = values;
	}
	return sample_filter_match(d->filter, feed) ? LISTED : UNWANTED;
}

/* The list shows only the text of tracepoints. */
static bool shows_frames(const struct digest *d, const struct sample *sample)
{
	return !d->list_only || d->filter ||
	       !(sample->fields & PERF_SAMPLE_RAW) ||
	       (sample->fields & PERF_SAMPLE_CALLCHAIN);
}

static void count_sample(struct digest *d, const struct resolver_event *event,
			 const struct sample *sample, uint32_t weight)
{
	char text[TEXT], values[TEXT], field[TEXT];
	size_t nr = shows_frames(d, sample) ? name_frames(d, sample) : 0;
	struct feed_sample feed = feed_sample_of(d, sample, nr);
	struct hot_sample hot = {
		.event = event->name,
		.cpu = feed.cpu,
		.pid = feed.pid,
		.comm = d->symbolizer->comm(d->ctx, sample->pid, sample->tid),
		.field = field,
		.frames = d->symbols,
		.nr_frames = nr,
		.weight = weight,
		.period = (double)sample->period,
	};
	enum listing listing;

	/* of an event without PERF_SAMPLE_IP nothing is known but that */
	if (!nr && !d->list_only) {
		d->symbolizer->symbol(d->ctx, sample->pid,
				      sample_cpumode(sample), 0, d->symbols);
		hot.nr_frames = 1;
	}
	field_value(d, event, sample, hot.comm, field);
	feed.comm = hot.comm;
	feed.event = hot.event;
	feed.weight = weight;
	if (d->comms)
		comm_cache_note(d->comms, feed.pid, feed.tid, feed.comm);
	listing = choose_listing(d, sample, &feed, text, values);
	publish(d, &hot, &feed, listing);
}

static void take_sample(struct digest *d, const struct queued *head,
			const void *record)
{
	const struct resolver_event *event = NULL;
	struct sample sample;

	if (head->tag < d->nr_events)
		event = &d->events[head->tag];
	if (!event ||
	    sample_parse(&event->layout, record, head->size, &sample)) {
		count_undecodable(d);
		return;
	}
	/* rbtop's own events have these fields, those of recordings may not */
	if (!(sample.fields & PERF_SAMPLE_TID))
		sample.pid = sample.tid = -1;
	if (!(sample.fields & PERF_SAMPLE_CPU))
		sample.cpu = UINT32_MAX;
	if (!(sample.fields & PERF_SAMPLE_PERIOD))
		sample.period = event->period;
	count_sample(d, event, &sample, head->weight);
}

/* "in", "out", "out to COMM/TID", "out, preempted by COMM/TID" ... */
static void switch_text(struct digest *d, const struct side_band_switch *sched,
			char text[TEXT])
{
	const char *way = sched->out ? "out" : "in";
	const char *link = sched->out ? " to " : " from ";

	if (sched->out && sched->preempted) {
		way = "out, preempted";
		link = " by ";
	}
	if (sched->other_tid < 0)
		snprintf(text, TEXT, "%s", way);
	else
		snprintf(text, TEXT, "%s%s%s/%d", way, link,
			 d->symbolizer->comm(d->ctx, sched->other_pid,
					     sched->other_tid),
			 (int)sched->other_tid);
}

/* A context switch is listed among the samples, but not counted. */
static void list_switch(struct digest *d, const struct side_band *record)
{
	char text[TEXT];
	struct feed_sample feed = {
		.time = record->time,
		.cpu = (int)record->cpu,
		.pid = record->pid,
		.tid = record->tid,
		.comm = d->symbolizer->comm(d->ctx, record->pid, record->tid),
		.event = "switch",
		.weight = 1,
		.fields = d->side_band.sample_type &
			  (PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_CPU),
		.text = text,
		.values = "",
	};

	switch_text(d, &record->sched, text);
	if (!sample_filter_match(d->filter, &feed) || !may_make_text(d))
		return;
	pthread_mutex_lock(&d->lock);
	list(d, &feed);
	pthread_mutex_unlock(&d->lock);
}

static void take_side_band(struct digest *d, const struct queued *head,
			   const void *bytes)
{
	struct side_band record;

	if (side_band_parse(bytes, head->size, &d->side_band, &record)) {
		count_undecodable(d);
		return;
	}
	if (d->tasks)
		task_history_record(d->tasks, &record, bytes);
	/* only needed in files */
	if (record.type == PERF_RECORD_AUX_OUTPUT_HW_ID)
		return;
	d->symbolizer->record(d->ctx, &record);
	if (record.type == PERF_RECORD_SWITCH ||
	    record.type == PERF_RECORD_SWITCH_CPU_WIDE)
		list_switch(d, &record);
}

void digest_record(struct digest *d, const struct queued *head,
		   const void *record)
{
	if (head->weight)
		take_sample(d, head, record);
	else
		take_side_band(d, head, record);
}

/* Take over what was requested. */
static void take_requests(struct digest *d)
{
	struct published *pub = &d->pub;

	if (pub->filter_changed) {
		sample_filter_free(d->filter);
		d->filter = pub->new_filter;
		pub->new_filter = NULL;
	}
	if (pub->field_changed) {
		take_field(d, pub->field);
		hot_table_set_field(pub->hot, pub->field);
	}
	pub->filter_changed = pub->field_changed = false;
}

void digest_clear(struct digest *d)
{
	pthread_mutex_lock(&d->lock);
	take_requests(d);
	hot_table_reset(d->pub.hot);
	feed_clear(d->pub.feed);
	d->pub.listed_ns = 0;
	d->pub.decoded = d->pub.undecodable = d->pub.unresolved = 0;
	d->pub.late = 0;
	pthread_mutex_unlock(&d->lock);
}

void digest_restart(struct digest *d)
{
	digest_clear(d);
	if (d->symbolizer->restart)
		d->symbolizer->restart(d->ctx);
}

void digest_stop(struct digest *d)
{
	if (d->symbolizer->stop)
		d->symbolizer->stop(d->ctx);
}

void digest_resync(struct digest *d)
{
	d->symbolizer->resync(d->ctx);
	/* without memory the state is not updated */
	if (d->tasks)
		task_history_reread(d->tasks);
}

/* Also publish the state. */
static void exchange(struct digest *d, const struct resolver_stats *stats)
{
	struct published *pub = &d->pub;

	pthread_mutex_lock(&d->lock);
	take_requests(d);
	pub->symbols = *stats;
	pub->name_bytes = names_bytes(d->names);
	pthread_mutex_unlock(&d->lock);
}

bool digest_pause(struct digest *d, uint64_t seen_ns, double seconds)
{
	struct resolver_stats stats = { 0 };
	bool more = d->symbolizer->idle(d->ctx, seen_ns);

	d->text_tokens += seconds * d->text_rate;
	if (d->text_tokens > d->text_rate)
		d->text_tokens = d->text_rate;
	d->symbolizer->stats(d->ctx, &stats);
	exchange(d, &stats);
	return more;
}

void digest_set_filter(struct digest *d, struct sample_filter *filter,
		       const char *text)
{
	pthread_mutex_lock(&d->lock);
	sample_filter_free(d->pub.new_filter);
	d->pub.new_filter = filter;
	d->pub.filter_changed = true;
	snprintf(d->pub.filter_text, sizeof(d->pub.filter_text), "%s", text);
	pthread_mutex_unlock(&d->lock);
}

void digest_set_field(struct digest *d, const char *field)
{
	pthread_mutex_lock(&d->lock);
	snprintf(d->pub.field, sizeof(d->pub.field), "%s", field);
	d->pub.field_changed = true;
	pthread_mutex_unlock(&d->lock);
}

void digest_reset(struct digest *d)
{
	pthread_mutex_lock(&d->lock);
	hot_table_reset(d->pub.hot);
	pthread_mutex_unlock(&d->lock);
}

static void read_status(const struct digest *d, struct samples_status *status)
{
	const struct published *pub = &d->pub;

	status->decoded = pub->decoded;
	status->undecodable = pub->undecodable;
	status->late = pub->late;
	status->unresolved = pub->unresolved;
	status->kernel_symbols = pub->symbols.kernel_symbols;
	status->kernel_hidden = pub->symbols.kernel_hidden;
	status->files = pub->symbols.files;
	status->files_cut = pub->symbols.cut;
	status->processes = pub->symbols.processes;
	status->files_loading = pub->symbols.loading;
	status->file_stuck = pub->symbols.stuck;
	status->loader_cpu = pub->symbols.loader_cpu;
	status->symbol_bytes = pub->symbols.bytes;
	status->symbol_limit = pub->symbols.limit;
	status->name_bytes = pub->name_bytes;
	status->name_limit = names_limit(d->names);
}

void digest_read(struct digest *d, double seconds, struct samples *out)
{
	pthread_mutex_lock(&d->lock);
	hot_table_decay(d->pub.hot, seconds);
	/* Without memory the previous copy is kept. */
	hot_table_copy(d->pub.hot, &d->hot_copy);
	feed_copy(d->pub.feed, d->feed_copy);
	read_status(d, &out->status);
	memcpy(d->filter_shown, d->pub.filter_text, sizeof(d->filter_shown));
	pthread_mutex_unlock(&d->lock);
	out->feed = d->feed_copy;
	out->hot = &d->hot_copy;
	out->filter = d->filter_shown;
}
