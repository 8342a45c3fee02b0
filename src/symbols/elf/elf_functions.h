/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All functions of an ELF file (in the tables of elf_walk.h) with all their
 * names, for finding a function by name. elf_symbols.h finds names of
 * addresses, and keeps one for each.
 */
#ifndef RBTOP_SYMBOLS_ELF_ELF_FUNCTIONS_H
#define RBTOP_SYMBOLS_ELF_ELF_FUNCTIONS_H

#include <stdint.h>

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
