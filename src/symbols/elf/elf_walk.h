/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol tables of an ELF file with its functions, best first: .symtab,
 * else that of a separate debug file, else .dynsym together with the compressed
 * one that some distributions add to stripped files (.gnu_debugdata).
 */
#ifndef RBTOP_SYMBOLS_ELF_ELF_WALK_H
#define RBTOP_SYMBOLS_ELF_ELF_WALK_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct elf_file;
struct elf_symbols_opts;

/*
 * A symbol table, read in pieces: with its strings, that of a large program
 * needs more memory than the functions in it.
 */
struct elf_syms;

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

/*
 * Gets a table of @f, which is the file or one split from it.  Returns the
 * number of functions, which if positive ends the walk; or -errno, which also
 * ends it.
 */
typedef int elf_walk_fn(void *ctx, struct elf_file *f, struct elf_syms *syms);

/*
 * Call @fn with the tables of @f until functions are found.  A debug file is
 * searched for the file at @path, NULL: for none.  0 with those that have some
 * in *@tables, see elf_symbols_tables(); or -errno of @fn, or -ENOMEM.
 */
int elf_walk(struct elf_file *f, const char *path,
	     const struct elf_symbols_opts *opts, elf_walk_fn *fn, void *ctx,
	     unsigned int *tables);

/*
 * A function of these tables, with any of its names, to find it by name;
 * elf_symbols.h finds names of addresses, and keeps one for each.
 */
struct elf_function {
	const char *name;	/* mangled; valid during the call */
	uint64_t offset;	/* of its code, in the file */
	uint64_t size;		/* 0: unknown */
	char bind;		/* 'g'lobal, 'w'eak or 'l'ocal */
};

typedef int elf_function_fn(void *ctx, const struct elf_function *function);

/*
 * Call @fn with each function of the file at @fd (not closed), named @path, in
 * no particular order, until it returns an -errno, which is returned.  -ENOEXEC
 * if it is no ELF file, -ENOMEM.
 */
int elf_functions_each(int fd, const char *path, elf_function_fn *fn,
		       void *ctx);

#endif
