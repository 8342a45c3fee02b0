/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The features of a perf.data file: data that are not records.  All are
 * optional, except TRACING_DATA if there are tracepoint events.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_FEATURES_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_FEATURES_H

#include "trace/perfdata/perfdata_state.h"

/* Write the table and the features; sets their bits in @bits, zeroed. */
void perfdata_features_put(struct perfdata_writer *w,
			   const struct perfdata_machine *machine,
			   uint64_t bits[4]);

#endif
