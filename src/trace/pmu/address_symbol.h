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

/* Which of several functions of one name. */
enum {
	ADDRESS_SYMBOL_ONLY = -1,	/* there is but one */
	ADDRESS_SYMBOL_GLOBAL = 0,	/* #g, #0: the global one */
	/* above: #N, in the order of their addresses, from 1 */
};

/* Where functions are looked up. */
struct address_symbol_place {
	const char *file;	/* NULL: in the kernel */
	const char *kallsyms;	/* "/proc/kallsyms" */
	char *text;		/* of kallsyms, once it was read; owned */
};
void address_symbol_done(struct address_symbol_place *place);

struct address_range {
	uint64_t start, size;	/* a file offset, an address of the kernel */
};

/*
 * The function @name.  Its size is 0 where nothing tells it.  0; or -errno with
 * @err: ERR_USAGE where it is not there, or stands for several (which are
 * listed); ERR_MACHINE where the file or kallsyms cannot be read.
 */
int address_symbol_find(struct address_symbol_place *place, const char *name,
			int which, struct address_range *range,
			struct err *err);

/* The whole of the file, or of the kernel's code. */
int address_symbol_all(struct address_symbol_place *place,
		       struct address_range *range, struct err *err);

#endif
