/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Observations that show which size a ring needs, and advice from them. */
#ifndef RBTOP_HOST_TABLE_HOST_EVIDENCE_H
#define RBTOP_HOST_TABLE_HOST_EVIDENCE_H

#include "host/table/host_advice.h"
#include "host/table/host_gaps.h"
#include "host/table/host_pass.h"
#include "host/table/host_rows.h"

/* A fill above this is nearly full. */
#define HOST_EVIDENCE_FULL 0.75

/*
 * Call both for each reading: the first before its positions become the
 * previous ones, the second when the increments are known, and in the gaps.
 */
void host_evidence_records(struct host_row_state *state,
			   const struct host_pass_ring *ring,
			   const struct host_came *came,
			   enum host_change change);
void host_evidence_look(struct host_row_state *state,
			const struct host_gap_look *look,
			enum host_change change);

/* Start again at @mono. */
void host_evidence_reset(struct host_row_state *state, double mono);

/* Mean bytes of a record; 0: unknown. */
uint64_t host_evidence_record(const struct host_row_state *state);

/* Input for the advice on a row of the picture. */
struct host_evidence {
	struct ring_row *row;
	struct host_advice_input in;
	struct host_span lately; /* looks 0: nothing is known */
};

/* Fill @evidence, except for the row. */
void host_evidence_sum(const struct host_row_state *state,
		       uint64_t page_size, struct host_evidence *evidence);

/*
 * Set the advice of the picture's rows; sorts @all by owner and size.  The
 * rings of an owner are judged together: one reader may serve them all, and
 * they share a setting.
 */
void host_evidence_advise(struct host_evidence *all, size_t nr);

#endif
