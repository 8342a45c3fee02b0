/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/event_names.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"

struct event_name {
	const char *name;
	const char *alias;
	uint32_t type;
	uint64_t config;
};

/* Names and aliases are perf's (perf-list(1)). */
static const struct event_name event_names[] = {
	{ "cpu-cycles", "cycles", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", NULL, PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", NULL, PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", NULL, PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-instructions", "branches", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", NULL, PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", "idle-cycles-backend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", NULL, PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_REF_CPU_CYCLES },

	{ "cpu-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", "faults", PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", "cs", PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", "migrations", PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "minor-faults", NULL, PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", NULL, PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "alignment-faults", NULL, PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", NULL, PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_EMULATION_FAULTS },
	{ "dummy", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "bpf-output", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT },
	{ "cgroup-switches", NULL, PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_CGROUP_SWITCHES },
};

enum { NR_NAMES = sizeof(event_names) / sizeof(event_names[0]) };

/* The spellings that perf accepts; the first is the one that it prints. */
enum { NR_SPELLINGS = 5 };

static const char *const cache_names[][NR_SPELLINGS] = {
	[PERF_COUNT_HW_CACHE_L1D] = { "L1-dcache", "l1-d", "l1d", "L1-data" },
	[PERF_COUNT_HW_CACHE_L1I] = { "L1-icache", "l1-i", "l1i",
				      "L1-instruction" },
	[PERF_COUNT_HW_CACHE_LL] = { "LLC", "L2" },
	[PERF_COUNT_HW_CACHE_DTLB] = { "dTLB", "d-tlb", "Data-TLB" },
	[PERF_COUNT_HW_CACHE_ITLB] = { "iTLB", "i-tlb", "Instruction-TLB" },
	[PERF_COUNT_HW_CACHE_BPU] = { "branch", "branches", "bpu", "btb",
				      "bpc" },
	[PERF_COUNT_HW_CACHE_NODE] = { "node" },
};

static const char *const cache_ops[][NR_SPELLINGS] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { "load", "loads", "read" },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { "store", "stores", "write" },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { "prefetch", "prefetches",
					      "speculative-read",
					      "speculative-load" },
};

static const char *const cache_results[][NR_SPELLINGS] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { "refs", "Reference", "ops",
						"access" },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { "misses", "miss" },
};

/* The valid operations: the same table as in tools/perf/util/evsel.c. */
#define OP(x) (1U << PERF_COUNT_HW_CACHE_OP_##x)
static const unsigned int cache_valid_ops[] = {
	[PERF_COUNT_HW_CACHE_L1D] = OP(READ) | OP(WRITE) | OP(PREFETCH),
	[PERF_COUNT_HW_CACHE_L1I] = OP(READ) | OP(PREFETCH),
	[PERF_COUNT_HW_CACHE_LL] = OP(READ) | OP(WRITE) | OP(PREFETCH),
	[PERF_COUNT_HW_CACHE_DTLB] = OP(READ) | OP(WRITE) | OP(PREFETCH),
	[PERF_COUNT_HW_CACHE_ITLB] = OP(READ),
	[PERF_COUNT_HW_CACHE_BPU] = OP(READ),
	[PERF_COUNT_HW_CACHE_NODE] = OP(READ) | OP(WRITE) | OP(PREFETCH),
};

/* The length of @word if @s starts with it as a whole word, else 0. */
static size_t word_length(const char *s, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(s, word, len) || (s[len] && s[len] != '-'))
		return 0;
	return len;
}

/*
 * Remove the longest spelling from the front of *@s.  Returns the row that it
 * is in, or -1, with *@s unchanged.
 */
static int take_word(const char **s, const char *const table[][NR_SPELLINGS],
		     int rows)
{
	size_t longest = 0;
	int found = -1;

	for (int row = 0; row < rows; row++) {
		for (int i = 0; i < NR_SPELLINGS && table[row][i]; i++) {
			size_t len = word_length(*s, table[row][i]);

			if (len > longest) {
				longest = len;
				found = row;
			}
		}
	}
	*s += longest;
	return found;
}

