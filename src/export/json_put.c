/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/json_put.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/unknown.h"
#include "ring/advice.h"

enum { TEXT_BUF = 4096 };

static bool reserve(struct json_text *to, size_t size)
{
	if (!to->failed)
		to->failed = array_fit(to->text, to->cap, to->len + size) != 0;
	return !to->failed;
}

static void add(struct json_text *to, const char *text, size_t size)
{
	if (!reserve(to, size))
		return;
	memcpy(to->text + to->len, text, size);
	to->len += size;
}

/* Add jansson's text for @value, which is owned; NULL: out of memory. */
static void add_value(struct json_text *to, json_t *value)
{
	/* 16 digits: unix time with microseconds */
	const size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(16);
	size_t size = 0, cap = 64;

	while (value && reserve(to, cap)) {
		cap = to->cap - to->len;
		size = json_dumpb(value, to->text + to->len, cap, flags);
		if (size <= cap)
			break;
		cap = size;
	}
	to->failed |= !size;
	if (!to->failed)
		to->len += size;
	json_decref(value);
}

/* Write the separator and the key before a value. */
static struct json_text *start(struct json_put *o, const char *key)
{
	size_t len = key ? strlen(key) : 0;
	char *at;

	if (!reserve(o->to, len + 4))
		return o->to;
	at = o->to->text + o->to->len;
	if (o->any)
		*at++ = ',';
	o->any = true;
	if (key) {
		*at++ = '"';
		at = mempcpy(at, key, len);
		*at++ = '"';
		*at++ = ':';
	}
	o->to->len = (size_t)(at - o->to->text);
	return o->to;
}

struct json_put json_put_begin(struct json_text *to)
{
	add(to, "{", 1);
	return (struct json_put){ .to = to, .closing = '}' };
}

struct json_put json_put_object(struct json_put *o, const char *key)
{
	return json_put_begin(start(o, key));
}

struct json_put json_put_array(struct json_put *o, const char *key)
{
	add(start(o, key), "[", 1);
	return (struct json_put){ .to = o->to, .closing = ']' };
}

void json_put_end(struct json_put *o)
{
	add(o->to, &o->closing, 1);
}

void json_put_count(struct json_put *o, const char *key, uint64_t value)
{
	char digits[TEXT_DIGITS];

	if (value == UNKNOWN)
		json_put_null(o, key);
	else if (value > INT64_MAX)
		json_put_number(o, key, (double)value);
	else
		add(start(o, key), digits, text_count(digits, value));
}

void json_put_set(struct json_put *o, const char *key, uint64_t value)
{
	json_put_count(o, key, value ? value : UNKNOWN);
}

void json_put_number(struct json_put *o, const char *key, double value)
{
	if (!isfinite(value))
		json_put_null(o, key);
	else if (value == 0)
		add(start(o, key), "0.0", 3); /* most values */
	else
		add_value(start(o, key), json_real(value));
}

void json_put_id(struct json_put *o, const char *key, int value)
{
	json_put_count(o, key, value < 0 ? UNKNOWN : (uint64_t)value);
}

void json_put_bool(struct json_put *o, const char *key, bool value)
{
	add(start(o, key), value ? "true" : "false", value ? 4 : 5);
}

void json_put_null(struct json_put *o, const char *key)
{
	add(start(o, key), "null", 4);
}

/* Without control characters only two need escaping. */
void json_put_text(struct json_put *o, const char *key, const char *text)
{
	char safe[TEXT_BUF];
	size_t plain;

	text_copy(safe, sizeof(safe), text);
	plain = strcspn(safe, "\"\\");
	if (safe[plain]) {
		add_value(start(o, key), json_string_nocheck(safe));
		return;
	}
	add(start(o, key), "\"", 1);
	add(o->to, safe, plain);
	add(o->to, "\"", 1);
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
	a = json_put_object(o, key);
	json_put_text(&a, "text", advice->text);
	json_put_set(&a, "pages", advice->pages);
	json_put_text_set(&a, "setting", advice->setting);
	json_put_text_set(&a, "command", advice->command ? advice->command :
							   "");
	json_put_number(&a, "burst_bytes_per_s", advice->burst_bytes_per_s);
	json_put_number(&a, "worst_gap", advice->worst_gap);
	json_put_end(&a);
}
