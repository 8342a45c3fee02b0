/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --snapshot-on: a condition on what the drains see, checked for every record
 * in them, so that the sampling of bodies cannot miss it.
 *
 * "lost", "throttle", "truncated", "fill>80%", or an expression on samples in
 * the language of the feed's filter, of the fields event, cpu, pid, tid and
 * comm: "comm==dd && event~sys_enter".  Or "call:FUNC" (call_spec.h): met by
 * every sample of the event that was opened for it.
 *
 * The readers share one.  Firing is an exchange and, when it is the first, a
 * write to an eventfd: whoever waits for that takes the reason and arms it
 * again.
 */
#ifndef RBTOP_COLLECT_TRIGGERS_TRIGGER_H
#define RBTOP_COLLECT_TRIGGERS_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct ring;
struct trigger;

/* Names of the events by tag (see collector_ring); borrowed. */
struct trigger_events {
	const char *const *names;
	size_t nr;
	uint32_t call;		/* the tag of the event of "call:FUNC"; unused
				 * with other conditions */
	bool made_up;		/* tasks have names from records alone: /proc is
				 * not read */
};

/* Parse @text alone: whether it can be one.  0 or -EINVAL, @err (ERR_USAGE). */
int trigger_check(const char *text, struct err *err);

/* Disarmed until trigger_arm().  NULL with @err. */
struct trigger *trigger_new(const char *text,
			    const struct trigger_events *events,
			    struct err *err);
void trigger_free(struct trigger *t);

/* Readable once it fired. */
int trigger_fd(const struct trigger *t);
const char *trigger_text(const struct trigger *t);

/*
 * From now on it may fire, once; a pending firing is forgotten.  Where comm is
 * asked for, all tasks in /proc are looked at first.  One thread at a time.
 */
void trigger_arm(struct trigger *t);
/*
 * Call this once a second: where comm is asked for and it is armed, the tasks
 * are looked at again, for who inherited a name before the record of that was
 * drained.  Rarer where that takes long.  The thread that arms it.
 */
void trigger_tick(struct trigger *t);

/* What it fired for, once it did: false where it has not. */
struct trigger_hit {
	uint32_t slot;		/* of the collector */
	uint64_t time;		/* of the record, on the session's clock; 0 */
	char text[96];		/* "lost: 12 records on ring 3" */
};
bool trigger_take(struct trigger *t, struct trigger_hit *hit);

/* The rest is for drains; @t may be NULL nowhere. */

/* Whether trigger_sample() has to be asked at all, in this pass. */
bool trigger_on_samples(const struct trigger *t);
void trigger_sample(struct trigger *t, uint32_t slot, uint32_t tag,
		    uint32_t cpu, pid_t pid, pid_t tid, uint64_t time);
/* The count of the event of "call:FUNC" rose, in a ring that is not drained. */
void trigger_call(struct trigger *t, uint32_t slot);
/* Any other record, in the ring at @position: losses, throttles, truncations;
 * COMM and FORK, which say who bears the names in question. */
void trigger_record(struct trigger *t, uint32_t slot, const struct ring *ring,
		    uint64_t position);
/* At the end of a pass: the largest fill, 0..1. */
void trigger_fill(struct trigger *t, uint32_t slot, double fill);

#endif
