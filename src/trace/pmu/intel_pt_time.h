/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The age of a piece of Intel PT trace, from its packets.  Pure. */
#ifndef RBTOP_TRACE_PMU_INTEL_PT_TIME_H
#define RBTOP_TRACE_PMU_INTEL_PT_TIME_H

#include <stddef.h>
#include <stdint.h>

#include "perf/abi/perf_clock.h"

/* See auxtrace_ops.oldest; the TSC packet after the first PSB is used. */
uint64_t intel_pt_oldest(const struct perf_time_conv *conv, uint64_t now,
			 const unsigned char *trace, size_t len);

#endif
