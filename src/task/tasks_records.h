/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks there are, as the records that make them so: for files. */
#ifndef RBTOP_TASK_TASKS_RECORDS_H
#define RBTOP_TASK_TASKS_RECORDS_H

#include <stddef.h>

struct tasks;

/* Given a record of @size bytes, which it may change; non-zero: no more. */
typedef int tasks_records_fn(void *ctx, void *record, size_t size);

/*
 * Call @fn with the COMM, MMAP2 and FORK records, all of time 0, that tell of
 * @t to one who knows of no task, until it returns non-zero, which is returned.
 */
int tasks_records_each(const struct tasks *t, tasks_records_fn *fn, void *ctx);

#endif
