/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running kernel's functions: read on first use, updated by KSYMBOL
 * records, and read again if unknown addresses occur (no record reports a
 * loaded module).
 */
#ifndef RBTOP_SYMBOLS_KERNEL_SYMBOLS_H
#define RBTOP_SYMBOLS_KERNEL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "perf/abi/side_band.h"

struct kernel_symbols;
struct names;

/*
 * Opens @path ("/proc/kallsyms"; "": there are none, since the addresses are
 * those of another kernel), which needs a privilege that may be dropped
 * afterwards; a missing file is no error, see kernel_symbols_hidden().  @proc:
 * where sys/kernel is found; "": /proc.  NULL when out of memory.
 */
struct kernel_symbols *kernel_symbols_new(const char *path, const char *proc);
void kernel_symbols_free(struct kernel_symbols *k);

/* Process a KSYMBOL record. */
void kernel_symbols_record(struct kernel_symbols *k,
			   const struct side_band_ksymbol *record);
/* Records start again: undo what they changed. */
void kernel_symbols_restart(struct kernel_symbols *k);

/* See kallsyms_find(). */
const char *kernel_symbols_find(struct kernel_symbols *k, uint64_t addr,
				struct names *names, uint64_t *start,
				const char **dso);

/* Read kallsyms again if due at @now_ns.  Rarely due: it takes up to 100 ms. */
void kernel_symbols_refresh(struct kernel_symbols *k, uint64_t now_ns);

/* Increases with every change; the top bit is set. */
uint64_t kernel_symbols_generation(const struct kernel_symbols *k);
/* Why there are no symbols, with the remedy; NULL: there are. */
const char *kernel_symbols_hidden(const struct kernel_symbols *k);
size_t kernel_symbols_len(const struct kernel_symbols *k);
size_t kernel_symbols_bytes(const struct kernel_symbols *k);

#endif
