/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damaged ELF files: whatever they contain, nothing crashes or hangs. */
#include "tests/group.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/sys.h"
#include "elf_rig.h"

static void look_up(struct elf_symbols *elf, size_t size)
{
	uint64_t start;

	for (uint64_t at = 0; at < size; at += 61) {
		elf_symbols_find(elf, at, names, &start);
		elf_symbols_place(elf, at, names, &start);
	}
	elf_symbols_find(elf, UINT64_MAX, names, &start);
	elf_symbols_place(elf, UINT64_MAX, names, &start);
}

/*
 * Read an image and look up addresses in it: any result is fine, but no crash.
 */
static int try_image(const void *bytes, size_t size)
{
	struct elf_symbols *elf;
	int err = elf_symbols_image(bytes, size, &elf);

	if (err)
		return err;
	look_up(elf, size);
	elf_symbols_free(elf);
	return 0;
}

/* The same for a file, which libelf reads differently. */
static int try_file(const void *bytes, size_t size, off_t length)
{
	struct elf_symbols_opts opts = { .debug_root = "/none",
					 .max_bytes = 1 << 20 };
	int fd = memfd_create("elf", MFD_CLOEXEC), err;
	struct elf_symbols *elf;
	struct elf_build_id id;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(ftruncate(fd, length), 0);
	elf_symbols_build_id(fd, &id);
	err = elf_symbols_read(fd, "/x", &opts, &elf);
	if (!err) {
		look_up(elf, size);
		elf_symbols_free(elf);
	}
	close(fd);
	return err;
}

/* An image with everything: PLT, notes, both symbol tables, a debug link. */
static struct image rich_image(void)
{
	assert_true(run("gcc -shared -fPIC -Wl,--build-id -o rich a.c && "
			"echo >l.dbg && "
			"objcopy --add-gnu-debuglink=l.dbg rich"));
	return image_of("rich");
}

/* The same for saved symbols, from an untrusted process. */
static void try_saved(int fd, size_t size)
{
	struct elf_symbols *elf;

	if (elf_symbols_restore(fd, SIZE_MAX, &elf))
		return;
	look_up(elf, size);
	elf_symbols_free(elf);
}

TEST(test_saved_damage)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
	int fd = memfd_create("saved", MFD_CLOEXEC);
	struct elf_symbols *elf;
	struct stat st;
	uint8_t was;

	if (no_compiler)
		skip();
	elf = read_alone("bare");
	assert_int_equal(elf_symbols_save(elf, fd), 0);
	elf_symbols_free(elf);
	assert_int_equal(fstat(fd, &st), 0);
	for (off_t at = 0; at < st.st_size; at++) {
		assert_int_equal(pread(fd, &was, 1, at), 1);
		for (size_t i = 0; i < sizeof(values); i++) {
			assert_int_equal(pwrite(fd, &values[i], 1, at), 1);
			try_saved(fd, 8192);
		}
		assert_int_equal(pwrite(fd, &was, 1, at), 1);
	}
	for (off_t size = st.st_size; size >= 0; size--) {
		assert_int_equal(ftruncate(fd, size), 0);
		elf = NULL;
		assert_int_equal(!elf_symbols_restore(fd, SIZE_MAX, &elf),
				 size == st.st_size);
		elf_symbols_free(elf);
	}
	close(fd);
}

/* A claimed length is not used as the size of an allocation. */
TEST(test_saved_length)
{
	enum { MAX_BYTES = 1 << 20, MORE = 8 << 20 };
	int fd = memfd_create("saved", MFD_CLOEXEC);
	struct elf_symbols *elf;

	if (no_compiler)
		skip();
	elf = read_alone("bare");
	assert_int_equal(elf_symbols_save(elf, fd), 0);
	elf_symbols_free(elf);
	assert_int_equal(elf_symbols_restore(fd, MAX_BYTES, &elf), 0);
	elf_symbols_free(elf);
	assert_int_equal(ftruncate(fd, MORE), 0);
	assert_int_equal(elf_symbols_restore(fd, MAX_BYTES, &elf), -EFBIG);
	assert_int_equal(ftruncate(fd, (off_t)1 << 50), 0);
	assert_int_equal(elf_symbols_restore(fd, MAX_BYTES, &elf), -EFBIG);
	close(fd);
}

