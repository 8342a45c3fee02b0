/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intel Processor Trace: a stream of packets, decoded by following the
 * program's code. tools/perf/arch/x86/util/intel-pt.c
 */
#include "trace/pmu/intel_pt.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "base/sys.h"
#include "perf/event/pmu.h"

/* Words of AUXTRACE_INFO: tools/perf/util/intel-pt.h. */
enum {
	PMU_TYPE,
	TIME_CONV,		/* four words */
	TSC_BIT = TIME_CONV + 4,
	NORETCOMP_BIT,
	HAVE_SCHED_SWITCH,
	SNAPSHOT_MODE,
	PER_CPU_MMAPS,
	MTC_BIT,
	MTC_FREQ_BITS,
	TSC_CTC_N,
	TSC_CTC_D,
	CYC_BIT,
	MAX_NONTURBO_RATIO,
	FILTER_STR_LEN,
	FILTER			/* the filter, and after it caps/event_trace */
};

/* HAVE_SCHED_SWITCH: the type of records of context switches. */
enum { SWITCH_NONE, SWITCH_TRACEPOINT, SWITCH_OF_TASK, SWITCH_CPU_WIDE };

/* mtc_period and psb_period: perf's defaults, if the hardware supports them. */
enum { WANTED_PERIOD = 3 };

/* A number from a file of the PMU, or @missing. */
static uint64_t cap(const struct auxtrace_env *env, const char *pmu,
		    const char *file, bool hex, uint64_t missing)
{
	uint64_t value;

	return pmu_number(env->pmus, pmu, file, hex, &value) ? missing : value;
}

/*
 * The largest of the values set in @valid that is at most @wanted, else the
 * smallest.
 */
static uint64_t pick(uint64_t valid, unsigned int wanted)
{
	uint64_t below = valid & ((2ULL << wanted) - 1);

	if (below)
		return 63 - (uint64_t)__builtin_clzll(below);
	return (uint64_t)__builtin_ctzll(valid);
}

/* As perf's intel_pt_default_config(): timestamps, as fine as is useful. */
static uint64_t default_config(const struct auxtrace_env *env, const char *pmu)
{
	uint64_t config = auxtrace_term_mask(env, pmu, "tsc");
	uint64_t mtc = 0, psb = 0;

	if (cap(env, pmu, "caps/mtc", false, 1))
		mtc = cap(env, pmu, "caps/mtc_periods", true, 0);
	if (mtc && cap(env, pmu, "caps/psb_cyc", false, 1))
		psb = cap(env, pmu, "caps/psb_periods", true, 0);
	if (mtc)
		config |= auxtrace_term_mask(env, pmu, "mtc") |
			  pmu_scatter(pick(mtc, WANTED_PERIOD),
					   auxtrace_term_mask(env, pmu,
							      "mtc_period"));
	if (psb)
		config |= pmu_scatter(pick(psb, WANTED_PERIOD),
					   auxtrace_term_mask(env, pmu,
							      "psb_period"));
	if (auxtrace_term_mask(env, pmu, "pt"))
		config |= auxtrace_term_mask(env, pmu, "branch");
	return config;
}

/* Write "0,3-5" for the bits of @valid; truncated if too long. */
static void list_values(char *text, size_t size, uint64_t valid)
{
	int bits[64];
	struct cpulist list = { .cpus = bits };

	for (int bit = 0; bit < 64; bit++)
		if (valid >> bit & 1)
			bits[list.nr++] = bit;
	cpulist_format(&list, text, size);
}

/* A term whose valid values are in a file of caps/. */
struct limited {
	const char *term, *values;
	const char *supported;	/* file that says whether the PMU has the
				 * term */
};

static int check_term(const struct auxtrace_env *env,
		      const struct event_spec *spec, const struct limited *of,
		      struct err *err)
{
	uint64_t valid = cap(env, spec->pmu, of->values, true, 0);
	uint64_t value = pmu_gather(spec->attr.config,
					 auxtrace_term_mask(env, spec->pmu,
							    of->term));
	char text[128];

	if (!cap(env, spec->pmu, of->supported, false, 1))
		valid = 0;
	valid |= 1;
	if (value < 64 && valid >> value & 1)
		return 0;
	list_values(text, sizeof(text), valid);
	return err_usage(err, "%s=%llu: this CPU's %s has %s", of->term,
			 (unsigned long long)value, spec->pmu, text);
}

