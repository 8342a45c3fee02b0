/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "trace/perfdata/machine.h"
#include "trace/perfdata/perfdata_state.h"

#ifdef PACKAGE_VERSION
#define WRITTEN_BY "rbtop " PACKAGE_VERSION
#else
#define WRITTEN_BY "rbtop"
#endif

_Static_assert((int)PERFDATA_FEATURES <= 64, "they are bits of a word");

typedef void put_fn(struct perfdata_writer *w,
		    const struct perfdata_machine *machine);

static void put_tracing_data(struct perfdata_writer *w,
			     const struct perfdata_machine *machine)
{
	perfdata_put(w, machine->tracing_data, machine->tracing_size);
}

static void put_build_id(struct perfdata_writer *w, const char *path,
			 const struct elf_build_id *id, bool kernel)
{
	size_t len = strnlen(path, PERFDATA_PATH_MAX - 1);
	size_t padded = perfdata_align(len + 1, PERFDATA_STRING_ALIGN);
	struct perfdata_record_build_id record = {
		.header = {
			.misc = PERFDATA_MISC_BUILD_ID_SIZE |
				(kernel ? PERF_RECORD_MISC_KERNEL :
					  PERF_RECORD_MISC_USER),
			.size = (uint16_t)(sizeof(record) + padded),
		},
		.pid = -1,
		.id_size = id->len,
	};

	if (!id->len)
		return;
	memcpy(record.id, id->bytes, id->len);
	perfdata_put(w, &record, sizeof(record));
	perfdata_put(w, path, len);
	perfdata_put_pad(w, padded - len);
}

static void put_build_ids(struct perfdata_writer *w,
			  const struct perfdata_machine *machine)
{
	if (machine)
		put_build_id(w, "[kernel.kallsyms]", &machine->kernel_build_id,
			     true);
	for (size_t i = 0; machine && i < machine->nr_modules; i++) {
		const struct perfdata_module *m = &machine->modules[i];

		put_build_id(w, m->path ? m->path : m->name, &m->build_id,
			     true);
	}
	for (size_t i = 0; i < w->nr_dsos; i++)
		put_build_id(w, w->dsos[i].path, &w->dsos[i].id, false);
}

static void put_version(struct perfdata_writer *w,
			const struct perfdata_machine *machine)
{
	(void)machine;
	perfdata_put_string(w, WRITTEN_BY);
}

static void put_nr_cpus(struct perfdata_writer *w,
			const struct perfdata_machine *machine)
{
	perfdata_put_u32(w, machine->cpus_available);
	perfdata_put_u32(w, machine->cpus_online);
}

static void put_memory(struct perfdata_writer *w,
		       const struct perfdata_machine *machine)
{
	perfdata_put_u64(w, machine->memory_kb);
}

static void put_cmdline(struct perfdata_writer *w,
			const struct perfdata_machine *machine)
{
	perfdata_put_u32(w, (uint32_t)machine->argc);
	for (size_t i = 0; i < machine->argc; i++)
		perfdata_put_string(w, machine->argv[i]);
}

static void put_events(struct perfdata_writer *w,
		       const struct perfdata_machine *machine)
{
	uint8_t attr[PERFDATA_ATTR_SIZE];

	(void)machine;
	perfdata_put_u32(w, (uint32_t)w->nr_events);
	perfdata_put_u32(w, sizeof(attr));
	for (size_t i = 0; i < w->nr_events; i++) {
		const struct writer_event *e = &w->events[i];

		perfdata_fill_attr(attr, e->attr);
		perfdata_put(w, attr, sizeof(attr));
		perfdata_put_u32(w, (uint32_t)e->nr_ids);
		perfdata_put_string(w, e->name);
		perfdata_put(w, e->ids, e->nr_ids * sizeof(e->ids[0]));
	}
}

static void put_pmus(struct perfdata_writer *w,
		     const struct perfdata_machine *machine)
{
	perfdata_put_u32(w, (uint32_t)machine->nr_pmus);
	for (size_t i = 0; i < machine->nr_pmus; i++) {
		perfdata_put_u32(w, machine->pmus[i].type);
		perfdata_put_string(w, machine->pmus[i].name);
	}
}

/*
 * The number of events in the group that @first leads. perf expects them to
 * follow their leader directly; others are in no group.
 */
static size_t group_size(const struct perfdata_writer *w, size_t first)
{
	size_t nr = 0;

	while (first + nr < w->nr_events &&
	       w->events[first + nr].leader == first)
		nr++;
	return nr;
}

static uint32_t count_groups(const struct perfdata_writer *w)
{
	uint32_t groups = 0;

	for (size_t i = 0; i < w->nr_events; i++)
		groups += group_size(w, i) > 1;
	return groups;
}

static void put_groups(struct perfdata_writer *w,
		       const struct perfdata_machine *machine)
{
	(void)machine;
	perfdata_put_u32(w, count_groups(w));
	for (size_t i = 0; i < w->nr_events; i++) {
		size_t size = group_size(w, i);

		if (size < 2)
			continue;
		/* perf's name for a group without one */
		perfdata_put_string(w, "{anon_group}");
		perfdata_put_u32(w, (uint32_t)i);
		perfdata_put_u32(w, (uint32_t)size);
	}
}

static void put_traces(struct perfdata_writer *w,
		       const struct perfdata_machine *machine)
{
	(void)machine;
	perfdata_put_u64(w, w->nr_traces);
	perfdata_put(w, w->traces, w->nr_traces * sizeof(w->traces[0]));
}

static void put_times(struct perfdata_writer *w,
		      const struct perfdata_machine *machine)
{
	(void)machine;
	perfdata_put_u64(w, w->first);
	perfdata_put_u64(w, w->last);
}