/* NAME[-OP][-RESULT], the last two in either order, as perf has them. */
static int find_cache(const char *s, struct perf_event_attr *attr)
{
	int cache, op = -1, result = -1;

	cache = take_word(&s, cache_names, PERF_COUNT_HW_CACHE_MAX);
	if (cache < 0)
		return -ENOENT;
	while (*s == '-') {
		int n = -1;

		s++;
		if (op < 0)
			n = take_word(&s, cache_ops,
				      PERF_COUNT_HW_CACHE_OP_MAX);
		if (n >= 0) {
			op = n;
			continue;
		}
		if (result >= 0)
			return -ENOENT;
		result = take_word(&s, cache_results,
				   PERF_COUNT_HW_CACHE_RESULT_MAX);
		if (result < 0)
			return -ENOENT;
	}
	if (op < 0)
		op = PERF_COUNT_HW_CACHE_OP_READ;
	if (result < 0)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if (*s || !(cache_valid_ops[cache] & 1U << op))
		return -ENOENT;
	attr->type = PERF_TYPE_HW_CACHE;
	attr->config = (unsigned int)(cache | op << 8 | result << 16);
	return 0;
}

/* rNNN and r0xNNN: the CPU PMU's config, as in the CPU's manual. */
static int find_raw(const char *name, struct perf_event_attr *attr)
{
	uint64_t config;

	if (name[0] != 'r' || !units_scan_hex(name + 1, &config))
		return -ENOENT;
	attr->type = PERF_TYPE_RAW;
	attr->config = config;
	return 0;
}

int event_names_find(const char *name, struct perf_event_attr *attr)
{
	for (int i = 0; i < NR_NAMES; i++) {
		const struct event_name *e = &event_names[i];

		if (strcmp(name, e->name) &&
		    (!e->alias || strcmp(name, e->alias)))
			continue;
		attr->type = e->type;
		attr->config = e->config;
		return 0;
	}
	if (!find_raw(name, attr))
		return 0;
	return find_cache(name, attr);
}

const char *event_names_alias(const char *name)
{
	for (int i = 0; i < NR_NAMES; i++) {
		if (!event_names[i].alias)
			continue;
		if (!strcmp(name, event_names[i].name))
			return event_names[i].alias;
		if (!strcmp(name, event_names[i].alias))
			return event_names[i].name;
	}
	return NULL;
}

/* "L1-dcache-loads", "L1-dcache-load-misses". */
static void cache_name(unsigned int cache, unsigned int op, bool misses,
		       char *buf, size_t size)
{
	if (misses)
		snprintf(buf, size, "%s-%s-misses", cache_names[cache][0],
			 cache_ops[op][0]);
	else
		snprintf(buf, size, "%s-%s", cache_names[cache][0],
			 cache_ops[op][1]);
}

