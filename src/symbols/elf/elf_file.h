/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file being read: libelf's handle, behind checks of what libelf itself
 * would believe.  No section is larger than the file and a bound, which all of
 * them have in common: libelf holds what it has read until the end.  No string
 * ends outside its table.
 */
#ifndef RBTOP_SYMBOLS_ELF_ELF_FILE_H
#define RBTOP_SYMBOLS_ELF_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/elf_symbols.h"

/* A PT_LOAD: file bytes @offset .. @offset + @size stand at @vaddr. */
struct elf_load {
	uint64_t offset, size, vaddr;
};

/* Plain data, to be read. */
struct elf_file {
	Elf *elf;
	GElf_Ehdr ehdr;
	bool swapped;		/* of the other byte order */
	int fd;			/* -1: @image */
	const unsigned char *image;
	uint64_t size;		/* of the file, bytes */
	uint64_t left;		/* bytes of sections that may yet be held */
	Elf_Data *names;	/* of the sections; NULL: there are none */
};

/* Of a file open at @fd (kept open until the close), of memory.  0, -errno:
 * -ENOEXEC where it is no ELF file, -EINVAL where it is no plain file. */
int elf_file_open(struct elf_file *f, int fd);
int elf_file_memory(struct elf_file *f, void *image, size_t size);
void elf_file_close(struct elf_file *f);

/* Up to @size bytes at @offset of the file.  Their number, 0 for none. */
size_t elf_file_read(const struct elf_file *f, uint64_t offset, void *buf,
		     size_t size);

/* "" where it has none. */
const char *elf_file_section_name(struct elf_file *f, const GElf_Shdr *shdr);
/* The first section of this @type, and where not NULL this @name; NULL. */
Elf_Scn *elf_file_section(struct elf_file *f, uint32_t type, const char *name,
			  GElf_Shdr *shdr);
/* Whether a section has bytes, and all of them lie within the file. */
bool elf_file_has(const struct elf_file *f, const GElf_Shdr *shdr);
/* Its bytes; NULL where it has none, lies, or is over the bound. */
Elf_Data *elf_file_data(struct elf_file *f, Elf_Scn *scn);
/* The string at @offset of a string table; NULL where it has no end, or is
 * longer than any name: ELF_STRING_MAX bytes. */
enum { ELF_STRING_MAX = 16 << 10 };
const char *elf_file_string(const Elf_Data *table, uint64_t offset);

/*
 * The executable PT_LOADs (all of them, where none is), into an allocation
 * that the caller frees.  Their number, 0 for none, or -ENOMEM.
 */
int elf_file_loads(struct elf_file *f, struct elf_load **loads);
/* 0, or -ENOENT where it has none. */
int elf_file_build_id(struct elf_file *f, struct elf_build_id *id);

#endif
