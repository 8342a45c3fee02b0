/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arm CoreSight: an Embedded Trace Macrocell on each CPU, version 3 or 4, or
 * the Embedded Trace Extension.  A decoder needs the configuration of each.
 * tools/perf/arch/arm/util/cs-etm.c
 */
#include "trace/pmu/auxtrace.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "perf/event/pmu.h"
#include "task/task_history.h"

/* Words of AUXTRACE_INFO: tools/perf/util/cs-etm.h. */
enum { INFO_VERSION, TYPE_AND_CPUS, SNAPSHOT, HEADER_WORDS };
/* Words of each CPU; what follows depends on the kind of macrocell. */
enum { MAGIC, CPU, NR_PARAMS, PARAMS };

/* Bytes of a frame of the formatter (TMC, TPIU). */
enum { FRAME = 16 };

enum {
	/*
	 * perf 6.4 and newer takes trace IDs from AUX_OUTPUT_HW_ID records if
	 * there are any, and reads version 2 of the header.  Older versions
	 * refuse a header version above 1, and take trace IDs from
	 * AUXTRACE_INFO only.
	 */
	PERF_HW_IDS = AUXTRACE_PERF(6, 4),
	/* From 6.12 on, TRACE_ID_UNUSED is not set: it has no meaning. */
	PERF_NO_FLAG = AUXTRACE_PERF(6, 12),
	/* IDs from 0x70 on, the legacy IDs from CPU 48 on, are reserved. */
	LAST_ID = 0x6f,
	LEGACY_CPUS = 48,
};

/*
 * Marks a trace ID that is not from a record: perf creates a decoder for it
 * only if no record in the file has a trace ID.
 */
#define TRACE_ID_UNUSED (1ULL << 31)

/* Bits of attr.config for all kinds: include/linux/coresight-pmu.h. */
#define OPT_BRANCH_BROADCAST (1ULL << 8)
#define OPT_CYCACC (1ULL << 12)
#define OPT_CTXTID (1ULL << 14)
#define OPT_CTXTID2 (1ULL << 15)
#define OPT_TS (1ULL << 28)
#define OPT_RETSTK (1ULL << 29)

/* Read-only registers that follow config and trace ID. */
static const char *const etm3_registers[] = { "mgmt/etmccer", "mgmt/etmidr" };
static const char *const etm4_registers[] = {
	"trcidr/trcidr0", "trcidr/trcidr1",	"trcidr/trcidr2",
	"trcidr/trcidr8", "mgmt/trcauthstatus",
};
static const char *const ete_registers[] = {
	"trcidr/trcidr0", "trcidr/trcidr1",	"trcidr/trcidr2",
	"trcidr/trcidr8", "mgmt/trcauthstatus", "mgmt/trcdevarch",
};

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

struct macrocell {
	uint64_t magic;
	const char *const *registers;
	size_t nr_registers;
	bool ts_source;
};

static const struct macrocell etm3 = {
	0x3030303030303030, etm3_registers, LEN(etm3_registers), false
};
static const struct macrocell etm4 = {
	0x4040404040404040, etm4_registers, LEN(etm4_registers), true
};
static const struct macrocell ete = {
	0x5050505050505050, ete_registers, LEN(ete_registers), true
};

/* Read a register of a CPU's macrocell.  0 or -errno. */
static int register_of(const struct auxtrace_env *env, const char *pmu,
		       int cpu, const char *file, uint64_t *value)
{
	char path[64];

	snprintf(path, sizeof(path), "cpu%d/%s", cpu, file);
	return pmu_number(env->pmus, pmu, path, true, value);
}

/* TRCDEVARCH: ARCHVER 5 of ARCHPART 0xA13 is an ETE, 4 an ETMv4. */
static const struct macrocell *macrocell_of(const struct auxtrace_env *env,
					    const char *pmu, int cpu)
{
	uint64_t value;

	if (!register_of(env, pmu, cpu, "mgmt/trcdevarch", &value) &&
	    (value & 0xffff) == 0x5a13)
		return &ete;
	if (!register_of(env, pmu, cpu, "trcidr/trcidr0", &value))
		return &etm4;
	return &etm3;
}

