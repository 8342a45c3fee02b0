/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf's event syntax: "cpu-clock", "cycles:u", "r1a8", "L1-dcache-misses",
 * "sched:sched_*", "cpu/event=0x3c,period=1000,name=x/k", "{a,b}:u".
 */
#ifndef RBTOP_PERF_EVENT_EVENT_SPEC_H
#define RBTOP_PERF_EVENT_EVENT_SPEC_H

#include <limits.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpulist.h"

struct err;

/*
 * attr.aux_action (Linux 6.13), for the terms `aux-action=start-paused`,
 * `=pause` and `=resume`: a u32 of the attr that is reserved in older headers.
 */
enum {
	EVENT_AUX_START_PAUSED = 1,
	EVENT_AUX_PAUSE = 2,
	EVENT_AUX_RESUME = 4,
};
enum { EVENT_AUX_ACTION_OFFSET = 116 };
/* The offset is the same in headers that do not name the field. */
_Static_assert(EVENT_AUX_ACTION_OFFSET + sizeof(uint32_t) <=
		       sizeof(struct perf_event_attr),
	       "linux/perf_event.h of Linux 5.5 or newer");

/*
 * Where events are looked up; tests use directories of their own.  If @tracefs
 * is NULL, @find_tracefs (tracefs_path) returns it when a tracepoint is named;
 * if that is NULL too, tracepoints fail with an error that says what to do.
 */
struct event_env {
	const char *pmus;	/* PMU_DEVICES */
	const char *tracefs;	/* "/sys/kernel/tracing" */
	const char *(*find_tracefs)(struct err *err);
};

struct event_spec {
	char name[128];		/* as perf prints it, sanitized */
	struct perf_event_attr attr; /* type, config*, exclude_*, precise_ip;
				      * the session sets the sampling */
	bool tracepoint;
	bool wild;		/* matched by a glob: left out if the kernel
				 * refuses it */
	uint64_t period;	/* term `period=`; 0: not given */
	uint64_t freq;		/* term `freq=`; 0: not given */
	uint32_t raw_bytes;	/* of a tracepoint's fixed fields, else 0 */
	char pmu[64];		/* its PMU in sysfs; "" for other kinds */
	bool aux;		/* it writes to an AUX ring, so it has to own
				 * its ring: set by auxtrace_open() */
	bool call;		/* --snapshot-on call:FUNC: each sample wakes
				 * the reader; --all-user and --all-kernel do
				 * not apply */
	char *filter;		/* --filter, or NULL; owned */
	char *aux_filter;	/* --aux-filter, or NULL; owned */
	char *address_filter;	/* --aux-filter in the kernel's form, or NULL;
				 * owned; set by auxtrace_open() */
	char *cgroup;		/* -G, or NULL; owned */
	size_t leader;		/* index of the group's first event; its own
				 * index for a leader or a lone event */
	struct cpulist cpus;	/* the PMU's cpumask (uncore); empty: any */
};

struct event_list {
	struct event_spec *specs;
	size_t nr, room;
};

/*
 * Append the events and groups in @text, one -e argument, to @list.  A glob of
 * tracepoints appends every match.  Returns 0, or -errno with @err: ERR_USAGE
 * for bad syntax and for names that do not exist (the nearest known name is
 * suggested), ERR_MACHINE for what is missing on this machine (no such PMU,
 * tracefs not mounted or not readable).  @list is unchanged on failure.
 */
int event_list_parse(struct event_list *list, const char *text,
		     const struct event_env *env, struct err *err);

/* Append perf's default: cycles if there is a CPU PMU, else cpu-clock. */
int event_list_default(struct event_list *list, const struct event_env *env,
		       struct err *err);

/*
 * --filter TEXT: set the filter of the tracepoints of the last -e, as perf
 * does; AND it with one that is set already.  @from is the list's length before
 * the last -e.  Returns 0, -ENOMEM, or -EINVAL (ERR_USAGE) for bad syntax or if
 * there is no tracepoint, with @err.
 */
