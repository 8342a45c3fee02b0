// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU's directory in sysfs, as for the hardware of the same name: tools
 * read from it what they can request.
 */
#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "mimic.h"

struct row {
	const char *dir; /* NULL: the PMU's own */
	const char *name;
	const char *text;
};

struct row_attr {
	struct device_attribute dev_attr;
	const struct row *row;
};

#define MAX_GROUPS 4

/* Rows of one directory are consecutive. */
static const struct row intel_pt_rows[] = {
	{ NULL, "max_nonturbo_ratio", "24" },
	{ NULL, "tsc_art_ratio", "2:120" },
	{ "format", "pt", "config:0" },
	{ "format", "cyc", "config:1" },
	{ "format", "pwr_evt", "config:4" },
	{ "format", "fup_on_ptw", "config:5" },
	{ "format", "mtc", "config:9" },
	{ "format", "tsc", "config:10" },
	{ "format", "noretcomp", "config:11" },
	{ "format", "ptw", "config:12" },
	{ "format", "branch", "config:13" },
	{ "format", "mtc_period", "config:14-17" },
	{ "format", "cyc_thresh", "config:19-22" },
	{ "format", "psb_period", "config:24-27" },
	{ "format", "rate", "config1:0-63" },
	{ "caps", "max_subleaf", "1" },
	{ "caps", "cr3_filtering", "1" },
	{ "caps", "psb_cyc", "1" },
	{ "caps", "ip_filtering", "1" },
	{ "caps", "mtc", "1" },
	{ "caps", "ptwrite", "1" },
	{ "caps", "power_event_trace", "0" },
	{ "caps", "event_trace", "0" },
	{ "caps", "topa_output", "1" },
	{ "caps", "topa_multiple_entries", "1" },
	{ "caps", "single_range_output", "1" },
	{ "caps", "payloads_lip", "0" },
	{ "caps", "num_address_ranges", "2" },
	{ "caps", "mtc_periods", "249" },
	{ "caps", "cycle_thresholds", "3fff" },
	{ "caps", "psb_periods", "3f" },
	{ }
};

static const struct row intel_bts_rows[] = {
	{ }
};

static const struct row cs_etm_rows[] = {
	{ "format", "branch_broadcast", "config:3" },
	{ "format", "cycacc", "config:12" },
	{ "format", "contextid", "config:14" },
	{ "format", "timestamp", "config:28" },
	{ "format", "retstack", "config:29" },
	{ "format", "sinkid", "config2:0-31" },
	{ "format", "configid", "config2:32-63" },
	{ "sinks", "tmc_etr0", "0x12345678" },
	{ "sinks", "tmc_etf0", "0x9abcdef0" },
	{ }
};

static const struct row arm_spe_rows[] = {
	{ NULL, "cpumask", "0-3" },
	{ "format", "ts_enable", "config:0" },
	{ "format", "pa_enable", "config:1" },
	{ "format", "pct_enable", "config:2" },
	{ "format", "jitter", "config:16" },
	{ "format", "branch_filter", "config:32" },
	{ "format", "load_filter", "config:33" },
	{ "format", "store_filter", "config:34" },
	{ "format", "event_filter", "config1:0-63" },
	{ "format", "min_latency", "config2:0-11" },
	{ "caps", "arch_inst", "0" },
	{ "caps", "count_size", "12" },
	{ "caps", "ernd", "1" },
	{ "caps", "min_interval", "1024" },
	{ }
};

static const struct row other_rows[] = {
	{ "format", "rate", "config1:0-63" },
	{ }
};

static const struct {
	const char *prefix;
	const struct row *rows;
} costumes[] = {
	{ "intel_pt", intel_pt_rows },
	{ "intel_bts", intel_bts_rows },
	{ "cs_etm", cs_etm_rows },
	{ "arm_spe", arm_spe_rows },
	{ "", other_rows },
};

static struct row_attr *row_attrs;
static struct attribute **attr_lists; /* each ends with NULL */
static struct attribute_group groups[MAX_GROUPS];
static const struct attribute_group *group_list[MAX_GROUPS + 1];

static ssize_t show_row(struct device *dev, struct device_attribute *attr,
			char *page)
{
	struct row_attr *ra = container_of(attr, struct row_attr, dev_attr);

	return sysfs_emit(page, "%s\n", ra->row->text);
}

static const struct row *rows_of(const char *name)
{
	int i = 0;

	while (!strstarts(name, costumes[i].prefix))
		i++;
	return costumes[i].rows;
}

static bool same_dir(const struct row *a, const struct row *b)
{
	return a->dir == b->dir || (a->dir && b->dir && !strcmp(a->dir, b->dir));
}

