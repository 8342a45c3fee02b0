/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intel Branch Trace Store: a record of 24 bytes for each branch.
 * tools/perf/arch/x86/util/intel-bts.c
 */
#include "trace/pmu/auxtrace.h"

#include <errno.h>

#include "base/err.h"

/* Words of AUXTRACE_INFO: tools/perf/util/intel-bts.h. */
enum {
	PMU_TYPE,
	TIME_CONV,		/* four words */
	SNAPSHOT_MODE = TIME_CONV + 4,
	INFO_WORDS
};

/* Records do not contain the task, so CPUs cannot be traced. */
static int bts_configure(const struct auxtrace_env *env,
			 const struct auxtrace *trace,
			 struct session_opts *session, struct event_spec *spec,
			 struct err *err)
{
	(void)env;
	(void)session;
	if (trace->per_cpu)
		return err_usage(err,
				 "intel_bts traces only threads, not CPUs: use --per-thread with -p, -t or a command");
	auxtrace_period_one(spec);
	return 0;
}

static size_t bts_info_size(const struct auxtrace_info *from)
{
	(void)from;
	return INFO_WORDS;
}

static int bts_info_fill(const struct auxtrace_info *from, uint64_t *priv,
			 size_t words, struct err *err)
{
	if (words != INFO_WORDS)
		return err_set(err, -EINVAL, "intel_bts: %zu words of info",
			       words);
	priv[PMU_TYPE] = from->attr->type;
	auxtrace_info_conv(&from->conv, &priv[TIME_CONV]);
	priv[SNAPSHOT_MODE] = from->trace->overwrite;
	return 0;
}

const struct auxtrace_ops auxtrace_intel_bts = {
	.name = "Intel BTS",
	.type = 2,
	.min_bytes = 8 << 10,
	.min_snapshot_bytes = 4 << 10,
	.alignment = 24,
	.pmu = "intel_bts",
	.configure = bts_configure,
	.info_size = bts_info_size,
	.info_fill = bts_info_fill,
	AUXTRACE_COMMON_OPS,
};
