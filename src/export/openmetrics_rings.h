/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of rings as metrics, whoever owns the rings. */
#ifndef RBTOP_EXPORT_OPENMETRICS_RINGS_H
#define RBTOP_EXPORT_OPENMETRICS_RINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "export/openmetrics_put.h"
#include "ring/ring_row.h"

/* What tells rings apart, and stays: another label is another series. */
void openmetrics_rings_labels(struct openmetrics_labels *labels,
			      const void *row);

/*
 * The @nr rows: whose they are, their figures, those of their AUX rings.
 * @foreign: they are other programs'.  0, or -ENOMEM with some of it written.
 */
int openmetrics_rings_put(const struct ring_row *rows, size_t nr, bool foreign,
			  const struct openmetrics_out *out);

#endif
