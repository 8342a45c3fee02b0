/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/json_put.h"
#include "ring/advice.h"
#include "ring/reading.h"

/* The text, parsed by jansson; objects must not repeat a key. */
static json_t *parsed(struct json_text *text)
{
	json_t *json;

	assert_false(text->failed);
	json = json_loadb(text->text, text->len, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(json);
	free(text->text);
	return json;
}

static void check(struct json_text *text, json_t *expected)
{
	json_t *json = parsed(text);

	assert_non_null(expected);
	assert_true(json_equal(json, expected));
	json_decref(json);
	json_decref(expected);
}

TEST(test_nested)
{
	struct json_text text = { 0 };
	struct json_put o = json_put_begin(&text), list, item;

	list = json_put_object(&o, "empty");
	json_put_end(&list);
	list = json_put_array(&o, "none");
	json_put_end(&list);
	list = json_put_array(&o, "list");
	json_put_text(&list, NULL, "a");
	item = json_put_object(&list, NULL);
	json_put_bool(&item, "b", true);
	json_put_null(&item, "c");
	json_put_end(&item);
	json_put_count(&list, NULL, 3);
	json_put_end(&list);
	json_put_bool(&o, "last", false);
	json_put_end(&o);
	check(&text, json_pack("{s:{}, s:[], s:[s, {s:b, s:n}, i], s:b}",
			       "empty", "none", "list", "a", "b", 1, "c", 3,
			       "last", 0));
}

TEST(test_counts)
{
	struct json_text text = { 0 };
	struct json_put o = json_put_begin(&text);

	json_put_count(&o, "zero", 0);
	json_put_count(&o, "most", INT64_MAX);
	json_put_count(&o, "beyond", (uint64_t)1 << 63);
	json_put_count(&o, "unknown", UNKNOWN);
	json_put_set(&o, "set", 7);
	json_put_set(&o, "unset", 0);
	json_put_id(&o, "id", 0);
	json_put_id(&o, "none", -1);
	json_put_end(&o);
	check(&text, json_pack("{s:i, s:I, s:f, s:n, s:i, s:n, s:i, s:n}",
			       "zero", 0, "most", (json_int_t)INT64_MAX,
			       "beyond", 0x1p63, "unknown", "set", 7, "unset",
			       "id", 0, "none"));
}

/*
 * 16 digits, and never without a fraction: a reader that sees 0.0 once gets 0.5
 * next.
 */
TEST(test_numbers)
{
	struct json_text text = { 0 };
	struct json_put o = json_put_begin(&text);

	json_put_number(&o, "zero", 0);
	json_put_number(&o, "whole", 3);
	json_put_number(&o, "tenth", 0.1);
	json_put_number(&o, "below", -2.5e-300);
	json_put_number(&o, "large", 1e300);
	json_put_number(&o, "time", 1700000000.123456);
	json_put_number(&o, "nan", NAN);
	json_put_number(&o, "infinite", INFINITY);
	json_put_end(&o);
	check(&text, json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:n, s:n}",
			       "zero", 0.0, "whole", 3.0, "tenth", 0.1,
			       "below", -2.5e-300, "large", 1e300, "time",
			       1700000000.123456, "nan", "infinite"));
}

TEST(test_texts)
{
	struct json_text text = { 0 };
	struct json_put o = json_put_begin(&text);

	json_put_text(&o, "plain", "cpu-clock");
	json_put_text(&o, "empty", "");
	json_put_text(&o, "quoted", "a \"b\" \\ /");
	json_put_text(&o, "control", "a\nb\x1b\x7f");
	json_put_text(&o, "utf8", "\xc3\xa9 \xff");
	json_put_text_set(&o, "set", "x");
	json_put_text_set(&o, "unset", "");
	json_put_end(&o);
	check(&text, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:n}", "plain",
			       "cpu-clock", "empty", "", "quoted",
			       "a \"b\" \\ /", "control", "a?b??", "utf8",
			       "\xc3\xa9 ?", "set", "x", "unset"));
}

TEST(test_advice)
{
	const struct advice none = { 0 };
	const struct advice advice = {
		.valid = true, .pages = 8, .burst_bytes_per_s = 2.5,
		.worst_gap = 0.25, .text = "-m 8",
		.setting = "-m 8", .command = "perf record -m 8",
	};
	struct json_text text = { 0 };
	struct json_put o = json_put_begin(&text);

	json_put_advice(&o, "none", &none);
	json_put_advice(&o, "some", &advice);
	json_put_end(&o);
	check(&text, json_pack("{s:n, s:{s:s, s:i, s:s, s:s, s:f, s:f}}",
			       "none",
			       "some", "text", "-m 8", "pages", 8, "setting",
			       "-m 8", "command", "perf record -m 8", "burst_bytes_per_s", 2.5,
			       "worst_gap", 0.25));
}

/* The text grows by any amount. */
TEST(test_large)
{
	enum { MANY = 5000 };
	struct json_text text = { 0 };
	struct json_put o = json_put_begin(&text), list;
	char wide[3000];
	json_t *json, *array, *item;
	size_t i;

	memset(wide, '"', sizeof(wide));
	wide[sizeof(wide) - 1] = '\0';
	list = json_put_array(&o, "list");
	for (i = 0; i < MANY; i++)
		json_put_number(&list, NULL, (double)i / 3);
	json_put_text(&list, NULL, wide);
	json_put_end(&list);
	json_put_end(&o);
	json = parsed(&text);
	array = json_object_get(json, "list");
	assert_int_equal(json_array_size(array), MANY + 1);
	json_array_foreach(array, i, item) {
		if (i == MANY)
			assert_string_equal(json_string_value(item), wide);
		else
			assert_true(fabs(json_real_value(item) -
					 (double)i / 3) < 1e-12);
	}
	json_decref(json);
}

TEST_GROUP(json_put);
