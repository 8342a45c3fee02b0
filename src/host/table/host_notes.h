/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log lines that follow from a picture. */
#ifndef RBTOP_HOST_TABLE_HOST_NOTES_H
#define RBTOP_HOST_TABLE_HOST_NOTES_H

#include <stdbool.h>

#include "ring/log.h"

struct host_picture;

/* Who writes a line. */
typedef void host_note_fn(void *ctx, enum log_kind kind, const char *text);

struct host_notes_to {
	host_note_fn *note;	/* NULL: nobody */
	void *ctx;
	double mono;		/* the latest pass */
	bool first;		/* no picture was made before */
};

/* Tell what is new in the picture. */
void host_notes_tell(const struct host_picture *picture,
		     const struct host_notes_to *to);

#endif
