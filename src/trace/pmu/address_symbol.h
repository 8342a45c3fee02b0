/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Look up functions of a file or of the kernel by name, for address filters and
 * for snapshots on calls.
 */
#ifndef RBTOP_TRACE_PMU_ADDRESS_SYMBOL_H
#define RBTOP_TRACE_PMU_ADDRESS_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

struct err;

/* Selects one of several functions of the same name. */
enum {
	ADDRESS_SYMBOL_ONLY = -1,	/* there must be only one */
	ADDRESS_SYMBOL_GLOBAL = 0,	/* #g, #0: the only global one */
	/* N > 0: #N, in order of addresses, from 1 */
};

/* Where functions are looked up. */
struct address_symbol_place {
	const char *file;	/* NULL: the kernel */
	const char *kallsyms;	/* "/proc/kallsyms" */
};

struct address_range {
	uint64_t start, size;	/* file offset, or kernel address */
};

/*
 * Find the function @name.  Its size is 0 if unknown.  0; or -errno with @err:
 * ERR_USAGE if it does not exist, or is ambiguous (the candidates are listed);
 * ERR_MACHINE if the file or kallsyms cannot be read.
 */
int address_symbol_find(const struct address_symbol_place *place,
			const char *name, int which,
			struct address_range *range, struct err *err);

/* The range of the whole file, or of the kernel's text. */
int address_symbol_all(const struct address_symbol_place *place,
		       struct address_range *range, struct err *err);

#endif
