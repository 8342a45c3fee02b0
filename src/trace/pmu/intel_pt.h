/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the AUXTRACE_INFO of Intel PT, of this machine's PMU or any other. */
#ifndef RBTOP_TRACE_PMU_INTEL_PT_H
#define RBTOP_TRACE_PMU_INTEL_PT_H

#include <stddef.h>
#include <stdint.h>

#include "perf/abi/perf_clock.h"
#include "trace/pmu/auxtrace.h"

struct err;

/* The first five are masks in attr.config; 0: the PMU has no such term. */
struct intel_pt_pmu {
	uint64_t tsc, noretcomp, mtc, mtc_period, cyc;
	uint64_t ctc_n, ctc_d;	/* ratio of the TSC to the clock that MTC
				 * counts */
	uint64_t max_nonturbo_ratio;	/* 0: unknown */
	uint64_t event_trace;
};

/* auxtrace_ops.info_size and .info_fill for @pmu. */
size_t intel_pt_info_size(const struct auxtrace_info *from);
int intel_pt_info(const struct auxtrace_info *from,
		  const struct intel_pt_pmu *pmu, uint64_t *priv, size_t words,
		  struct err *err);

/*
 * auxtrace_ops.oldest: the age of a piece of trace, by the TSC packet after the
 * first PSB.  Pure.
 */
uint64_t intel_pt_oldest(const struct perf_time_conv *conv, uint64_t now,
			 const unsigned char *trace, size_t len);

#endif
