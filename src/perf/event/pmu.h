/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PMU as sysfs describes it: its type number, the bit fields of format/,
 * the named events of events/, the CPUs it counts on.
 */
#ifndef RBTOP_PERF_EVENT_PMU_H
#define RBTOP_PERF_EVENT_PMU_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpulist.h"

struct err;

/* True if the directory @pmus has a PMU of that name. */
bool pmu_exists(const char *pmus, const char *name);

/* The PMU's type number.  0 or -errno with @err, naming the PMUs there are. */
int pmu_type(const char *pmus, const char *name, uint32_t *type,
	     struct err *err);

/*
 * Put one term into @attr: a field of format/ ("event=0x3c", "umask=1", a bare
 * "pc" for 1), the whole of config, config1 or config2, or an event of
 * events/, whose own terms are then applied.  @value is NULL for a bare term.
 * Fields may be scattered ("config:0-7,32-35").  Values too wide for the
 * field are refused.  0 or -EINVAL (ERR_USAGE), naming the valid terms.
 */
int pmu_apply_term(const char *pmus, const char *name, const char *term,
		   const char *value, struct perf_event_attr *attr,
		   struct err *err);

/*
 * Let @attr trace into the sink that sinks/ names (CoreSight): its number goes
 * into the field sinkid, or config2 where there is none.  0 or -EINVAL
 * (ERR_USAGE), naming the sinks there are.
 */
int pmu_apply_sink(const char *pmus, const char *name, const char *sink,
		   struct perf_event_attr *attr, struct err *err);

/* The PMU's cpumask (or cpus) file; empty where it has none.  0 or -errno. */
int pmu_cpus(const char *pmus, const char *name, struct cpulist *cpus,
	     struct err *err);

/* True if the PMU has an event of that name in events/. */
bool pmu_has_event(const char *pmus, const char *name, const char *event);

/* True for a PMU of the CPU cores: the one that counts cycles. */
bool pmu_is_core(const char *pmus, const char *name);

/*
 * The first PMU of the CPU cores, into @name.  0, or -ENOENT where there is
 * none, as in many virtual machines.
 */
int pmu_find_core(const char *pmus, char *name, size_t size);

/* The highest precise_ip of the PMU (caps/max_precise), 0 if it has none. */
unsigned int pmu_max_precise(const char *pmus, const char *name);

typedef int pmu_fn(void *ctx, const char *name);

/*
 * Call @fn with the name of every PMU, or of every event of a PMU, sorted,
 * until it returns non-zero, which is returned.
 */
int pmu_each(const char *pmus, pmu_fn *fn, void *ctx);
int pmu_each_event(const char *pmus, const char *name, pmu_fn *fn, void *ctx);

/* The same with the fields of format/. */
int pmu_each_field(const char *pmus, const char *name, pmu_fn *fn, void *ctx);

/* The bits of config, config1 and config2 that a field stands for. */
enum { PMU_WORDS = 3 };
struct pmu_bits {
	uint64_t words[PMU_WORDS];
};

struct pmu_bits pmu_bits_of(const struct perf_event_attr *attr);

/* 0, or -errno where there is no such field or it is none we know. */
int pmu_field_bits(const char *pmus, const char *name, const char *field,
		   struct pmu_bits *bits);

/* The bits of @word that @mask has, moved together: what a field holds. */
uint64_t pmu_gather(uint64_t word, uint64_t mask);

#endif