TEST(test_truncated)
{
	struct image image;

	if (no_compiler)
		skip();
	image = rich_image();
	for (size_t size = 0; size < image.size; size += size < 1024 ? 1 : 97) {
		/*
		 * exactly allocated, so that a sanitizer notices a byte beyond
		 * it
		 */
		unsigned char *cut = malloc(size ? size : 1);

		memcpy(cut, image.bytes, size);
		try_image(cut, size);
		free(cut);
		try_file(image.bytes, size, (off_t)size);
	}
	assert_int_equal(try_image(image.bytes, image.size), 0);
	free(image.bytes);
}

/* Set each byte of @start .. @start + @len to the most harmful values. */
static void damage(struct image *image, size_t start, size_t len)
{
	static const unsigned char evil[] = { 0x00, 0x01, 0x7f, 0xff };

	for (size_t i = start; i < start + len && i < image->size; i++) {
		unsigned char was = image->bytes[i];

		for (size_t e = 0; e < sizeof(evil); e++) {
			image->bytes[i] = evil[e];
			try_image(image->bytes, image->size);
		}
		image->bytes[i] = was;
	}
}

TEST(test_damaged_headers)
{
	struct image image;
	ElfW(Ehdr) ehdr;

	if (no_compiler)
		skip();
	image = rich_image();
	memcpy(&ehdr, image.bytes, sizeof(ehdr));
	damage(&image, 0, sizeof(ehdr));
	damage(&image, ehdr.e_phoff, (size_t)ehdr.e_phnum * ehdr.e_phentsize);
	damage(&image, ehdr.e_shoff, (size_t)ehdr.e_shnum * ehdr.e_shentsize);
	free(image.bytes);
}

/* Random bytes at random places, some dozen at a time. */
TEST(test_damaged_anywhere)
{
	struct image image, copy;
	unsigned int seed = 3;

	if (no_compiler)
		skip();
	image = rich_image();
	copy.size = image.size;
	copy.bytes = malloc(copy.size);
	assert_non_null(copy.bytes);
	for (int round = 0; round < 1500; round++) {
		memcpy(copy.bytes, image.bytes, copy.size);
		for (int i = 0; i < 1 + round % 64; i++)
			copy.bytes[(size_t)rand_r(&seed) % copy.size] =
				(unsigned char)(rand_r(&seed) >> 7);
		memcpy(copy.bytes, image.bytes, EI_NIDENT);
		if (round % 4)
			try_image(copy.bytes, copy.size);
		else
			try_file(copy.bytes, copy.size, (off_t)copy.size);
	}
	free(copy.bytes);
	free(image.bytes);
}

/* The first section header of @type in @image. */
static ElfW(Shdr) *section_of(struct image *image, unsigned int type)
{
	ElfW(Ehdr) *ehdr = (void *)image->bytes;
	ElfW(Shdr) *shdr = (void *)(image->bytes + ehdr->e_shoff);

	for (unsigned int i = 0; i < ehdr->e_shnum; i++)
		if (shdr[i].sh_type == type)
			return &shdr[i];
	fail_msg("no section of type %u", type);
	return NULL;
}

/* An invalid field of a section header affects only that section. */
TEST(test_lying_section)
{
	static const uint64_t lies[] = {
		0, 1, 7, 23, 25, 0xffff, 0x7fffffff, 0xffffffff,
		0x7fffffffffffffff, 0xffffffffffffffff, 0xfffffffffffffff0,
	};
	struct image image;
	ElfW(Shdr) *shdr, was;

	if (no_compiler)
		skip();
	image = rich_image();
	shdr = section_of(&image, SHT_SYMTAB);
	was = *shdr;
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		__typeof__(shdr->sh_size) lie =
			(__typeof__(shdr->sh_size))lies[i];

		shdr->sh_size = lie;
		assert_int_equal(try_image(image.bytes, image.size), 0);
		assert_int_equal(try_file(image.bytes, image.size,
					  (off_t)1 << 40), 0);
		*shdr = was;
		shdr->sh_offset = lie;
		assert_int_equal(try_image(image.bytes, image.size), 0);
		*shdr = was;
		shdr->sh_entsize = lie;
		assert_int_equal(try_image(image.bytes, image.size), 0);
		*shdr = was;
		shdr->sh_link = (unsigned int)lies[i];
		assert_int_equal(try_image(image.bytes, image.size), 0);
		*shdr = was;
	}
	free(image.bytes);
}

