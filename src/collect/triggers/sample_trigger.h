/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An expression on samples as a drain can ask it: without memory, locks and
 * system calls, of what stands at fixed places in a sample.
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

/* Whether @root asks for nothing else: 0, or -EINVAL with @err. */
int sample_trigger_check(const struct filter_node *root, struct err *err);

/* @root has been checked, and is taken over.  NULL with @err. */
struct sample_trigger *
sample_trigger_new(struct filter_node *root,
		   const struct trigger_events *events, struct err *err);
void sample_trigger_free(struct sample_trigger *s);

/* Who bears the names that are asked for; NULL: none are. */
struct comm_watch *sample_trigger_comms(struct sample_trigger *s);

/* Any thread. */
bool sample_trigger_holds(const struct sample_trigger *s, uint32_t tag,
			  uint32_t cpu, pid_t pid, pid_t tid);

#endif
