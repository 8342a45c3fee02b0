/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes wrong with another program's ring. */
#ifndef RBTOP_RING_RING_WARNING_H
#define RBTOP_RING_RING_WARNING_H

#include <stddef.h>

#include "ring/ring_row.h"

/* The bits 1 << RING_WARN_... of a row. */
enum ring_warning {
	RING_WARN_UNDRAINED,	/* the owner was woken and has not drained for
				 * RING_UNDRAINED seconds; a ring that is all
				 * but empty harms nobody */
	RING_WARN_PENDING,	/* records lost of which its owner was not
				 * told */
	RING_WARN_LOSING,	/* records were lost in the tick */
	RING_WARN_PAUSED,	/* output is paused: what comes is lost */
	RING_WARN_THROTTLED,	/* the kernel holds an event back until the
				 * next clock tick */
	RING_WARN_TRUNCATED,	/* an AUX ring is full, and its event off or its
				 * head still */
	RING_WARN_ERROR,	/* a pinned event found no counter */
	RING_WARN_MLOCK,	/* the owner's uid is at its mlock limit */
	RING_WARN_BAD_TAIL,	/* its owner stored an invalid tail */
	RING_WARN_FULL,		/* a BPF ring buffer was nearly full in the
				 * tick: records that do not fit are lost, and
				 * not counted */
	RING_WARNINGS
};
#define RING_UNDRAINED 5.0

/* "undrained", "pending", ...: for exports, the screen and the man page. */
const char *ring_warning_name(enum ring_warning warning);
/* "its owner has not drained it for 12s: ..." into @buf; which is returned. */
char *ring_warning_text(enum ring_warning warning, const struct ring_row *row,
			char *buf, size_t size);

/*
 * The worst that is wrong, in a word: "undrained", "stopped", "gone"; "-".  And
 * how bad it is, for sorting: of two that are as bad, the one with more.
 */
const char *ring_warning_cell(const struct ring_row *row);
double ring_warning_badness(const struct ring_row *row);

#endif
