/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing perf.data: header, attributes, records, AUX trace, features, in the
 * order that perf itself writes them (tools/perf/util/header.c), but for the
 * ids of events, which may grow in number until the end and stand there.  perf
 * 6.1 and newer read it.
 *
 * The stream has to be seekable and at its beginning; its errors are sticky
 * and told by perfdata_writer_finish() at the latest.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_WRITER_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_WRITER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct perfdata_machine;
struct perfdata_writer;

/*
 * An event and its ids in all rings.  Name and attr are borrowed while the
 * writer lives, ids are copied.  perf takes no group but of events that follow
 * their leader one by one.
 */
struct perfdata_event {
	const char *name;
	const struct perf_event_attr *attr;	/* as it was opened */
	const uint64_t *ids;
	size_t nr_ids;
	size_t leader;		/* index; its own: leads or stands alone */
};

/*
 * Begin a file on @out.  Attributes are written with at most 128 bytes, which
 * is what perf 6.1 accepts.  NULL with @err.
 */
struct perfdata_writer *perfdata_writer_new(FILE *out,
					    const struct perfdata_event *events,
					    size_t nr, struct err *err);

/*
 * One more id of event @event: that of a ring which came later.  perf gives up
 * on a record with an id that no event has.  0; -EINVAL for no such event, or
 * the writer's error.
 */
int perfdata_writer_add_id(struct perfdata_writer *w, size_t event,
			   uint64_t id);

/*
 * A record as the kernel wrote it, or made by trace/perfdata/synth.h.  -EINVAL for
 * what is none (nothing is written then), or the writer's error.
 */
int perfdata_write(struct perfdata_writer *w, const void *record, size_t size);
/*
 * Many records, back to back.  A record may be split between two calls only if
 * no other thread writes trace.
 */
int perfdata_write_bytes(struct perfdata_writer *w, const void *bytes,
			 size_t size);

/* PERF_RECORD_AUXTRACE but for what the writer fills in. */
struct perfdata_auxtrace {
	uint64_t offset;	/* position of the first byte */
	uint64_t reference;
	uint32_t idx;		/* of the ring */
	int tid;		/* -1: every task */
	int cpu;		/* -1: follows a thread */
};
/*
 * The record and its trace, in pieces; padded with zeros to 8 bytes.  It is
 * entered in the index (feature AUXTRACE).  Any thread may call this until
 * perfdata_writer_finish(); all other functions belong to one thread.  Except
 * for less than a page at each end, the pieces are not copied.
 */
int perfdata_write_auxtrace(struct perfdata_writer *w,
			    const struct perfdata_auxtrace *head,
			    const void *const data[2], const size_t len[2]);

/* Bytes written so far; on any thread. */
uint64_t perfdata_writer_bytes(const struct perfdata_writer *w);
/* The times of the first and last sample, for feature SAMPLE_TIME. */
void perfdata_writer_times(struct perfdata_writer *w, uint64_t first,
			   uint64_t last);
/*
 * A file that records name: its build-id goes into feature BUILD_ID.  Only the
 * first of a path is taken.  0; -EINVAL for an id or a path longer than any
 * there is; or the writer's error.
 */
int perfdata_writer_dso(struct perfdata_writer *w, const char *path,
			const uint8_t *id, size_t id_len, bool kernel);

/*
 * Features, then the header.  The stream stays open, flushed, at its end.
 * @machine may be NULL: its features are left out.  0 or the first error of
 * all, -errno with @err.
 */
int perfdata_writer_finish(struct perfdata_writer *w,
			   const struct perfdata_machine *machine,
			   struct err *err);
/* Frees it; the stream is the caller's. */
void perfdata_writer_free(struct perfdata_writer *w);

#endif
