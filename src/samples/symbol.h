/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbol of an address. */
#ifndef RBTOP_SAMPLES_SYMBOL_H
#define RBTOP_SAMPLES_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum symbol_kind {
	SYMBOL_UNKNOWN,		/* in no known mapping */
	SYMBOL_KERNEL,
	SYMBOL_USER,
	SYMBOL_JIT,
	SYMBOL_GUEST,		/* of a virtual machine */
	SYMBOL_HYPERVISOR,
};

/*
 * Names are sanitized, never NULL, and belong to a struct names: equal names
 * have equal pointers.
 */
struct symbol {
	const char *name;	/* "[unknown]" if there is none, "[loading]" if
				 * its file is not loaded yet */
	const char *dso;	/* "[kernel.kallsyms]", "/usr/lib/libc.so.6",
				 * "[vdso]", "[unknown]" */
	enum symbol_kind kind;
	bool placed;		/* it has no name of its own, but that of its
				 * place in the file: "fn@0x1a40",
				 * "page@0x12000" */
	uint64_t offset;	/* of the address from the symbol's start; of
				 * an unknown one, in the file */
};

/* A dso without its directory, if it is a file. */
static inline const char *symbol_file_name(const char *dso)
{
	return *dso == '/' ? text_base_name(dso) : dso;
}

#endif
