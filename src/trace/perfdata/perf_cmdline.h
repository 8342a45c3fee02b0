/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The size of the rings by the command line of perf record.  It is read word by
 * word, until the command that perf ran.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERF_CMDLINE_H
#define RBTOP_TRACE_PERFDATA_PERF_CMDLINE_H

#include <stdbool.h>
#include <stdint.h>

/* Starts zeroed. */
struct perf_cmdline {
	unsigned int nr;	/* words so far */
	bool ended;		/* what follows is no option of perf record */
	bool is_size, is_other;	/* the next word is the argument of -m, or of
				 * another option */
	uint64_t ring_bytes;	/* of -m; 0: not given, or not understood */
	bool pages;		/* it counts pages, not bytes */
};

void perf_cmdline_add(struct perf_cmdline *c, const char *word);

/*
 * Bytes of each data ring; UNKNOWN: perf's default, which depends on the
 * machine, another command, or not known.  @arch as uname -m has it: a page is
 * 4 KiB there, or its size is not known.
 */
uint64_t perf_cmdline_ring_size(const struct perf_cmdline *c,
				const char *arch);

#endif
