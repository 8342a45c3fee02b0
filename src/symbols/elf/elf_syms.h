/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a symbol table of an ELF file in pieces: with its strings, that of a
 * large program needs more memory than the functions in it.
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
 * Open the table in section @scn of @f, which must stay open.  0 with *@out;
 * -ENOENT if it is no valid table; -ENOMEM.
 */
int elf_syms_open(struct elf_file *f, Elf_Scn *scn, struct elf_syms **out);
void elf_syms_free(struct elf_syms *s);

/* The number of symbols that can be read, and whether the table has more. */
size_t elf_syms_len(const struct elf_syms *s);
bool elf_syms_cut(const struct elf_syms *s);

/* The @i-th; fast in sequence.  False if the file does not have it. */
bool elf_syms_at(struct elf_syms *s, size_t i, GElf_Sym *sym);
/*
 * The string at @offset, valid until the next call; NULL as in
 * elf_file_string().
 */
const char *elf_syms_string(struct elf_syms *s, uint64_t offset);

#endif
