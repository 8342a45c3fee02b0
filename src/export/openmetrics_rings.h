/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of rings of any owner. */
#ifndef RBTOP_EXPORT_OPENMETRICS_RINGS_H
#define RBTOP_EXPORT_OPENMETRICS_RINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "export/openmetrics_put.h"
#include "ring/ring_row.h"

/* Labels that identify a ring and never change: each is a new series. */
void openmetrics_rings_labels(struct openmetrics_labels *labels,
			      const void *row);

/*
 * Write the @nr rows: owners, figures, figures of AUX rings.  @foreign: they
 * are other programs' rings.  0, or -ENOMEM with part of it written.
 */
int openmetrics_rings_put(const struct ring_row *rows, size_t nr, bool foreign,
			  const struct openmetrics_out *out);

/* What their events have lost, where that is known. */
void openmetrics_rings_events(const struct ring_row *rows, size_t nr,
			      bool foreign, const struct openmetrics_out *out);

/* What other programs' rings sum up to, those that are gone included.  So. */
int openmetrics_rings_total(const struct ring_row *total,
			    const struct openmetrics_out *out);

#endif
