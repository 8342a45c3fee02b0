/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often the machine is looked at, and at how much of it, so that it costs
 * no more than a share of one CPU.  Ten looks a second where they are cheap;
 * where descriptors are many, all processes are looked at more rarely and only
 * those that are known to hold rings in between.  Pure: time and cost are
 * arguments.
 */
#ifndef RBTOP_HOST_HOST_PACE_H
#define RBTOP_HOST_HOST_PACE_H

#include <stdbool.h>
#include <stddef.h>

struct host_pace {
	double interval;	/* seconds between passes at most, wanted */
	bool bpf, can_pick;	/* see host_bpf_can_pick() */
	double cost;		/* CPU seconds of a usual pass, smoothed; 0:
				 * not known yet */
	double whole_cost, known_cost;	/* of either kind */
	double debt;		/* seconds that unusual passes have to be paid
				 * for with */
	double next_whole;	/* when, on the caller's clock */
	double next_mappings;
	double next_limits;
	size_t rings;		/* of the last whole pass */
	bool changed;		/* there were more or fewer before it */
};

/* What is due. */
struct host_look {
	double now;
	unsigned int parts;	/* bits of enum host_part */
	bool whole;
	bool limits;		/* of those who map rings: they come with the
				 * mappings, which tell who that is */
	bool usual;		/* as most passes are: a measure of their cost */
	double limits_cpu;	/* CPU seconds that limits took: set by who
				 * reads them */
};

void host_pace_init(struct host_pace *pace, double interval, bool bpf,
		    bool can_pick);

/* @wants: what host_table_wants() says. */
void host_pace_due(struct host_pace *pace, double now, unsigned int wants,
		   struct host_look *due);

/*
 * @due was done, found @rings and took @cpu seconds.  Returns the seconds to
 * wait.
 */
double host_pace_done(struct host_pace *pace, const struct host_look *due,
		      size_t rings, double cpu);

#endif
