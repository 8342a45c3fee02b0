/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arm CoreSight: an Embedded Trace Macrocell on each CPU, of version 3, of
 * version 4, or the Embedded Trace Extension.  A decoder has to know how each
 * was set up.  tools/perf/arch/arm/util/cs-etm.c
 */
#include "auxtrace/auxtrace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

/* The words of AUXTRACE_INFO: tools/perf/util/cs-etm.h. */
enum { INFO_VERSION, TYPE_AND_CPUS, SNAPSHOT, HEADER_WORDS };
/* Those of each CPU, from here on by kind. */
enum { MAGIC, CPU, NR_PARAMS, PARAMS };

/* Bytes that the formatter puts the sources' bytes into, whole (TMC, TPIU). */
enum { FRAME = 16 };

enum {
	/*
	 * From perf 6.3 on, blocks of versions 4 and ETE say where timestamps
	 * come from; perf 6.4 and newer know version 2 of the header, of which
	 * trace ids come from AUX_OUTPUT_HW_ID records where there are any.
	 * Older ones refuse what is over 1.
	 */
	MINOR_TS_SOURCE = 3,
	MINOR_VERSION_2 = 4,
};

/* Flags a trace id that no record may have told of yet. */
#define TRACE_ID_UNUSED (1ULL << 31)

/* attr.config, the same for all kinds: include/linux/coresight-pmu.h. */
#define OPT_BRANCH_BROADCAST (1ULL << 8)
#define OPT_CYCACC (1ULL << 12)
#define OPT_CTXTID (1ULL << 14)
#define OPT_CTXTID2 (1ULL << 15)
#define OPT_TS (1ULL << 28)
#define OPT_RETSTK (1ULL << 29)

/* What config and trace id are followed by: read-only registers. */
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

static bool etm_probe(const struct auxtrace_env *env, const char *pmu)
{
	(void)env;
	return !strcmp(pmu, "cs_etm");
}