int event_list_filter(struct event_list *list, size_t from, const char *text,
		      struct err *err);

/*
 * --aux-filter TEXT: set the filter of those events of the last -e whose PMU
 * has a dynamic type (from PERF_TYPE_MAX on); several are joined with a comma.
 * auxtrace_open() reads it and checks whether the events can have one.  @from
 * as above.  0, -ENOMEM, or -EINVAL (ERR_USAGE) if there is no such event, with
 * @err.
 */
int event_list_aux_filter(struct event_list *list, size_t from,
			  const char *text, struct err *err);

/*
 * -G NAME[,NAME...]: cgroups for the events so far, in their order.  A single
 * name is for all events, an empty one means "none", as in perf.  0, -ENOMEM,
 * or -EINVAL (ERR_USAGE) if there are more names than events, with @err.
 */
int event_list_cgroups(struct event_list *list, const char *names,
		       struct err *err);

/* Whether one takes samples: those that trace do not. */
bool event_list_has_samples(const struct event_list *list);

/* Free the contents; the list is empty afterwards. */
void event_list_free(struct event_list *list);

/*
 * Parse the function in the text of --snapshot-on: "call:FUNC",
 * "call:PATH:FUNC" like uprobes in bpftrace, or "call:PATH:0xOFFSET"; "FUNC#N"
 * selects one of several functions of the same name.  No file is opened.
 */
struct call_spec {
	char path[PATH_MAX];	/* "": the target's own program; the kernel if
				 * all tasks are watched */
	char function[256];	/* "": @offset is given */
	int which;		/* N of "#N", 0 for "#g", -1: not given */
	uint64_t offset;	/* of an instruction, bytes in the file */
};

/* Whether @text starts with "call:"; the rest may still be invalid. */
bool call_spec_is(const char *text);

/*
 * Parse @text, which starts with "call:", into @spec.  PATH must contain a '/',
 * and ends at the first ':' after the first '/'; so the name of a function may
 * contain "::".  0, or -EINVAL with @err (ERR_USAGE).
 */
int call_spec_read(const char *text, struct call_spec *spec, struct err *err);

/* The rate at which events sample, and the kernel's limits on it. */

/* Zeroed: no event samples, nothing is known of the limits. */
struct event_rates {
	uint64_t freq;		/* of the first event that samples, Hz; 0: it
				 * has a period */
	uint64_t period;	/* its period; 0: it has a frequency */
	bool clock;		/* an event is a clock, whose period is in ns;
				 * else it is in events */
	uint64_t max;		/* kernel.perf_event_max_sample_rate, samples
				 * per second and CPU; 0: not known */
	unsigned int cpu_percent;	/* kernel.perf_cpu_time_max_percent:
					 * where sampling takes more of a CPU,
					 * the kernel lowers .most; 0: it does
					 * not */
};

/*
 * A clock above this frequency, Hz, may leave a CPU little time for anything
 * else: each sample is an interrupt, up to 50 us in a virtual machine, and the
 * kernel does not limit their time as it does for hardware events.
 */
enum { CLOCK_FREQ_SAFE = 20000 };

/* Tracepoint filter expressions. */

/*
 * The user's @filter (may be NULL) AND-ed with common_pid!=TID for each of
 * @tids, so that rbtop does not trace itself.  common_pid is a thread id.
 * Returns an allocation, or NULL if there is nothing to filter (@nr 0 and no
 * @filter) or no memory (errno ENOMEM).
 */
char *filter_without(const char *filter, const pid_t *tids, size_t nr);

/*
 * Check what can be checked without the kernel: balanced parentheses and
 * quotes, no control bytes, at most a page long, operators between operands.
 * 0, or -EINVAL (ERR_USAGE) with the column in @err.
 */
int filter_check(const char *filter, struct err *err);

#endif
