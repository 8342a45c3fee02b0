/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/event_label.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "perf/event/event_names.h"
#include "perf/event/pmu.h"
#include "perf/tracepoint/tracefs.h"

/* Kernels have some 3000; ids are an unsigned short (trace_output.c). */
enum { IDS_MAX = 1 << 16, TRACEPOINT_LEN = 96 };

/*
 * Names of tracepoints by their ids.  tracefs only has the ids by name, so all
 * of them are read at once: some 2000 files, 10-30 ms.
 */
struct tracepoints {
	struct table names;	/* by id */
	const char *tracefs;	/* while tracefs is read */
};

static void free_names(struct table *names)
{
	for (size_t i = 0; i < names->len; i++)
		free(names->entries[i].item);
	table_free(names);
}

/* An event that cannot be read was removed meanwhile. */
static int add_tracepoint(void *ctx, const char *sys, const char *name)
{
	struct tracepoints *t = ctx;
	char full[2 * TRACEPOINT_LEN], shown[TRACEPOINT_LEN], *kept;
	uint64_t id;

	if (t->names.len == IDS_MAX)
		return -EFBIG;
	if (tracefs_event_id(t->tracefs, sys, name, &id, NULL))
		return 0;
	snprintf(full, sizeof(full), "%s:%s", sys, name);
	text_copy(shown, sizeof(shown), full);
	kept = strdup(shown);
	if (kept && !table_add(&t->names, id, kept))
		return 0;
	free(kept);
	return -ENOMEM;
}

/* Read them again; if that fails, such as with -EACCES, they stay. */
static void read_tracepoints(struct table *names, const char *tracefs)
{
	struct tracepoints fresh = { .tracefs = tracefs };
	int ret = tracefs_each_event(tracefs, "*", "*", add_tracepoint, &fresh,
				     NULL);

	free_names(ret ? &fresh.names : names);
	if (!ret)
		*names = fresh.names;
}


/*
 * Far more names than a machine has at a time: only a program that always opens
 * different events comes near.
 */
enum { LABELS_MAX = 4096, NAME_LEN = 128 };

/*
 * What a name depends on, in words, so that there is no padding.  For a
 * tracepoint whose name is known, config1 is a hash of the name, since ids are
 * reused.
 */
enum { KEY_TYPES, KEY_CONFIG, KEY_CONFIG1, KEY_CONFIG2, KEY_MODS, KEY_WORDS };

struct label {
	const char *name;
	uint64_t key[KEY_WORDS];
	double again; /* without a name: when to look it up again */
	double wait; /* seconds to the look-up after that */
};

/*
 * Seconds until a number without a name is looked up again, doubled each time.
 */
#define WAIT_FIRST 2.0
#define WAIT_MAX 300.0
/* The least seconds between two reads of the same table. */
#define READ_GAP 2.0

struct event_labels {
	struct label *labels; /* room for LABELS_MAX */
	uint32_t nr_labels;
	struct table_index by_key; /* of these */
	struct table names; /* one string for each text, by its hash */
	const char *tracefs;
	struct pmu_table *pmus;
	double pmus_read; /* when; -INFINITY: never */
	struct table tracepoints; /* their names, by id */
	double tracepoints_read;
};

struct event_labels *event_labels_new(const char *pmus, const char *tracefs)
{
	struct event_labels *labels = calloc(1, sizeof(*labels));

	if (!labels)
		return NULL;
	labels->tracefs = tracefs;
	labels->pmus_read = labels->tracepoints_read = -INFINITY;
	labels->labels = calloc(LABELS_MAX, sizeof(*labels->labels));
	labels->pmus = pmu_table_new(pmus ? pmus : PMU_DEVICES);
	if (labels->labels && labels->pmus &&
	    !table_index_init(&labels->by_key, LABELS_MAX))
		return labels;
	event_labels_free(labels);
	return NULL;
}

void event_labels_free(struct event_labels *labels)
{
	if (!labels)
		return;
	free_names(&labels->names);
	table_index_free(&labels->by_key);
	free(labels->labels);
	pmu_table_free(labels->pmus);
	free_names(&labels->tracepoints);
	free(labels);
}

/* Names used if there is no room for others; there are only a few of them. */
static const char *kind_name(uint32_t type)
{
	static const char *const names[] = {
		[PERF_TYPE_HARDWARE] = "hardware",
		[PERF_TYPE_SOFTWARE] = "software",
		[PERF_TYPE_TRACEPOINT] = "tracepoint",
		[PERF_TYPE_HW_CACHE] = "cache",
		[PERF_TYPE_RAW] = "raw",
		[PERF_TYPE_BREAKPOINT] = "mem",
	};

	return type < PERF_TYPE_MAX ? names[type] : "pmu";
}

