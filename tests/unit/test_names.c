/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdio.h>
#include <string.h>

#include "samples/names.h"

enum { MIB = 1024 * 1024 };

TEST(test_equal_pointers)
{
	struct names *names = names_new(MIB);
	char text[] = "do_syscall_64";
	const char *kept = names_add(names, text);

	assert_ptr_not_equal(kept, text);
	assert_string_equal(kept, "do_syscall_64");
	text[0] = 'x';
	assert_string_equal(kept, "do_syscall_64");
	assert_ptr_equal(names_add(names, "do_syscall_64"), kept);
	assert_ptr_not_equal(names_add(names, "do_syscall_6"), kept);
	assert_ptr_not_equal(names_add(names, ""), kept);
	assert_ptr_equal(names_add(names, ""), names_add(names, ""));
	names_free(names);
	names_free(NULL);
}

/* Names are stored sanitized, once for all spellings. */
TEST(test_sanitized)
{
	struct names *names = names_new(MIB);
	const char *kept = names_add(names, "a\x1b]0;b\xff\n");

	assert_string_equal(kept, "a?]0;b??");
	assert_ptr_equal(names_add(names, "a?]0;b??"), kept);
	assert_ptr_equal(names_add(names, "a\x07]0;b\x80\r"), kept);
	assert_string_equal(names_add(names, "caf\xc3\xa9"), "caf\xc3\xa9");
	names_free(names);
}

/* Enough for several chunks and several sizes of the table. */
TEST(test_many)
{
	enum { NR = 20000 };
	static const char *kept[NR];
	struct names *names = names_new(16 * MIB);
	char text[64];

	for (int i = 0; i < NR; i++) {
		snprintf(text, sizeof(text), "namespace::function_%d", i);
		kept[i] = names_add(names, text);
	}
	for (int i = 0; i < NR; i++) {
		snprintf(text, sizeof(text), "namespace::function_%d", i);
		assert_string_equal(kept[i], text);
		assert_ptr_equal(names_add(names, text), kept[i]);
	}
	/* about 30 bytes per name, 16 per slot, half to three quarters used */
	assert_in_range(names_bytes(names), NR * 40, NR * 90);
	names_free(names);
}

TEST(test_limit)
{
	struct names *names = names_new(256 * 1024);
	const char *first = names_add(names, "first"), *last = "";
	char text[64];
	int i;

	assert_int_equal(names_limit(names), 256 * 1024);
	for (i = 0; i < 1000000 && strcmp(last, NAMES_FULL) != 0; i++) {
		assert_in_range(names_bytes(names), 1, 256 * 1024 - 1);
		snprintf(text, sizeof(text), "function_%d", i);
		last = names_add(names, text);
	}
	assert_in_range(i, 3000, 20000);
	/* and this is visible to callers */
	assert_int_equal(names_bytes(names), names_limit(names));
	assert_ptr_equal(names_add(names, "first"), first);
	assert_ptr_equal(names_add(names, "another"),
			 names_add(names, "and another"));
	names_free(names);

	names = names_new(0);
	assert_non_null(names);
	assert_string_equal(names_add(names, "x"), NAMES_FULL);
	names_free(names);
}

TEST(test_long)
{
	static char text[3 * NAMES_MAX];
	struct names *names = names_new(MIB);
	const char *kept;

	memset(text, 'x', sizeof(text) - 1);
	kept = names_add(names, text);
	assert_int_equal(strlen(kept), NAMES_MAX);
	text[NAMES_MAX] = '\0';
	assert_ptr_equal(names_add(names, text), kept);
	/* A name is not cut within a character. */
	memcpy(text + NAMES_MAX - 1, "\xc3\xa9", 3);
	assert_int_equal(strlen(names_add(names, text)), NAMES_MAX - 1);
	names_free(names);
}

TEST_GROUP(names);
