/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What check_trace needs of a perf.data file, read as linux/perf_event.h and
 * perf.data-file-format.txt of the kernel's perf say.  It shares nothing with
 * rbtop: it is what rbtop's files are measured by.
 */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* A PERF_RECORD_AUXTRACE and what follows it. */
struct trace_span {
	uint64_t size;
	uint64_t offset;
	uint64_t reference;
	uint32_t idx;
	uint32_t tid;
	uint32_t cpu;
	const uint8_t *payload;
};

/* A PERF_RECORD_AUX, with the ID_INDEX entry of the event it came from. */
struct trace_aux {
	uint64_t offset;
	uint64_t size;
	uint64_t flags;
	uint64_t id; /* 0: not told */
	uint64_t cpu; /* of ID_INDEX; all ones: none, or not told */
	uint64_t tid;
};

struct trace_visitor {
	void (*info)(void *data, uint32_t type);
	void (*span)(void *data, const struct trace_span *span);
	void (*aux)(void *data, const struct trace_aux *aux);
	void *data;
};

/* Walk a file; NULL, or what is wrong with it. */
const char *trace_file_walk(const char *path,
			    const struct trace_visitor *visitor);

#endif
