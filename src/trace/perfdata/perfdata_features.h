/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The features of a perf.data file: what is not in its records.  All are
 * optional but TRACING_DATA, where an event is a tracepoint.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_FEATURES_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_FEATURES_H

#include "trace/perfdata/perfdata_state.h"

/* Write the table of them and them; @bits, zeroed, says which are there. */
void perfdata_features_put(struct perfdata_writer *w,
			   const struct perfdata_machine *machine,
			   uint64_t bits[4]);

#endif
