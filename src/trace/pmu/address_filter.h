/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address filters with the syntax of perf-record(1), --filter, for PMUs that
 * trace: "filter main @ /bin/app", "start func, stop other", "filter
 * 0xffff.../0x100", "filter sym #2 @ FILE", "filter sym1 / sym2 @ FILE",
 * "filter * @ FILE".  Symbols are looked up in the file, or in the kernel if no
 * file is named.
 */
#ifndef RBTOP_TRACE_PMU_ADDRESS_FILTER_H
#define RBTOP_TRACE_PMU_ADDRESS_FILTER_H

#include <stddef.h>

struct err;

/*
 * Convert @text to the kernel's syntax (PERF_EVENT_IOC_SET_FILTER;
 * kernel/events/core.c, perf_event_parse_addr_filter), in an allocation in
 * *@out; *@nr is the number of filters.  @kallsyms: "/proc/kallsyms".  0; or
 * -errno with @err: ERR_USAGE for bad syntax, unknown symbols, and ambiguous
 * ones (which are listed, with #N).
 */
int address_filter_resolve(const char *text, const char *kallsyms, char **out,
			   size_t *nr, struct err *err);

#endif