static uint64_t bits(uint64_t value, unsigned int low, unsigned int high)
{
	return value >> low & ((2ULL << (high - low)) - 1);
}

static int check_contextid(const struct auxtrace_env *env, const char *pmu,
			   int cpu, uint64_t config, struct err *err)
{
	uint64_t trcidr2;
	int ret;

	ret = register_of(env, pmu, cpu, "trcidr/trcidr2", &trcidr2);
	if (ret)
		return err_errno(err, ret, "%s: cpu%d/trcidr/trcidr2", pmu,
				 cpu);
	/* CIDSIZE */
	if (config & OPT_CTXTID && bits(trcidr2, 5, 9) != 4)
		return err_set(err, -EINVAL,
			       "%s: CPU %d cannot trace CONTEXTIDR_EL1, which identifies the task: use contextid1=0",
			       pmu, cpu);
	/* VMIDOPT, VMIDSIZE */
	if (config & OPT_CTXTID2 &&
	    (!bits(trcidr2, 29, 30) || bits(trcidr2, 10, 14) < 4))
		return err_set(err, -EINVAL,
			       "%s: CPU %d cannot trace CONTEXTIDR_EL2, which identifies the task: use contextid2=0",
			       pmu, cpu);
	return 0;
}

static int check_timestamp(const struct auxtrace_env *env, const char *pmu,
			   int cpu, struct err *err)
{
	uint64_t trcidr0;
	int ret;

	ret = register_of(env, pmu, cpu, "trcidr/trcidr0", &trcidr0);
	if (ret)
		return err_errno(err, ret, "%s: cpu%d/trcidr/trcidr0", pmu,
				 cpu);
	/* TSSIZE */
	if (!bits(trcidr0, 24, 28))
		return err_set(err, -EINVAL,
			       "%s: CPU %d has no timestamps for its trace: use timestamp=0",
			       pmu, cpu);
	return 0;
}

static int check_cpu(const struct auxtrace_env *env, const char *pmu, int cpu,
		     uint64_t config, struct err *err)
{
	int ret = 0;

	if (!(config & (OPT_CTXTID | OPT_CTXTID2 | OPT_TS)))
		return 0;
	if (macrocell_of(env, pmu, cpu) == &etm3)
		return err_set(err, -EINVAL,
			       "%s: the ETMv3 of CPU %d has no task ids and timestamps, which tracing CPUs needs: use --per-thread, or contextid=0,timestamp=0",
			       pmu, cpu);
	if (config & (OPT_CTXTID | OPT_CTXTID2))
		ret = check_contextid(env, pmu, cpu, config, err);
	if (!ret && config & OPT_TS)
		ret = check_timestamp(env, pmu, cpu, err);
	return ret;
}

/* Check all CPUs that will be traced. */
static int check_cpus(const struct auxtrace_env *env,
		      const struct session_opts *session,
		      const struct event_spec *spec, struct err *err)
{
	const struct cpulist *asked = &session->target.cpus;
	struct cpulist online;
	char path[PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), "%s/online", env->cpus);
	ret = cpulist_read(path, &online, err);
	for (size_t i = 0; !ret && i < online.nr; i++) {
		int cpu = online.cpus[i];

		if (!asked->nr || cpulist_has(asked, cpu))
			ret = check_cpu(env, spec->pmu, cpu,
					spec->attr.config, err);
	}
	cpulist_free(&online);
	return ret;
}

static int etm_configure(const struct auxtrace_env *env,
			 const struct auxtrace *trace,
			 struct session_opts *session, struct event_spec *spec,
			 struct err *err)
{
	uint64_t given = auxtrace_given(env, spec);

	auxtrace_period_one(spec);
	session->switch_events = true;
	if (!trace->per_cpu)
		return 0;
	/* On a CPU, packets need the task's context ID and timestamps. */
	if (!(given & (OPT_CTXTID | OPT_CTXTID2)))
		spec->attr.config |= auxtrace_term_mask(env, spec->pmu,
							"contextid");
	if (!(given & OPT_TS))
		spec->attr.config |= auxtrace_term_mask(env, spec->pmu,
							"timestamp");
	return check_cpus(env, session, spec, err);
}

