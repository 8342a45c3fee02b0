/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots of simulated rings: the snapshot thread of live events on the
 * simulated kernel's session.  Of this machine there are in the files what
 * their headers say of it, and their names.
 *
 * Where no ring keeps anything there are none: sim->snapshots is NULL then,
 * and all but the request does nothing.
 */
#ifndef RBTOP_SIM_SIM_SNAPSHOTS_H
#define RBTOP_SIM_SIM_SNAPSHOTS_H

#include <stddef.h>

struct err;
struct request;
struct sim;
struct snapshots;
struct source_snapshots;
struct trigger;

/*
 * Before the collector, which is to have the trigger: what is asked for by
 * @from (borrowed).  0 or -errno with @err: something that a simulated kernel
 * cannot do, or no memory.
 */
int sim_snapshots_new(struct sim *sim, const struct source_snapshots *from,
		      struct err *err);
/* NULL: none. */
struct trigger *sim_snapshots_trigger(const struct sim *sim);
/* Once there are the CPUs.  0 or -errno with @err. */
int sim_snapshots_open(struct sim *sim, struct err *err);

/* Before the writer starts, and after.  0 or -errno with @err. */
int sim_snapshots_start(struct sim *sim, struct err *err);
void sim_snapshots_enabled(struct sim *sim);

/* See source_ops.request; -EOPNOTSUPP where no ring keeps anything. */
int sim_snapshots_request(struct sim *sim, const struct request *rq,
			  struct err *err);
/* CPU @i has another ring; on return nobody reads the old one. */
void sim_snapshots_replace(struct sim *sim, size_t i);

/* As of now; NULL: none can be taken. */
const struct snapshots *sim_snapshots_read(struct sim *sim);
/* The writer has stopped, all is drained: the one at the exit is taken. */
void sim_snapshots_finish(struct sim *sim);
/* End the thread, before the collector is freed; and free, after that. */
void sim_snapshots_close(struct sim *sim);
void sim_snapshots_free(struct sim *sim);

#endif
