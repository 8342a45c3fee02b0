/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running kernel's functions: read when the first is asked for, kept true
 * by KSYMBOL records, and read again where addresses turn up that nobody told
 * of (no record says that a module was loaded).
 */
#ifndef RBTOP_SYMBOLS_KERNEL_SYMBOLS_H
#define RBTOP_SYMBOLS_KERNEL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "perf/abi/side_band.h"

struct kernel_symbols;
struct names;

/*
 * Opens @path ("/proc/kallsyms"), which takes a privilege that may be dropped
 * afterwards; that it is not there is no error, see kernel_symbols_hidden().
 * @proc: where sys/kernel is looked for.  NULL when out of memory.
 */
struct kernel_symbols *kernel_symbols_new(const char *path, const char *proc);
void kernel_symbols_free(struct kernel_symbols *k);

/* A KSYMBOL record. */
void kernel_symbols_record(struct kernel_symbols *k,
			   const struct side_band_ksymbol *record);

/* As kallsyms_find(). */
const char *kernel_symbols_find(struct kernel_symbols *k, uint64_t addr,
				struct names *names, uint64_t *start,
				const char **dso);

/* Read again if it is time to (@now_ns).  Not often: it takes up to 100 ms. */
void kernel_symbols_refresh(struct kernel_symbols *k, uint64_t now_ns);

/* Changes with every change; the top bit is set. */
uint64_t kernel_symbols_generation(const struct kernel_symbols *k);
/* Why there are no symbols, and the remedy; NULL. */
const char *kernel_symbols_hidden(const struct kernel_symbols *k);
size_t kernel_symbols_len(const struct kernel_symbols *k);
size_t kernel_symbols_bytes(const struct kernel_symbols *k);

#endif
