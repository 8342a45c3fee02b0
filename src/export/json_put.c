/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/json_put.h"

#include <math.h>

#include "base/text.h"
#include "model/advice.h"
#include "model/reading.h"

enum { TEXT_BUF = 4096 };

struct json_put json_put_new(void)
{
	return (struct json_put){ json_object() };
}

void json_put(struct json_put *o, const char *key, json_t *value)
{
	/* keys are literals, and need no look for bad UTF-8 */
	if (json_object_set_new_nocheck(o->json, key, value) == 0)
		return;
	json_decref(o->json);
	o->json = NULL;
}

void json_put_count(struct json_put *o, const char *key, uint64_t value)
{
	if (value == READING_UNKNOWN)
		json_put_null(o, key);
	else if (value > INT64_MAX)
		json_put(o, key, json_real((double)value));
	else
		json_put(o, key, json_integer((json_int_t)value));
}

void json_put_set(struct json_put *o, const char *key, uint64_t value)
{
	json_put_count(o, key, value ? value : READING_UNKNOWN);
}

void json_put_number(struct json_put *o, const char *key, double value)
{
	json_put(o, key, isfinite(value) ? json_real(value) : json_null());
}

void json_put_id(struct json_put *o, const char *key, int value)
{
	json_put(o, key, value < 0 ? json_null() : json_integer(value));
}

void json_put_bool(struct json_put *o, const char *key, bool value)
{
	json_put(o, key, json_boolean(value));
}

void json_put_null(struct json_put *o, const char *key)
{
	json_put(o, key, json_null());
}

void json_put_text(struct json_put *o, const char *key, const char *text)
{
	char safe[TEXT_BUF];

	text_copy(safe, sizeof(safe), text);
	json_put(o, key, json_string_nocheck(safe));
}

void json_put_text_set(struct json_put *o, const char *key, const char *text)
{
	if (*text)
		json_put_text(o, key, text);
	else
		json_put_null(o, key);
}

void json_put_advice(struct json_put *o, const char *key,
		     const struct advice *advice)
{
	struct json_put a;

	if (!advice->valid) {
		json_put_null(o, key);
		return;
	}
	a = json_put_new();
	json_put_text(&a, "text", advice->text);
	json_put_set(&a, "pages", advice->pages);
	json_put_number(&a, "burst_bytes_per_s", advice->burst_bytes_per_s);
	json_put_number(&a, "worst_gap", advice->worst_gap);
	json_put(o, key, a.json);
}

json_t *json_put_array(size_t nr, json_t *(*make)(const void *ctx, size_t i),
		       const void *ctx)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++) {
		if (json_array_append_new(array, make(ctx, i))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}
