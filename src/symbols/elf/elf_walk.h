/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol tables of an ELF file with its functions, best first: .symtab,
 * else that of a separate debug file, else .dynsym together with the compressed
 * one that some distributions add to stripped files (.gnu_debugdata).
 */
#ifndef RBTOP_SYMBOLS_ELF_ELF_WALK_H
#define RBTOP_SYMBOLS_ELF_ELF_WALK_H

#include <sys/types.h>

struct debug_budget;
struct elf_file;
struct elf_syms;

struct elf_walk_opts {
	const char *path;	/* of the file; NULL: do not search a debug
				 * file */
	const char *debug_root;	/* this and the others: see struct
				 * elf_symbols_opts */
	const char *prefix;	/* NULL: "" */
	uid_t owner;
	double debug_seconds;
	struct debug_budget *budget;
};

/*
 * Gets a table of @f, which is the file or one split from it.  Returns the
 * number of functions, which if positive ends the walk; or -errno, which also
 * ends it.
 */
typedef int elf_walk_fn(void *ctx, struct elf_file *f, struct elf_syms *syms);

/*
 * Call @fn with the tables of @f until functions are found.  0 with *@origin,
 * which the caller frees: "symtab", "debug file PATH", "no symbols"; or -errno
 * of @fn, or -ENOMEM.
 */
int elf_walk(struct elf_file *f, const struct elf_walk_opts *opts,
	     elf_walk_fn *fn, void *ctx, char **origin);

#endif