/*
 * The timestamp source of @cpu: a signed decimal number in sysfs; -1 if the
 * driver does not know it.  -errno if the file does not exist: before Linux
 * 6.3.
 */
static int ts_source(const struct auxtrace_info *from, int cpu, uint64_t *value)
{
	char path[64];
	int ret;

	snprintf(path, sizeof(path), "cpu%d/ts_source", cpu);
	ret = pmu_number(from->env->pmus, from->spec->pmu, path, false, value);
	if (ret == -EINVAL)
		*value = UINT64_MAX;
	return ret == -EINVAL ? 0 : ret;
}

/*
 * perf 6.3 and newer need TS_SOURCE for timestamps; older versions skip words
 * that they do not know.
 */
static bool has_ts_source(const struct auxtrace_info *from,
			  const struct macrocell *cell, int cpu)
{
	uint64_t value;

	return cell->ts_source && ts_source(from, cpu, &value) == 0;
}

/* Number of words after NR_PARAMS: config, trace ID, registers. */
static size_t nr_params(const struct auxtrace_info *from,
			const struct macrocell *cell, int cpu)
{
	return 2 + cell->nr_registers + has_ts_source(from, cell, cpu);
}

static size_t etm_info_size(const struct auxtrace_info *from)
{
	size_t words = HEADER_WORDS;

	for (size_t i = 0; i < from->cpus->nr; i++) {
		int cpu = from->cpus->cpus[i];

		words += PARAMS +
			 nr_params(from, macrocell_of(from->env,
						      from->spec->pmu, cpu),
				   cpu);
	}
	return words;
}

/* Convert attr.config to TRCCONFIGR. */
static uint64_t trcconfigr(uint64_t config)
{
	static const struct {
		uint64_t opt, bits;
	} map[] = {
		{ OPT_BRANCH_BROADCAST, 1 << 3 },
		{ OPT_CYCACC, 1 << 4 },
		{ OPT_CTXTID, 1 << 6 },
		{ OPT_CTXTID2, 1 << 7 | 1 << 15 },	/* VMID, VMIDOPT */
		{ OPT_TS, 1 << 11 },
		{ OPT_RETSTK, 1 << 12 },
	};
	uint64_t value = 0;

	for (size_t i = 0; i < LEN(map); i++)
		value |= config & map[i].opt ? map[i].bits : 0;
	return value;
}

/* The trace ID that drivers used before Linux 6.3, and have preferred since. */
static uint64_t legacy_id(int cpu)
{
	return 0x10 + 2 * ((uint64_t)cpu % LEGACY_CPUS);
}

/*
 * The trace ID from the newest AUX_OUTPUT_HW_ID record of @cpu: bits 0-7, if
 * the version in bits 60-63 is 0 (include/linux/coresight-pmu.h).  0: none.
 */
static uint64_t known_id(const struct auxtrace_info *from, int cpu)
{
	uint64_t time = 0, id = 0;

	for (size_t i = 0; i < from->nr_hw_ids; i++) {
		const struct hw_id *at = &from->hw_ids[i];

		if (at->cpu != (uint32_t)cpu || at->time < time ||
		    at->hw_id >> 60)
			continue;
		time = at->time;
		id = at->hw_id & 0xff;
	}
	return id <= LAST_ID ? id : 0;
}

/*
 * perf before 6.4 takes trace IDs from AUXTRACE_INFO only, and refuses a file
 * in which two CPUs have the same one.  A CPU without a record keeps its legacy
 * ID; if that is reserved, or if another CPU has the ID, it gets a free one,
 * if there is any.
 */
static uint64_t unique_id(const struct auxtrace_info *from, int cpu, bool *used)
{
	uint64_t known = known_id(from, cpu), id;

	id = known ? known : legacy_id(cpu);
	if (used[id] || (!known && cpu >= LEGACY_CPUS))
		for (id = LAST_ID; id && used[id]; id--)
			;
	used[id] = true;
	return id ? id : legacy_id(cpu);
}