static int check_config(const struct auxtrace_env *env,
			const struct event_spec *spec, struct err *err)
{
	static const struct limited terms[] = {
		{ "cyc_thresh", "caps/cycle_thresholds", "caps/psb_cyc" },
		{ "mtc_period", "caps/mtc_periods", "caps/mtc" },
		{ "psb_period", "caps/psb_periods", "caps/psb_cyc" },
	};
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(terms) / sizeof(terms[0]); i++)
		ret = check_term(env, spec, &terms[i], err);
	return ret;
}

/* Whether KVM lets guests use PT themselves, which stops the host's trace. */
static bool guests_trace(const struct auxtrace_env *env)
{
	char path[PATH_MAX];
	long long mode;
	int n;

	if (!env->modules)
		return false;
	n = snprintf(path, sizeof(path), "%s/kvm_intel/parameters/pt_mode",
		     env->modules);
	return n > 0 && (size_t)n < sizeof(path) &&
	       !sys_read_number(path, &mode) && mode == 1;
}

static int pt_configure(const struct auxtrace_env *env,
			const struct auxtrace *trace,
			struct session_opts *session, struct event_spec *spec,
			struct err *err)
{
	uint64_t given = auxtrace_given(env, spec);
	struct perf_event_attr *attr = &spec->attr;

	attr->config = (attr->config & given) |
		       (default_config(env, spec->pmu) & ~given);
	/* without this bit the kernel accepts no other */
	attr->config |= auxtrace_term_mask(env, spec->pmu, "pt");
	auxtrace_period_one(spec);
	attr->exclude_guest = guests_trace(env);
	attr->aux_watermark = trace->overwrite ? 0 :
		(uint32_t)MIN(session->aux_bytes / 4, UINT32_MAX);
	/* A CPU's packets do not contain the task; SWITCH records do. */
	if (trace->per_cpu &&
	    attr->config & auxtrace_term_mask(env, spec->pmu, "tsc"))
		session->switch_events = true;
	return check_config(env, spec, err);
}

/* A PSB every 2K << psb_period bytes: IA32_RTIT_CTL.PSBFreq, Intel SDM. */
static uint64_t pt_sync_bytes(const struct auxtrace_env *env,
			      const struct event_spec *spec)
{
	uint64_t mask = auxtrace_term_mask(env, spec->pmu, "psb_period");

	return 2048ULL << pmu_gather(spec->attr.config, mask);
}

/* The filter with its NUL in whole words; 0 without one. */
static size_t filter_words(const struct event_spec *spec)
{
	const char *filter = spec->address_filter;

	return filter && *filter ? (strlen(filter) + 8) / 8 : 0;
}

size_t intel_pt_info_size(const struct auxtrace_info *from)
{
	return FILTER + filter_words(from->spec) + 1;
}

/* CPUID leaf 15h: ratio of the TSC to the crystal clock that MTC counts. */
static void ctc_ratio(uint64_t *n, uint64_t *d)
{
	*n = *d = 0;
#ifdef __x86_64__
	unsigned int eax, ebx, ecx, edx;

	if (__get_cpuid(0x15, &eax, &ebx, &ecx, &edx)) {
		*n = ebx;
		*d = eax;
	}
#endif
}

static uint64_t switch_mode(const struct auxtrace_info *from)
{
	if (!from->switch_events)
		return SWITCH_NONE;
	return from->trace->by_task ? SWITCH_OF_TASK : SWITCH_CPU_WIDE;
}

int intel_pt_info(const struct auxtrace_info *from,
		  const struct intel_pt_pmu *pmu, uint64_t *priv, size_t words,
		  struct err *err)
{
	const char *filter = from->spec->address_filter;

	if (words != intel_pt_info_size(from))
		return err_set(err, -EINVAL, "intel_pt: %zu words of info",
			       words);
	memset(priv, 0, words * sizeof(*priv));
	priv[PMU_TYPE] = from->attr->type;
	auxtrace_info_conv(&from->conv, &priv[TIME_CONV]);
	priv[TSC_BIT] = pmu->tsc;
	priv[NORETCOMP_BIT] = pmu->noretcomp;
	priv[HAVE_SCHED_SWITCH] = switch_mode(from);
	priv[SNAPSHOT_MODE] = from->trace->overwrite;
	priv[PER_CPU_MMAPS] = from->trace->per_cpu;
	priv[MTC_BIT] = pmu->mtc;
	priv[MTC_FREQ_BITS] = pmu->mtc_period;
	priv[TSC_CTC_N] = pmu->ctc_n;
	priv[TSC_CTC_D] = pmu->ctc_d;
	priv[CYC_BIT] = pmu->cyc;
	priv[MAX_NONTURBO_RATIO] = pmu->max_nonturbo_ratio;
	if (filter_words(from->spec)) {
		priv[FILTER_STR_LEN] = strlen(filter);
		memcpy(&priv[FILTER], filter, strlen(filter));
	}
	priv[words - 1] = pmu->event_trace;
	return 0;
}

