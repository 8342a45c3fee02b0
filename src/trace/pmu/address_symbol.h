/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Look up functions of a file or of the kernel by name, for snapshots on calls
 * and for address filters.
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

/*
 * Address filters with the syntax of perf-record(1), --filter, for PMUs that
 * trace: "filter main @ /bin/app", "start func, stop other", "filter
 * 0xffff.../0x100", "filter sym #2 @ FILE", "filter sym1 / sym2 @ FILE",
 * "filter * @ FILE".  Symbols are looked up in the file, or in the kernel if no
 * file is named.
 *
 * Convert @text to the kernel's syntax (PERF_EVENT_IOC_SET_FILTER;
 * kernel/events/core.c, perf_event_parse_addr_filter), in an allocation in
 * *@out; *@nr is the number of filters.  @kallsyms: "/proc/kallsyms".  0; or
 * -errno with @err: ERR_USAGE for bad syntax, unknown symbols, and ambiguous
 * ones (which are listed, with #N).
 */
int address_filter_resolve(const char *text, const char *kallsyms, char **out,
			   size_t *nr, struct err *err);

#endif
