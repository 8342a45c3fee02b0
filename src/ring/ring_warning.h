/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about other programs' rings. */
#ifndef RBTOP_RING_RING_WARNING_H
#define RBTOP_RING_RING_WARNING_H

#include <stddef.h>

#include "ring/ring_row.h"

/* Bit numbers of struct ring_row.warnings. */
enum ring_warning {
	RING_WARN_STOPPED,	/* the owner is stopped (SIGSTOP, a debugger) */
	RING_WARN_UNDRAINED,	/* the owner was woken and has not drained for
				 * RING_UNDRAINED seconds; not for a ring that
				 * is nearly empty */
	RING_WARN_PENDING,	/* lost records that are not yet reported to the
				 * owner */
	RING_WARN_LOSING,	/* records were lost during the tick */
	RING_WARN_PAUSED,	/* output is paused: new records are lost */
	RING_WARN_THROTTLED,	/* the kernel throttles an event until the next
				 * clock tick */
	RING_WARN_TRUNCATED,	/* an AUX ring is full: its event is off or its
				 * head does not move */
	RING_WARN_ERROR,	/* a pinned event got no counter */
	RING_WARN_MLOCK,	/* the owner's uid is at its mlock limit */
	RING_WARN_BAD_TAIL,	/* its owner stored an invalid tail */
	RING_WARN_FULL,		/* a BPF ring buffer was nearly full during the
				 * tick: records that do not fit are lost and
				 * not counted */
	RING_WARNINGS
};
_Static_assert((int)RING_WARNINGS <= 32, "each is a bit of an unsigned int");
#define RING_UNDRAINED 5.0

/* "undrained", "pending", ...: used in exports, screens and the man page. */
const char *ring_warning_name(enum ring_warning warning);
/* Write "its owner has not drained it for 12s: ..." to @buf; returns @buf. */
char *ring_warning_text(enum ring_warning warning, const struct ring_row *row,
			char *buf, size_t size);

/*
 * The most severe warning in a word: "stopped", "undrained"; "gone"; "-".  The
 * badness is its severity as a number, for sorting; of two rings with the same
 * severity, the one with more warnings is worse.
 */
const char *ring_warning_cell(const struct ring_row *row);
double ring_warning_badness(const struct ring_row *row);

#endif
