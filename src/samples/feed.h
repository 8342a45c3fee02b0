/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest samples, decoded: what the Samples screen lists.  Bounded in
 * number and in bytes; the oldest fall off.
 *
 * An entry never changes once it is in a feed, and is counted: the feed that
 * the resolver thread adds to and the copies that frames have share it.
 */
#ifndef RBTOP_SAMPLES_FEED_H
#define RBTOP_SAMPLES_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "samples/symbol.h"

/* A frame of the callchain, with its address. */
struct feed_frame {
	uint64_t ip;
	struct symbol symbol;
};

/* Names are those of a struct names; the rest is the entry's own. */
struct feed_sample {
	uint64_t time;			/* ns, CLOCK_MONOTONIC */
	int cpu;
	pid_t pid, tid;
	const char *comm, *event;
	uint32_t weight;		/* samples that it stands for */
	uint64_t fields;		/* PERF_SAMPLE_* that are there */
	uint64_t period, ip, addr;
	uint64_t sample_weight, data_src, transaction, phys_addr, cgroup;
	const char *cgroup_path;	/* NULL: not known */
	uint64_t data_page_size, code_page_size;
	uint32_t nr_branches;
	const struct feed_frame *frames;	/* innermost first */
	uint32_t nr_frames;		/* 0: a context switch, or those of a
					 * tracepoint that nobody looks at */
	bool chain;			/* frames are a callchain, not just
					 * the sampled address */
	const char *text;		/* the tracepoint's print format; "" */
	const char *values;		/* "name=value ..." of it; "" */
};

/* A field of the values: not terminated. */
struct feed_value {
	const char *name, *value;
	size_t name_len, value_len;
};

/*
 * Take the first field off *@values, which then is at the next one.  A value
 * may have blanks: it ends where the next name and '=' stand.  False where
 * there is none.
 */
bool feed_next_value(const char **values, struct feed_value *out);

struct feed_entry;

/* The sample of an entry. */
const struct feed_sample *feed_entry_sample(const struct feed_entry *entry);
/* Counts from 0 in the order of adding. */
uint64_t feed_entry_serial(const struct feed_entry *entry);
/*
 * Keep @entry, which it returns, when it falls off the feed; until it is
 * released as often as held.  Its names live as long as their struct names.
 */
const struct feed_entry *feed_entry_hold(const struct feed_entry *entry);
/* NULL is fine. */
void feed_entry_release(const struct feed_entry *entry);

struct feed;

/* At most @entries, of @bytes in all.  NULL when out of memory. */
struct feed *feed_new(size_t entries, size_t bytes);
void feed_free(struct feed *feed);

/*
 * Copy @sample into a new entry.  0; or -ENOMEM, of one that is larger than
 * the feed may be too, which counts as skipped.
 */
int feed_add(struct feed *feed, const struct feed_sample *sample);
/* A sample that is not to be listed, for want of time to make its text. */
void feed_skip(struct feed *feed);

/*
 * Make @copy, another feed of the same bounds, hold what @feed holds; costs
 * what was added since the last call.  0, or -EINVAL where the bounds differ.
 */
int feed_copy(const struct feed *feed, struct feed *copy);

/* Another feed of the same bounds that holds the same.  NULL: no memory. */
struct feed *feed_clone(const struct feed *feed);

size_t feed_len(const struct feed *feed);
/* The serial that the next entry gets. */
uint64_t feed_next_serial(const struct feed *feed);
/* The @i-th entry held, 0 being the oldest. */
const struct feed_entry *feed_at(const struct feed *feed, size_t i);
/* The entry of a serial; NULL where it fell off, or is not there yet. */
const struct feed_entry *feed_find(const struct feed *feed, uint64_t serial);
/* Samples that came by and were not listed. */
uint64_t feed_skipped(const struct feed *feed);

#endif
