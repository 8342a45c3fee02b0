/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an ELF file with libelf, after checks that libelf does not make.  No
 * section is larger than the file, and all sections read have a common limit,
 * since libelf keeps them until the end.  No string ends outside its table.
 */
#ifndef RBTOP_SYMBOLS_ELF_ELF_FILE_H
#define RBTOP_SYMBOLS_ELF_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/elf_symbols.h"

/* A PT_LOAD: file bytes @offset ..  @offset + @size are mapped at @vaddr. */
struct elf_load {
	uint64_t offset, size, vaddr;
};

/* Plain data, read-only for users. */
struct elf_file {
	Elf *elf;
	GElf_Ehdr ehdr;
	bool swapped;		/* byte order differs from the machine's */
	int fd;			/* -1: @image is used */
	const unsigned char *image;
	uint64_t size;		/* of the file, bytes */
	uint64_t left;		/* bytes of sections that may still be read */
	Elf_Data *names;	/* section names; NULL: none */
};

/*
 * Open a file at @fd (which must stay open until the close), or memory.  0 or
 * -errno: -ENOEXEC if it is no ELF file, -EINVAL if it is no regular file.
 */
int elf_file_open(struct elf_file *f, int fd);
int elf_file_memory(struct elf_file *f, void *image, size_t size);
void elf_file_close(struct elf_file *f);

/* Read up to @size bytes at @offset of the file.  Returns their number. */
size_t elf_file_read(const struct elf_file *f, uint64_t offset, void *buf,
		     size_t size);

/* "" if it has none. */
const char *elf_file_section_name(struct elf_file *f, const GElf_Shdr *shdr);
/* The first section of @type, and of @name if that is not NULL; or NULL. */
Elf_Scn *elf_file_section(struct elf_file *f, uint32_t type, const char *name,
			  GElf_Shdr *shdr);
/* Whether a section has bytes, all of them within the file. */
bool elf_file_has(const struct elf_file *f, const GElf_Shdr *shdr);
/* The contents of a section; NULL if empty, invalid or over the limit. */
Elf_Data *elf_file_data(struct elf_file *f, Elf_Scn *scn);
/*
 * The string at @offset of a string table; NULL if it has no end, or more than
 * ELF_STRING_MAX bytes.
 */
enum { ELF_STRING_MAX = 16 << 10 };
const char *elf_file_string(const Elf_Data *table, uint64_t offset);

/*
 * The executable PT_LOADs (or all, if none is executable), in an allocation
 * that the caller frees.  Returns their number, 0: none, or -ENOMEM.
 */
int elf_file_loads(struct elf_file *f, struct elf_load **loads);
/*
 * Whether one stands in @size bytes of notes, aligned to @align: elf(5); then
 * with @id.  @swapped: of the other byte order.
 */
bool elf_file_find_build_id(const unsigned char *notes, size_t size,
			    size_t align, bool swapped,
			    struct elf_build_id *id);
/* 0, or -ENOENT if it has none. */
int elf_file_build_id(struct elf_file *f, struct elf_build_id *id);

#endif
