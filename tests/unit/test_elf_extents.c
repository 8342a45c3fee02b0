/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has no symbol is named by its place. */
#include "tests/group.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <sys/mman.h>

#include "base/sys.h"
#include "elf_rig.h"

/* Functions with a description in .eh_frame, and one without. */
static const char hidden_source[] =
	"#define HIDE __attribute__((noinline, visibility(\"hidden\")))\n"
	"HIDE long first(long n)\n"
	"{ long s = 1; while (n--) s = s * 7 + (s >> n % 9); return s; }\n"
	"HIDE long second(long n)\n"
	"{ long s = 3; while (n--) s = s * 5 ^ n; return s; }\n"
	FUNCTION("alone", "local", "<ALONE-ALONE-ALONE>")
	"long shown(long n) { return first(n) + second(n); }\n";

enum { HEAD = 12, ENTRY = 8 };

static bool built;

static int set_up_hidden(void **state)
{
	int ret = set_up(state);

	fake_tree_write(&tree, "h.c", hidden_source);
	built = !no_compiler &&
		run("gcc -O2 -fno-toplevel-reorder -falign-functions=64 "
		    "-fasynchronous-unwind-tables -Wl,--eh-frame-hdr "
		    "-shared -fPIC -o whole h.c && strip -o hidden whole");
#ifdef __arm__
	built = false;	/* it has .ARM.exidx instead */
#endif
	return ret;
}

/* The offset of the function @name, and its size, in the file with symbols. */
static uint64_t function(const char *name, uint64_t *size)
{
	struct elf_symbols *elf = read_alone("whole");
	struct image image = image_of("whole");
	uint64_t start = 0, found = UINT64_MAX;

	*size = 0;
	for (uint64_t i = 0; i < image.size; i++) {
		const char *got = elf_symbols_find(elf, i, names, &start);

		if (!got || strcmp(got, name))
			continue;
		found = start;
		++*size;
	}
	assert_true(*size > 0);
	free(image.bytes);
	elf_symbols_free(elf);
	return found;
}

/* The name by place of @offset, which has no symbol. */
static const char *place(struct elf_symbols *elf, uint64_t offset,
			 uint64_t *start)
{
	assert_null(elf_symbols_find(elf, offset, names, start));
	return elf_symbols_place(elf, offset, names, start);
}

static void expect_place(struct elf_symbols *elf, uint64_t offset,
			 const char *kind, uint64_t from)
{
	char expected[40];
	const char *got;
	uint64_t start;

	snprintf(expected, sizeof(expected), "%s@0x%" PRIx64, kind, from);
	got = place(elf, offset, &start);
	assert_non_null(got);
	assert_string_equal(got, expected);
	assert_int_equal(start, from);
}

static void expect_page(struct elf_symbols *elf, uint64_t offset)
{
	expect_place(elf, offset, "page", offset & ~UINT64_C(4095));
}

static void expect_functions(struct elf_symbols *elf)
{
	static const char *const hidden[] = { "first", "second" };

	for (int i = 0; i < 2; i++) {
		uint64_t size, from = function(hidden[i], &size);

		for (uint64_t in = 0; in < size; in++)
			expect_place(elf, from + in, "fn", from);
		if ((from + size) % 64)
			expect_page(elf, from + size);
	}
}

/* A row for each function; symbols win. */
TEST(test_functions)
{
	struct elf_symbols *elf;
	uint64_t size, start, from;

	if (!built)
		skip();
	elf = read_alone("hidden");
	expect_functions(elf);
	from = function("shown", &size);
	assert_string_equal(elf_symbols_find(elf, from + size - 1, names,
					     &start), "shown");
	expect_page(elf, offset_of("hidden", "<ALONE-ALONE-ALONE>"));
	/* neither in code nor in the file */
	assert_null(elf_symbols_place(elf, UINT64_MAX, names, &start));
	elf_symbols_free(elf);
}

/* What a symbol covers is not kept a second time. */
TEST(test_symbols_are_enough)
{
	struct elf_symbols *elf;
	uint64_t size, start, from;

	if (!built)
		skip();
	elf = read_alone("whole");
	from = function("first", &size);
	assert_string_equal(elf_symbols_find(elf, from, names, &start),
			    "first");
	elf_symbols_place(elf, from, names, &start);
	assert_int_equal(start, from & ~UINT64_C(4095));
	elf_symbols_free(elf);
}

