/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <locale.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"

struct pair {
	const char *in;
	const char *out;
};

TEST(test_sanitize)
{
	static const struct pair pairs[] = {
		{ "", "" },
		{ "plain ~ text", "plain ~ text" },
		{ "a\001b\033[31m\tc\nd\r", "a?b?[31m?c?d?" },
		{ "del\177", "del?" },
		{ "caf\303\251 \344\270\255 \360\237\220\247",
		  "caf\303\251 \344\270\255 \360\237\220\247" },
		/* C1 controls: bare, and properly encoded U+009B (CSI) */
		{ "\233" "1m", "?1m" },
		{ "\302\233" "1m", "??1m" },
		{ "\302\200\302\237\302\240", "????\302\240" },
		/* overlong: '/' and ESC in two, three and four bytes */
		{ "\300\257", "??" },
		{ "\300\233[", "??[" },
		{ "\340\200\233", "???" },
		{ "\360\200\200\233", "????" },
		{ "\340\237\277", "???" },
		{ "\340\240\200", "\340\240\200" },
		/* surrogates, beyond U+10FFFF */
		{ "\355\240\200", "???" },
		{ "\355\237\277", "\355\237\277" },
		{ "\364\220\200\200", "????" },
		{ "\364\217\277\277", "\364\217\277\277" },
		{ "\370\210\200\200\200", "?????" },
		{ "\376\377", "??" },
		/* truncated, and an invalid continuation */
		{ "ab\303", "ab?" },
		{ "ab\360\237\220", "ab???" },
		{ "\344\270x", "??x" },
		{ "\303\033[", "??[" },
		{ "\200", "?" },
		/* zero width and bidirectional formatting */
		{ "a\342\200\213b", "a???b" },		/* U+200B */
		{ "a\342\200\217b", "a???b" },		/* U+200F */
		{ "a\342\200\220b", "a\342\200\220b" },	/* U+2010 */
		{ "a\342\200\250b", "a???b" },		/* U+2028 */
		{ "a\342\200\256b", "a???b" },		/* U+202E */
		{ "a\342\200\257b", "a\342\200\257b" },	/* U+202F */
		{ "a\342\201\237b", "a\342\201\237b" },	/* U+205F */
		{ "a\342\201\240b", "a???b" },		/* U+2060 */
		{ "a\357\277\271b", "a???b" },		/* U+FFF9 */
		{ "a\363\240\201\201b", "a????b" },	/* U+E0041, a tag */
		{ "a\342\201\251b", "a???b" },		/* U+2069 */
		{ "a\342\201\252b", "a\342\201\252b" },	/* U+206A */
		{ "a\330\234b", "a??b" },		/* U+061C */
		{ "\357\273\277x", "???x" },		/* U+FEFF */
	};
	char buf[64];

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		strcpy(buf, pairs[i].in);
		assert_ptr_equal(text_sanitize(buf), buf);
		assert_string_equal(buf, pairs[i].out);
	}
}

/* For all pairs of bytes: no control characters are left. */
TEST(test_sanitize_every_pair)
{
	for (unsigned int i = 1; i < 256; i++) {
		for (unsigned int j = 0; j < 256; j++) {
			char s[3] = { (char)i, (char)j, '\0' };
			char again[3];
			unsigned char first;

			text_sanitize(s);
			first = (unsigned char)s[0];
			assert_true(first >= 0x20 && first != 0x7f);
			assert_false(first >= 0x80 && first <= 0xc1);
			if (first == 0xc2)
				assert_true((unsigned char)s[1] >= 0xa0);
			memcpy(again, s, sizeof(s));
			assert_string_equal(text_sanitize(again), s);
		}
	}
}

TEST(test_copy)
{
	char dst[8];

	text_copy(dst, sizeof(dst), "short");
	assert_string_equal(dst, "short");
	text_copy(dst, sizeof(dst), "0123456789");
	assert_string_equal(dst, "0123456");
	/* two bytes do not fit: none of them is copied */
	text_copy(dst, sizeof(dst), "012345\303\251");
	assert_string_equal(dst, "012345");
	text_copy(dst, sizeof(dst), "01234\303\251x");
	assert_string_equal(dst, "01234\303\251");
	text_copy(dst, sizeof(dst), "a\033b");
	assert_string_equal(dst, "a?b");
	text_copy(dst, 1, "abc");
	assert_string_equal(dst, "");
}

TEST(test_decode)
{
	unsigned int c;

	assert_int_equal(text_decode("", &c), 0);
	assert_int_equal(c, 0);
	assert_int_equal(text_decode("A", &c), 1);
	assert_int_equal(c, 'A');
	assert_int_equal(text_decode("\303\251", &c), 2);
	assert_int_equal(c, 0xe9);
	assert_int_equal(text_decode("\342\226\210", &c), 3);
	assert_int_equal(c, 0x2588);
	assert_int_equal(text_decode("\360\237\220\247", &c), 4);
	assert_int_equal(c, 0x1f427);
	assert_int_equal(text_decode("\377", &c), 1);
	assert_int_equal(c, 0xfffd);
	assert_int_equal(text_decode("\342\226", &c), 1);
	assert_int_equal(c, 0xfffd);
	assert_int_equal(text_decode("\355\240\200", &c), 1);
	assert_int_equal(c, 0xfffd);
}