/* Without section names, without the strings of a table, or in no section. */
TEST(test_lying_symbols)
{
	struct image image;
	ElfW(Shdr) *shdr;
	ElfW(Sym) *syms;
	struct elf_symbols *elf;
	uint64_t start;
	size_t nr;

	if (no_compiler)
		skip();
	image = rich_image();
	shdr = section_of(&image, SHT_SYMTAB);
	syms = (void *)(image.bytes + shdr->sh_offset);
	nr = shdr->sh_size / sizeof(*syms);
	for (size_t i = 0; i < nr; i++) {
		syms[i].st_name = 0xffffff00 + (unsigned int)i;
		syms[i].st_size = (__typeof__(syms->st_size))-1;
	}
	shdr = section_of(&image, SHT_DYNSYM);
	syms = (void *)(image.bytes + shdr->sh_offset);
	nr = shdr->sh_size / sizeof(*syms);
	for (size_t i = 0; i < nr; i++)
		syms[i].st_shndx = (uint16_t)(0xff00 + i % 256);
	assert_int_equal(elf_symbols_image(image.bytes, image.size, &elf), 0);
	assert_null(elf_symbols_find(elf, offset_of("rich", "<ALPHA-ALPHA"),
				     names, &start));
	elf_symbols_free(elf);
	free(image.bytes);
}

/*
 * 64-bit counts, in a sparse file of a terabyte that is large enough for them:
 * refused before memory is allocated for them.
 */
TEST(test_absurd_counts)
{
	struct image image;
	ElfW(Ehdr) *ehdr, was;
	ElfW(Shdr) *shdr;
	double begun;

	if (no_compiler)
		skip();
	image = rich_image();
	begun = sys_thread_cpu();
	ehdr = (void *)image.bytes;
	shdr = (void *)(image.bytes + ehdr->e_shoff);
	was = *ehdr;
	ehdr->e_shnum = 0;
	shdr->sh_size = 1U << 31;
	shdr->sh_info = 0xffffffff;
	assert_int_equal(try_file(image.bytes, image.size, (off_t)1 << 40),
			 -ENOEXEC);
	*ehdr = was;
	ehdr->e_phnum = PN_XNUM;
	assert_int_equal(try_file(image.bytes, image.size, (off_t)1 << 40),
			 -ENOEXEC);
	/* as many as a header can have */
	ehdr->e_phnum = PN_XNUM - 1;
	ehdr->e_shnum = 0xfeff;
	try_file(image.bytes, image.size, (off_t)1 << 40);
	*ehdr = was;
	ehdr->e_phnum = 0;
	assert_int_equal(try_file(image.bytes, image.size,
				  (off_t)image.size), -ENOEXEC);
	assert_true(sys_thread_cpu() - begun < 5);
	free(image.bytes);
}

/* The cost of a file of nothing but headers, some of them invalid. */
static void is_cheap(const void *bytes, size_t size, off_t length)
{
	double begun = sys_thread_cpu();
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	try_file(bytes, size, length);
	getrusage(RUSAGE_SELF, &after);
	assert_true(sys_thread_cpu() - begun < 3);
	assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, 48 << 10);
}

static ElfW(Ehdr) header_of(unsigned int segments, unsigned int sections,
			    unsigned int strings)
{
	ElfW(Ehdr) ehdr = {
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(ehdr),
		.e_phoff = sizeof(ehdr),
		.e_phentsize = sizeof(ElfW(Phdr)),
		.e_phnum = (uint16_t)segments,
		.e_shentsize = sizeof(ElfW(Shdr)),
		.e_shnum = (uint16_t)sections,
		.e_shstrndx = (uint16_t)strings,
	};

	memcpy(ehdr.e_ident, ELFMAG, SELFMAG);
	ehdr.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr.e_ident[EI_VERSION] = EV_CURRENT;
	if (sections)
		ehdr.e_shoff = sizeof(ehdr) + segments * sizeof(ElfW(Phdr));
	return ehdr;
}

