/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard input, output and error, as the program inherited them. */
#ifndef RBTOP_CLI_STREAMS_H
#define RBTOP_CLI_STREAMS_H

#include <stdio.h>

struct err;

/*
 * Open closed streams on /dev/null: else the next file opened, such as a perf
 * event, would get their number and be written to.  Call this first.  0; -EBADF
 * with @err if standard output was closed, or another -errno.
 */
int streams_check(struct err *err);

/* Flush standard output.  0, or -errno with @err if a write has failed. */
int streams_flush(struct err *err);
/* Call @print with standard output, and flush it.  0, or -errno with @err. */
int streams_print(void (*print)(FILE *out), struct err *err);

#endif
