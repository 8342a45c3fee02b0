/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handlers of the options, one per row of cli_options.def, called while the
 * command line is read.  Checks of several options are made at the end, in
 * cli.c; cli_help.c describes the options.
 */
#ifndef RBTOP_CLI_CLI_TAKE_H
#define RBTOP_CLI_CLI_TAKE_H

#include "cli/cli.h"

/*
 * Maximum size of a ring, bytes: the kernel's limit with 4 KiB pages, since the
 * page table of a ring is one allocation of the buddy allocator (rb_alloc(),
 * kernel/events/ring_buffer.c).
 */
#define CLI_MAX_RING (UINT64_C(1) << 30)
/* Maximum of --history, bytes, of all rings together. */
#define CLI_MAX_HISTORY (UINT64_C(64) << 30)

enum cli_section {
	CLI_SECTION_EVENTS,
	CLI_SECTION_SAMPLES,
	CLI_SECTION_TARGET,
	CLI_SECTION_RINGS,
	CLI_SECTION_TRACE,
	CLI_SECTION_RECORDED,
	CLI_SECTION_OUTPUT,
	CLI_SECTION_PERF,
	CLI_SECTION_OTHER,
	CLI_SECTIONS
};

/* What rbtop can be told to do other than to watch events. */
enum cli_mode {
	CLI_MODE_SIM, CLI_MODE_HOST, CLI_MODE_DOCTOR, CLI_MODE_INPUT,
	CLI_MODE_SUMMARY, CLI_MODES
};

struct cli_option;

/* The state while a command line is read. */
struct cli_parsing {
	struct cli cli;
	const char *next;	/* the word after the option; NULL: none */
	bool next_taken;	/* it is the option's argument */
	/* the first option not allowed with each; NULL: none */
	const struct cli_option *refused[CLI_MODES];
	bool event_given;	/* -e */
	size_t before_event;	/* number of events before the last -e */
	const char *cgroups;	/* -G before any -e: for the default event */
	bool doctor;		/* --doctor */
	bool summary;		/* --summary */
	bool all_cpus, per_thread;
	bool inherit, no_inherit;
	bool accepted;		/* options for what rbtop always does */
	bool snapshot;		/* -S */
	const char *after_snapshot; /* the word after an -S without SIZE */
};

/* Handle an option; @arg: its argument or NULL.  0, or -errno with @err. */
typedef int cli_take_fn(struct cli_parsing *p, const char *arg,
			struct err *err);

struct cli_option {
	enum cli_section section;
	int letter;		/* 0: none */
	const char *name;	/* NULL: none */
	const char *arg;	/* in capitals, for -h; NULL: takes none; in
				 * brackets if it is optional */
	cli_take_fn *take;	/* NULL: it sets @flag, or adds @fields */
	size_t flag;		/* offset of a bool in struct cli_parsing */
	uint64_t fields;	/* PERF_SAMPLE_*; 0: use @flag */
	const char *help;
};

/* Whether the argument of @o is optional. */
static inline bool cli_optional(const struct cli_option *o)
{
	return o->arg && o->arg[0] == '[';
}

/* Add to the warning in p->cli. */
void cli_warn(struct cli_parsing *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The section TRACE, in cli_take_trace.c. */
cli_take_fn cli_take_trace_snapshot, cli_take_trace_full,
	cli_take_trace_filter, cli_take_trace_every, cli_take_trace_on,
	cli_take_trace_cooldown, cli_take_trace_output, cli_take_trace_keep,
	cli_take_trace_history, cli_take_trace_record, cli_take_trace_max_size,
	cli_take_trace_perf_version;

/* Advice for unknown options: those of perf, and misspelled ones. */

/*
 * What to use instead of an option of perf record or perf top, by its letter
 * (@name is NULL) or its long name.  NULL if neither has it, or rbtop has it.
 */
const char *cli_perf_advice(int letter, const char *name);

/*
 * The name of the option that is most similar to @name (without dashes, up to
 * "="), or NULL if none is.
 */
const char *cli_perf_nearest(const char *name);

/*
 * The options that start with @name, for example "--filter, --freq", in @buf:
 * as many as fit.  NULL if there are none.
 */
const char *cli_perf_begun(const char *name, char *buf, size_t size);

/* Where events are looked up; tracefs is only searched for when needed. */
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
