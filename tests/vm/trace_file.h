/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what check_trace needs from a perf.data file, following
 * linux/perf_event.h and perf.data-file-format.txt of the kernel's perf.  It
 * shares no code with rbtop, since it checks rbtop's files.
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
	uint64_t id; /* 0: not known */
	uint64_t cpu; /* of ID_INDEX; all ones: none, or not known */
	uint64_t tid;
};

struct trace_visitor {
	void (*info)(void *data, uint32_t type);
	void (*span)(void *data, const struct trace_span *span);
	void (*aux)(void *data, const struct trace_aux *aux);
	void *data;
};

/* Read a file; NULL, or an error message. */
const char *trace_file_walk(const char *path,
			    const struct trace_visitor *visitor);

#endif
