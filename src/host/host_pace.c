/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_pace.h"

#include <math.h>

#include "host/table/host_pass.h"

/* Of one CPU: what passes may cost in all, and looking at everything alone. */
#define BUDGET		0.001
#define WHOLE_BUDGET	0.0005

#define SHORTEST	0.1	/* seconds between passes */
#define WHOLE_LONGEST	5.0	/* between those over all processes */
#define MAPPINGS_EVERY	5.0	/* a ring without a descriptor may be new */
#define MAPPINGS_LONGEST	20.0	/* where that is dear */
#define MAPPINGS_BUDGET	0.0005
#define LIMITS_LONGEST	60.0	/* of each owner, from /proc */
#define LIMITS_BUDGET	0.0005
#define PROC_SHORTEST	1.0	/* /proc tells nothing that changes fast */

void host_pace_init(struct host_pace *pace, double interval, bool bpf,
		    bool can_pick)
{
	*pace = (struct host_pace){
		.interval = interval > 0 ? interval : 1,
		.bpf = bpf,
		.can_pick = can_pick,
	};
}

/* Each process apart may be dearer than all of them at once. */
static bool whole_is_due(const struct host_pace *pace, double now)
{
	return !pace->can_pick || now >= pace->next_whole ||
	       (pace->known_cost > 0 && pace->whole_cost <= pace->known_cost);
}

void host_pace_due(struct host_pace *pace, double now, unsigned int wants,
		   struct host_look *due)
{
	/* A ring that has just come has an owner, whom its mapping tells. */
	bool owners = pace->changed || now >= pace->next_mappings;

	*due = (struct host_look){
		.now = now,
		.parts = HOST_FILES | HOST_MAPS | wants,
		.whole = owners || whole_is_due(pace, now),
		.limits = owners && now >= pace->next_limits,
		.usual = !owners,
	};
	if (owners) {
		due->parts |= HOST_MAPPINGS;
		pace->next_mappings = now + MAPPINGS_EVERY;
	}
	if (!pace->bpf)
		due->parts = HOST_ALL;
}

/* A mean that is not thrown by a pass that was held up. */
static void smooth(double *mean, double value)
{
	*mean = *mean > 0 ? *mean + (fmin(value, 2 * *mean) - *mean) / 8 :
			    value;
}

static double clamp(double value, double least, double most)
{
	return fmin(fmax(value, least), fmax(least, most));
}

/*
 * What a pass costs is made good by the time until the next.  What unusual
 * ones cost beyond that is made good by and by, lest one of them delays all.
 */
static double pay(struct host_pace *pace, const struct host_look *due,
		  double cpu)
{
	double most = fmax(pace->interval, 1), wait;

	if (!due->usual)
		pace->debt += fmax(cpu - pace->cost, 0) / BUDGET;
	wait = fmax(pace->cost / BUDGET, SHORTEST);
	wait += fmin(pace->debt, wait);
	wait = fmin(wait, most);
	pace->debt = clamp(pace->debt - (wait - pace->cost / BUDGET), 0,
			   MAPPINGS_EVERY);
	return wait;
}

/* What is not looked at in most passes is so as rarely as it is dear. */
static void set_rare(struct host_pace *pace, const struct host_look *due,
		     double cpu)
{
	double more = fmax(cpu - due->limits_cpu - pace->cost, 0);

	if (!due->usual)
		pace->next_mappings = due->now +
			clamp(more / MAPPINGS_BUDGET, MAPPINGS_EVERY,
			      MAPPINGS_LONGEST);
	if (due->limits)
		pace->next_limits = due->now +
			clamp(due->limits_cpu / LIMITS_BUDGET, 0,
			      LIMITS_LONGEST);
}

double host_pace_done(struct host_pace *pace, const struct host_look *due,
		      size_t rings, double cpu)
{
	double wait;

	if (pace->bpf)
		set_rare(pace, due, cpu);
	if (due->usual) {
		smooth(&pace->cost, cpu);
		smooth(due->whole ? &pace->whole_cost : &pace->known_cost, cpu);
	}
	if (due->whole) {
		pace->changed = rings != pace->rings;
		pace->rings = rings;
	}
	if (!pace->bpf)
		return clamp(cpu / BUDGET, PROC_SHORTEST, WHOLE_LONGEST);
	wait = pay(pace, due, cpu);
	if (due->whole)
		pace->next_whole = due->now +
			clamp(pace->whole_cost / WHOLE_BUDGET - wait / 2, 0,
			      WHOLE_LONGEST);
	return wait;
}