static uint64_t bit(bool there, enum perfdata_feature feature)
{
	return there ? 1ull << feature : 0;
}

/* The bits of the features that the machine's data allow. */
static uint64_t machine_has(const struct perfdata_machine *m)
{
	return bit(m->tracing_data, PERFDATA_TRACING_DATA) |
	       bit(m->kernel_build_id.len, PERFDATA_BUILD_IDS) |
	       bit(m->hostname[0], PERFDATA_HOSTNAME) |
	       bit(m->release[0], PERFDATA_OSRELEASE) |
	       bit(m->arch[0], PERFDATA_ARCH) |
	       bit(m->cpus_online, PERFDATA_NRCPUS) |
	       bit(m->cpu_desc[0], PERFDATA_CPUDESC) |
	       bit(m->cpu_id[0], PERFDATA_CPUID) |
	       bit(m->memory_kb, PERFDATA_TOTAL_MEM) |
	       bit(m->argc, PERFDATA_CMDLINE) |
	       bit(m->nr_pmus, PERFDATA_PMU_MAPPINGS);
}

static uint64_t writer_has(const struct perfdata_writer *w)
{
	return bit(true, PERFDATA_VERSION) |
	       bit(w->nr_dsos, PERFDATA_BUILD_IDS) |
	       bit(w->nr_events, PERFDATA_EVENT_DESC) |
	       bit(count_groups(w), PERFDATA_GROUP_DESC) |
	       bit(w->nr_traces, PERFDATA_AUXTRACE) |
	       bit(w->has_times, PERFDATA_SAMPLE_TIME);
}

#define STRING(member) { .string = offsetof(struct perfdata_machine, member) }
/* By the bits; a function, or a string of the machine. */
static const struct feature {
	put_fn *put;		/* NULL: a string */
	size_t string;
} features[PERFDATA_FEATURES] = {
	[PERFDATA_TRACING_DATA] = { .put = put_tracing_data },
	[PERFDATA_BUILD_IDS] = { .put = put_build_ids },
	[PERFDATA_HOSTNAME] = STRING(hostname),
	[PERFDATA_OSRELEASE] = STRING(release),
	[PERFDATA_VERSION] = { .put = put_version },
	[PERFDATA_ARCH] = STRING(arch),
	[PERFDATA_NRCPUS] = { .put = put_nr_cpus },
	[PERFDATA_CPUDESC] = STRING(cpu_desc),
	[PERFDATA_CPUID] = STRING(cpu_id),
	[PERFDATA_TOTAL_MEM] = { .put = put_memory },
	[PERFDATA_CMDLINE] = { .put = put_cmdline },
	[PERFDATA_EVENT_DESC] = { .put = put_events },
	[PERFDATA_PMU_MAPPINGS] = { .put = put_pmus },
	[PERFDATA_GROUP_DESC] = { .put = put_groups },
	[PERFDATA_AUXTRACE] = { .put = put_traces },
	[PERFDATA_SAMPLE_TIME] = { .put = put_times },
};

/* These may have more to say once all records are written. */
static const uint64_t grow = 1ull << PERFDATA_BUILD_IDS |
			     1ull << PERFDATA_EVENT_DESC |
			     1ull << PERFDATA_AUXTRACE |
			     1ull << PERFDATA_SAMPLE_TIME;

static uint64_t all_bits(const struct perfdata_writer *w,
			 const struct perfdata_machine *machine)
{
	return writer_has(w) | (machine ? machine_has(machine) : 0);
}

/* Write the features of @bits, and set their @sections. */
static void put_features(struct perfdata_writer *w,
			 const struct perfdata_machine *machine, uint64_t bits,
			 struct perfdata_section sections[PERFDATA_FEATURES])
{
	for (size_t i = 0; i < PERFDATA_FEATURES; i++) {
		if (!(bits >> i & 1))
			continue;
		sections[i].offset = w->pos;
		if (features[i].put)
			features[i].put(w, machine);
		else
			perfdata_put_string(w, (const char *)machine +
					       features[i].string);
		sections[i].size = w->pos - sections[i].offset;
	}
}

/* Returns the size of the table in bytes. */
static size_t make_table(uint64_t bits,
			 const struct perfdata_section sections[PERFDATA_FEATURES],
			 struct perfdata_section table[PERFDATA_FEATURES])
{
	size_t nr = 0;

	for (size_t i = 0; i < PERFDATA_FEATURES; i++)
		if (bits >> i & 1)
			table[nr++] = sections[i];
	return nr * sizeof(table[0]);
}

void perfdata_features_put_ahead(struct perfdata_writer *w,
				 const struct perfdata_machine *machine)
{
	w->ahead.bits = all_bits(w, machine);
	put_features(w, machine, w->ahead.bits, w->ahead.sections);
}

size_t perfdata_features_table(const struct perfdata_writer *w,
			       struct perfdata_section table[PERFDATA_FEATURES])
{
	return make_table(w->ahead.bits, w->ahead.sections, table);
}

void perfdata_features_put(struct perfdata_writer *w,
			   const struct perfdata_machine *machine,
			   uint64_t bits[4])
{
	struct perfdata_section table[PERFDATA_FEATURES];
	struct writer_ahead all = w->ahead;
	uint64_t at = w->pos, end;
	size_t size;

	bits[0] = all_bits(w, machine);
	/* reserve space for the table, which comes first */
	size = make_table(bits[0], all.sections, table);
	perfdata_put(w, table, size);
	put_features(w, machine, bits[0] & (~w->ahead.bits | grow),
		     all.sections);
	end = w->pos;
	make_table(bits[0], all.sections, table);
	perfdata_put_at(w, at, table, size);
	perfdata_seek(w, end);
}
