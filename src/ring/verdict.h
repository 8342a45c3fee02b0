/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is wrong with a ring, if anything, in a word. */
#ifndef RBTOP_RING_VERDICT_H
#define RBTOP_RING_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

struct ring_row;

/* Of increasing severity. */
enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_OVERWRITE,	/* not drained by design */
	VERDICT_OK,
	VERDICT_PARKED,		/* data has waited for RING_UNDRAINED seconds,
				 * too little to wake the owner */
	VERDICT_OFTEN,		/* its reader is woken often, for little */
	VERDICT_THROTTLED,	/* the kernel throttles one of its events */
	VERDICT_TIGHT,		/* nothing lost, but it was nearly full */
	VERDICT_LATE,		/* its reader was woken and has drained nothing
				 * for RING_UNDRAINED seconds */
	VERDICT_PAUSED,		/* output paused: new records are lost */
	VERDICT_TRUNCATED,	/* AUX trace truncated: the AUX ring was
				 * full */
	VERDICT_TOO_SMALL,
	VERDICT_CANNOT_FIT,	/* a record is larger than the ring */
	VERDICT_UNSCHEDULED,	/* the reader waits for a CPU most of the
				 * time */
	VERDICT_TOO_SLOW,	/* the reader cannot keep up, whatever
				 * the size */
	VERDICT_STUCK,		/* its reader is stopped, or reads nothing */
	VERDICTS,
	/* from here on: needs attention; has losses */
	VERDICT_CONCERN = VERDICT_TIGHT,
	VERDICT_LOSS = VERDICT_PAUSED,
};

/* "too small": used in exports, screens and the man page; "": unknown. */
const char *verdict_name(enum verdict verdict);
/* The verdict on a ring: on its size, from the advice; else on its state. */
enum verdict verdict_of(const struct ring_row *row);

/*
 * The figures that prove a verdict on its wakeups, and what to change:
 * "48B has been waiting for 12s: the ring's reader is woken only at 2K, and has
 * not polled in that time"; "": another verdict.  Returns @buf.
 */
char *verdict_note(const struct ring_row *row, char *buf, size_t size);

/*
 * Number of rings per verdict, the ring with the largest loss of each, and that
 * of another owner.
 */
struct verdicts {
	unsigned int nr[VERDICTS];
	const struct ring_row *most[VERDICTS], *other[VERDICTS];
	const struct ring_row *gone;	/* of the owner that ended last with
					 * advice, the ring that lost most */
};

/*
 * Whether the ring's reader is woken often, for little, in the tick; @was: in
 * the one before, so that a rate near the limit does not come and go.
 */
bool verdict_is_often(const struct ring_row *row, bool was);

/*
 * Count @row, which must live as long as @all is used.  Rings that are gone,
 * rbtop's own and those of dummy events only are not counted.
 */
void verdicts_add(struct verdicts *all, const struct ring_row *row);
/* The most severe. */
enum verdict verdicts_worst(const struct verdicts *all);
/*
 * Write all, the most severe first, each that is a concern with an owner, the
 * first one with two: "too small 2, perf (4242) needs -m 256; ok 6"; "" without a
 * ring whose verdict is known.  If none is a concern, what the latest that is
 * gone would have needed comes first: "perf (4242, gone) needed -m 256; ok 6".
 * Returns @buf.
 */
char *verdicts_text(const struct verdicts *all, char *buf, size_t size);

#endif
