/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The features of a perf.data file: data that are not records.  All are
 * optional, except TRACING_DATA if there are tracepoint events.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_FEATURES_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_FEATURES_H

#include "trace/perfdata/perfdata_state.h"

/*
 * Write the features that are known before any record, so that a checkpoint
 * need only write their table.
 */
void perfdata_features_put_ahead(struct perfdata_writer *w,
				 const struct perfdata_machine *machine);
/* Make the table of these.  Returns its size in bytes. */
size_t perfdata_features_table(const struct perfdata_writer *w,
			       struct perfdata_section table[PERFDATA_FEATURES]);
/*
 * Write the table of all features, and those that were not written ahead or
 * have changed since; sets their bits in @bits, zeroed.
 */
void perfdata_features_put(struct perfdata_writer *w,
			   const struct perfdata_machine *machine,
			   uint64_t bits[4]);

#endif