static int pt_info_fill(const struct auxtrace_info *from, uint64_t *priv,
			size_t words, struct err *err)
{
	const struct auxtrace_env *env = from->env;
	const char *name = from->spec->pmu;
	struct intel_pt_pmu pmu = {
		.tsc = auxtrace_term_mask(env, name, "tsc"),
		.noretcomp = auxtrace_term_mask(env, name, "noretcomp"),
		.mtc = auxtrace_term_mask(env, name, "mtc"),
		.mtc_period = auxtrace_term_mask(env, name, "mtc_period"),
		.cyc = auxtrace_term_mask(env, name, "cyc"),
		.max_nonturbo_ratio = cap(env, name, "max_nonturbo_ratio",
					  false, 0),
		.event_trace = cap(env, name, "caps/event_trace", false, 0),
	};

	ctc_ratio(&pmu.ctc_n, &pmu.ctc_d);
	return intel_pt_info(from, &pmu, priv, words, err);
}

/*
 * Packets and their sizes: Intel SDM, volume 3, "Intel Processor Trace",
 * "Packet Definitions".
 */
enum {
	PSB_BYTES = 16,
	TSC_OPCODE = 0x19,
	TSC_BYTES = 8,
	TSC_BITS = 56,
	EXTENDED = 0x02,	/* first byte of a two-byte opcode */
	MODE_OPCODE = 0x99,
	FUP_OPCODE = 0x1d,	/* in the low five bits */
};

static const unsigned char psb[PSB_BYTES] = {
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
};

/* The size of a packet with a two-byte opcode; 0: cannot follow a PSB. */
static size_t extended_size(unsigned char second)
{
	switch (second) {
	case 0x82:
		return 2;	/* PSB; the match was of earlier bytes */
	case 0x03:
		return 4;	/* CBR */
	case 0x43:
		return 8;	/* PIP */
	case 0x73:
		return 7;	/* TMA */
	case 0xc8:
		return 7;	/* VMCS */
	case 0xc3:
		return 11;	/* MNT */
	default:
		return 0;
	}
}

/* The size of the packet at @at; 0: unknown, or cut off. */
static size_t packet_size(const unsigned char *at, size_t left)
{
	static const unsigned char ip_bytes[8] = { 0, 2, 4, 6, 6, 0, 8, 0 };
	size_t size = 0;

	if (!at[0])
		size = 1;	/* PAD */
	else if (at[0] == EXTENDED && left > 1)
		size = extended_size(at[1]);
	else if (at[0] == MODE_OPCODE)
		size = 2;
	else if ((at[0] & 0x1f) == FUP_OPCODE)
		size = (size_t)1 + ip_bytes[at[0] >> 5];
	return size <= left ? size : 0;
}

/* The TSC packet after a PSB, before other packets than its own; or NULL. */
static const unsigned char *find_tsc(const unsigned char *at, size_t left)
{
	while (left && at[0] != TSC_OPCODE) {
		size_t size = packet_size(at, left);

		if (!size)
			return NULL;
		at += size;
		left -= size;
	}
	return left >= TSC_BYTES ? at : NULL;
}

uint64_t intel_pt_oldest(const struct perf_time_conv *conv, uint64_t now,
			 const unsigned char *trace, size_t len)
{
	const uint64_t span = UINT64_C(1) << TSC_BITS;
	const unsigned char *first = memmem(trace, len, psb, sizeof(psb));
	uint64_t tsc = 0;

	if (!first || !conv->cap_user_time_zero)
		return 0;
	first += sizeof(psb);
	first = find_tsc(first, len - (size_t)(first - trace));
	if (!first)
		return 0;
	for (int i = TSC_BYTES - 1; i > 0; i--)
		tsc = tsc << 8 | first[i];
	/* the upper bits of @now, or one less if that is later than @now */
	tsc |= now & ~(span - 1);
	if (tsc > now && tsc < span)
		return 0;
	return perf_clock_at(conv, tsc > now ? tsc - span : tsc);
}

const struct auxtrace_ops auxtrace_intel_pt = {
	.name = "Intel PT",
	.type = 1,
	.min_bytes = 8 << 10,
	.min_snapshot_bytes = 4 << 10,
	.alignment = 1,
	.pmu = "intel_pt",
	.configure = pt_configure,
	.sync_bytes = pt_sync_bytes,
	.info_size = intel_pt_info_size,
	.info_fill = pt_info_fill,
	.oldest = intel_pt_oldest,
	AUXTRACE_COMMON_OPS,
};
