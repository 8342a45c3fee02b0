/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that turns records into names: takes what the readers queued, in
 * the order of time, keeps the process table true, decodes, resolves, and
 * counts into the hot table and the feed.
 *
 * It may fall behind (and says so); the readers may not, and never wait for
 * it.  A sample is looked at once every ring was drained past its time, for
 * the mapping that it needs may stand in another ring.
 */
#ifndef RBTOP_RESOLVE_RESOLVER_THREAD_H
#define RBTOP_RESOLVE_RESOLVER_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "samples/samples.h"
#include "samples/symbol.h"
#include "perf/abi/sample.h"
#include "perf/abi/side_band.h"

struct collector;
struct comm_cache;
struct err;
struct names;
struct resolver_thread;
struct resolver_stats;
struct task_history;
struct tracepoints;

/* Who knows what addresses are called: symbols/resolver.h, or a simulation. */
struct symbolizer_ops {
	void (*record)(void *ctx, const struct side_band *record);
	void (*resync)(void *ctx);
	void (*symbol)(void *ctx, pid_t pid, uint16_t cpumode, uint64_t ip,
		       struct symbol *out);
	const char *(*comm)(void *ctx, pid_t pid, pid_t tid);
	/* The path of a cgroup; NULL where unknown.  May be NULL itself. */
	const char *(*cgroup)(void *ctx, uint64_t id);
	bool (*idle)(void *ctx, uint64_t now_ns);
	void (*stats)(const void *ctx, struct resolver_stats *stats);
	void (*free)(void *ctx);
};

/* An event of the session, by its tag (see collector_ring). */
struct resolver_event {
	const char *name;		/* lives as long as the source */
	struct sample_layout layout;
};

struct resolver_thread_opts {
	struct collector *collector;	/* borrowed; outlives the thread */
	const struct symbolizer_ops *symbolizer;
	void *symbolizer_ctx;		/* taken over */
	struct names *names;		/* taken over; outlives the frames */
	struct tracepoints *tracepoints; /* taken over; NULL: none */
	const struct resolver_event *events;	/* copied */
	size_t nr_events;
	struct side_band_layout side_band;
	bool chains;
	size_t feed_entries;		/* 0: 8192 */
	size_t feed_bytes;		/* 0: 8 MiB */
	double text_rate;		/* tracepoint texts a second for the
					 * feed; 0: 4000 */
	bool list_only;			/* nothing but the feed is looked at,
					 * of tracepoints but the text: what
					 * no filter needs is not made */
	const char *const *trace_fields; /* "sys:name.field"; borrowed */
	size_t nr_trace_fields;
	struct task_history *tasks;	/* borrowed; told of every side-band
					 * record; NULL: nobody is */
	struct comm_cache *comms;	/* the same, of samples' names */
};

/* Free what resolver_thread_new() takes over, as far as it is there. */
void resolver_thread_free_opts(const struct resolver_thread_opts *opts);

/* NULL with @err; what was to be taken over is freed then. */
struct resolver_thread *
resolver_thread_new(const struct resolver_thread_opts *opts, struct err *err);
/* Start the thread.  0 or -errno with @err. */
int resolver_thread_start(struct resolver_thread *t, struct err *err);
/*
 * Stop, join, free.  NULL is fine.  False: the thread hangs in the kernel; then
 * nothing is freed, and nothing that was lent to it may be: it may resume.
 */
bool resolver_thread_free(struct resolver_thread *t);

/*
 * Take in everything that is queued now: the next reading is complete, unless
 * the thread hangs, which it then says.  Any thread, several at once.
 */
void resolver_thread_finish(struct resolver_thread *t);

/*
 * What is known now, for a frame; the drains have counted @seen samples.  By
 * the time since the last call, @now seconds being the present one, recent
 * weights fade.  Lives until the next call.
 */
const struct samples *resolver_thread_read(struct resolver_thread *t,
					   uint64_t seen, double now);

/* All hot counts begin at 0. */
void resolver_thread_reset(struct resolver_thread *t);
/* Only samples that match are added to the feed; "": all.  0, -EINVAL, @err */
int resolver_thread_filter(struct resolver_thread *t, const char *text,
			   struct err *err);
/* Group by this field of tracepoints ("sys:name.field" or "field"). */
int resolver_thread_field(struct resolver_thread *t, const char *field,
			  struct err *err);

#endif
