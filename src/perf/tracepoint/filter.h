/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoint filter expressions. */
#ifndef RBTOP_PERF_TRACEPOINT_FILTER_H
#define RBTOP_PERF_TRACEPOINT_FILTER_H

#include <stddef.h>
#include <sys/types.h>

struct err;

/*
 * The user's @filter (may be NULL) AND-ed with common_pid!=TID for each of
 * @tids, so that rbtop does not trace itself.  common_pid is a thread id.
 * Returns an allocation, or NULL if there is nothing to filter (@nr 0 and no
 * @filter) or no memory (errno ENOMEM).
 */
char *filter_without(const char *filter, const pid_t *tids, size_t nr);

/*
 * Check what can be checked without the kernel: balanced parentheses and
 * quotes, no control bytes, at most a page long, operators between operands.
 * 0, or -EINVAL (ERR_USAGE) with the column in @err.
 */
int filter_check(const char *filter, struct err *err);

#endif
