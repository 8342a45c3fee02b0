/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that resolves records: takes those that readers queued, in the
 * order of time, updates the process table, decodes, resolves, and counts into
 * the hot table and the feed.
 *
 * It may fall behind, which is reported; readers never wait for it.  A sample
 * is processed when all rings were drained beyond its time, since the mapping
 * it needs may be in another ring.
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
struct digest;
struct err;
struct names;
struct resolver_thread;
struct resolver_stats;
struct task_history;
struct tracepoints;

/* Names addresses: symbols/resolver.h, or a simulation. */
struct symbolizer_ops {
	void (*record)(void *ctx, const struct side_band *record);
	void (*resync)(void *ctx);
	/* Forget all records.  The member may be NULL. */
	void (*restart)(void *ctx);
	/* Any thread: wait for nothing any more.  The member may be NULL. */
	void (*stop)(void *ctx);
	void (*symbol)(void *ctx, pid_t pid, uint16_t cpumode, uint64_t ip,
		       struct symbol *out);
	const char *(*comm)(void *ctx, pid_t pid, pid_t tid);
	/* The path of a cgroup; NULL if unknown.  The member may be NULL. */
	const char *(*cgroup)(void *ctx, uint64_t id);
	/*
	 * Whether the numbers of a process' system calls are certainly those of
	 * syscalls_name().  The member may be NULL: of none.
	 */
	bool (*is_native)(void *ctx, pid_t pid);
	bool (*idle)(void *ctx, uint64_t now_ns);
	void (*stats)(const void *ctx, struct resolver_stats *stats);
	void (*free)(void *ctx);
};

/* An event of the session, indexed by its tag (see collector_ring). */
struct resolver_event {
	const char *name;		/* valid as long as the source */
	struct sample_layout layout;
	const char *field;		/* the tracepoint's most telling one;
					 * NULL: none; valid like the name */
	const char *tracepoint;		/* "sys:name", which modifiers may
					 * follow; NULL: it is none; likewise */
	uint64_t period;		/* of samples that do not tell theirs */
	bool silent;			/* it certainly has no samples */
};

/*
 * Where records come from that are not of rings.  The functions are called by
 * the resolver thread, or without one by who calls resolver_thread_finish().
 */
struct resolver_player {
	/*
	 * Process what is wanted now, or a part of it.  False if that was all;
	 * *@seen_ns: records before it were processed.
	 */
	bool (*play)(void *ctx, struct digest *d, uint64_t *seen_ns);
	/* Any thread: records before this time, in ns, are wanted. */
	uint64_t (*now)(void *ctx);
	void *ctx;
};

struct resolver_thread_opts {
	struct collector *collector;	/* borrowed; must outlive the thread */
	const struct resolver_player *player;	/* instead of it; likewise */
	const struct symbolizer_ops *symbolizer;
	void *symbolizer_ctx;		/* owned */
	struct names *names;		/* owned; must outlive the frames */
	struct tracepoints *tracepoints; /* owned; NULL: none */
	const struct resolver_event *events;	/* copied */
	size_t nr_events;
	struct side_band_layout side_band;
	bool chains;
	size_t feed_entries;		/* 0: 8192 */
	size_t feed_bytes;		/* 0: 8 MiB */
	double text_rate;		/* tracepoint texts per second for the
					 * feed; 0: 4000 */
	bool list_only;			/* only the feed is used, and of
					 * tracepoints only the text: the rest
					 * is made only if a filter needs it */
	const char *const *trace_fields; /* see struct samples; borrowed */
	size_t nr_trace_fields;
	const char *field;		/* to group by at first; NULL: none */
	unsigned int group;		/* see struct samples */
	struct task_history *tasks;	/* borrowed; gets all side-band records;
					 * NULL: none */
	struct comm_cache *comms;	/* likewise, gets comms of samples */
};

/* Free what resolver_thread_new() would own; members may be NULL. */
void resolver_thread_free_opts(const struct resolver_thread_opts *opts);

/* NULL with @err; what it would own is freed then. */
struct resolver_thread *
resolver_thread_new(const struct resolver_thread_opts *opts, struct err *err);
/* Start the thread.  0 or -errno with @err. */
int resolver_thread_start(struct resolver_thread *t, struct err *err);
/*
 * Stop, join and free.  NULL is fine.  False: the thread hangs in the kernel;
 * nothing is freed, and borrowed objects must not be either, since it may
 * resume.
 */
bool resolver_thread_free(struct resolver_thread *t);

/* Wake the thread: its player has something to do. */
void resolver_thread_wake(struct resolver_thread *t);

/*
 * Process everything queued now, so that the next reading is complete, unless
 * the thread hangs, which its status then says.  Any thread, also concurrently.
 */
void resolver_thread_finish(struct resolver_thread *t);

/*
 * The present state for a frame; drains have counted @seen samples.  Recent
 * weights decay by the time since the last call; @now in seconds.  Valid until
 * the next call.
 */
const struct samples *resolver_thread_read(struct resolver_thread *t,
					   uint64_t seen, double now);

/* Reset the hot table. */
void resolver_thread_reset(struct resolver_thread *t);
/* From now on list only samples that match; "": all.  0, -EINVAL, @err */
int resolver_thread_filter(struct resolver_thread *t, const char *text,
			   struct err *err);
/*
 * Group by this tracepoint field ("sys:name.field", "field", or
 * SAMPLES_OWN_FIELD).
 */
int resolver_thread_field(struct resolver_thread *t, const char *field,
			  struct err *err);

#endif