TEST(test_width_ascii)
{
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("hello"), 5);
	assert_int_equal(text_width("a\033b"), 3);
	assert_int_equal(text_prefix("hello", 3), 3);
	assert_int_equal(text_prefix("hello", 9), 5);
	assert_int_equal(text_prefix("hello", 0), 0);
	assert_int_equal(text_prefix("hello", -1), 0);
}

static bool have_utf8;

TEST(test_width_wide)
{
	if (!have_utf8)
		skip();
	assert_int_equal(text_width("caf\303\251"), 4);
	assert_int_equal(text_width("\344\270\255\346\226\207"), 4);
	assert_int_equal(text_width("e\314\201"), 1);	/* combining acute */
	assert_int_equal(text_width("x\377y"), 3);
	/* a wide character does not fit into the one column that is left */
	assert_int_equal(text_prefix("\344\270\255\346\226\207", 3), 3);
	assert_int_equal(text_prefix("\344\270\255\346\226\207", 4), 6);
	assert_int_equal(text_prefix("e\314\201x", 1), 3);
}

TEST(test_file_names)
{
	char name[300];

	assert_true(text_is_file_name("cpu"));
	assert_true(text_is_file_name("a.b"));
	assert_false(text_is_file_name(""));
	assert_false(text_is_file_name(".."));
	assert_false(text_is_file_name(".hidden"));
	assert_false(text_is_file_name("a/b"));
	memset(name, 'a', sizeof(name));
	name[256] = '\0';
	assert_false(text_is_file_name(name));
	name[255] = '\0';
	assert_true(text_is_file_name(name));
}

TEST(test_digits)
{
	char buf[TEXT_DIGITS];

	assert_string_equal(text_digits(buf, 0, 10), "0");
	assert_string_equal(text_digits(buf, 0, 16), "0");
	assert_string_equal(text_digits(buf, 1234567890, 10), "1234567890");
	assert_string_equal(text_digits(buf, 0xdeadbeef, 16), "deadbeef");
	assert_string_equal(text_digits(buf, UINT64_MAX, 10),
			    "18446744073709551615");
	assert_string_equal(text_digits(buf, UINT64_MAX, 16),
			    "ffffffffffffffff");
}

TEST(test_count)
{
	static const struct {
		uint64_t value;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 9, "9" }, { 10, "10" }, { 1234567, "1234567" },
		{ UINT64_MAX, "18446744073709551615" },
	};
	char text[TEXT_DIGITS];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(text_count(text, cases[i].value),
				 strlen(cases[i].text));
		assert_string_equal(text, cases[i].text);
	}
}

TEST(test_copy_field)
{
	static const char full[4] = { 'a', '\n', 'c', 'd' };
	char buf[8];

	text_copy_field(buf, sizeof(buf), full, sizeof(full));
	assert_string_equal(buf, "a?cd");
	text_copy_field(buf, 3, full, sizeof(full));
	assert_string_equal(buf, "a?");
	text_copy_field(buf, sizeof(buf), "x\0yz", 4);
	assert_string_equal(buf, "x");
}

TEST(test_append)
{
	char buf[8] = "";

	text_append(buf, sizeof(buf), "%s", "ab");
	text_append(buf, sizeof(buf), ", %d", 12);
	assert_string_equal(buf, "ab, 12");
	text_append(buf, sizeof(buf), "%s", "345");
	assert_string_equal(buf, "ab, 123");
	text_append(buf, sizeof(buf), "%s", "x");
	assert_string_equal(buf, "ab, 123");
}

TEST(test_list)
{
	char list[12] = "";

	assert_true(text_list(list, sizeof(list), "ab"));
	assert_string_equal(list, "ab");
	assert_true(text_list(list, sizeof(list), "cde"));
	assert_string_equal(list, "ab, cde");
	assert_false(text_list(list, sizeof(list), "f"));
	assert_string_equal(list, "ab, cde, ..");
	assert_false(text_list(list, sizeof(list), ""));
	assert_string_equal(list, "ab, cde, ..");
	list[0] = '\0';
	assert_false(text_list(list, sizeof(list), "all too long"));
	assert_string_equal(list, "..");
}

TEST(test_begins)
{
	const char *s = "mem:0x10:rw";

	assert_true(text_begins(s, "mem:"));
	assert_true(text_begins(s, ""));
	assert_true(text_begins(s, s));
	assert_false(text_begins(s, "men"));
	assert_false(text_begins("mem", "mem:"));
	assert_false(text_skip(&s, "0x"));
	assert_string_equal(s, "mem:0x10:rw");
	assert_true(text_skip(&s, "mem:"));
	assert_string_equal(s, "0x10:rw");
}

static int group_setup(void **state)
{
	(void)state;
	have_utf8 = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
	return 0;
}

TEST_GROUP(text, .setup = group_setup);