/* A register of a CPU's macrocell.  0 or -errno. */
static int register_of(const struct auxtrace_env *env, const char *pmu,
		       int cpu, const char *file, uint64_t *value)
{
	char path[64];

	snprintf(path, sizeof(path), "cpu%d/%s", cpu, file);
	return auxtrace_number(env, pmu, path, true, value);
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
		return err_set(err, ret, "%s: cpu%d/trcidr/trcidr2: %s", pmu,
			       cpu, strerror(-ret));
	/* CIDSIZE */
	if (config & OPT_CTXTID && bits(trcidr2, 5, 9) != 4)
		return err_set(err, -EINVAL,
			       "%s: CPU %d cannot trace CONTEXTIDR_EL1, which tells tasks apart: use contextid1=0",
			       pmu, cpu);
	/* VMIDOPT, VMIDSIZE */
	if (config & OPT_CTXTID2 &&
	    (!bits(trcidr2, 29, 30) || bits(trcidr2, 10, 14) < 4))
		return err_set(err, -EINVAL,
			       "%s: CPU %d cannot trace CONTEXTIDR_EL2, which tells tasks apart: use contextid2=0",
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
		return err_set(err, ret, "%s: cpu%d/trcidr/trcidr0: %s", pmu,
			       cpu, strerror(-ret));
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

/* The CPUs that are traced, of those that are online. */
static int check_cpus(const struct auxtrace_env *env,
		      const struct session_opts *session,
		      const struct event_spec *spec, struct err *err)
{
	const struct cpulist *asked = &session->target.cpus;
	struct cpulist online;
	int ret = auxtrace_online(env, &online, err);

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
	/* A CPU's packets have to say of which task they are, and when. */
	if (!(given & (OPT_CTXTID | OPT_CTXTID2)))
		spec->attr.config |= auxtrace_term_mask(env, spec->pmu,
							"contextid");
	if (!(given & OPT_TS))
		spec->attr.config |= auxtrace_term_mask(env, spec->pmu,
							"timestamp");
	return check_cpus(env, session, spec, err);
}

static bool has_ts_source(const struct auxtrace_info *from,
			  const struct macrocell *cell)
{
	return cell->ts_source && from->reader_minor >= MINOR_TS_SOURCE;
}

/* The words of a CPU after NR_PARAMS: config, trace id, registers. */
static size_t nr_params(const struct auxtrace_info *from,
			const struct macrocell *cell)
{
	return 2 + cell->nr_registers + has_ts_source(from, cell);
}

static size_t etm_info_size(const struct auxtrace_info *from)
{
	size_t words = HEADER_WORDS;

	for (size_t i = 0; i < from->cpus->nr; i++)
		words += PARAMS +
			 nr_params(from, macrocell_of(from->env,
						      from->spec->pmu,
						      from->cpus->cpus[i]));
	return words;
}

/* What attr.config stands for in TRCCONFIGR. */
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

/* coresight_get_trace_id(): what drivers gave each CPU before Linux 6.3. */
static uint64_t trace_id(const struct auxtrace_info *from, int cpu)
{
	uint64_t id = 0x10 + 2 * (uint64_t)cpu;

	return from->reader_minor >= MINOR_VERSION_2 ? id | TRACE_ID_UNUSED :
						       id;
}

/* Signed and decimal; -1 where it is not told. */
static uint64_t ts_source(const struct auxtrace_info *from, int cpu)
{
	char path[64];
	uint64_t value;

	snprintf(path, sizeof(path), "cpu%d/ts_source", cpu);
	if (auxtrace_number(from->env, from->spec->pmu, path, false, &value))
		return UINT64_MAX;
	return value;
}

/* The block of one CPU; returns what follows it. */
static uint64_t *fill_cpu(const struct auxtrace_info *from, uint64_t *words,
			  int cpu)
{
	const char *pmu = from->spec->pmu;
	const struct macrocell *cell = macrocell_of(from->env, pmu, cpu);
	uint64_t config = from->attr->config;
	uint64_t *param = words + PARAMS;

	words[MAGIC] = cell->magic;
	words[CPU] = (uint64_t)cpu;
	words[NR_PARAMS] = nr_params(from, cell);
	*param++ = cell == &etm3 ? config : trcconfigr(config);
	*param++ = trace_id(from, cpu);
	for (size_t i = 0; i < cell->nr_registers; i++, param++) {
		/* perf has 0 too where it cannot be read */
		if (register_of(from->env, pmu, cpu, cell->registers[i],
				param))
			*param = 0;
	}
	if (has_ts_source(from, cell))
		*param++ = ts_source(from, cpu);
	return param;
}

static int etm_info_fill(const struct auxtrace_info *from, uint64_t *priv,
			 size_t words, struct err *err)
{
	uint64_t *next = priv + HEADER_WORDS;

	if (words != etm_info_size(from))
		return err_set(err, -EINVAL, "cs_etm: %zu words of info",
			       words);
	priv[INFO_VERSION] = from->reader_minor >= MINOR_VERSION_2 ? 2 : 1;
	priv[TYPE_AND_CPUS] = (uint64_t)from->attr->type << 32 |
			      from->cpus->nr;
	priv[SNAPSHOT] = from->trace->overwrite;
	for (size_t i = 0; i < from->cpus->nr; i++)
		next = fill_cpu(from, next, from->cpus->cpus[i]);
	return 0;
}

/* Buffers are put together by the reference; it only has to be unlike others. */
const struct auxtrace_ops auxtrace_cs_etm = {
	.name = "CoreSight",
	.type = 3,
	.alignment = FRAME,
	.cuts_by_aux = true,
	.probe = etm_probe,
	.configure = etm_configure,
	.info_size = etm_info_size,
	.info_fill = etm_info_fill,
	AUXTRACE_COMMON_OPS,
};
