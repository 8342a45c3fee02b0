/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a source knows of its samples' contents at one moment.  The feed and
 * the hot copy belong to the source and live until its next reading.
 */
#ifndef RBTOP_SAMPLES_SAMPLES_H
#define RBTOP_SAMPLES_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct feed;
struct hot;

/* Counts are since the start; sizes in bytes. */
struct samples_status {
	unsigned int decode_every;	/* k: of how many samples one is looked
					 * at now, in the busiest ring */
	uint64_t seen;			/* samples counted by the drains */
	uint64_t decoded;
	uint64_t dropped;		/* samples that those stood for that
					 * found the queue full */
	uint64_t undecodable;		/* records that made no sense */
	uint64_t side_band_lost;	/* records; /proc was read again */
	double lag;			/* seconds that the resolver is behind */
	uint64_t unresolved;		/* decoded samples without a symbol */
	uint64_t kernel_symbols;	/* 0: not read yet, or hidden */
	const char *kernel_hidden;	/* why they are, with the remedy; NULL */
	size_t files;			/* ELF files held */
	size_t files_cut;		/* of them and of JIT maps, with more
					 * symbols than there was room for */
	size_t symbol_bytes, symbol_limit;	/* of all symbols */
	size_t name_bytes, name_limit;
	size_t processes;
	size_t files_loading;		/* samples of theirs have no symbols
					 * yet */
	const char *file_stuck;		/* one that takes over a second, a kept
					 * name; NULL */
	double loader_cpu;		/* seconds of the processes that load */
	bool stuck;			/* at the end: the resolver hangs, and
					 * not all that was queued is decoded */
	double resolver_cpu;		/* seconds of CPU time so far */
};

struct samples {
	const struct feed *feed;
	const struct hot *hot;
	struct samples_status status;
	/* Fields of the tracepoints watched, for a choice: "sys:name.field". */
	const char *const *trace_fields;
	size_t nr_trace_fields;
	/* The filter that the feed passed; "" for none. */
	const char *filter;
};

#endif