static int each_cache_name(event_names_fn *fn, void *ctx)
{
	char name[64];
	int ret;

	for (unsigned int c = 0; c < PERF_COUNT_HW_CACHE_MAX; c++) {
		for (unsigned int op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX;
		     op++) {
			if (!(cache_valid_ops[c] & 1U << op))
				continue;
			cache_name(c, op, false, name, sizeof(name));
			ret = fn(ctx, name);
			if (ret)
				return ret;
			cache_name(c, op, true, name, sizeof(name));
			ret = fn(ctx, name);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static char *cache_name_of(uint64_t config, char *buf, size_t size)
{
	unsigned int cache = config & 0xff, op = config >> 8 & 0xff;
	uint64_t result = config >> 16;

	if (cache >= PERF_COUNT_HW_CACHE_MAX ||
	    op >= PERF_COUNT_HW_CACHE_OP_MAX ||
	    result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		return NULL;
	cache_name(cache, op, result == PERF_COUNT_HW_CACHE_RESULT_MISS, buf,
		   size);
	return buf;
}

/* Two that perf prints by their alias: evsel__hw_names in its evsel.c. */
static bool by_alias(const struct event_name *e)
{
	return e->type == PERF_TYPE_HARDWARE &&
	       (e->config == PERF_COUNT_HW_CPU_CYCLES ||
		e->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
}

char *event_names_of(uint32_t type, uint64_t config, char *buf, size_t size)
{
	if (type == PERF_TYPE_HW_CACHE)
		return cache_name_of(config, buf, size);
	for (int i = 0; i < NR_NAMES; i++) {
		const struct event_name *e = &event_names[i];

		if (e->type != type || e->config != config)
			continue;
		snprintf(buf, size, "%s", by_alias(e) ? e->alias : e->name);
		return buf;
	}
	return NULL;
}

int event_names_each(event_names_fn *fn, void *ctx)
{
	for (int i = 0; i < NR_NAMES; i++) {
		int ret = fn(ctx, event_names[i].name);

		if (!ret && event_names[i].alias)
			ret = fn(ctx, event_names[i].alias);
		if (ret)
			return ret;
	}
	return each_cache_name(fn, ctx);
}

/* The access letters at @s.  0 if there is any other letter, or one twice. */
static unsigned int breakpoint_access(const char *s, size_t len)
{
	unsigned int type = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned int bit = s[i] == 'r' ? HW_BREAKPOINT_R :
				   s[i] == 'w' ? HW_BREAKPOINT_W :
				   s[i] == 'x' ? HW_BREAKPOINT_X :
						 0;

		if (!bit || type & bit)
			return 0;
		type |= bit;
	}
	return type;
}

/* A number that ends before one of @ends, where *@s is set to. */
static bool take_number(const char **s, const char *ends, uint64_t *value)
{
	size_t len = strcspn(*s, ends);
	char buf[32];

	if (len >= sizeof(buf))
		return false;
	memcpy(buf, *s, len);
	buf[len] = '\0';
	*s += len;
	return units_scan_number(buf, value);
}

static uint64_t usual_length(uint32_t access)
{
	return access == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
}

int event_names_breakpoint(const char *text, struct perf_event_attr *attr,
			   const char **rest, struct err *err)
{
	const char *s = text;
	uint64_t addr, len = 0;
	unsigned int access;

	if (!take_number(&s, "/:", &addr))
		return err_usage(err,
				 "breakpoint 'mem:%.60s': bad address; "
				 "it is mem:ADDR[/LEN][:rwx]",
				 text);
	if (*s == '/') {
		s++;
		if (!take_number(&s, ":", &len) || len == 0)
			return err_usage(err,
					 "breakpoint 'mem:%.60s': bad "
					 "length after '/'",
					 text);
	}
	attr->bp_type = HW_BREAKPOINT_RW;
	if (*s == ':') {
		size_t n = strcspn(s + 1, ":");

		access = breakpoint_access(s + 1, n);
		if (access) {
			attr->bp_type = access;
			s += 1 + n;
		}
	}
	if (!len)
		len = usual_length(attr->bp_type);
	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_addr = addr;
	attr->bp_len = len;
	*rest = s;
	return 0;
}

char *event_names_breakpoint_of(const struct perf_event_attr *attr, char *buf,
				size_t size)
{
	unsigned long long addr = attr->bp_addr, len = attr->bp_len;
	char length[32] = "";

	if (len != usual_length(attr->bp_type))
		snprintf(length, sizeof(length), "/%llu", len);
	snprintf(buf, size, "mem:0x%llx%s:%s%s%s", addr, length,
		 attr->bp_type & HW_BREAKPOINT_R ? "r" : "",
		 attr->bp_type & HW_BREAKPOINT_W ? "w" : "",
		 attr->bp_type & HW_BREAKPOINT_X ? "x" : "");
	return buf;
}
