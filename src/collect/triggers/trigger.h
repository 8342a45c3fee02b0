/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --snapshot-on: a condition that the drains check for every record, so that it
 * is not missed among samples that are not decoded.
 *
 * "lost", "throttle", "truncated", "fill>80%", or an expression on samples in
 * the language of the feed's filter, of the fields event, cpu, pid, tid and
 * comm: "comm==dd && event~sys_enter".  Or "call:FUNC" (event_spec.h): met by
 * every sample of the event that was opened for it.
 *
 * All readers share one trigger.  The first one to fire it after it was armed
 * writes to an eventfd; the thread that waits for that takes the reason and
 * arms it again.
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
	bool made_up;		/* simulated tasks: comms come from records
				 * only, /proc is not read */
};

/* Check the syntax of @text.  0, or -EINVAL with @err (ERR_USAGE). */
int trigger_check(const char *text, struct err *err);

/* @text is copied.  Disarmed until trigger_arm().  NULL with @err. */
struct trigger *trigger_new(const char *text,
			    const struct trigger_events *events,
			    struct err *err);
void trigger_free(struct trigger *t);

/* An eventfd, readable once it fired; owned by @t. */
int trigger_fd(const struct trigger *t);
const char *trigger_text(const struct trigger *t);

/*
 * Let it fire, once; a pending firing is dropped.  If the condition uses comm,
 * all tasks in /proc are read first.  One thread at a time.
 */
void trigger_arm(struct trigger *t);
/*
 * Call this once a second on the thread that arms it.  If the condition uses
 * comm and it is armed, /proc is read again, since a task may have inherited a
 * comm before the record of that was drained; less often if that is slow.
 */
void trigger_tick(struct trigger *t);

/* The reason for firing. */
struct trigger_hit {
	uint32_t slot;		/* of the collector */
	uint64_t time;		/* of the record, on the session's clock; 0:
				 * unknown */
	char text[96];		/* "lost: 12 records on ring 3" */
};
/* Take the reason, and disarm it.  False if it has not fired. */
bool trigger_take(struct trigger *t, struct trigger_hit *hit);

/* Whether the condition is an expression on samples. */
bool trigger_is_about_samples(const struct trigger *t);

/* The rest is for drains; @t must not be NULL. */

/* Whether trigger_sample() must be called for the samples of this pass. */
bool trigger_on_samples(const struct trigger *t);
void trigger_sample(struct trigger *t, uint32_t slot, uint32_t tag,
		    uint32_t cpu, pid_t pid, pid_t tid, uint64_t time);
/* The count of the event of "call:FUNC" rose; its ring is not drained. */
void trigger_call(struct trigger *t, uint32_t slot);
/*
 * Check the record at @position of @ring, which is not a sample: losses,
 * throttles, truncations; COMM and FORK, which name tasks.
 */
void trigger_record(struct trigger *t, uint32_t slot, const struct ring *ring,
		    uint64_t position);
/* At the end of a pass: the fill level of the ring, 0..1. */
void trigger_fill(struct trigger *t, uint32_t slot, double fill);

#endif
