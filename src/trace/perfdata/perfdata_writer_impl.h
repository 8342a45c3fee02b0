/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the writer share: its state, and writing to the stream. */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_WRITER_IMPL_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_WRITER_IMPL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_writer.h"

struct writer_event {
	const char *name;
	const struct perf_event_attr *attr;
	size_t leader;
	uint64_t *ids;
	size_t nr_ids, ids_size;
};

struct writer_dso {
	char *path;
	bool kernel;
	uint8_t id[PERFDATA_BUILD_ID];
	uint8_t id_size;
};

struct perfdata_writer {
	FILE *out;
	pthread_mutex_t lock;	/* held while records or trace are written */
	_Atomic uint64_t pos;	/* where the next byte goes */
	_Atomic int error;	/* the first one, -errno */
	struct writer_event *events;
	size_t nr_events;
	uint64_t data;		/* where records begin */
	uint64_t first, last;	/* time of samples */
	bool has_times;
	struct perfdata_section *traces;	/* AUXTRACE records */
	size_t nr_traces, traces_size;
	struct writer_dso **dsos;
	size_t nr_dsos, dsos_size;
	void *paths;		/* the DSOs', tsearch(3) */
};

void perfdata_put(struct perfdata_writer *w, const void *bytes, size_t size);
void perfdata_put_u32(struct perfdata_writer *w, uint32_t value);
void perfdata_put_u64(struct perfdata_writer *w, uint64_t value);
/* Zeros, fewer than PERFDATA_STRING_ALIGN. */
void perfdata_put_pad(struct perfdata_writer *w, size_t size);
/* Its padded length, and it, padded. */
void perfdata_put_string(struct perfdata_writer *w, const char *text);
/* Write there next. */
void perfdata_seek(struct perfdata_writer *w, uint64_t offset);
/* The attribute as files have it. */
void perfdata_fill_attr(uint8_t bytes[PERFDATA_ATTR_SIZE],
			const struct perf_event_attr *attr);

/*
 * Write the table of features and them, features.c; @bits, zeroed, says which
 * are there.
 */
void perfdata_put_features(struct perfdata_writer *w,
			   const struct perfdata_machine *machine,
			   uint64_t bits[4]);

#endif
