/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arm's Statistical Profiling Extension: records of sampled operations.  There
 * may be a PMU arm_spe_N for each type of core, each with its own CPUs.
 * tools/perf/arch/arm64/util/arm-spe.c
 */
#include "trace/pmu/auxtrace.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/event/pmu.h"

/* Words of AUXTRACE_INFO: tools/perf/util/arm-spe.h.  Version 1, unnumbered. */
enum { V1_PMU_TYPE, V1_PER_CPU, V1_WORDS };
/* Version 2: the header, and the words of each CPU. */
enum { INFO_VERSION, HEADER_SIZE, PMU_TYPE, NR_CPUS, V2_WORDS };
enum { MAGIC, CPU, NR_PARAMS, MIDR, CPU_TYPE, MIN_INTERVAL, EVENT_FILTER };

enum {
	/* the first perf that reads version 2, and that knows EVENT_FILTER */
	PERF_VERSION_2 = AUXTRACE_PERF(6, 13),
	PERF_EVENT_FILTER = AUXTRACE_PERF(6, 18),
	/* of PMSIDR_EL1.INTERVAL, if the driver has no caps/min_interval */
	LARGEST_INTERVAL = 4096,
};

#define PMU_NAMES "arm_spe_*"
#define CPU_MAGIC 0x1010101010101010ULL

static int spe_configure(const struct auxtrace_env *env,
			 const struct auxtrace *trace,
			 struct session_opts *session, struct event_spec *spec,
			 struct err *err)
{
	struct perf_event_attr *attr = &spec->attr;
	uint64_t given = auxtrace_given(env, spec);
	uint64_t timestamps = auxtrace_term_mask(env, spec->pmu, "ts_enable");

	if (spec->freq)
		return err_usage(err,
				 "%s takes no frequency: give it a period, as in %s/period=4096/",
				 spec->pmu, spec->pmu);
	if (!spec->period)
		spec->period = session->period;
	if (!spec->period &&
	    pmu_number(env->pmus, spec->pmu, "caps/min_interval", false,
		       &spec->period))
		spec->period = LARGEST_INTERVAL;
	if (trace->per_cpu) {
		attr->config |= timestamps & ~given;
		session->switch_events = true;
	}
	/* perf's decoder sets these in the samples it makes */
	attr->sample_type |= PERF_SAMPLE_DATA_SRC;
	if (attr->config & auxtrace_term_mask(env, spec->pmu, "pa_enable"))
		attr->sample_type |= PERF_SAMPLE_PHYS_ADDR;
	return 0;
}

static size_t nr_params(const struct auxtrace_info *from)
{
	return from->trace->perf >= PERF_EVENT_FILTER ?
		       EVENT_FILTER + 1 - MIDR :
		       MIN_INTERVAL + 1 - MIDR;
}

static size_t spe_info_size(const struct auxtrace_info *from)
{
	if (from->trace->perf < PERF_VERSION_2)
		return V1_WORDS;
	return V2_WORDS + from->cpus->nr * (MIDR + nr_params(from));
}

/* Finds the PMU of a CPU. */
struct search {
	const struct auxtrace_env *env;
	int cpu;
	char pmu[NAME_MAX + 1];
};

static int has_cpu(void *ctx, const char *pmu)
{
	struct search *s = ctx;
	struct cpulist cpus;
	bool found;

	if (fnmatch(PMU_NAMES, pmu, 0) ||
	    pmu_cpus(s->env->pmus, pmu, &cpus, NULL))
		return 0;
	found = cpulist_has(&cpus, s->cpu);
	cpulist_free(&cpus);
	if (found)
		snprintf(s->pmu, sizeof(s->pmu), "%s", pmu);
	return found;
}

static uint64_t midr_of(const struct auxtrace_env *env, int cpu)
{
	char path[PATH_MAX];
	long long midr;
	int n;

	n = snprintf(path, sizeof(path),
		     "%s/cpu%d/regs/identification/midr_el1", env->cpus, cpu);
	if (n < 0 || (size_t)n >= sizeof(path) || sys_read_number(path, &midr))
		return 0;
	return (uint64_t)midr;
}

static void fill_cpu(const struct auxtrace_info *from, uint64_t *words, int cpu)
{
	struct search s = { .env = from->env, .cpu = cpu };
	uint32_t type;

	words[MAGIC] = CPU_MAGIC;
	words[CPU] = (uint64_t)cpu;
	words[NR_PARAMS] = nr_params(from);
	words[MIDR] = midr_of(from->env, cpu);
	words[CPU_TYPE] = UINT64_MAX;
	if (!pmu_each(from->env->pmus, has_cpu, &s) ||
	    pmu_type(from->env->pmus, s.pmu, &type, NULL))
		return;
	words[CPU_TYPE] = type;
	pmu_number(from->env->pmus, s.pmu, "caps/min_interval", false,
		   &words[MIN_INTERVAL]);
	if (words[NR_PARAMS] > EVENT_FILTER - MIDR)
		pmu_number(from->env->pmus, s.pmu, "caps/event_filter", true,
			   &words[EVENT_FILTER]);
}

static int spe_info_fill(const struct auxtrace_info *from, uint64_t *priv,
			 size_t words, struct err *err)
{
	if (words != spe_info_size(from))
		return err_set(err, -EINVAL, "arm_spe: %zu words of info",
			       words);
	memset(priv, 0, words * sizeof(*priv));
	if (from->trace->perf < PERF_VERSION_2) {
		/* perf does not set V1_PER_CPU either */
		priv[V1_PMU_TYPE] = from->attr->type;
		return 0;
	}
	priv[INFO_VERSION] = 2;
	priv[HEADER_SIZE] = V2_WORDS;
	priv[PMU_TYPE] = from->attr->type;
	priv[NR_CPUS] = from->cpus->nr;
	for (size_t i = 0; i < from->cpus->nr; i++)
		fill_cpu(from, priv + V2_WORDS + i * (MIDR + nr_params(from)),
			 from->cpus->cpus[i]);
	return 0;
}

const struct auxtrace_ops auxtrace_arm_spe = {
	.name = "Arm SPE",
	.type = 4,
	/*
	 * The driver requires an even number of pages
	 * (arm_spe_pmu_setup_aux()).
	 */
	.min_bytes = 8 << 10,
	.min_snapshot_bytes = 8 << 10,
	.alignment = 1,
	.several = true,
	.pmu = PMU_NAMES,
	.configure = spe_configure,
	.info_size = spe_info_size,
	.info_fill = spe_info_fill,
	AUXTRACE_COMMON_OPS,
};
