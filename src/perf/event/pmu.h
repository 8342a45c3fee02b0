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

/* A directory for each PMU of this machine; tests have trees of their own. */
#define PMU_DEVICES "/sys/bus/event_source/devices"

/* True if the directory @pmus has a PMU of that name. */
bool pmu_exists(const char *pmus, const char *name);

/*
 * A number in a file of the PMU ("caps/min_interval"), decimal or 0x hex; of
 * @hex files always hex.  0 or -errno: -EINVAL where it is none.
 */
int pmu_number(const char *pmus, const char *name, const char *file, bool hex,
	       uint64_t *value);

/* The PMU's type number.  0, or -errno with @err, which lists the PMUs. */
int pmu_type(const char *pmus, const char *name, uint32_t *type,
	     struct err *err);

/*
 * Apply one term to @attr: a field of format/ ("event=0x3c", "umask=1", a bare
 * "pc" for 1), the whole of config, config1 or config2, or an event of events/,
 * whose own terms are then applied.  @value is NULL for a bare term.  Fields
 * may be scattered ("config:0-7,32-35").  Values too wide for the field are
 * refused.  0, or -errno with @err: -EINVAL (ERR_USAGE) for a bad term, with
 * the valid ones.
 */
int pmu_apply_term(const char *pmus, const char *name, const char *term,
		   const char *value, struct perf_event_attr *attr,
		   struct err *err);

/*
 * Let @attr trace into the sink named in sinks/ (CoreSight): its number goes
 * into the field sinkid, or into config2 if there is no such field.  0, or
 * -errno with @err: -EINVAL (ERR_USAGE) for an unknown sink, with the known
 * ones.
 */
int pmu_apply_sink(const char *pmus, const char *name, const char *sink,
		   struct perf_event_attr *attr, struct err *err);

/* The PMU's cpumask (or cpus) file; empty if it has none.  0 or -errno. */
int pmu_cpus(const char *pmus, const char *name, struct cpulist *cpus,
	     struct err *err);

/* True if the PMU has an event of that name in events/. */
bool pmu_has_event(const char *pmus, const char *name, const char *event);

/* True for a PMU of the CPU cores, which counts cycles. */
bool pmu_is_core(const char *pmus, const char *name);

/*
 * The first PMU of the CPU cores, into @name.  0, or -ENOENT if there is none,
 * as in many virtual machines.
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

/* The same for the fields of format/. */
int pmu_each_field(const char *pmus, const char *name, pmu_fn *fn, void *ctx);

/* The bits of config, config1 and config2 that a field consists of. */
enum { PMU_WORDS = 3 };
struct pmu_bits {
	uint64_t words[PMU_WORDS];
};

struct pmu_bits pmu_bits_of(const struct perf_event_attr *attr);

/* 0, or -errno if there is no such field; -ENOTSUP for an unknown form. */
int pmu_field_bits(const char *pmus, const char *name, const char *field,
		   struct pmu_bits *bits);

/* The bits of @word in @mask, moved together: the value of a field. */
uint64_t pmu_gather(uint64_t word, uint64_t mask);
/* And back; what there are no bits for is left out. */
uint64_t pmu_scatter(uint64_t value, uint64_t mask);

/*
 * Finds the name of a PMU by its number, and events and terms by the bits of a
 * config: the reverse of the above.  sysfs is read once.
 */
struct pmu_table;

/* @pmus as for pmu_type(); borrowed.  Empty.  NULL when out of memory. */
struct pmu_table *pmu_table_new(const char *pmus);
void pmu_table_free(struct pmu_table *table);

/* Read the list of PMUs again.  0, or -ENOMEM with an empty table. */
int pmu_table_read(struct pmu_table *table);

/* "intel_pt"; valid until it is read again.  NULL: no such number. */
const char *pmu_table_name(const struct pmu_table *table, uint32_t type);

/*
 * The event in the PMU's events/ that has the type and config words of @attr;
 * NULL if there is none.  Valid until the table is read again.
 */
const char *pmu_table_event(struct pmu_table *table,
			    const struct perf_event_attr *attr);

/*
 * Write the terms for @attr's config words, such as "tsc,mtc_period=3", to
 * @buf, which is returned; "" if they are 0.  A word with bits that belong to
 * no field, or to several, is written as a whole: "config1=0x21".
 */
char *pmu_table_terms(struct pmu_table *table,
		      const struct perf_event_attr *attr, char *buf,
		      size_t size);

#endif
