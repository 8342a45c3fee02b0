/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots of simulated rings: the snapshot thread of live events on the
 * simulated kernel's session.  The files' headers and names contain data of
 * this machine, nothing else.
 *
 * If no ring keeps data there are no snapshots: sim->snapshots is NULL then,
 * and all functions except the request do nothing.
 */
#ifndef RBTOP_SIM_SIM_SNAPSHOTS_H
#define RBTOP_SIM_SIM_SNAPSHOTS_H

#include <stddef.h>

struct err;
struct request;
struct sim;
struct source_snapshots;

/*
 * Make what @from (borrowed) requests, before the collector, which gets the
 * trigger.  0 or -errno with @err: something that the simulated kernel cannot
 * do, or no memory.
 */
int sim_snapshots_new(struct sim *sim, const struct source_snapshots *from,
		      struct err *err);
/* Call when the CPUs exist.  0 or -errno with @err. */
int sim_snapshots_open(struct sim *sim, struct err *err);

/* Call before the writer starts; and after.  0 or -errno with @err. */
int sim_snapshots_start(struct sim *sim, struct err *err);
void sim_snapshots_enabled(struct sim *sim);

/* See source_ops.request; -EOPNOTSUPP if no ring keeps data. */
int sim_snapshots_request(struct sim *sim, const struct request *rq,
			  struct err *err);
/* CPU @i has another ring; on return the old one is no longer read. */
void sim_snapshots_replace(struct sim *sim, size_t i);

/* Once the thread has ended, and the collector is freed. */
void sim_snapshots_free(struct sim *sim);

#endif
