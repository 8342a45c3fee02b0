/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An expression on samples that a drain can evaluate: without allocations,
 * locks or system calls, on what is at fixed offsets in a sample.
 */
#ifndef RBTOP_COLLECT_TRIGGERS_SAMPLE_TRIGGER_H
#define RBTOP_COLLECT_TRIGGERS_SAMPLE_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/triggers/comm_watch.h"

struct err;
struct filter_node;
struct sample_trigger;
struct trigger_events;

/* Check that @root uses nothing else: 0, or -EINVAL with @err (ERR_USAGE). */
int sample_trigger_check(const struct filter_node *root, struct err *err);

/* @root was checked, and is taken over, also on failure.  NULL with @err. */
struct sample_trigger *
sample_trigger_new(struct filter_node *root,
		   const struct trigger_events *events, struct err *err);
void sample_trigger_free(struct sample_trigger *s);

/* The comms that the expression asks for; NULL: it asks for none. */
struct comm_watch *sample_trigger_comms(struct sample_trigger *s);

/* Any thread: whether the expression holds for such a sample. */
bool sample_trigger_holds(const struct sample_trigger *s, uint32_t tag,
			  uint32_t cpu, pid_t pid, pid_t tid);

#endif