/* The only string with that text; kind_name() if there is no room for it. */
static const char *intern(struct event_labels *labels, const char *text,
			  uint32_t type)
{
	uint64_t hash = table_hash(text, strlen(text));
	struct table_entry *entry = table_find(&labels->names, hash);
	char *copy;

	while (entry && strcmp(entry->item, text))
		entry = table_again(&labels->names, entry);
	if (entry)
		return entry->item;
	if (labels->names.len == LABELS_MAX)
		return kind_name(type);
	copy = strdup(text);
	if (!copy || table_add(&labels->names, hash, copy)) {
		free(copy);
		return kind_name(type);
	}
	return copy;
}

/* The name of a PMU; the PMUs are read again if it is not known. */
static const char *pmu_name(struct event_labels *labels, uint32_t type,
			    double mono)
{
	const char *name = pmu_table_name(labels->pmus, type);

	if (name || mono - labels->pmus_read < READ_GAP)
		return name;
	labels->pmus_read = mono;
	pmu_table_read(labels->pmus);
	return pmu_table_name(labels->pmus, type);
}

static const char *tracepoint_name(struct event_labels *labels, uint64_t id,
				   double mono)
{
	const char *name = table_get(&labels->tracepoints, id);
	const char *dir = labels->tracefs;

	if (name || mono - labels->tracepoints_read < READ_GAP)
		return name;
	labels->tracepoints_read = mono;
	if (!dir)
		dir = tracefs_mounted();
	if (dir)
		read_tracepoints(&labels->tracepoints, dir);
	return table_get(&labels->tracepoints, id);
}

/* kprobe and uprobe: config1 and config2 are pointers of the opener. */
static bool has_pointers(const char *pmu)
{
	return !strcmp(pmu, "kprobe") || !strcmp(pmu, "uprobe");
}

/* "intel_pt/tsc,mtc/".  False if the PMU is not known. */
static bool name_pmu(struct event_labels *labels,
		     const struct perf_event_attr *attr, double mono, char *buf,
		     size_t size)
{
	const char *pmu = pmu_name(labels, attr->type, mono), *event;
	struct perf_event_attr config = *attr;
	char terms[NAME_LEN], number[24];

	if (pmu && has_pointers(pmu))
		config.config1 = config.config2 = 0;
	event = pmu_table_event(labels->pmus, &config);
	if (!event)
		event = pmu_table_terms(labels->pmus, &config, terms,
					sizeof(terms));
	snprintf(number, sizeof(number), "pmu %u", attr->type);
	snprintf(buf, size, "%.60s/%.60s/", pmu ? pmu : number, event);
	return pmu;
}

/*
 * Raw events are of the CPU's PMU, type 4.  If its events/ has the event, its
 * name is "cpu/mem-loads/"; else it is the config as in the CPU's manual,
 * "r1a8".
 */
static void name_raw(struct event_labels *labels,
		     const struct perf_event_attr *attr, double mono, char *buf,
		     size_t size)
{
	const char *pmu = pmu_name(labels, attr->type, mono);

	if ((pmu && pmu_table_event(labels->pmus, attr)) || attr->config1 ||
	    attr->config2)
		name_pmu(labels, attr, mono, buf, size);
	else
		snprintf(buf, size, "r%llx", (unsigned long long)attr->config);
}

static bool name_tracepoint(struct event_labels *labels,
			    const struct perf_event_attr *attr,
			    const char *name, double mono, char *buf,
			    size_t size)
{
	if (!name)
		name = tracepoint_name(labels, attr->config, mono);
	if (name)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "tracepoint:%llu",
			 (unsigned long long)attr->config);
	return name;
}

/*
 * On CPUs with several kinds of cores, the upper half of a hardware event's
 * config is the type of its PMU: PERF_PMU_TYPE_SHIFT, perf_init_event() in
 * kernel/events/core.c.
 */
static uint32_t pmu_of_config(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE ?
		       0 :
		       (uint32_t)(attr->config >> 32);
}

static bool name_generic(struct event_labels *labels,
			 const struct perf_event_attr *attr, double mono,
			 char *buf, size_t size)
{
	uint32_t type = pmu_of_config(attr);
	uint64_t config = type ? (uint32_t)attr->config : attr->config;
	const char *pmu = type ? pmu_name(labels, type, mono) : NULL;
	char event[64];

	if (!event_names_of(attr->type, config, event, sizeof(event)))
		snprintf(event, sizeof(event), "%s:%#llx",
			 kind_name(attr->type), (unsigned long long)config);
	if (!type)
		snprintf(buf, size, "%s", event);
	else if (pmu)
		snprintf(buf, size, "%.60s/%s/", pmu, event);
	else
		snprintf(buf, size, "pmu %u/%s/", type, event);
	return !type || pmu;
}

