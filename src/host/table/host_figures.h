/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What looks say of a row's ring: positions, counters, rates, peaks. */
#ifndef RBTOP_HOST_TABLE_HOST_FIGURES_H
#define RBTOP_HOST_TABLE_HOST_FIGURES_H

#include "host/table/host_pass.h"
#include "host/table/host_rows.h"

/*
 * What a look says.  @came as host_events_take() sets it.  The pass was made
 * at @mono.
 */
void host_figures_look(struct host_row_state *state,
		       const struct host_pass_ring *ring,
		       const struct host_came *came, enum host_change change,
		       double mono);

/* Whether it is another ring at the address of the one before. */
bool host_figures_differ(const struct host_row_state *state,
			 const struct host_pass_ring *ring);

/* Rates over the tick, which ends; histories. */
void host_figures_tick(struct host_row_state *state);

/* Peaks, gaps, histories begin anew. */
void host_figures_reset(struct host_row_state *state);

#endif
