/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol tables of an ELF file that tell of its functions, the best first:
 * .symtab, else that of a separate debug file, else .dynsym and, beside it,
 * what a distribution leaves in a stripped file, compressed (.gnu_debugdata).
 */
#ifndef RBTOP_SYMBOLS_ELF_ELF_WALK_H
#define RBTOP_SYMBOLS_ELF_ELF_WALK_H

struct elf_file;
struct elf_syms;

struct elf_walk_opts {
	const char *path;	/* of the file; NULL: it has no debug file */
	const char *debug_root;	/* see struct elf_symbols_opts, as the others */
	const char *prefix;	/* NULL: "" */
	double debug_seconds;
};

/*
 * Given a table of @f, which is the file or one that was split from it.  How
 * many functions it has, which if any make worse tables needless; or -errno,
 * which ends the walk.
 */
typedef int elf_walk_fn(void *ctx, struct elf_file *f, struct elf_syms *syms);

/*
 * Call @fn with the tables of @f until functions are found.  0, and *@origin
 * says where, for the caller to free: "symtab", "debug file PATH", "no
 * symbols"; or -errno of @fn, or -ENOMEM.
 */
int elf_walk(struct elf_file *f, const struct elf_walk_opts *opts,
	     elf_walk_fn *fn, void *ctx, char **origin);

#endif