/* Section names without an end, in a file that is mostly a hole. */
TEST(test_many_names)
{
	struct {
		ElfW(Ehdr) ehdr;
		ElfW(Phdr) load;
		ElfW(Shdr) sections[4];
	} file = { .ehdr = header_of(1, 4, 1) };

	file.load.p_type = PT_LOAD;
	file.load.p_filesz = sizeof(file);
	file.sections[1].sh_type = SHT_STRTAB;
	file.sections[1].sh_offset = 4096;
	file.sections[1].sh_size = 1U << 30;
	for (int i = 2; i < 4; i++) {
		file.sections[i] = file.sections[1];
		file.sections[i].sh_type = SHT_PROGBITS;
	}
	is_cheap(&file, sizeof(file), (off_t)1 << 31);
	/* the same for symbols and their strings */
	file.sections[1].sh_type = SHT_SYMTAB;
	file.sections[1].sh_entsize = sizeof(ElfW(Sym));
	file.sections[1].sh_link = 2;
	file.sections[2].sh_type = SHT_STRTAB;
	file.sections[2].sh_size = 1U << 30;
	is_cheap(&file, sizeof(file), (off_t)1 << 31);
}

/*
 * A table of functions that is a hole, and as many functions as are read, with
 * details all over the file.
 */
TEST(test_many_functions)
{
	enum { NR = 2 << 20, HEAD = 4096 };
	struct {
		ElfW(Ehdr) ehdr;
		ElfW(Phdr) load, table;
	} file = { .ehdr = header_of(2, 0, 0) };
	uint32_t *words = calloc(NR + HEAD / 8, 8), *entry;
	size_t size = HEAD + (size_t)NR * 8;
	unsigned int seed = 5;

	assert_non_null(words);
	file.load.p_type = PT_LOAD;
	file.load.p_filesz = 4096;
	file.table.p_type = PT_GNU_EH_FRAME;
	file.table.p_offset = HEAD - 12;
	file.table.p_filesz = 1U << 30;
	entry = words + HEAD / 4;
	memcpy(words, &file, sizeof(file));
	memcpy(entry - 3, (unsigned char[]){ 1, 0x1b, 3, 0x3b }, 4);
	entry[-1] = NR;
	is_cheap(words, HEAD, (off_t)1 << 31);
	for (uint32_t i = 0; i < NR; i++, entry += 2) {
		entry[0] = 16 * i;
		entry[1] = (uint32_t)rand_r(&seed) % (NR * 8);
	}
	is_cheap(words, size, (off_t)1 << 31);
	free(words);
}

TEST(test_many_note_segments)
{
	enum { NR = 20000 };
	size_t size = sizeof(ElfW(Ehdr)) + NR * sizeof(ElfW(Phdr));
	unsigned char *file = calloc(1, size);
	ElfW(Phdr) *phdr = (void *)(file + sizeof(ElfW(Ehdr)));

	assert_non_null(file);
	*(ElfW(Ehdr) *)(void *)file = header_of(NR, 0, 0);
	phdr[0].p_type = PT_LOAD;
	phdr[0].p_filesz = 4096;
	for (unsigned int i = 1; i < NR; i++) {
		phdr[i].p_type = PT_NOTE;
		phdr[i].p_offset = (2 << 20) + 4 * i;
		phdr[i].p_filesz = 65536;
		phdr[i].p_align = 4;
	}
	is_cheap(file, size, 4 << 20);
	free(file);
}

TEST(test_many_note_sections)
{
	enum { NR = 16000 };
	size_t head = sizeof(ElfW(Ehdr)) + sizeof(ElfW(Phdr));
	size_t size = head + NR * sizeof(ElfW(Shdr));
	unsigned char *file = calloc(1, size);
	ElfW(Phdr) *load = (void *)(file + sizeof(ElfW(Ehdr)));
	ElfW(Shdr) *shdr = (void *)(file + head);

	assert_non_null(file);
	*(ElfW(Ehdr) *)(void *)file = header_of(1, NR, 0);
	load->p_type = PT_LOAD;
	load->p_filesz = 4096;
	for (unsigned int i = 1; i < NR; i++) {
		shdr[i].sh_type = SHT_NOTE;
		shdr[i].sh_offset = (2 << 20) + 4 * i;
		shdr[i].sh_size = 65536;
		shdr[i].sh_addralign = 4;
	}
	is_cheap(file, size, 4 << 20);
	free(file);
}

TEST_GROUP(elf_damage, .setup = set_up, .teardown = tear_down);
