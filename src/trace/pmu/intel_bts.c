/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intel Branch Trace Store: a record of 24 bytes for every branch.
 * tools/perf/arch/x86/util/intel-bts.c
 */
#include "trace/pmu/auxtrace.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

/* The words of AUXTRACE_INFO: tools/perf/util/intel-bts.h. */
enum {
	PMU_TYPE,
	TIME_CONV,		/* four words */
	SNAPSHOT_MODE = TIME_CONV + 4,
	INFO_WORDS
};

static bool bts_probe(const struct auxtrace_env *env, const char *pmu)
{
	(void)env;
	return !strcmp(pmu, "intel_bts");
}

/* A record does not tell which task it is of. */
static int bts_configure(const struct auxtrace_env *env,
			 const struct auxtrace *trace,
			 struct session_opts *session, struct event_spec *spec,
			 struct err *err)
{
	(void)env;
	(void)session;
	if (trace->per_cpu)
		return err_usage(err,
				 "intel_bts traces no CPUs, only threads: use --per-thread with -p, -t or a command");
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
	.probe = bts_probe,
	.configure = bts_configure,
	.info_size = bts_info_size,
	.info_fill = bts_info_fill,
	AUXTRACE_COMMON_OPS,
};
