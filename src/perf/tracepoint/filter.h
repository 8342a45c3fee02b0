/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoint filter expressions. */
#ifndef RBTOP_PERF_TRACEPOINT_FILTER_H
#define RBTOP_PERF_TRACEPOINT_FILTER_H

#include <stddef.h>
#include <sys/types.h>

struct err;

/*
 * The user's @filter (may be NULL) AND-ed with one common_pid!=TID for every
 * one of @tids: so that rbtop does not watch itself.  common_pid is a thread
 * id.  Returns an allocation, or NULL when there is nothing to filter
 * (@nr 0 and no @filter) or no memory (errno ENOMEM).
 */
char *filter_without(const char *filter, const pid_t *tids, size_t nr);

/*
 * Check what can be checked before the kernel does: balanced parentheses and
 * quotes, no control bytes, at most a page long, operators between operands.
 * 0 or -EINVAL (ERR_USAGE) with the place named.
 */
int filter_check(const char *filter, struct err *err);

#endif
