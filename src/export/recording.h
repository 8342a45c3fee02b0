/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary of a recording, as text and as JSON. */
#ifndef RBTOP_EXPORT_RECORDING_H
#define RBTOP_EXPORT_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct perfdata_reader;
struct recorded;
struct recorded_pids;
struct recorded_ring;

struct recording {
	const char *path;
	const struct perfdata_reader *reader;	/* at the end of the file */
	const struct recorded *recorded;	/* of all its records */
	struct recorded_pids *pids;	/* of all its samples */
	const char *damage;	/* why it was not read to its end; NULL: it was */
};

/* @wrapped: break long lines at 80 columns. */
void recording_put_text(const struct recording *r, bool wrapped, FILE *out);

/* "CPU 3", "tid 1234", "unknown ring"; returns @buf. */
const char *recording_ring_name(const struct recorded_ring *ring, char *buf,
				size_t size);

/* An object on one line.  0 or -ENOMEM. */
int recording_put_json(const struct recording *r, FILE *out);

#endif