/*
 * IDs from records are assigned first, so that no guessed ID takes their place.
 * @ids is as long as from->cpus.
 */
static void unique_ids(const struct auxtrace_info *from, uint64_t *ids)
{
	bool used[LAST_ID + 1] = { false };
	const struct cpulist *cpus = from->cpus;

	for (int known = 1; known >= 0; known--)
		for (size_t i = 0; i < cpus->nr; i++)
			if (!known_id(from, cpus->cpus[i]) == !known)
				ids[i] = unique_id(from, cpus->cpus[i], used);
}

/* For perf 6.4 and newer.  Without a record, the same words as perf writes. */
static void hinted_ids(const struct auxtrace_info *from, uint64_t *ids)
{
	uint64_t flag = from->trace->perf < PERF_NO_FLAG ? TRACE_ID_UNUSED : 0;

	for (size_t i = 0; i < from->cpus->nr; i++) {
		uint64_t known = known_id(from, from->cpus->cpus[i]);

		ids[i] = known ? known : legacy_id(from->cpus->cpus[i]) | flag;
	}
}

/* Write the block of one CPU.  Returns its end, or NULL if it does not fit. */
static uint64_t *fill_cpu(const struct auxtrace_info *from, uint64_t *words,
			  const uint64_t *end, int cpu, uint64_t id)
{
	const char *pmu = from->spec->pmu;
	const struct macrocell *cell = macrocell_of(from->env, pmu, cpu);
	size_t nr = nr_params(from, cell, cpu);
	uint64_t config = from->attr->config;
	uint64_t *param = words + PARAMS;

	if ((size_t)(end - words) < PARAMS + nr)
		return NULL;
	words[MAGIC] = cell->magic;
	words[CPU] = (uint64_t)cpu;
	words[NR_PARAMS] = nr;
	*param++ = cell == &etm3 ? config : trcconfigr(config);
	*param++ = id;
	for (size_t i = 0; i < cell->nr_registers; i++, param++) {
		/* perf also writes 0 if a register cannot be read */
		if (register_of(from->env, pmu, cpu, cell->registers[i],
				param))
			*param = 0;
	}
	if (nr > 2 + cell->nr_registers)
		ts_source(from, cpu, param++);
	return param;
}

static int etm_info_fill(const struct auxtrace_info *from, uint64_t *priv,
			 size_t words, struct err *err)
{
	uint64_t *next = priv + HEADER_WORDS, *ids;
	bool hints = from->trace->perf >= PERF_HW_IDS;

	if (words != etm_info_size(from))
		return err_set(err, -EINVAL, "cs_etm: %zu words of info",
			       words);
	ids = calloc(from->cpus->nr + 1, sizeof(*ids));
	if (!ids)
		return err_set(err, -ENOMEM, "cs_etm: out of memory");
	if (hints)
		hinted_ids(from, ids);
	else
		unique_ids(from, ids);
	priv[INFO_VERSION] = hints ? 2 : 1;
	priv[TYPE_AND_CPUS] = (uint64_t)from->attr->type << 32 |
			      from->cpus->nr;
	priv[SNAPSHOT] = from->trace->overwrite;
	for (size_t i = 0; next && i < from->cpus->nr; i++)
		next = fill_cpu(from, next, priv + words, from->cpus->cpus[i],
				ids[i]);
	free(ids);
	/* sysfs may have changed since the words were counted */
	if (next == priv + words)
		return 0;
	return err_set(err, -EAGAIN,
		       "cs_etm: the trace units in sysfs have changed: try "
		       "again");
}

/* perf sorts buffers by their reference, which only has to be unique. */
const struct auxtrace_ops auxtrace_cs_etm = {
	.name = "CoreSight",
	.type = 3,
	.alignment = FRAME,
	.cuts_by_aux = true,
	.pmu = "cs_etm",
	.configure = etm_configure,
	.info_size = etm_info_size,
	.info_fill = etm_info_fill,
	AUXTRACE_COMMON_OPS,
};
