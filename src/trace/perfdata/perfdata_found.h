/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metadata of a recording: features of a file, or the equivalent records of a
 * pipe.  None of it is trusted.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_FOUND_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/perfdata/perfdata_events.h"
#include "trace/perfdata/perfdata_reader.h"

/* Zeroed, with the unknown numbers of @info set, before anything is found. */
struct perfdata_found {
	struct perfdata_info info;
	struct perfdata_build_id *build_ids;
	size_t nr_build_ids, build_ids_cap;
	size_t build_id_bytes;	/* of their paths */
};

/* Whether the feature, below PERFDATA_FEATURES, is read at all. */
bool perfdata_found_wants(unsigned int bit);

/* Take over the feature at @at, @size bytes; names go to @events. */
void perfdata_found_feature(struct perfdata_found *f,
			    struct perfdata_events *events, uint64_t bit,
			    const uint8_t *at, size_t size);

/*
 * Add an entry of PERFDATA_BUILD_IDS, or such a record, of 8 bytes at least.
 * If memory runs out, it is dropped.
 */
void perfdata_found_build_id(struct perfdata_found *f,
			     struct perfdata_order order, const uint8_t *at,
			     size_t size);

void perfdata_found_free(struct perfdata_found *f);

/* See perfdata_reader_formats(); @data is that of the feature TRACING_DATA. */
int perfdata_found_formats(const void *data, size_t size,
			   perfdata_format_fn *fn, void *ctx);

/*
 * The size of the rings by the command line of perf record.  It is read word by
 * word, until the command that perf ran.  Starts zeroed.
 */
struct perf_cmdline {
	unsigned int nr;	/* words so far */
	bool ended;		/* what follows is no option of perf record */
	bool is_size, is_other;	/* the next word is the argument of -m, or of
				 * another option */
	uint64_t ring_bytes;	/* of -m; 0: not given, or not understood */
	bool pages;		/* it counts pages, not bytes */
};

void perf_cmdline_add(struct perf_cmdline *c, const char *word);

/*
 * Bytes of each data ring; UNKNOWN: perf's default, which depends on the
 * machine, another command, or not known.  @arch as uname -m has it: a page is
 * 4 KiB there, or its size is not known.
 */
uint64_t perf_cmdline_ring_size(const struct perf_cmdline *c,
				const char *arch);

#endif
