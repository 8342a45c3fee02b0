/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an address is called. */
#ifndef RBTOP_SAMPLES_SYMBOL_H
#define RBTOP_SAMPLES_SYMBOL_H

#include <stdint.h>

enum symbol_kind {
	SYMBOL_UNKNOWN,		/* in no mapping that is known */
	SYMBOL_KERNEL,
	SYMBOL_USER,
	SYMBOL_JIT,
	SYMBOL_GUEST,		/* of a virtual machine */
	SYMBOL_HYPERVISOR,
};

/*
 * Names are sanitized, never NULL, and stand in a struct names: the same name
 * is the same pointer.
 */
struct symbol {
	const char *name;	/* "[unknown]" where there is none, "[loading]"
				 * where its file is yet to be loaded */
	const char *dso;	/* "[kernel.kallsyms]", "/usr/lib/libc.so.6",
				 * "[vdso]", "[unknown]" */
	enum symbol_kind kind;
	uint64_t offset;	/* of the address, from the symbol's start; of
				 * an unnamed one, in the file */
};

#endif
