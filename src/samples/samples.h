/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decoded samples of a source at one moment.  The feed and the hot copy
 * belong to the source and are valid until its next reading.
 */
#ifndef RBTOP_SAMPLES_SAMPLES_H
#define RBTOP_SAMPLES_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct feed;
struct hot;

/* Of each tracepoint its most informative field: values are "name=value". */
#define SAMPLES_OWN_FIELD "own field of each event"

/* Counts are since the start; sizes in bytes. */
struct samples_status {
	unsigned int decode_every;	/* k: one of k samples is decoded now,
					 * in the busiest ring */
	uint64_t seen;			/* samples counted by the drains */
	uint64_t decoded;
	uint64_t dropped;		/* weight of samples not queued, since
					 * the queue was full */
	uint64_t crowded;		/* drains that found the queue half
					 * full, so fewer samples were picked */
	uint64_t late;			/* weight of samples that came after
					 * later ones were listed; only where
					 * the list must be in order */
	uint64_t undecodable;		/* invalid records */
	uint64_t side_band_lost;	/* records; /proc was read again */
	double lag;			/* seconds that the resolver lags */
	bool stale;			/* of a recording: samples up to where
					 * it stands are still being read */
	uint64_t unresolved;		/* decoded samples without a symbol */
	uint64_t kernel_symbols;	/* 0: not read yet, or hidden */
	const char *kernel_hidden;	/* why hidden, and the remedy; NULL */
	size_t files;			/* ELF files loaded */
	size_t files_cut;		/* ELF files and JIT maps with more
					 * symbols than the limit */
	size_t symbol_bytes, symbol_limit;	/* of all symbols */
	size_t name_bytes, name_limit;
	size_t processes;
	size_t files_loading;		/* their samples have no symbols yet */
	const char *file_stuck;		/* one that takes over a second, of a
					 * struct names; NULL: none */
	double loader_cpu;		/* CPU seconds of loader processes */
	bool stuck;			/* at the end: the resolver hangs, and
					 * some queued samples are missing */
};

struct samples {
	const struct feed *feed;
	const struct hot *hot;
	struct samples_status status;
	/* What Hot groups by at first: bits 1 << enum hot_key; 0: by symbol. */
	unsigned int group;
	/*
	 * Fields of the open tracepoints, to choose from: "sys:name.field"; of
	 * several tracepoints also SAMPLES_OWN_FIELD.
	 */
	const char *const *trace_fields;
	size_t nr_trace_fields;
	size_t name_width;	/* length of the longest name of an event */
	/* The filter that the feed's samples match; "" for none. */
	const char *filter;
};

#endif
