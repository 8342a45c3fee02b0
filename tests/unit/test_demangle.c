/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/symbol_table.h"

struct pair {
	const char *mangled;
	const char *nice;	/* NULL: unchanged */
};

static const struct pair pairs[] = {
	/* C++, without parameters, as perf shows it */
	{ "_Z1fv", "f" },
	{ "_ZN3app3boxImE4spinEm", "app::box<unsigned long>::spin" },
	{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
	  "std::vector<int, std::allocator<int> >::push_back" },
	{ "_ZN1AC1Ev", "A::A" },
	{ "_ZN1AC2Ev", "A::A" },
	{ "_ZN1AD0Ev", "A::~A" },
	{ "_ZTV3foo", "vtable for foo" },
	{ "_Z3fooILi3EEvv", "foo<3>" },
	{ "_Z1fv.cold", "f" },
	{ "_Z1fv.part.0", "f" },
	{ "_ZN12_GLOBAL__N_13runEv", "(anonymous namespace)::run" },
	/* in the procedure linkage table */
	{ "_Z1fv@plt", "f@plt" },
	{ "_ZN3app3boxImE4spinEm@plt", "app::box<unsigned long>::spin@plt" },
	/* Rust, old and new; without the hash */
	{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
	{ "_RNvCskwGfYPst2Cb_3foo16example_function",
	  "foo::example_function" },
	/* D */
	{ "_D8demangle4testFZv", "demangle.test()" },
	{ "_D3std5stdio4File5writeMFNfxAvZv",
	  "std.stdio.File.write(const(void[]))" },
	{ "_Dmain", "D main" },
	/* none of these */
	{ "", NULL },
	{ "_", NULL },
	{ "main", NULL },
	{ "Z1fv", NULL },
	{ "read@plt", NULL },
	{ "_start@plt", NULL },
	{ "@plt", NULL },
	{ "_@plt", NULL },
	{ "__libc_start_main", NULL },
	{ "_dl_runtime_resolve", NULL },
	{ "_Z", NULL },
	{ "_ZN", NULL },
	{ "_R", NULL },
	{ "_D", NULL },
	{ "_D4", NULL },
	{ "_Z999999999999999999999f", NULL },
};

TEST(test_pairs)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		char *nice = demangle(pairs[i].mangled);

		if (pairs[i].nice) {
			assert_non_null(nice);
			assert_string_equal(nice, pairs[i].nice);
		} else if (nice) {
			fail_msg("%s became %s", pairs[i].mangled, nice);
		}
		free(nice);
	}
}

/*
 * A name like f<p<int, int>, p<p<int, int>, p<int, int> >, ...>: each argument
 * refers twice to the previous one.
 */
static void make_bomb(char *name, size_t size, int levels)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t len = (size_t)snprintf(name, size, "_Z1fI1pIiiE");

	for (int i = 1; i <= levels; i++)
		len += (size_t)snprintf(name + len, size - len, "S0_IS%c_S%c_E",
					digits[i], digits[i]);
	snprintf(name + len, size - len, "Evv");
}

/*
 * Names of some hundred bytes that would expand to gigabytes are given up at
 * once.
 */
TEST(test_bomb)
{
	char name[512], *nice;

	/* With fewer levels the name is valid. */
	make_bomb(name, sizeof(name), 2);
	nice = demangle(name);
	assert_non_null(nice);
	assert_string_equal(nice,
			    "f<p<int, int>, p<p<int, int>, p<int, int> >, "
			    "p<p<p<int, int>, p<int, int> >, "
			    "p<p<int, int>, p<int, int> > > >");
	free(nice);
	make_bomb(name, sizeof(name), 35);
	assert_null(demangle(name));
}

TEST(test_too_long)
{
	char *name = malloc(1 << 20);

	assert_non_null(name);
	/* one identifier of nearly a megabyte */
	memset(name, 'a', 1 << 20);
	memcpy(name, "_Z1048000", 9);
	name[(1 << 20) - 1] = '\0';
	assert_null(demangle(name));
	/* nesting */
	memset(name, 'N', 4000);
	memcpy(name, "_Z", 2);
	name[4000] = '\0';
	assert_null(demangle(name));
	memset(name, 'P', 4000);
	memcpy(name, "_Z1f", 4);
	free(demangle(name));
	/* D's back references, which no callback can stop */
	memset(name, 'Q', 200);
	memcpy(name, "_D3foo", 6);
	name[200] = '\0';
	assert_null(demangle(name));
	free(name);
}

/*
 * Names cut at every byte, and with every byte changed: no crash, and it ends.
 */
TEST(test_damaged)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		char name[128];
		size_t len = strlen(pairs[i].mangled);

		for (size_t cut = 0; cut < len; cut++) {
			strcpy(name, pairs[i].mangled);
			name[cut] = '\0';
			free(demangle(name));
			for (int c = 1; c < 256; c++) {
				strcpy(name, pairs[i].mangled);
				name[cut] = (char)c;
				free(demangle(name));
			}
		}
	}
}

TEST_GROUP(demangle);
