/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/pmu.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

/* Limits: a server has some hundred PMUs, a PMU a hundred events. */
enum { PMUS_MAX = 4096, ITEMS_MAX = 4096, NAME_LEN = 64 };

/* A field of format/ or an event of events/: both are names for bits. */
struct item {
	char name[NAME_LEN];
	struct pmu_bits bits;
};

struct items {
	struct item *all;
	size_t nr, room;
};

struct pmu {
	char name[NAME_LEN];
	uint32_t type;
	bool read; /* fields and events */
	struct items fields; /* sorted by their lowest bits */
	struct items events;
};

struct pmu_table {
	const char *dir;
	struct pmu *pmus;
	size_t nr, room;
};

struct pmu_table *pmu_table_new(const char *pmus)
{
	struct pmu_table *table = calloc(1, sizeof(*table));

	if (table)
		table->dir = pmus;
	return table;
}

static void drop_all(struct pmu_table *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		free(table->pmus[i].fields.all);
		free(table->pmus[i].events.all);
	}
	free(table->pmus);
	*table = (struct pmu_table){ .dir = table->dir };
}

void pmu_table_free(struct pmu_table *table)
{
	if (!table)
		return;
	drop_all(table);
	free(table);
}

static int add_pmu(void *ctx, const char *name)
{
	struct pmu_table *table = ctx;
	uint32_t type;
	int ret;

	if (strlen(name) >= NAME_LEN || pmu_type(table->dir, name, &type, NULL))
		return 0;
	ret = array_fit_max(table->pmus, table->room, table->nr + 1, PMUS_MAX);
	if (ret)
		return ret;
	table->pmus[table->nr] = (struct pmu){ .type = type };
	strcpy(table->pmus[table->nr++].name, name);
	return 0;
}

int pmu_table_read(struct pmu_table *table)
{
	int ret;

	drop_all(table);
	ret = pmu_each(table->dir, add_pmu, table);
	if (ret == -ENOMEM)
		drop_all(table);
	return ret == -ENOMEM ? ret : 0;
}

static struct pmu *find(const struct pmu_table *table, uint32_t type)
{
	for (size_t i = 0; i < table->nr; i++) {
		if (table->pmus[i].type == type)
			return &table->pmus[i];
	}
	return NULL;
}

const char *pmu_table_name(const struct pmu_table *table, uint32_t type)
{
	const struct pmu *pmu = find(table, type);

	return pmu ? pmu->name : NULL;
}

/* NULL if there are too many or its name is too long: it stays unknown. */
static struct item *add_item(struct items *items, const char *name)
{
	struct item *item = NULL;

	if (strlen(name) < NAME_LEN)
		item = array_add_max(items->all, items->nr, items->room,
				     ITEMS_MAX);
	if (item)
		strcpy(item->name, name);
	return item;
}

struct reading {
	const char *dir;
	struct pmu *pmu;
};

static int add_field(void *ctx, const char *name)
{
	const struct reading *r = ctx;
	struct pmu_bits bits;
	struct item *item;

	if (pmu_field_bits(r->dir, r->pmu->name, name, &bits))
		return 0;
	item = add_item(&r->pmu->fields, name);
	if (item)
		item->bits = bits;
	return 0;
}

static int add_event(void *ctx, const char *name)
{
	const struct reading *r = ctx;
	struct perf_event_attr attr = { 0 };
	struct item *item;

	if (pmu_apply_term(r->dir, r->pmu->name, name, NULL, &attr, NULL))
		return 0;
	item = add_item(&r->pmu->events, name);
	if (item)
		item->bits = pmu_bits_of(&attr);
	return 0;
}

/* The lowest bit of all three words; fields have one word each. */
static int lowest(const struct item *item)
{
	for (int i = 0; i < PMU_WORDS; i++) {
		if (item->bits.words[i])
			return 64 * i + __builtin_ctzll(item->bits.words[i]);
	}
	return 64 * PMU_WORDS;
}

static int by_lowest(const void *a, const void *b)
{
	int diff = lowest(a) - lowest(b);

	return diff ? diff :
		      strcmp(((const struct item *)a)->name,
			     ((const struct item *)b)->name);
}

static struct pmu *find_read(struct pmu_table *table, uint32_t type)
{
	struct pmu *pmu = find(table, type);
	struct reading r = { table->dir, pmu };

	if (!pmu || pmu->read)
		return pmu;
	pmu->read = true;
	pmu_each_field(table->dir, pmu->name, add_field, &r);
	pmu_each_event(table->dir, pmu->name, add_event, &r);
	if (pmu->fields.nr)
		qsort(pmu->fields.all, pmu->fields.nr, sizeof(*pmu->fields.all),
		      by_lowest);
	return pmu;
}

const char *pmu_table_event(struct pmu_table *table,
			    const struct perf_event_attr *attr)
{
	const struct pmu *pmu = find_read(table, attr->type);
	const struct pmu_bits bits = pmu_bits_of(attr);

	for (size_t i = 0; pmu && i < pmu->events.nr; i++) {
		const struct item *item = &pmu->events.all[i];

		if (!memcmp(&item->bits, &bits, sizeof(bits)))
			return item->name;
	}
	return NULL;
}

/* The bits of that word that belong to exactly one field. */
static uint64_t clear_bits(const struct items *fields, int word)
{
	uint64_t once = 0, twice = 0;

	for (size_t i = 0; i < fields->nr; i++) {
		uint64_t bits = fields->all[i].bits.words[word];

		twice |= once & bits;
		once |= bits;
	}
	return once & ~twice;
}

/* A buffer for the text of terms; what does not fit is cut. */
struct text {
	char *buf;
	size_t size;
};

static void add_term(struct text *text, const char *name, const char *value)
{
	text_append(text->buf, text->size, "%s%s%s", text->buf[0] ? "," : "",
		    name, value);
}

static void add_field_term(struct text *text, const char *name, uint64_t value,
			   uint64_t mask)
{
	bool one_bit = (mask & (mask - 1)) == 0;
	char number[24] = "";

	value = pmu_gather(value, mask);
	if (!one_bit)
		snprintf(number, sizeof(number),
			 value < 10 ? "=%llu" : "=%#llx",
			 (unsigned long long)value);
	add_term(text, name, number);
}

static void add_word(struct text *text, int word, uint64_t value)
{
	static const char *const names[PMU_WORDS] = {
		"config",
		"config1",
		"config2",
	};
	char number[24];

	snprintf(number, sizeof(number), "=%#llx", (unsigned long long)value);
	add_term(text, names[word], number);
}

static void add_fields(struct text *text, const struct items *fields, int word,
		       uint64_t value)
{
	for (size_t i = 0; i < fields->nr; i++) {
		uint64_t mask = fields->all[i].bits.words[word];

		if (value & mask)
			add_field_term(text, fields->all[i].name, value, mask);
	}
}

char *pmu_table_terms(struct pmu_table *table,
		      const struct perf_event_attr *attr, char *buf,
		      size_t size)
{
	static const struct items none;
	const struct pmu *pmu = find_read(table, attr->type);
	const struct items *fields = pmu ? &pmu->fields : &none;
	const struct pmu_bits bits = pmu_bits_of(attr);
	struct text text = { buf, size };

	buf[0] = '\0';
	for (int i = 0; i < PMU_WORDS; i++) {
		if (bits.words[i] & ~clear_bits(fields, i))
			add_word(&text, i, bits.words[i]);
		else
			add_fields(&text, fields, i, bits.words[i]);
	}
	return text_sanitize(buf);
}
