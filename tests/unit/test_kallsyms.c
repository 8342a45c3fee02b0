/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sys.h"
#include "samples/names.h"
#include "symbols/elf/kallsyms.h"

static struct names *names;
static struct kallsyms *kallsyms;

static int setup(void **state)
{
	(void)state;
	names = names_new(8 << 20);
	return names ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	kallsyms_free(kallsyms);
	kallsyms = NULL;
	names_free(names);
	return 0;
}

static int file_of(const char *text, size_t len)
{
	int fd = memfd_create("kallsyms", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	return fd;
}

static int read_text(const char *text, size_t len)
{
	int fd = file_of(text, len), ret;

	kallsyms_free(kallsyms);
	ret = kallsyms_read(fd, &kallsyms);
	close(fd);
	return ret;
}

/* "name+offset dso" of @addr; "-" for none. */
static const char *found(uint64_t addr)
{
	static char text[256];
	const char *dso, *name;
	uint64_t start;

	name = kallsyms_find(kallsyms, addr, names, &start, &dso);
	if (!name)
		return "-";
	snprintf(text, sizeof(text), "%s+%lx %s", name,
		 (unsigned long)(addr - start), dso);
	return text;
}

static const char kernel[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 t local_one\n"
	"ffffffff81000200 T schedule\n"
	"ffffffff81000300 D some_data\n"
	"ffffffff81000400 R not_taken\n"
	"ffffffff81000500 W weak_one\n"
	"ffffffff81000500 t in_between\n"
	"ffffffff81000500 T strong\n"
	"ffffffff81000600 T $x\n"
	"ffffffff81000700 T last\n"
	"ffffffffc0002000 t a_text\t[mod_a]\n"
	"ffffffffc0006000 d a_data\t[mod_a]\n"
	"ffffffffc0002100 t a_more\t[mod_a]\n"
	"ffffffffc0004000 t b_text\t[mod_b]\n"
	"ffffffffc0008000 t bpf_prog_6deef7357e7b4530\t[bpf]\n";

TEST(test_find)
{
	static const struct {
		uint64_t addr;
		const char *want;
	} rows[] = {
		{ 0, "-" },
		{ 0xffffffff80ffffff, "-" },
		{ 0xffffffff81000100, "local_one+0 [kernel.kallsyms]" },
		{ 0xffffffff810001ff, "local_one+ff [kernel.kallsyms]" },
		{ 0xffffffff81000200, "schedule+0 [kernel.kallsyms]" },
		/* data ends functions; lines that are no symbols do not */
		{ 0xffffffff81000300, "some_data+0 [kernel.kallsyms]" },
		{ 0xffffffff81000450, "some_data+150 [kernel.kallsyms]" },
		{ 0xffffffff81000501, "strong+1 [kernel.kallsyms]" },
		{ 0xffffffff81000601, "strong+101 [kernel.kallsyms]" },
		/* up to the end of the page, not into the modules */
		{ 0xffffffff81000fff, "last+8ff [kernel.kallsyms]" },
		{ 0xffffffff81001000, "-" },
		{ 0xffffffffc0000000, "-" },
		/* a module in several pieces, between others' */
		{ 0xffffffffc0002050, "a_text+50 [mod_a]" },
		{ 0xffffffffc0002110, "a_more+10 [mod_a]" },
		{ 0xffffffffc0003010, "-" },
		{ 0xffffffffc0004010, "b_text+10 [mod_b]" },
		{ 0xffffffffc0006010, "a_data+10 [mod_a]" },
		{ 0xffffffffc0008010, "bpf_prog_6deef7357e7b4530+10 [bpf]" },
		{ UINT64_MAX, "-" },
	};

	assert_int_equal(read_text(kernel, strlen(kernel)), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(found(rows[i].addr), rows[i].want);
}

TEST(test_hidden)
{
	static const char text[] = "0000000000000000 T _text\n"
				   "0000000000000000 t ext4_x\t[ext4]\n";

	assert_int_equal(read_text(text, strlen(text)), -EACCES);
	assert_null(kallsyms);
}

TEST(test_none)
{
	static const char *const texts[] = {
		"", "\n", "ffffffff81000000", "ffffffff81000000 T",
		"ffffffff81000000 T ", "ffffffff81000000 U undefined\n",
		"T _text ffffffff81000000\n", " \t[x]\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(read_text(texts[i], strlen(texts[i])),
				 -ENODATA);
	assert_int_equal(kallsyms_read(-1, &kallsyms), -EBADF);
}

/* It has to read from offset 0, since the file is read again. */
TEST(test_from_the_beginning)
{
	int fd = file_of(kernel, strlen(kernel));

	assert_int_equal(kallsyms_read(fd, &kallsyms), 0);
	kallsyms_free(kallsyms);
	assert_int_equal(kallsyms_read(fd, &kallsyms), 0);
	assert_string_equal(found(0xffffffff81000201),
			    "schedule+1 [kernel.kallsyms]");
	close(fd);
}

TEST(test_cut_short)
{
	for (size_t len = 0; len < strlen(kernel); len++) {
		int ret = read_text(kernel, len);

		assert_true(ret == 0 || ret == -ENODATA || ret == -EACCES);
	}
	/* the last line may have no newline */
	assert_int_equal(read_text(kernel, strlen(kernel) - 1), 0);
	assert_string_equal(found(0xffffffffc0008001),
			    "bpf_prog_6deef7357e7b4530+1 [bpf]");
}

/* Long lines, control bytes and random bytes between valid lines. */
TEST(test_noise)
{
	static const char good[] = "\nffffffff81000000 T a\033[2Jb\n";
	size_t len = 100000;
	char *text = malloc(len + sizeof(good));

	memset(text, 'f', len);
	memcpy(text + len, good, sizeof(good));
	assert_int_equal(read_text(text, len + strlen(good)), 0);
	assert_string_equal(found(0xffffffff81000000),
			    "a?[2Jb+0 [kernel.kallsyms]");
	srand(1);
	for (size_t i = 0; i < len; i++)
		text[i] = (char)rand();
	assert_int_equal(read_text(text, len + strlen(good)), 0);
	free(text);
}

TEST(test_records)
{
	assert_int_equal(read_text(kernel, strlen(kernel)), 0);
	assert_int_equal(kallsyms_add(kallsyms, 0xffffffffc0009000, 0x100,
				      "bpf_prog_1_new"),
			 0);
	assert_int_equal(kallsyms_add(kallsyms, 0xffffffffc000a000, 0x80,
				      "ftrace_trampoline"),
			 0);
	assert_string_equal(found(0xffffffffc00090ff),
			    "bpf_prog_1_new+ff [bpf]");
	assert_string_equal(found(0xffffffffc0009100), "-");
	assert_string_equal(found(0xffffffffc000a001),
			    "ftrace_trampoline+1 [__builtin__ftrace]");
	/* the memory is used again, without a record of the removal */
	assert_int_equal(kallsyms_add(kallsyms, 0xffffffffc0009080, 0x100,
				      "bpf_prog_2_newer"),
			 0);
	assert_string_equal(found(0xffffffffc0009090),
			    "bpf_prog_2_newer+10 [bpf]");
	kallsyms_remove(kallsyms, 0xffffffffc0009080);
	assert_string_equal(found(0xffffffffc0009090), "-");
	/* a symbol that was there when the text was read */
	kallsyms_remove(kallsyms, 0xffffffffc0008000);
	assert_string_equal(found(0xffffffffc0008010), "-");
	kallsyms_remove(kallsyms, 0x1234);
	assert_string_equal(found(0xffffffffc0004010), "b_text+10 [mod_b]");
}

TEST(test_senseless_records)
{
	size_t len;

	assert_int_equal(read_text(kernel, strlen(kernel)), 0);
	len = kallsyms_len(kallsyms);
	assert_int_equal(kallsyms_add(kallsyms, 0x1000, 0, "bpf_a"), 0);
	assert_int_equal(kallsyms_add(kallsyms, UINT64_MAX, 2, "bpf_a"), 0);
	assert_int_equal(kallsyms_add(kallsyms, 0x1000, 16, ""), 0);
	assert_int_equal(kallsyms_len(kallsyms), len);
}

/* The size of a large kernel: read, and the first one looked up, at once. */
TEST(test_200000_symbols)
{
	enum { NR = 200000 };
	size_t size = NR * 64, len = 0;
	char *text = malloc(size), want[64];
	double begin, took;
	int fd, ret;

	for (int i = 0; i < NR; i++)
		len += (size_t)snprintf(text + len, size - len,
					"ffffffff%08x %c kernel_function_"
					"number_%d%s\n",
					0x81000000u + (unsigned int)i * 64,
					"tTdW"[i % 4], i,
					i < 170000 ? "" : "\t[module]");
	fd = file_of(text, len);
	begin = sys_thread_cpu();
	ret = kallsyms_read(fd, &kallsyms);
	assert_int_equal(ret, 0);
	snprintf(want, sizeof(want), "kernel_function_number_150000+3 "
				     "[kernel.kallsyms]");
	assert_string_equal(found(0xffffffff81000003 + 150000 * 64), want);
	took = sys_thread_cpu() - begin;
	print_message("# %d symbols: %.0f ms, %zu KiB\n", NR, took * 1e3,
		      kallsyms_bytes(kallsyms) >> 10);
	assert_int_equal(kallsyms_len(kallsyms), NR);
	assert_true(took < 1.0);
	assert_true(kallsyms_bytes(kallsyms) < 24 << 20);
	close(fd);
	free(text);
}

TEST_GROUP(kallsyms, .each_setup = setup, .each_teardown = teardown);
