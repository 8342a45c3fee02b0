/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard input, output and error, as they were handed to the program. */
#ifndef RBTOP_CLI_STREAMS_H
#define RBTOP_CLI_STREAMS_H

#include <stdio.h>

struct err;

/*
 * Before anything is opened: a stream that is closed would become the next
 * file opened, a perf event perhaps, and be written to.  Such a one is put on
 * /dev/null; for standard output that is -EBADF with @err.
 */
int streams_check(struct err *err);

/* Print to standard output and see that it got there.  0 or -errno, @err. */
int streams_print(void (*print)(FILE *out), struct err *err);

#endif
