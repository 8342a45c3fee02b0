/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of the Log about the rings of a recording: what was lost, gaps in
 * AUX traces, throttles.  They depend on the recording and on how far it was
 * played, but not on how it came there: a line for each ring and fixed span of
 * recorded time, at the time of the first record that it stands for.
 */
#ifndef RBTOP_SOURCE_RECORDING_LOG_H
#define RBTOP_SOURCE_RECORDING_LOG_H

#include <stddef.h>
#include <stdint.h>

struct reading;
struct recording_log_ring;
struct timeline;

struct recording_log {
	const struct timeline *timeline;	/* borrowed; finished */
	uint64_t origin, first;	/* slots: of time 0, and where spans start */
	uint64_t span;		/* slots that a line stands for */
	uint64_t slot;		/* what is before it was told */
	size_t cell;		/* one at or before the start of its span */
	struct recording_log_ring *rings;
	size_t nr;
	uint32_t *losing;	/* rings in the present span */
	size_t nr_losing;
	uint64_t throttles;	/* of all rings so far */
	size_t throttled;	/* rings so far */
	size_t ever_throttled;	/* rings in all of the recording */
};

/*
 * @log has its timeline, of @nr rings, origin, first and span; span 0: the
 * shortest with which all of the recording has no more lines than the log
 * should hold.  0 or -ENOMEM.
 */
int recording_log_init(struct recording_log *log, size_t nr);
/* Zeroed is fine. */
void recording_log_free(struct recording_log *log);

/* Log to @r, whose rings must be set, what happened before @slot. */
void recording_log_tell(struct recording_log *log, uint64_t slot,
			struct reading *r);

#endif