/*
 * The letters of evsel__add_modifiers(), tools/perf/util/evsel.c, without H:
 * perf excludes guests by default, other programs do not.
 */
static void add_mods(const struct perf_event_attr *attr, char *buf, size_t size)
{
	size_t len = strlen(buf);
	char mods[12], *m = mods;

	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_hv) {
		if (!attr->exclude_kernel)
			*m++ = 'k';
		if (!attr->exclude_user)
			*m++ = 'u';
		if (!attr->exclude_hv)
			*m++ = 'h';
	}
	for (unsigned int i = 0; i < attr->precise_ip; i++)
		*m++ = 'p';
	if (attr->exclude_host && !attr->exclude_guest)
		*m++ = 'G';
	*m = '\0';
	if (m > mods)
		text_append(buf, size, "%s%s",
			    len && buf[len - 1] == '/' ? "" : ":", mods);
}

/*
 * The event's name into @buf.  False if it still has numbers in place of names.
 */
static bool make_name(struct event_labels *labels,
		      const struct perf_event_attr *attr,
		      const char *tracepoint, double mono, char *buf,
		      size_t size)
{
	bool found = true;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_HW_CACHE:
		found = name_generic(labels, attr, mono, buf, size);
		break;
	case PERF_TYPE_TRACEPOINT:
		found = name_tracepoint(labels, attr, tracepoint, mono, buf,
					size);
		break;
	case PERF_TYPE_RAW:
		name_raw(labels, attr, mono, buf, size);
		break;
	case PERF_TYPE_BREAKPOINT:
		event_names_breakpoint_of(attr, buf, size);
		break;
	default:
		found = name_pmu(labels, attr, mono, buf, size);
	}
	add_mods(attr, buf, size);
	return found;
}

static void make_key(const struct perf_event_attr *attr,
		     const char *tracepoint, uint64_t key[KEY_WORDS])
{
	bool words = attr->type >= PERF_TYPE_RAW;

	key[KEY_TYPES] = attr->type;
	if (attr->type == PERF_TYPE_BREAKPOINT)
		key[KEY_TYPES] |= (uint64_t)attr->bp_type << 32;
	key[KEY_CONFIG] = attr->config;
	key[KEY_CONFIG1] = words ? attr->config1 : 0;
	if (attr->type == PERF_TYPE_TRACEPOINT && tracepoint)
		key[KEY_CONFIG1] = table_hash(tracepoint, strlen(tracepoint));
	key[KEY_CONFIG2] = words ? attr->config2 : 0;
	key[KEY_MODS] = (uint64_t)attr->exclude_user |
			(uint64_t)attr->exclude_kernel << 1 |
			(uint64_t)attr->exclude_hv << 2 |
			(uint64_t)attr->exclude_host << 3 |
			(uint64_t)attr->exclude_guest << 4 |
			(uint64_t)attr->precise_ip << 5;
}

static bool same_key(const void *ctx, uint32_t i, const void *key)
{
	const struct event_labels *labels = ctx;

	return !memcmp(labels->labels[i].key, key,
		       sizeof(labels->labels[i].key));
}

/* The slot of that key, or the free slot where it belongs. */
static uint32_t *find_slot(const struct event_labels *labels,
			   const uint64_t key[KEY_WORDS])
{
	return table_index_find(&labels->by_key,
				table_hash(key, KEY_WORDS * sizeof(*key)),
				same_key, labels, key);
}

/* Add a key; if there are too many, all are dropped and looked up again. */
static struct label *add_label(struct event_labels *labels, uint32_t *slot,
			       const uint64_t key[KEY_WORDS])
{
	struct label *label;

	if (labels->nr_labels == LABELS_MAX) {
		table_index_clear(&labels->by_key);
		labels->nr_labels = 0;
		slot = find_slot(labels, key);
	}
	label = &labels->labels[labels->nr_labels++];
	*slot = labels->nr_labels;
	*label = (struct label){ .wait = WAIT_FIRST };
	memcpy(label->key, key, sizeof(label->key));
	return label;
}

const char *event_labels_name(struct event_labels *labels,
			      const struct perf_event_attr *attr,
			      const char *tracepoint, double mono)
{
	uint64_t key[KEY_WORDS];
	struct label *label;
	char name[NAME_LEN];
	uint32_t *slot;
	bool found;

	make_key(attr, tracepoint, key);
	slot = find_slot(labels, key);
	label = *slot ? &labels->labels[*slot - 1] : NULL;
	if (label && mono < label->again)
		return label->name;
	found = make_name(labels, attr, tracepoint, mono, name, sizeof(name));
	if (!label)
		label = add_label(labels, slot, key);
	label->name = intern(labels, text_sanitize(name), attr->type);
	label->again = found ? INFINITY : mono + label->wait;
	label->wait = fmin(label->wait * 2, WAIT_MAX);
	return label->name;
}
