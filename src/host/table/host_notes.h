/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log lines derived from a picture. */
#ifndef RBTOP_HOST_TABLE_HOST_NOTES_H
#define RBTOP_HOST_TABLE_HOST_NOTES_H

#include <stdbool.h>

#include "ring/log.h"

struct host_picture;
struct host_tools;

/* Writes a line to the log; @fold as for log_fold(). */
typedef void host_note_fn(void *ctx, enum log_kind kind, uint64_t fold,
			  const char *text);

struct host_notes_to {
	host_note_fn *note;	/* NULL: no log */
	void *ctx;
	double mono;		/* time of the latest pass */
	struct host_tools *tools;	/* the same at each call */
	bool first;		/* no picture was made before */
};

/* Log what is new in the picture. */
void host_notes_tell(const struct host_picture *picture,
		     const struct host_notes_to *to);

#endif