static void init_attr(struct row_attr *ra, const struct row *row)
{
	sysfs_attr_init(&ra->dev_attr.attr);
	ra->dev_attr.attr.name = row->name;
	ra->dev_attr.attr.mode = 0444;
	ra->dev_attr.show = show_row;
	ra->row = row;
}

/* A group for every run of rows with the same directory. */
static void fill_groups(const struct row *rows)
{
	struct attribute **list = attr_lists;
	int group = -1, i;

	for (i = 0; rows[i].name; i++) {
		if (!i || !same_dir(&rows[i], &rows[i - 1])) {
			list += i ? 1 : 0;
			groups[++group].name = rows[i].dir;
			groups[group].attrs = list;
			group_list[group] = &groups[group];
		}
		init_attr(&row_attrs[i], &rows[i]);
		*list++ = &row_attrs[i].dev_attr.attr;
	}
}

int mimic_sysfs_init(struct pmu *pmu, const char *name)
{
	const struct row *rows = rows_of(name);
	int count = 0;

	while (rows[count].name)
		count++;
	row_attrs = kcalloc(count + 1, sizeof(*row_attrs), GFP_KERNEL);
	attr_lists = kcalloc(count + MAX_GROUPS + 1, sizeof(*attr_lists),
			     GFP_KERNEL);
	if (!row_attrs || !attr_lists) {
		mimic_sysfs_exit();
		return -ENOMEM;
	}
	fill_groups(rows);
	pmu->attr_groups = group_list;
	return 0;
}

/*
 * CoreSight's PMU has a directory for the trace unit of each CPU, with the
 * values of its registers: here those of an ETMv4.
 */
struct cpu_attr {
	struct kobj_attribute attr;
	const char *text;
};

static ssize_t show_cpu(struct kobject *kobj, struct kobj_attribute *attr,
			char *page)
{
	struct cpu_attr *ca = container_of(attr, struct cpu_attr, attr);

	return sysfs_emit(page, "%s\n", ca->text);
}

#define CPU_ATTR(id, value) \
	static struct cpu_attr id = { \
		.attr = __ATTR(id, 0444, show_cpu, NULL), \
		.text = value, \
	}

CPU_ATTR(trcidr0, "0x28000ea1");
CPU_ATTR(trcidr1, "0x4100f403");
CPU_ATTR(trcidr2, "0x488");
CPU_ATTR(trcidr8, "0x0");
CPU_ATTR(trcauthstatus, "0xcc");

static struct attribute *trcidr_attrs[] = {
	&trcidr0.attr.attr,
	&trcidr1.attr.attr,
	&trcidr2.attr.attr,
	&trcidr8.attr.attr,
	NULL,
};

static struct attribute *mgmt_attrs[] = {
	&trcauthstatus.attr.attr,
	NULL,
};

static const struct attribute_group trcidr_group = {
	.name = "trcidr",
	.attrs = trcidr_attrs,
};

static const struct attribute_group mgmt_group = {
	.name = "mgmt",
	.attrs = mgmt_attrs,
};

static const struct attribute_group *cpu_groups[] = {
	&trcidr_group,
	&mgmt_group,
	NULL,
};

static struct kobject **cpu_dirs;

static int add_cpu_dir(struct pmu *pmu, int cpu)
{
	char name[16];

	snprintf(name, sizeof(name), "cpu%d", cpu);
	cpu_dirs[cpu] = kobject_create_and_add(name, &pmu->dev->kobj);
	if (!cpu_dirs[cpu])
		return -ENOMEM;
	return sysfs_create_groups(cpu_dirs[cpu], cpu_groups);
}

int mimic_sysfs_add(struct pmu *pmu, const char *name)
{
	int cpu, ret;

	if (strcmp(name, "cs_etm"))
		return 0;
	cpu_dirs = kcalloc(nr_cpu_ids, sizeof(*cpu_dirs), GFP_KERNEL);
	if (!cpu_dirs)
		return -ENOMEM;
	for_each_online_cpu(cpu) {
		ret = add_cpu_dir(pmu, cpu);
		if (ret)
			return ret;
	}
	return 0;
}

/* Called before the PMU, and with it its directory, is removed. */
void mimic_sysfs_remove(void)
{
	int cpu;

	for (cpu = 0; cpu_dirs && cpu < nr_cpu_ids; cpu++)
		kobject_put(cpu_dirs[cpu]);
	kfree(cpu_dirs);
	cpu_dirs = NULL;
}

/* Called after it is removed. */
void mimic_sysfs_exit(void)
{
	kfree(attr_lists);
	kfree(row_attrs);
}
