/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "perf/event/event_spec.h"

TEST(texts)
{
	static const struct {
		const char *text, *path, *function;
		int which;
		uint64_t offset;
	} good[] = {
		{ "call:main", "", "main", -1, 0 },
		{ "call:app::run", "", "app::run", -1, 0 },
		{ "call:twice#2", "", "twice", 2, 0 },
		{ "call:twice #12", "", "twice", 12, 0 },
		{ "call:twice#g", "", "twice", 0, 0 },
		{ "call:/bin/app:main", "/bin/app", "main", -1, 0 },
		{ "call:./app:app::run", "./app", "app::run", -1, 0 },
		{ "call:/bin/app:0x1149", "/bin/app", "", -1, 0x1149 },
		{ "call:/bin/app:64", "/bin/app", "", -1, 64 },
		/* a slash after the colon belongs to the name */
		{ "call:/lib/x.so:operator/", "/lib/x.so", "operator/", -1, 0 },
	};
	struct call_spec spec;
	struct err err = { 0 };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(call_spec_is(good[i].text));
		assert_int_equal(call_spec_read(good[i].text, &spec, &err), 0);
		assert_string_equal(spec.path, good[i].path);
		assert_string_equal(spec.function, good[i].function);
		assert_int_equal(spec.which, good[i].which);
		assert_int_equal(spec.offset, good[i].offset);
	}
}

TEST(what_is_none)
{
	static const char *const bad[] = {
		"call:",	   "call:/bin/app",	"call:/bin/app:",
		"call:0x1149",	   "call:/bin/app:1x",	"call:a#0",
		"call:a#x",	   "call:#1",		"call:two words",
		"call: main",	   "call:a#4294967296",
	};
	char text[8192];
	struct call_spec spec;
	struct err err = { 0 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(call_spec_read(bad[i], &spec, &err), -EINVAL);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_non_null(strstr(err.text, "call:PATH:0xOFFSET"));
	}
	memset(text, 'a', sizeof(text));
	memcpy(text, "call:", strlen("call:"));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(call_spec_read(text, &spec, &err), -EINVAL);
	text[5] = '/';
	text[sizeof(text) - 3] = ':';
	assert_int_equal(call_spec_read(text, &spec, &err), -EINVAL);
	assert_false(call_spec_is("callx"));
	assert_false(call_spec_is("lost"));
}

TEST_GROUP(call_spec);
