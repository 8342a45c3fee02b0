/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of snapshots and recordings: source, directory, limits. */
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
struct symbol_loader;
struct trigger;

struct snapshot_opts {
	/* borrowed; must outlive the thread */
	struct session *session;
	const struct session_opts *session_opts;
	struct collector *collector;
	const struct auxtrace *trace;	/* NULL: no event traces */
	const struct auxtrace_env *env;
	struct task_history *tasks;	/* NULL: none is kept; then files get
					 * all records of the histories */
	bool tasks_made_up;		/* @tasks is complete: /proc and the
					 * tasks' files are not read */
	const struct perfdata_machine *machine;
	struct symbol_loader *loader;	/* of build-ids; NULL: none are read */
	struct trigger *trigger;	/* NULL: none */
	const char *dir;		/* --output; NULL: the current
					 * directory */
	unsigned int keep;		/* --keep; 0: all */
	double every;			/* --snapshot-every, seconds; 0: off */
	double cooldown;		/* of the trigger, seconds */
	uint64_t max_record;		/* --max-size, of recordings; 0: none */
	size_t history_bytes;		/* --history, total of all rings */
	bool keep_switches;		/* --switch-events: snapshots contain
					 * all context switches */
	snapshot_note_fn *note;		/* NULL: none */
	void *ctx;			/* argument of note */
};

/* Whether there are rings that can be copied; false with @err. */
bool snapshot_opts_can_take(const struct snapshot_opts *opts, struct err *err);
/*
 * Check the options given at start: files can be created in the directory; with
 * .every and .trigger, there are rings to copy; with .trigger, there are
 * records in which its condition can be met.  0 or -errno with @err.
 */
int snapshot_opts_check(const struct snapshot_opts *opts, struct err *err);

/* Size of the history of each ring, bytes, a power of two. */
size_t snapshot_opts_history(const struct snapshot_opts *opts);
/* Input for files; @ids is borrowed. */
struct trace_file_from snapshot_opts_from(const struct snapshot_opts *opts,
					  struct event_ids *ids);

#endif
