/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was seen that tells which size a ring needs, and the advice made of it.
 */
#ifndef RBTOP_HOST_TABLE_HOST_EVIDENCE_H
#define RBTOP_HOST_TABLE_HOST_EVIDENCE_H

#include "host/table/host_advice.h"
#include "host/table/host_gaps.h"
#include "host/table/host_pass.h"
#include "host/table/host_rows.h"

/* A ring with a larger share in it is nearly full. */
#define HOST_EVIDENCE_FULL 0.75

/*
 * Both belong to each look, the first before its positions are taken over as
 * the last, the second once it is known what came.
 */
void host_evidence_records(struct host_row_state *state,
			   const struct host_pass_ring *ring,
			   const struct host_came *came,
			   enum host_change change);
void host_evidence_look(struct host_row_state *state,
			const struct host_gap_look *look,
			enum host_change change);

/* Begin anew, at @mono. */
void host_evidence_reset(struct host_row_state *state, double mono);

/* Bytes of a record on average; 0: not known. */
uint64_t host_evidence_record(const struct host_row_state *state);

/* What advice on a row of the picture is made of. */
struct host_evidence {
	struct ring_row *row;
	struct host_advice_input in;
	struct host_span lately; /* looks: 0 where nothing is known */
};

/* All of @evidence but the row. */
void host_evidence_sum(const struct host_row_state *state,
		       uint64_t page_size, struct host_evidence *evidence);

/*
 * The advice of the picture's rows; @all is sorted by owner and size.  Rings of
 * one owner are judged together: one reader may serve them all, and they share
 * a setting.
 */
void host_evidence_advise(struct host_evidence *all, size_t nr);

#endif
