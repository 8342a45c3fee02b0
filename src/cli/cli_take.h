/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each option does while the command line is read, one handler per row
 * of cli_options.def.  What concerns several options at once waits for the
 * end, in cli.c.
 */
#ifndef RBTOP_CLI_CLI_TAKE_H
#define RBTOP_CLI_CLI_TAKE_H

#include "cli/cli.h"

/* Biggest ring that can be asked for: perf's allocation ends there on 4 KiB
 * pages (kernel/events/ring_buffer.c, rb_alloc: the page table of a ring must
 * be one allocation of the buddy allocator). */
#define CLI_MAX_RING (UINT64_C(1) << 30)
/* Most that can be asked for to be kept of records, of all rings together. */
#define CLI_MAX_HISTORY (UINT64_C(64) << 30)

enum cli_section {
	CLI_SECTION_EVENTS,
	CLI_SECTION_SAMPLES,
	CLI_SECTION_TARGET,
	CLI_SECTION_RINGS,
	CLI_SECTION_TRACE,
	CLI_SECTION_OUTPUT,
	CLI_SECTION_PERF,
	CLI_SECTION_OTHER,
	CLI_SECTIONS
};

struct cli_option;

/* A command line half read. */
struct cli_parsing {
	struct cli cli;
	const char *next;	/* the word after the option; NULL: none */
	bool next_taken;	/* it turned out to be the option's */
	const struct cli_option *live; /* the first about events */
	const struct cli_option *own; /* the first about events of rbtop's own,
				       * which --host has not */
	bool event_given;	/* -e */
	size_t before_event;	/* events there were before the last -e */
	const char *cgroups;	/* -G before any -e: for the default event */
	bool all_cpus, per_thread;
	bool inherit, no_inherit;
	bool accepted;		/* what rbtop does without being asked */
	bool snapshot;		/* -S */
	const char *beside_snapshot; /* the word after an -S without SIZE */
};

/* @arg is NULL for an option without one, or one that was left out.  0, or
 * -errno with @err. */
typedef int cli_take_fn(struct cli_parsing *p, const char *arg,
			struct err *err);

struct cli_option {
	enum cli_section section;
	int letter;		/* 0: long only */
	const char *name;	/* NULL: a letter only */
	const char *arg;	/* in capitals, for -h; NULL: takes none; in
				 * brackets where it may be left out */
	cli_take_fn *take;	/* NULL: sets a flag, or asks for fields */
	size_t flag;		/* its offset in struct cli_parsing */
	uint64_t fields;	/* PERF_SAMPLE_*; 0: it is a flag */
	const char *help;
};

/* Whether the argument of @o may be left out. */
static inline bool cli_optional(const struct cli_option *o)
{
	return o->arg && o->arg[0] == '[';
}

/* Say something of what was asked for, and go on. */
void cli_warn(struct cli_parsing *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The section TRACE, in cli_take_trace.c. */
cli_take_fn cli_take_trace_snapshot, cli_take_trace_full,
	cli_take_trace_filter, cli_take_trace_every, cli_take_trace_on,
	cli_take_trace_cooldown, cli_take_trace_output, cli_take_trace_keep,
	cli_take_trace_history, cli_take_trace_record, cli_take_trace_max_size,
	cli_take_trace_perf_version;

/* Where events are looked up; tracefs only once it is needed. */
extern const struct event_env cli_event_env;

/* cli_options.def as a table. */
enum {
#define OPTION(...) +1
#define FLAG(...) +1
#define FIELD(...) +1
	CLI_NR_OPTIONS = 0
#include "cli/cli_options.def"
#undef OPTION
#undef FLAG
#undef FIELD
};
extern const struct cli_option cli_options[CLI_NR_OPTIONS];

#endif
