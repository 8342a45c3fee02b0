/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What snapshots and recordings are made of, where, and how many. */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_OPTS_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/file/trace_file.h"
#include "trace/snapshot/snapshot_status.h"

struct collector;
struct err;
struct event_ids;
struct trigger;

struct snapshot_opts {
	/* borrowed; all outlive the thread */
	struct session *session;
	const struct session_opts *session_opts;
	struct collector *collector;
	const struct auxtrace *trace;	/* NULL: no event traces */
	const struct auxtrace_env *env;
	struct task_history *tasks;	/* NULL: nobody keeps one; the files'
					 * histories then have all records */
	bool tasks_made_up;		/* @tasks is all there is to know:
					 * /proc and files of tasks are not
					 * looked at */
	const struct perfdata_machine *machine;
	struct trigger *trigger;	/* NULL: none */
	const char *dir;		/* --output; NULL: the current one */
	unsigned int keep;		/* --keep; 0: all */
	double every;			/* --snapshot-every; 0: not */
	double cooldown;		/* of the trigger, seconds */
	uint64_t max_record;		/* --max-size, of recordings; 0: none */
	size_t history_bytes;		/* --history, of all rings together */
	bool keep_switches;		/* --switch-events: snapshots contain
					 * all context switches */
	snapshot_note_fn *note;		/* NULL: none */
	void *ctx;			/* its */
};

/* Whether there are rings whose contents can be copied; false with @err. */
bool snapshot_opts_can_take(const struct snapshot_opts *opts, struct err *err);
/*
 * Whether what is asked for from the start is possible: a directory that files
 * can be created in; with .every and .trigger, rings to copy; with .trigger,
 * records in which its condition can be met.  0 or -errno with @err.
 */
int snapshot_opts_check(const struct snapshot_opts *opts, struct err *err);

/* The history that each ring is to have, in bytes: a power of two. */
size_t snapshot_opts_history(const struct snapshot_opts *opts);
/* Whose files they are; @ids is borrowed. */
struct trace_file_from snapshot_opts_from(const struct snapshot_opts *opts,
					  struct event_ids *ids);

#endif
