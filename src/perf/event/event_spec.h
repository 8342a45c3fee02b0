/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf's event syntax: "cpu-clock", "cycles:u", "r1a8", "L1-dcache-misses",
 * "sched:sched_*", "cpu/event=0x3c,period=1000,name=x/k", "{a,b}:u".
 */
#ifndef RBTOP_PERF_EVENT_EVENT_SPEC_H
#define RBTOP_PERF_EVENT_EVENT_SPEC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpulist.h"

struct err;

/*
 * attr.aux_action (Linux 6.13), of terms `aux-action=start-paused`, `=pause`
 * and `=resume`: a u32 of the attr that older headers call reserved.
 */
enum {
	EVENT_AUX_START_PAUSED = 1,
	EVENT_AUX_PAUSE = 2,
	EVENT_AUX_RESUME = 4,
};
enum { EVENT_AUX_ACTION_OFFSET = 116 };
/* The kernel calls it that from 6.13 on, and the bytes stay the same. */
_Static_assert(EVENT_AUX_ACTION_OFFSET + sizeof(uint32_t) <=
		       sizeof(struct perf_event_attr),
	       "linux/perf_event.h of Linux 5.5 or newer");

/*
 * Where events are looked up; tests point it at trees of their own.  @tracefs
 * may be NULL: then @find_tracefs (tracefs_path) is asked for it, once a
 * tracepoint is named; where that is NULL too, tracepoints fail with the
 * remedy.
 */
struct event_env {
	const char *pmus;	/* "/sys/bus/event_source/devices" */
	const char *tracefs;	/* "/sys/kernel/tracing" */
	const char *(*find_tracefs)(struct err *err);
};

struct event_spec {
	char name[128];		/* as perf would print it, sanitized */
	struct perf_event_attr attr; /* type, config*, exclude_*, precise_ip;
				      * sampling is the session's matter */
	bool tracepoint;
	bool wild;		/* one of those that a glob names: not missed
				 * where the kernel refuses it */
	uint64_t period;	/* of a term `period=`; 0: none given */
	uint64_t freq;		/* of a term `freq=`; 0: none given */
	uint32_t raw_bytes;	/* of a tracepoint's fixed fields, else 0 */
	char pmu[64];		/* whose it is, of sysfs; "" for other kinds */
	bool aux;		/* it writes to an AUX ring, which it then has
				 * to own: set by auxtrace_open() */
	bool call;		/* of --snapshot-on call:FUNC: each sample wakes
				 * the reader; --all-user and --all-kernel do
				 * not apply */
	char *filter;		/* --filter, or NULL; owned */
	char *aux_filter;	/* --aux-filter, or NULL; owned */
	char *address_filter;	/* the same as the kernel takes it, or NULL;
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
 * Append what @text (one -e argument: events and groups between commas) names
 * to @list.  Globs of tracepoints append every match.  Returns 0, or -errno
 * with @err: ERR_USAGE for bad syntax and for names that do not exist (the
 * nearest known name is offered), ERR_MACHINE for what this machine lacks
 * (no such PMU, tracefs not mounted or not readable).  @list then holds what
 * it held before.
 */
int event_list_parse(struct event_list *list, const char *text,
		     const struct event_env *env, struct err *err);

/*
 * perf's default: cycles where a CPU PMU exists, else cpu-clock.  Appends it.
 */
int event_list_default(struct event_list *list, const struct event_env *env,
		       struct err *err);

/*
 * --filter TEXT: attach to the last tracepoint events parsed (those of the
 * last -e), as perf does.  AND-ed where one is there.  @from is the list's
 * length before the last -e.  Returns 0, -ENOMEM, or -EINVAL (ERR_USAGE)
 * where there is no tracepoint to carry it.
 */
int event_list_filter(struct event_list *list, size_t from, const char *text,
		      struct err *err);

/*
 * --aux-filter TEXT: attach to those of the last -e that are of a PMU of its
 * own (type from PERF_TYPE_MAX on); more than one are joined with a comma.
 * Read by auxtrace_open(), which knows whether they can have one.  @from as
 * above.  0, -ENOMEM, or -EINVAL (ERR_USAGE) where there is none to carry it.
 */
int event_list_aux_filter(struct event_list *list, size_t from,
			  const char *text, struct err *err);

/*
 * -G NAME[,NAME...]: cgroups for the events defined so far, in their order;
 * one name serves all, an empty one means "none", as in perf.
 */
int event_list_cgroups(struct event_list *list, const char *names,
		       struct err *err);

/* Free what it holds; it is empty then. */
void event_list_free(struct event_list *list);

#endif
