/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice for unknown options: those of perf, and misspelled ones. */
#ifndef RBTOP_CLI_CLI_PERF_H
#define RBTOP_CLI_CLI_PERF_H

#include <stddef.h>

/*
 * What to use instead of an option of perf record or perf top, by its letter
 * (@name is NULL) or its long name.  NULL if neither has it, or rbtop has it.
 */
const char *cli_perf_advice(int letter, const char *name);

/*
 * The name of the option that is most similar to @name (without dashes, up to
 * "="), or NULL if none is.
 */
const char *cli_perf_nearest(const char *name);

/*
 * The options that start with @name, for example "--filter, --freq", in @buf:
 * as many as fit.  NULL if there are none.
 */
const char *cli_perf_begun(const char *name, char *buf, size_t size);

#endif
