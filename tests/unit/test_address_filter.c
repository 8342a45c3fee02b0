/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>

#include "trace/pmu/address_symbol.h"
#include "base/err.h"
#include "elf_rig.h"

/* bytes that FUNCTION() makes of 19 characters */
#define NINETEEN "0x13"

static const char kallsyms[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000040 T schedule\n"
	"ffffffff81000040 t schedule_alias\n"
	"ffffffff81000100 t twice\n"
	"ffffffff81000180 T do_exit\n"
	"ffffffff81000200 t twice\n"
	"ffffffff81000260 T twice\n"
	"ffffffff81000300 D some_data\n"
	"ffffffffc0000000 t in_module\t[ext4]\n"
	"ffffffffc0000010 t last_one\t[ext4]\n";

static int make(void **state)
{
	int ret = set_up(state);

	fake_tree_write(&tree, "kallsyms", kallsyms);
	fake_tree_write(&tree, "hidden", "0000000000000000 T schedule\n"
					 "0000000000000000 T do_exit\n");
	fake_tree_write(&tree, "text", "no ELF file\n");
	fake_tree_write(&tree, "a, b", "no ELF file\n");
	return ret;
}

static char *resolve(const char *text, size_t nr)
{
	struct err err = { 0 };
	size_t found = 99;
	char *out = NULL;
	int ret = address_filter_resolve(text, at("kallsyms"), &out, &found,
					 &err);

	if (ret)
		print_message("%s: %s\n", text, err.text);
	assert_int_equal(ret, 0);
	assert_int_equal(found, nr);
	return out;
}

static void resolves_to(const char *text, size_t nr, const char *expected)
{
	char *out = resolve(text, nr);

	assert_string_equal(out, expected);
	free(out);
}

static void refused(const char *text, enum err_kind kind, const char *part)
{
	struct err err = { 0 };
	size_t nr;
	char *out = NULL;
	int ret = address_filter_resolve(text, at("kallsyms"), &out, &nr,
					 &err);

	if (ret >= 0 || err.kind != kind || !strstr(err.text, part))
		print_message("%s: %d, %s\n", text, ret, err.text);
	assert_true(ret < 0);
	assert_int_equal(err.kind, kind);
	assert_non_null(strstr(err.text, part));
	assert_null(out);
	assert_null(strchr(err.text, '\n'));
}

/*
 * Resolve @text, followed by the path of the compiled file: it has to be the
 * code that begins with @start.
 */
static void resolves_in(const char *text, const char *start, const char *size,
			const char *action)
{
	char full[1024], expected[1024];
	const char *path = at("full");

	snprintf(full, sizeof(full), "%s%s", text, path);
	snprintf(expected, sizeof(expected), "%s 0x%llx%s%s@%s", action,
		 (unsigned long long)offset_of("full", start),
		 *size ? "/" : "", size, path);
	resolves_to(full, 1, expected);
}

TEST(addresses_need_no_symbols)
{
	resolves_to("filter 0xffffffff81000000/0x100", 1,
		    "filter 0xffffffff81000000/0x100");
	resolves_to("  start 4096 ,stop 0x2000", 2,
		    "start 0x1000,stop 0x2000");
	resolves_to("tracestop 0x10 / 16", 1, "stop 0x10/0x10");
	resolves_to("start 0x10/0x20 stop 0x30", 2,
		    "start 0x10/0x20,stop 0x30");
}

TEST(kernel_symbols)
{
	resolves_to("filter schedule", 1, "filter 0xffffffff81000040/0xc0");
	resolves_to("start schedule, stop do_exit", 2,
		    "start 0xffffffff81000040,stop 0xffffffff81000180");
	resolves_to("filter schedule / do_exit", 1,
		    "filter 0xffffffff81000040/0x1c0");
	resolves_to("filter schedule/0x20", 1,
		    "filter 0xffffffff81000040/0x20");
	resolves_to("filter in_module", 1, "filter 0xffffffffc0000000/0x10");
	resolves_to("tracestop do_exit", 1, "stop 0xffffffff81000180/0x80");
	/* from the first function to a page beyond the last one's */
	resolves_to("filter *", 1, "filter 0xffffffff81000000/0x3f002000");
}

TEST(of_several_one_is_chosen)
{
	refused("filter twice", ERR_USAGE,
		"'twice' is the name of 3 functions: #1 0xffffffff81000100 t, "
		"#2 0xffffffff81000200 t, #3 0xffffffff81000260 T");
	resolves_to("filter twice #2", 1, "filter 0xffffffff81000200/0x60");
	resolves_to("filter twice#1", 1, "filter 0xffffffff81000100/0x80");
	resolves_to("filter twice #g", 1, "filter 0xffffffff81000260/0xa0");
	resolves_to("filter twice #0", 1, "filter 0xffffffff81000260/0xa0");
	resolves_to("filter twice #1 / twice #2", 1,
		    "filter 0xffffffff81000100/0x160");
	refused("filter twice #4", ERR_USAGE, "has 3 of that name");
	refused("filter in_module #g", ERR_USAGE, "no global function");
}

TEST(kernel_without_them)
{
	struct err err = { 0 };
	size_t nr;
	char *out;

	refused("filter nowhere", ERR_USAGE, "no function 'nowhere' in the");
	refused("filter some_data", ERR_USAGE, "no function 'some_data'");
	refused("filter last_one", ERR_USAGE, "size of 'last_one'");
	refused("filter do_exit / schedule", ERR_USAGE, "before the start");
	assert_int_equal(address_filter_resolve("filter schedule",
						at("hidden"), &out, &nr, &err),
			 -EACCES);
	assert_non_null(strstr(err.text, "kptr_restrict"));
	assert_int_equal(address_filter_resolve("filter schedule", at("gone"),
						&out, &nr, &err),
			 -ENOENT);
	/* numbers need no file */
	assert_int_equal(address_filter_resolve("start 0x10", at("gone"), &out,
						&nr, &err),
			 0);
	free(out);
}

TEST(files)
{
	if (no_compiler)
		skip();
	resolves_in("filter alpha @ ", "<ALPHA", NINETEEN, "filter");
	resolves_in("filter alpha@", "<ALPHA", NINETEEN, "filter");
	resolves_in("start alpha @", "<ALPHA", "", "start");
	resolves_in("stop hidden_one @ ", "<HIDDEN", "", "stop");
	/* all names of an address are found, also weak ones */
	resolves_in("filter alph @ ", "<ALPHA", NINETEEN, "filter");
	resolves_in("filter alpha_much_longer @ ", "<ALPHA",
		    NINETEEN, "filter");
	/* the mangled name of the file, and that of the source */
	resolves_in("filter _ZN3app4betaEv @ ", "<BETA", NINETEEN,
		    "filter");
	resolves_in("filter app::beta @ ", "<BETA", NINETEEN,
		    "filter");
	/* BETA is after ALPHA, HIDDEN after BETA */
	resolves_in("filter alpha / hidden_one @ ", "<ALPHA", "0x39",
		    "filter");
}

TEST(whole_files)
{
	char text[600], expected[600];
	struct stat st;

	if (no_compiler)
		skip();
	assert_int_equal(stat(at("full"), &st), 0);
	snprintf(text, sizeof(text), "filter * @ %s", at("full"));
	snprintf(expected, sizeof(expected), "filter 0x0/0x%llx@%s",
		 (unsigned long long)st.st_size, at("full"));
	resolves_to(text, 1, expected);
	/* offsets in a file of any kind */
	snprintf(text, sizeof(text), "filter 0x10/0x20 @ %s", at("text"));
	snprintf(expected, sizeof(expected), "filter 0x10/0x20@%s", at("text"));
	resolves_to(text, 1, expected);
}

TEST(files_and_kernel_together)
{
	char text[600], expected[600];

	snprintf(text, sizeof(text),
		 "filter 0x10/0x20 @ %s,start schedule", at("text"));
	snprintf(expected, sizeof(expected),
		 "filter 0x10/0x20@%s,start 0xffffffff81000040", at("text"));
	resolves_to(text, 2, expected);
}

TEST(files_that_do_not_do)
{
	char text[600];

	refused("filter main @ /nowhere/at/all", ERR_MACHINE, "No such file");
	refused("filter main @ /dev/null", ERR_MACHINE, "not a plain file");
	refused("filter main @ /tmp", ERR_MACHINE, "not a plain file");
	snprintf(text, sizeof(text), "filter main @ %s", at("text"));
	refused(text, ERR_MACHINE, "is not an ELF file");
	if (no_compiler)
		skip();
	snprintf(text, sizeof(text), "filter gamma @ %s", at("full"));
	refused(text, ERR_USAGE, "no function 'gamma'");
	/* a function of another library is not found */
	snprintf(text, sizeof(text), "filter puts @ %s", at("full"));
	refused(text, ERR_USAGE, "no function 'puts'");
}

/*
 * A link with a valid name to a path with a comma and a space, which the kernel
 * would take for the end of the path.
 */
TEST(path_of_the_kernels_words)
{
	char text[600];

	assert_int_equal(symlink("a, b", at("link")), 0);
	snprintf(text, sizeof(text), "filter 0x10/0x20 @ %s", at("link"));
	refused(text, ERR_USAGE, "a space or a comma");
}

TEST(bad_syntax)
{
	refused("", ERR_USAGE, "no filter");
	refused(" , ", ERR_USAGE, "no filter");
	refused("keep main", ERR_USAGE, "no such filter at 'keep main'");
	refused("filter", ERR_USAGE, "no symbol or address");
	refused("filter 0x10", ERR_USAGE, "no size");
	refused("filter 0x10/0", ERR_USAGE, "range is empty");
	refused("filter 0x1zz/4", ERR_USAGE, "no number");
	refused("filter 99999999999999999999/4", ERR_USAGE, "no number");
	refused("filter schedule #x", ERR_USAGE, "no number");
	refused("filter schedule #", ERR_USAGE, "no number");
	refused("filter schedule /", ERR_USAGE, "no symbol or address");
	refused("filter schedule @ ", ERR_USAGE, "no file");
	refused("start *", ERR_USAGE, "'*' is a range");
	refused("filter * / schedule", ERR_USAGE, "'*' is a range");
	refused("start 0x10 stop", ERR_USAGE, "no symbol or address");
	refused("\x1b[2J", ERR_USAGE, "no such filter at '?[2J'");
}

/* The kernel copies at most a page of the filter. */
TEST(too_many)
{
	char text[8192] = "";

	for (int i = 0; i < 400; i++)
		strcat(text, "filter 0x10/0x20 ");
	refused(text, ERR_USAGE, "longer than a page");
	memset(text, 'a', sizeof(text));
	memcpy(text, "filter ", 7);
	text[sizeof(text) - 1] = '\0';
	refused(text, ERR_USAGE, "no symbol or address");
}

TEST_GROUP(address_filter, .setup = make, .teardown = tear_down);
