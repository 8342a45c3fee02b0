/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_pace.h"

#include <math.h>

#include "host/table/host.h"

/* Shares of one CPU: for all passes, and for passes over all processes. */
#define BUDGET		0.001
#define WHOLE_BUDGET	0.0005

#define SHORTEST	0.1	/* seconds between passes */
#define WHOLE_LONGEST	5.0	/* between passes over all processes */
#define MAPPINGS_EVERY	5.0	/* a new ring may have no descriptor */
#define MAPPINGS_LONGEST	20.0	/* if that is expensive */
#define MAPPINGS_BUDGET	0.0005
#define LIMITS_LONGEST	60.0	/* between reading limits from /proc */
#define LIMITS_BUDGET	0.0005
#define PROC_SHORTEST	1.0	/* /proc has no figures that change fast */

void host_pace_init(struct host_pace *pace, double interval, bool bpf,
		    bool can_pick)
{
	*pace = (struct host_pace){
		.interval = interval > 0 ? interval : 1,
		.bpf = bpf,
		.can_pick = can_pick,
		.budget = 1,
	};
}

/* Many single processes may cost more than all of them at once. */
static bool whole_is_due(const struct host_pace *pace, double now)
{
	return !pace->can_pick || now >= pace->next_whole ||
	       (pace->known_cost > 0 && pace->whole_cost <= pace->known_cost);
}

void host_pace_due(struct host_pace *pace, double now, unsigned int wants,
		   struct host_due *due)
{
	/* The mapping of a new ring shows its owner. */
	bool owners = pace->changed || now >= pace->next_mappings;

	*due = (struct host_due){
		.now = now,
		.parts = HOST_FILES | HOST_MAPS | wants,
		.whole = owners || whole_is_due(pace, now),
		.limits = owners && now >= pace->next_limits,
		.usual = !owners,
	};
	if (owners) {
		due->parts |= HOST_MAPPINGS | HOST_PROGRAMS;
		pace->next_mappings = now + MAPPINGS_EVERY;
	}
	if (!pace->bpf)
		due->parts = HOST_ALL;
}

/* A mean that a single delayed pass does not distort. */
static void smooth(double *mean, double value)
{
	*mean = *mean > 0 ? *mean + (fmin(value, 2 * *mean) - *mean) / 8 :
			    value;
}

static double clamp(double value, double min, double max)
{
	return fmin(fmax(value, min), fmax(min, max));
}

/*
 * The time until the next pass pays for the cost of this one.  The extra cost
 * of unusual passes is spread over several intervals, so that none is long.
 */
static double pay(struct host_pace *pace, const struct host_due *due,
		  double cpu)
{
	double max = fmax(pace->interval, 1), wait;
	double paid = pace->cost / (BUDGET * pace->budget);

	if (!due->usual)
		pace->debt += fmax(cpu - pace->cost, 0) /
			      (BUDGET * pace->budget);
	wait = fmax(paid, SHORTEST);
	wait += fmin(pace->debt, wait);
	wait = fmin(wait, max);
	pace->debt = clamp(pace->debt - (wait - paid), 0, MAPPINGS_EVERY);
	return wait;
}

/* Parts that are read rarely: the more they cost, the more rarely. */
static void set_rare(struct host_pace *pace, const struct host_due *due,
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

double host_pace_done(struct host_pace *pace, const struct host_due *due,
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
		return clamp(cpu / (BUDGET * pace->budget),
			     PROC_SHORTEST / pace->budget, WHOLE_LONGEST);
	wait = pay(pace, due, cpu);
	if (due->whole)
		pace->next_whole = due->now +
			clamp(pace->whole_cost /
			      (WHOLE_BUDGET * pace->budget) - wait / 2,
			      0, WHOLE_LONGEST);
	return wait;
}
