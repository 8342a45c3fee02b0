/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the name of a PMU by its number, and events and terms by the bits of a
 * config: the reverse of pmu.h.  sysfs is read once.
 */
#ifndef RBTOP_PERF_EVENT_PMU_TABLE_H
#define RBTOP_PERF_EVENT_PMU_TABLE_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

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
