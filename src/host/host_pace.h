/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides how often rings are read, and how many processes are visited, so that
 * the cost stays below a share of one CPU.  Ten passes per second if they are
 * cheap; if there are many file descriptors, all processes are visited less
 * often, and only those known to hold rings in between.  Pure: time and cost
 * are arguments.
 */
#ifndef RBTOP_HOST_HOST_PACE_H
#define RBTOP_HOST_HOST_PACE_H

#include <stdbool.h>
#include <stddef.h>

struct host_pace {
	double interval;	/* longest seconds between passes, if
				 * affordable */
	bool bpf, can_pick;	/* see host_bpf_can_pick() */
	double budget;		/* 1: the usual share of a CPU */
	double cost;		/* CPU seconds of a usual pass, smoothed; 0:
				 * unknown */
	double whole_cost, known_cost;	/* the same of whole passes, and of
					 * passes over known processes */
	double debt;		/* seconds of delay owed for unusual passes */
	double next_whole;	/* due times on the caller's clock */
	double next_mappings;
	double next_limits;
	size_t rings;		/* found by the last whole pass */
	bool changed;		/* a different number than the pass before */
};

/* A pass that is due. */
struct host_due {
	double now;
	unsigned int parts;	/* bits of enum host_part */
	bool whole;
	bool limits;		/* read the limits of processes that map rings;
				 * always with mappings, which show these */
	bool usual;		/* of the common kind: measures the cost */
	double limits_cpu;	/* CPU seconds that reading limits took; set by
				 * the caller */
};

void host_pace_init(struct host_pace *pace, double interval, bool bpf,
		    bool can_pick);

/* @wants: the result of host_table_wants(). */
void host_pace_due(struct host_pace *pace, double now, unsigned int wants,
		   struct host_due *due);

/*
 * Report that @due was done, found @rings and took @cpu seconds.  Returns the
 * seconds to wait until the next pass.
 */
double host_pace_done(struct host_pace *pace, const struct host_due *due,
		      size_t rings, double cpu);

#endif
