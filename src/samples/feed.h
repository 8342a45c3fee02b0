/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest decoded samples, which the Samples screen lists.  Bounded in
 * number and in bytes; the oldest are dropped.
 *
 * An entry never changes once it is in a feed, and is reference-counted: the
 * resolver thread's feed and the copies that frames have share it.
 */
#ifndef RBTOP_SAMPLES_FEED_H
#define RBTOP_SAMPLES_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "samples/symbol.h"

/* A frame of a callchain. */
struct feed_frame {
	uint64_t ip;
	struct symbol symbol;
};

/* Names belong to a struct names, the rest to the entry. */
struct feed_sample {
	uint64_t time;			/* ns, CLOCK_MONOTONIC */
	int cpu;
	pid_t pid, tid;
	const char *comm, *event;
	uint32_t weight;		/* samples that it stands for */
	uint64_t fields;		/* PERF_SAMPLE_* that it has */
	uint64_t period, ip, addr;
	uint64_t sample_weight, data_src, transaction, phys_addr, cgroup;
	const char *cgroup_path;	/* NULL: not known */
	uint64_t data_page_size, code_page_size;
	uint32_t nr_branches;
	const struct feed_frame *frames;	/* innermost first */
	uint32_t nr_frames;		/* 0: a context switch, or a tracepoint
					 * whose symbols are not needed */
	bool chain;			/* frames are a callchain, not just
					 * the sampled address */
	const char *text;		/* the tracepoint's print format; "" */
	const char *values;		/* its "name=value ..."; "" */
};

/* A field of the values; not NUL-terminated. */
struct feed_value {
	const char *name, *value;
	size_t name_len, value_len;
};

/*
 * Get the first field of *@values, and move *@values to the next one.  A value
 * may contain blanks: it ends before a blank, a name and '='.  False if there
 * is no field.
 */
bool feed_next_value(const char **values, struct feed_value *out);

struct feed_entry;

/* Valid as long as the entry. */
const struct feed_sample *feed_entry_sample(const struct feed_entry *entry);
/* Counts from 0 in the order of adding. */
uint64_t feed_entry_serial(const struct feed_entry *entry);
/*
 * Keep @entry, also after the feed drops it, until feed_entry_release() is
 * called as often as this.  Its names live as long as their struct names.
 * Returns @entry.
 */
const struct feed_entry *feed_entry_hold(const struct feed_entry *entry);
/* NULL is fine. */
void feed_entry_release(const struct feed_entry *entry);

struct feed;

/* At most @entries, of @bytes in all.  NULL when out of memory. */
struct feed *feed_new(size_t entries, size_t bytes);
void feed_free(struct feed *feed);

/*
 * Copy @sample into a new entry.  0; or -ENOMEM, also if it is larger than the
 * whole feed may be, and it counts as skipped.
 */
int feed_add(struct feed *feed, const struct feed_sample *sample);
/* Drop all entries. */
void feed_clear(struct feed *feed);
/* Count a sample that is not listed since its text would take too long. */
void feed_skip(struct feed *feed);

/*
 * Make @copy, a feed of the same bounds, hold the entries of @feed; takes time
 * for those added since the last call.  0, or -EINVAL if the bounds differ.
 */
int feed_copy(const struct feed *feed, struct feed *copy);

/* A new feed of the same bounds and entries.  NULL when out of memory. */
struct feed *feed_clone(const struct feed *feed);

size_t feed_len(const struct feed *feed);
/* The serial that the next entry gets. */
uint64_t feed_next_serial(const struct feed *feed);
/* The @i-th entry held, 0 being the oldest. */
const struct feed_entry *feed_at(const struct feed *feed, size_t i);
/* The entry of a serial; NULL if it was dropped, or does not exist yet. */
const struct feed_entry *feed_find(const struct feed *feed, uint64_t serial);
/* Samples that were not listed. */
uint64_t feed_skipped(const struct feed *feed);

#endif
