/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that rbtop has not: what to say of perf's, and of mistyped ones. */
#ifndef RBTOP_CLI_PERF_H
#define RBTOP_CLI_PERF_H

#include <stddef.h>

/*
 * What helps whoever gives an option of perf record or perf top, by its letter
 * (@name NULL) or its long name; NULL where neither has it.
 */
const char *cli_perf_advice(int letter, const char *name);

/*
 * The name of the option that is nearest to @name (without dashes, up to "="),
 * NULL where none is near.
 */
const char *cli_perf_nearest(const char *name);

#endif
