/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A symbol table of an ELF file, read in pieces: of a large program it takes
 * more memory, with its strings, than the functions that are wanted of it.
 */
#ifndef RBTOP_SYMBOLS_ELF_ELF_SYMS_H
#define RBTOP_SYMBOLS_ELF_ELF_SYMS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file;
struct elf_syms;

/*
 * That of the section @scn of @f, which stays open as long.  0 with *@out;
 * -ENOENT where it is none or lies; -ENOMEM.
 */
int elf_syms_open(struct elf_file *f, Elf_Scn *scn, struct elf_syms **out);
void elf_syms_free(struct elf_syms *s);

/* The symbols there are, and whether more of them are never looked at. */
size_t elf_syms_len(const struct elf_syms *s);
bool elf_syms_cut(const struct elf_syms *s);

/* The @i-th; cheap in order.  False where the file has none. */
bool elf_syms_at(struct elf_syms *s, size_t i, GElf_Sym *sym);
/*
 * The string at @offset, valid until the next one is asked for; NULL as of
 * elf_file_string().
 */
const char *elf_syms_string(struct elf_syms *s, uint64_t offset);

#endif
