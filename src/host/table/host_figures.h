/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row's figures from readings: positions, counters, rates, peaks. */
#ifndef RBTOP_HOST_TABLE_HOST_FIGURES_H
#define RBTOP_HOST_TABLE_HOST_FIGURES_H

#include "host/table/host_pass.h"
#include "host/table/host_rows.h"

/* Add a reading made at @mono.  @came is set by host_events_take(). */
void host_figures_look(struct host_row_state *state,
		       const struct host_pass_ring *ring,
		       const struct host_came *came, enum host_change change,
		       double mono);

/* Whether this is a different ring at the address of the previous one. */
bool host_figures_differ(const struct host_row_state *state,
			 const struct host_pass_ring *ring);

/* End the tick: compute rates and push histories. */
void host_figures_tick(struct host_row_state *state);

/* Reset peaks, gaps and histories. */
void host_figures_reset(struct host_row_state *state);

#endif