TEST(test_saved)
{
	int fd = memfd_create("saved", MFD_CLOEXEC);
	struct elf_symbols *elf;

	if (!built)
		skip();
	elf = read_alone("hidden");
	assert_int_equal(elf_symbols_save(elf, fd), 0);
	elf_symbols_free(elf);
	assert_int_equal(elf_symbols_restore(fd, 1 << 20, &elf), 0);
	expect_functions(elf);
	elf_symbols_free(elf);
	close(fd);
}

/* Without the table, pages; also in a fixed program, mapped at an address. */
TEST(test_pages)
{
	struct elf_symbols *elf;

	if (no_compiler ||
	    !run("gcc -O2 -Wl,--no-eh-frame-hdr -no-pie -o f a.c && strip f"))
		skip();
	elf = read_alone("f");
	expect_page(elf, offset_of("f", "<HIDDEN-HIDDEN-HID>"));
	elf_symbols_free(elf);
}

TEST(test_limit)
{
	struct elf_symbols_opts opts = { .debug_root = "/none" };
	struct elf_symbols *elf;
	uint64_t size, from;
	int fd;

	if (!built)
		skip();
	from = function("second", &size);
	fd = open(at("hidden"), O_RDONLY);
	assert_int_equal(elf_symbols_read(fd, "/x", &opts, &elf), 0);
	assert_true(elf_symbols_cut(elf));
	expect_page(elf, from);
	elf_symbols_free(elf);
	close(fd);
}

/* The stripped file in memory, with what the tests change. */
struct rig {
	struct image image;
	ElfW(Phdr) *phdr;	/* of the table */
	unsigned char *table;
	uint64_t first, second;	/* functions */
	uint32_t nr;		/* entries */
};

