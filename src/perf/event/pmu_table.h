/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PMUs by their numbers, and what the bits of a config mean to them: sysfs the
 * other way round, read once.
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

/* Read which there are, again.  0 or -ENOMEM: then it is empty. */
int pmu_table_read(struct pmu_table *table);

/* "intel_pt", until it is read again; NULL: no such number. */
const char *pmu_table_name(const struct pmu_table *table, uint32_t type);

/*
 * The event of the PMU's events/ that @attr (type and config words) is, until
 * the table is read again; NULL: none of them.
 */
const char *pmu_table_event(struct pmu_table *table,
			    const struct perf_event_attr *attr);

/*
 * The terms that make @attr's config words, such as "tsc,mtc_period=3", into
 * @buf, which is returned; "" where they are 0.  Words with bits that are of
 * no field, or may be of several, come whole: "config1=0x21".
 */
char *pmu_table_terms(struct pmu_table *table,
		      const struct perf_event_attr *attr, char *buf,
		      size_t size);

#endif
