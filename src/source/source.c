/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "host/host_watch.h"
#include "resolve/resolver_thread.h"
#include "samples/samples.h"
#include "source/source_samples.h"
#include "source/source_snapshots.h"

int source_init(struct source *s, const struct source_ops *ops)
{
	*s = (struct source){
		.ops = ops,
		.event_fd = -1,
		.builder = frame_builder_new(),
	};
	return s->builder ? 0 : -ENOMEM;
}

int source_start(struct source *s, struct err *err)
{
	return s->ops->start ? s->ops->start(s, err) : 0;
}

int source_watch_host(struct source *s, const struct host_watch_opts *opts,
		      struct err *err)
{
	if (s->host)
		return 0;
	s->host = host_watch_start(opts, err);
	return s->host ? 0 : err->code;
}

static void add_host_note(void *ctx, enum log_kind kind, uint64_t fold,
			  const char *text)
{
	struct reading *reading = ctx;

	reading_fold(reading, reading->wall, kind, fold, text);
}

static int read_all(struct source *s, struct err *err)
{
	struct reading *r = &s->reading;
	int ret;

	r->page_size = sys_page_size();
	r->rss = sys_rss();
	ret = s->ops->read(s, r, err);
	if (ret < 0)
		return ret;
	if (s->resolver && s->decodes) {
		r->samples = source_samples_read(s->resolver, r);
		r->cpu += r->samples->status.loader_cpu;
	}
	if (s->snapshots)
		r->snapshots = source_snapshots_read(s->snapshots);
	if (!s->host)
		return 0;
	r->host = host_watch_frame(s->host, add_host_note, r);
	return r->host ? 0 : err_set(err, -ENOMEM,
				     "the machine's rings: out of memory");
}

static const struct frame *next_frame(struct source *s, struct err *err)
{
	const struct frame *frame;

	if (read_all(s, err) < 0)
		return NULL;
	if (s->reading.rewound)
		frame_builder_rewind(s->builder);
	frame = frame_build(s->builder, &s->reading, s->ops->name, s->title,
			    s->notice);
	if (!frame)
		err_set(err, -ENOMEM, "a frame of %zu rings: out of memory",
			s->reading.nr_rings);
	/* They are in the frame's log now. */
	s->reading.nr_notes = 0;
	return frame;
}

const struct frame *source_frame(struct source *s, struct err *err)
{
	if (s->frame && s->still) {
		/* samples of the last position may be decoded by now */
		if (s->resolver && s->decodes)
			source_samples_read(s->resolver, &s->reading);
		return s->frame;
	}
	do
		s->frame = next_frame(s, err);
	while (s->frame && s->reading.base);
	return s->frame;
}

int source_request(struct source *s, const struct request *rq,
		   struct err *err)
{
	const struct host_watch_opts host = { .interval = 1,
					      .keeps_lost = true };

	if (rq->kind >= REQUEST_PLAY && !s->reading.playback)
		return err_set(err, -EOPNOTSUPP, "only a recording is played: "
			       "rbtop -i FILE");
	if (rq->kind == REQUEST_HOST && !s->reading.playback)
		return source_watch_host(s, &host, err);
	if (rq->kind == REQUEST_DROPS && s->host) {
		host_watch_drops(s->host, rq->on);
		return 0;
	}
	if (!s->ops->request)
		return err_set(err, -EOPNOTSUPP,
			       "nothing can be changed in a %s source",
			       s->ops->name);
	return s->ops->request(s, rq, err);
}

void source_reset(struct source *s)
{
	frame_builder_reset(s->builder);
	s->frame = NULL;	/* also while a recording stands still */
	if (s->host)
		host_watch_reset(s->host);
	if (s->resolver)
		resolver_thread_reset(s->resolver);
}

void source_finish(struct source *s)
{
	if (s->ops->finish)
		s->ops->finish(s);
}

void source_close(struct source *s)
{
	if (!s)
		return;
	host_watch_free(s->host);
	frame_builder_free(s->builder);
	s->builder = NULL;
	reading_free(&s->reading);
	s->ops->close(s);
}

/*
 * The wall clock is read between two readings of the kernel's clock, again if
 * the thread was preempted meanwhile.
 */
enum { TRIES = 5, QUICK = 20000 /* ns */ };

static uint64_t kernel_now(const struct collector *collector)
{
	return collector ? collector_now(collector) : sys_now_ns();
}

void source_clock_read(struct reading *r, const struct collector *collector)
{
	uint64_t min = UINT64_MAX;

	r->mono = sys_now();
	r->wall = sys_wall_clock();
	r->kernel = 0;
	for (int i = 0; i < TRIES && min > QUICK; i++) {
		uint64_t before = kernel_now(collector);
		double wall = sys_wall_clock();
		uint64_t after = kernel_now(collector);

		/* perf's own clock, as estimated, may be corrected backwards */
		if (after < before || after - before >= min)
			continue;
		min = after - before;
		r->kernel = before + min / 2;
		r->wall = wall;
	}
}

enum { MAX_NOTES = 1024 };

void source_notes_init(struct source_notes *n)
{
	*n = (struct source_notes){ 0 };
	pthread_mutex_init(&n->lock, NULL);
}

void source_notes_free(struct source_notes *n)
{
	free(n->list);
	pthread_mutex_destroy(&n->lock);
}

void source_notes_add(struct source_notes *n, enum log_kind kind,
		      const char *fmt, ...)
{
	struct reading_note note = { .time = sys_wall_clock(), .kind = kind };
	struct reading_note *added;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(note.text, sizeof(note.text), fmt, ap);
	va_end(ap);
	pthread_mutex_lock(&n->lock);
	added = array_add_max(n->list, n->nr, n->cap, MAX_NOTES);
	if (added)
		*added = note;
	else
		n->dropped++;
	pthread_mutex_unlock(&n->lock);
}

void source_notes_text(void *notes, enum log_kind kind, const char *text)
{
	source_notes_add(notes, kind, "%s", text);
}

void source_notes_move(struct source_notes *n, struct reading *r)
{
	pthread_mutex_lock(&n->lock);
	for (size_t i = 0; i < n->nr; i++)
		reading_note(r, n->list[i].time, n->list[i].kind,
			     n->list[i].text);
	if (n->dropped)
		reading_note(r, sys_wall_clock(), LOG_INFO,
			     "some lines are missing: they came too fast for "
			     "the Log");
	n->nr = n->dropped = 0;
	pthread_mutex_unlock(&n->lock);
}