static uint32_t get(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void put(unsigned char *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

static void open_rig(struct rig *rig)
{
	ElfW(Ehdr) *ehdr;
	uint64_t size;

	rig->image = image_of("hidden");
	ehdr = (void *)rig->image.bytes;
	rig->phdr = (void *)(rig->image.bytes + ehdr->e_phoff);
	while (rig->phdr->p_type != PT_GNU_EH_FRAME)
		rig->phdr++;
	rig->table = rig->image.bytes + rig->phdr->p_offset;
	rig->nr = get(rig->table + 8);
	rig->first = function("first", &size);
	rig->second = function("second", &size);
}

static struct elf_symbols *read_rig(struct rig *rig)
{
	struct elf_symbols *elf;

	assert_int_equal(elf_symbols_image(rig->image.bytes, rig->image.size,
					   &elf), 0);
	return elf;
}

static void all_pages(struct rig *rig)
{
	struct elf_symbols *elf = read_rig(rig);

	expect_page(elf, rig->first);
	expect_page(elf, rig->second);
	elf_symbols_free(elf);
}

static void all_functions(struct rig *rig)
{
	struct elf_symbols *elf = read_rig(rig);

	expect_place(elf, rig->first, "fn", rig->first);
	expect_place(elf, rig->second, "fn", rig->second);
	elf_symbols_free(elf);
}

/* A header that is of another form, or does not fit. */
TEST(test_damaged_head)
{
	struct rig rig;
	uint32_t counts[5];

	if (!built)
		skip();
	open_rig(&rig);
	all_functions(&rig);
	for (int i = 0; i < 4; i++) {
		unsigned char was = rig.table[i];

		rig.table[i] = 0xff;	/* of encodings: omitted */
		all_pages(&rig);
		rig.table[i] = 0;
		all_pages(&rig);
		rig.table[i] = was;
	}
	counts[0] = 0;
	counts[1] = rig.nr + 1;
	counts[2] = 0x20000000;
	counts[3] = INT32_MAX;
	counts[4] = UINT32_MAX;
	for (int i = 0; i < 5; i++) {
		put(rig.table + 8, counts[i]);
		all_pages(&rig);
	}
	put(rig.table + 8, rig.nr);
	all_functions(&rig);
	free(rig.image.bytes);
}

TEST(test_damaged_segment)
{
	static const uint64_t sizes[] = { 0, 1, HEAD - 1, HEAD, HEAD + ENTRY,
					  UINT64_MAX };
	struct rig rig;
	ElfW(Ehdr) *ehdr;
	ElfW(Phdr) was;

	if (!built)
		skip();
	open_rig(&rig);
	was = *rig.phdr;
	for (int i = 0; i < 6; i++) {
		rig.phdr->p_filesz = (__typeof__(was.p_filesz))sizes[i];
		all_pages(&rig);
		*rig.phdr = was;
		rig.phdr->p_offset = rig.image.size -
				     (__typeof__(was.p_offset))(sizes[i] % 16);
		all_pages(&rig);
		*rig.phdr = was;
	}
	rig.phdr->p_offset = (__typeof__(was.p_offset))-8;
	all_pages(&rig);
	rig.phdr->p_type = PT_NULL;
	all_pages(&rig);
	*rig.phdr = was;
	/* the file ends in the table */
	ehdr = (void *)rig.image.bytes;
	ehdr->e_shoff = 0;
	ehdr->e_shnum = ehdr->e_shstrndx = 0;
	rig.image.size = was.p_offset + HEAD + ENTRY + 3;
	all_pages(&rig);
	free(rig.image.bytes);
}

TEST(test_unsorted)
{
	unsigned char *one, *other, entry[ENTRY];
	struct elf_symbols *elf;
	struct rig rig;

	if (!built)
		skip();
	open_rig(&rig);
	one = rig.table + HEAD;
	other = one + (rig.nr - 1) * ENTRY;
	memcpy(entry, one, ENTRY);
	memcpy(one, other, ENTRY);
	memcpy(other, entry, ENTRY);
	all_pages(&rig);
	/* several of the same start are not an error */
	memcpy(one, other, ENTRY);
	memcpy(other, other - ENTRY, ENTRY);
	elf = read_rig(&rig);
	expect_place(elf, rig.second, "fn", rig.second);
	elf_symbols_free(elf);
	free(rig.image.bytes);
}

/* The entry of the function at @offset. */
static unsigned char *entry_of(struct rig *rig, uint64_t offset)
{
	ElfW(Ehdr) *ehdr = (void *)rig->image.bytes;
	ElfW(Phdr) *load = (void *)(rig->image.bytes + ehdr->e_phoff);
	unsigned char *entry = rig->table + HEAD;
	uint64_t start;

	while (load->p_type != PT_LOAD || !(load->p_flags & PF_X))
		load++;
	start = offset - load->p_offset + load->p_vaddr - rig->phdr->p_vaddr;
	for (uint32_t i = 0; i < rig->nr; i++, entry += ENTRY)
		if (get(entry) == (uint32_t)start)
			return entry;
	fail_msg("no entry of %" PRIx64, offset);
	return NULL;
}

/*
 * Details that do not belong to the entry, or lie about the size: the function
 * ends where the next one begins.
 */
TEST(test_damaged_details)
{
	static const uint32_t evil[] = { 0, 1, 0x7fffffff, 0x80000000,
					 0xfffffff0, 0xffffffff };
	unsigned char *entry, *fde;
	struct elf_symbols *elf;
	uint32_t was, size;
	struct rig rig;

	if (!built)
		skip();
	open_rig(&rig);
	entry = entry_of(&rig, rig.first);
	was = get(entry + 4);
	fde = rig.table + (int32_t)was;
	for (size_t i = 0; i < sizeof(evil) / sizeof(*evil); i++) {
		put(entry + 4, evil[i]);
		elf = read_rig(&rig);
		expect_place(elf, rig.second - 1, "fn", rig.first);
		expect_place(elf, rig.second, "fn", rig.second);
		elf_symbols_free(elf);
	}
	put(entry + 4, was);
	size = get(fde + 12);
	put(fde + 12, UINT32_MAX);
	elf = read_rig(&rig);
	expect_place(elf, rig.second - 1, "fn", rig.first);
	expect_place(elf, rig.second, "fn", rig.second);
	elf_symbols_free(elf);
	put(fde + 12, 0);
	elf = read_rig(&rig);
	expect_page(elf, rig.first);
	elf_symbols_free(elf);
	put(fde + 12, size);
	all_functions(&rig);
	free(rig.image.bytes);
}

/* Anything, anywhere in the table and what it refers to. */
TEST(test_damaged_bytes)
{
	static const unsigned char evil[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	struct elf_symbols *elf;
	struct rig rig;
	uint64_t start;

	if (!built)
		skip();
	open_rig(&rig);
	for (size_t i = 0; i < rig.phdr->p_filesz + 128; i++) {
		unsigned char was = rig.table[i];

		for (size_t e = 0; e < sizeof(evil); e++) {
			rig.table[i] = evil[e];
			elf = read_rig(&rig);
			for (uint64_t at = 0; at < rig.image.size; at += 13)
				elf_symbols_place(elf, at, names, &start);
			elf_symbols_free(elf);
		}
		rig.table[i] = was;
	}
	free(rig.image.bytes);
}

TEST_GROUP(elf_extents, .setup = set_up_hidden, .teardown = tear_down);
