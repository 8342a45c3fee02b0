/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes perf.data: header, attributes, records, AUX trace, features, in perf's
 * own order (tools/perf/util/header.c), except for the ids of events: new ones
 * may be added until the end, so they are written there. perf 6.1 and newer can
 * read it.
 *
 * Without checkpoints the file is only valid once it is finished.  With them,
 * ids and all features that are known at the start come before the records, and
 * what was written up to the last checkpoint can be read if the program is
 * killed.
 *
 * The stream must be seekable and at its start.  Errors are sticky and are
 * reported by perfdata_writer_finish() at the latest.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_WRITER_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_WRITER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "perf/abi/perf_clock.h"

struct elf_build_id;
struct err;
struct perfdata_machine;
struct perfdata_writer;

/*
 * An event and its ids in all rings.  Name and attr are borrowed while the
 * writer lives, ids are copied. perf accepts a group only if its members
 * directly follow their leader.
 */
struct perfdata_event {
	const char *name;
	const struct perf_event_attr *attr;	/* as it was opened */
	const uint64_t *ids;
	size_t nr_ids;
	size_t leader;		/* index; its own if it leads or is in no
				 * group */
};

/*
 * Start a file on @out.  At most 128 bytes of an attribute are written, the
 * limit of perf 6.1.  NULL with @err.
 */
struct perfdata_writer *perfdata_writer_new(FILE *out,
					    const struct perfdata_event *events,
					    size_t nr, struct err *err);

/*
 * Add an id to event @event, for a ring that was added later. perf stops at a
 * record with an id that no event has.  0; -EINVAL if there is no such event;
 * or the writer's error.
 */
int perfdata_writer_add_id(struct perfdata_writer *w, size_t event,
			   uint64_t id);

/* The number of ids of the event that has most. */
size_t perfdata_writer_max_ids(const struct perfdata_writer *w);
/*
 * Prepare for checkpoints, before anything else is written: leave room for
 * @ids ids of each event, and write the features of @machine, which may be NULL.
 * More ids are possible, but then a checkpoint needs more records before the
 * next.  0 or the writer's error.
 */
int perfdata_writer_begin_checkpoints(struct perfdata_writer *w,
				      const struct perfdata_machine *machine,
				      size_t ids);
/*
 * Make what was written so far valid: as after perfdata_writer_finish(), but
 * without build-ids of files, index of trace and times of samples.  It stays so
 * until the end, except for the moments in which the next checkpoint, or the
 * end, writes the header and what is described there.  Does nothing if fewer
 * bytes of records were written since the previous checkpoint than a table of
 * features takes (some 200).  0 or the writer's error.
 */
int perfdata_writer_checkpoint(struct perfdata_writer *w);

/*
 * Write a record of the kernel, or one made by rbtop.  -EINVAL
 * if it is not a valid record (nothing is written); or the writer's error.
 */
int perfdata_write(struct perfdata_writer *w, const void *record, size_t size);
/*
 * Write many records, back to back.  A record may be split between two calls
 * only if no other thread writes trace.
 */
int perfdata_write_bytes(struct perfdata_writer *w, const void *bytes,
			 size_t size);

/* PERF_RECORD_AUXTRACE, without the members that the writer sets. */
struct perfdata_auxtrace {
	uint64_t offset;	/* position of the first byte */
	uint64_t reference;
	uint32_t idx;		/* of the ring */
	int tid;		/* -1: all tasks */
	int cpu;		/* -1: follows a thread */
};
/* The record itself, of @size bytes of trace and padding. */
struct perfdata_record_auxtrace
perfdata_auxtrace_record(const struct perfdata_auxtrace *head, uint64_t size);
/*
 * Write the record and its trace, in pieces, padded with zeros to 8 bytes, and
 * add it to the index (feature AUXTRACE).  Any thread may call this until
 * perfdata_writer_finish(); all other functions belong to one thread.  The
 * pieces are not copied, except for less than a page at each end.
 */
int perfdata_write_auxtrace(struct perfdata_writer *w,
			    const struct perfdata_auxtrace *head,
			    const void *const data[2], const size_t len[2]);

/* Bytes written so far; any thread. */
uint64_t perfdata_writer_bytes(const struct perfdata_writer *w);
/* Set the times of the first and last sample, for the feature SAMPLE_TIME. */
void perfdata_writer_times(struct perfdata_writer *w, uint64_t first,
			   uint64_t last);
/*
 * A file that records name: its build-id goes into feature BUILD_ID.  To be
 * called once for each path.  0; -EINVAL for an id or a path longer than any
 * there is; or the writer's error.
 */
int perfdata_writer_dso(struct perfdata_writer *w, const char *path,
			const struct elf_build_id *id);

/*
 * Write the features, then the header.  The stream stays open, flushed, at its
 * end.  @machine may be NULL: its features are left out.  0, or the first error
 * that occurred, -errno with @err.
 */
int perfdata_writer_finish(struct perfdata_writer *w,
			   const struct perfdata_machine *machine,
			   struct err *err);
/* Free the writer; the stream belongs to the caller. */
void perfdata_writer_free(struct perfdata_writer *w);

/*
 * Write records that perf synthesizes itself
 * (tools/perf/util/synthetic-events.c).  Those of tasks are made by
 * task/task_history.h.
 */
/* All return 0 or -errno. */
/* MMAPs of the kernel's text and of its modules, as far as known. */
int synth_kernel(struct perfdata_writer *w,
		 const struct perfdata_machine *machine);
int synth_time_conv(struct perfdata_writer *w,
		    const struct perf_time_conv *conv);
struct synth_id {
	uint64_t id, idx;
	int cpu, tid;		/* -1: all */
};
/* Writes as many records as needed; none without ids. */
int synth_id_index(struct perfdata_writer *w, const struct synth_id *ids,
		   size_t nr);
/* -E2BIG if @words exceeds 8189, the limit of a record. */
int synth_auxtrace_info(struct perfdata_writer *w, uint32_t type,
			const uint64_t *priv, size_t words);
int synth_finished_round(struct perfdata_writer *w);

#endif
