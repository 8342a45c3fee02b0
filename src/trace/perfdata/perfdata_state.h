/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the writer of a perf.data file: plain data; and how it is written. */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_STATE_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/perfdata/perfdata_format.h"
#include "symbols/elf/elf_symbols.h"
#include "trace/perfdata/perfdata_writer.h"

struct writer_event {
	const char *name;
	const struct perf_event_attr *attr;
	size_t leader;
	uint64_t *ids;
	size_t nr_ids, ids_cap;
};

struct writer_dso {
	char *path;
	struct elf_build_id id;
};
_Static_assert((int)ELF_BUILD_ID_MAX <= (int)PERFDATA_BUILD_ID, "they fit");

/* Features that were written before the records. */
struct writer_ahead {
	uint64_t bits;
	struct perfdata_section sections[PERFDATA_FEATURES];	/* by bit */
};

/*
 * After a checkpoint, the table of features stands in the place of the next
 * records, whose first bytes are held back until the next checkpoint: further
 * ones are written behind it.  So the stream is at @tail + @to_hold or, once all
 * of it is held, at the writer's position.
 */
struct writer_checkpoint {
	size_t room;		/* ids of each event before the records */
	uint64_t ids;		/* position of the first event's */
	bool on;		/* checkpoints are made */
	uint64_t tail;		/* position of the table, then of ids that have
				 * no room there */
	size_t to_hold;		/* bytes of these */
	unsigned char *held;	/* bytes of records in their place */
	size_t nr_held;
};

struct perfdata_writer {
	FILE *out;
	pthread_mutex_t lock;	/* held while records or trace are written */
	_Atomic uint64_t pos;	/* position of the next byte */
	_Atomic int error;	/* the first one, -errno */
	struct writer_event *events;
	size_t nr_events;
	uint64_t data;		/* position of the first record */
	uint64_t first, last;	/* times of samples */
	bool has_times;
	struct perfdata_section *traces;	/* AUXTRACE records */
	size_t nr_traces, traces_cap;
	struct writer_dso *dsos;
	size_t nr_dsos, dsos_cap;
	struct writer_ahead ahead;
	struct writer_checkpoint checkpoint;
};

/* Write to the stream.  Errors are stored in .error. */
void perfdata_put(struct perfdata_writer *w, const void *bytes, size_t size);
void perfdata_put_u32(struct perfdata_writer *w, uint32_t value);
void perfdata_put_u64(struct perfdata_writer *w, uint64_t value);
/* Write @size zeros, fewer than PERFDATA_STRING_ALIGN. */
void perfdata_put_pad(struct perfdata_writer *w, size_t size);
/* Write the padded length, then the text, padded. */
void perfdata_put_string(struct perfdata_writer *w, const char *text);
/* Write at @offset, without a change of the writer's position. */
void perfdata_put_at(struct perfdata_writer *w, uint64_t offset,
		     const void *bytes, size_t size);
/* Set the position of the next write. */
void perfdata_seek(struct perfdata_writer *w, uint64_t offset);
/* Convert an attribute to the form used in files. */
void perfdata_fill_attr(uint8_t bytes[PERFDATA_ATTR_SIZE],
			const struct perf_event_attr *attr);

/*
 * The features: data that are not records.  All are optional, except
 * TRACING_DATA if there are tracepoint events.
 */
/*
 * Write the features that are known before any record, so that a checkpoint
 * need only write their table.
 */
void perfdata_features_put_ahead(struct perfdata_writer *w,
				 const struct perfdata_machine *machine);
/* Make the table of these.  Returns its size in bytes. */
size_t perfdata_features_table(const struct perfdata_writer *w,
			       struct perfdata_section table[PERFDATA_FEATURES]);
/*
 * Write the table of all features, and those that were not written ahead or
 * have changed since; sets their bits in @bits, zeroed.
 */
void perfdata_features_put(struct perfdata_writer *w,
			   const struct perfdata_machine *machine,
			   uint64_t bits[4]);

#endif
