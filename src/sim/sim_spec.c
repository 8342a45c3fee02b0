/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "sim/sim_ring.h"
#include "sim/sim_traffic.h"

static const char *const sim_readers[] = { "normal", "slow", "stuck", NULL };

enum kind { NUMBER, SIZE, CHOICE };

struct key {
	const char *name;
	enum kind kind;
	uint64_t min, max, preset;
	size_t offset;		/* of the field in struct sim_spec */
};

#define SIM_KEY(name, kind, min, max, preset, help) \
	{ #name, kind, min, max, preset, offsetof(struct sim_spec, name) },
static const struct key keys[] = {
#include "sim/sim_keys.def"
};
#undef SIM_KEY

enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

static uint64_t *field(struct sim_spec *spec, const struct key *key)
{
	return (uint64_t *)((char *)spec + key->offset);
}

static void list_keys(char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (int i = 0; i < KEYS && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
					 i ? ", " : "", keys[i].name);
}

static const struct key *find_key(const char *name, struct err *err)
{
	char valid[256];

	for (int i = 0; i < KEYS; i++)
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
	list_keys(valid, sizeof(valid));
	err_usage(err, "--sim: no key '%s'; there are %s", name, valid);
	return NULL;
}

static const char *const *choices_of(const struct key *key)
{
	if (key->offset == offsetof(struct sim_spec, reader))
		return sim_readers;
	if (key->offset == offsetof(struct sim_spec, code))
		return sim_code_kinds();
	return sim_traffic_mixes();
}

static int parse_choice(const struct key *key, const char *value,
			uint64_t *out, struct err *err)
{
	const char *const *choices = choices_of(key);
	char valid[128] = "";

	for (uint64_t i = 0; choices[i]; i++) {
		if (strcmp(choices[i], value) == 0) {
			*out = i;
			return 0;
		}
		text_list(valid, sizeof(valid), choices[i]);
	}
	return err_usage(err, "--sim %s=%s: must be one of %s", key->name,
			 value, valid);
}

static int parse_value(const struct key *key, const char *value, uint64_t *out,
		       struct err *err)
{
	char what[32];
	int ret;

	snprintf(what, sizeof(what), "--sim %s", key->name);
	if (key->kind == CHOICE)
		return parse_choice(key, value, out, err);
	if (key->kind == SIZE)
		ret = units_parse_size(value, what, out, NULL, err);
	else
		ret = units_parse_number(value, key->max, what, out, err);
	if (ret)
		return ret;
	if (*out < key->min || *out > key->max)
		return err_usage(err, "%s=%s: must be from %llu to %llu", what,
				 value, (unsigned long long)key->min,
				 (unsigned long long)key->max);
	return 0;
}

static int parse_item(struct sim_spec *spec, char *item, struct err *err)
{
	char *value = strchr(item, '=');
	const struct key *key;

	if (value)
		*value++ = '\0';
	key = find_key(item, err);
	if (!key)
		return -EINVAL;
	if (!value)
		return err_usage(err, "--sim %s: needs a value, as in %s=%llu",
				 item, item, (unsigned long long)key->preset);
	return parse_value(key, value, field(spec, key), err);
}

static int parse_items(struct sim_spec *spec, char *text, struct err *err)
{
	char *item;
	int ret;

	if (!*text)
		return 0;
	while ((item = strsep(&text, ","))) {
		ret = parse_item(spec, item, err);
		if (ret)
			return ret;
	}
	return 0;
}

int sim_spec_check_watermark(const struct sim_spec *spec, uint64_t size,
			     struct err *err)
{
	uint64_t sample = spec->record, last;

	if (spec->chain)	/* a count and both context markers */
		sample += (spec->chain + 3) * sizeof(uint64_t);
	/* the ring is full when the next record does not fit, with a LOST */
	last = SIM_RING_LOST_RECORD + MAX(sample, SIM_TRAFFIC_SIDE_BAND);
	if (spec->watermark && spec->watermark + last > size)
		return err_usage(err, "--sim watermark=%llu: never reached in "
				 "a ring of %llu bytes; at most %llu",
				 (unsigned long long)spec->watermark,
				 (unsigned long long)size,
				 (unsigned long long)(size - last));
	return 0;
}

int sim_spec_parse(struct sim_spec *spec, const char *text, struct err *err)
{
	char *copy = strdup(text);
	int ret;

	if (!copy)
		return err_set(err, -ENOMEM, "--sim: out of memory");
	for (int i = 0; i < KEYS; i++)
		*field(spec, &keys[i]) = keys[i].preset;
	ret = parse_items(spec, copy, err);
	free(copy);
	if (ret)
		return ret;
	spec->size = units_round_pow2(spec->size);
	if (spec->aux)
		spec->aux = units_round_pow2(spec->aux);
	return sim_spec_check_watermark(spec, spec->size, err);
}

const char *sim_help(void)
{
#define SIM_KEY(name, kind, min, max, preset, help) #name "=\t" help "\n"
	return
#include "sim/sim_keys.def"
		;
#undef SIM_KEY
}
